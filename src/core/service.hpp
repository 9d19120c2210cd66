// One thread per device for what must happen when work is done and nobody waits: callbacks, gathered
// launches, streams that wait for another device.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "collet/backend.hpp"
#include "collet/detail/ref.hpp"
#include "core/worker.hpp"

namespace collet::core {

// Starts its thread when first asked for something; sleeps while there is nothing to watch.
// Threads: thread-safe. Callbacks run without any lock of Collet's held.
class Service {
 public:
  explicit Service(backend::Device& device) : device_(device) {}

  // Both fail where there is no thread for it: nobody will be called then.

  // Calls stream.pump() when `value` of it is done or failed.
  Result<void> pump_later(detail::StreamState& stream, std::uint64_t value);
  // Calls `call` when `value` of `stream` is done or failed.
  Result<void> when(detail::Ref<detail::StreamState> stream, std::uint64_t value,
                    std::function<void(const Result<void>&)> call);

  // Ends the thread. What is still watched is forgotten: nobody calls back.
  void stop(Deadline deadline) { worker_.stop(deadline); }

 private:
  struct Watch {
    detail::Ref<detail::StreamState> stream;
    std::uint64_t value;
    std::function<void(const Result<void>&)> call;  // empty: pump
  };
  struct Shared : Worker::Mailbox {
    std::vector<Watch> arriving;
  };
  Result<void> add(Watch watch);
  static void watch(backend::Device& device, Shared& shared);

  backend::Device& device_;
  const std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  Worker worker_{"collet-service", shared_};
};

}  // namespace collet::core
