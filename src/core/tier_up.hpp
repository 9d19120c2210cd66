// One thread per device that builds better programs while the quick ones run.
#pragma once

#include <memory>
#include <vector>

#include "collet/detail/ref.hpp"
#include "core/worker.hpp"

namespace collet::detail {
class DeviceState;
class KernelState;
}  // namespace collet::detail

namespace collet::core {

// Starts its thread with the first kernel. Threads: thread-safe.
class TierUp {
 public:
  explicit TierUp(detail::DeviceState& device) : device_(device) {}

  // Calls DeviceState::improve(), one kernel after the other. Without a thread the kernel stays as it is, and
  // the log says so.
  void add(detail::Ref<detail::KernelState> kernel);

  // Ends the thread after the kernel that it is at; those that wait are forgotten.
  void stop(Deadline deadline) { worker_.stop(deadline); }

 private:
  struct Shared : Worker::Mailbox {
    std::vector<detail::Ref<detail::KernelState>> arriving;
  };
  static void run(detail::DeviceState& device, Shared& shared);

  detail::DeviceState& device_;
  const std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  Worker worker_{"collet-tier-up", shared_};
};

}  // namespace collet::core
