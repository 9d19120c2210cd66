// The queue of kernels that are to be built again.

#include "core/tier_up.hpp"

#include "base/log.hpp"
#include "core/device_state.hpp"

namespace collet::core {

void TierUp::add(detail::Ref<detail::KernelState> kernel) {
  {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->stopping) return;
    const auto started =
        worker_.start_locked([&device = device_, shared = shared_] { run(device, *shared); });
    if (!started) {
      base::log(LogLevel::warn, device_.facts->id,
                detail::described(*kernel) + " stays as it is: " + started.error().message());
      return;
    }
    shared_->arriving.push_back(std::move(kernel));
  }
  shared_->changed.notify_one();
}

void TierUp::run(detail::DeviceState& device, Shared& shared) {
  for (;;) {
    detail::Ref<detail::KernelState> kernel;
    {
      std::unique_lock lock(shared.mutex);
      shared.changed.wait(lock, [&] { return shared.stopping || !shared.arriving.empty(); });
      if (shared.stopping) return;
      kernel = std::move(shared.arriving.front());
      shared.arriving.erase(shared.arriving.begin());
    }
    device.improve(*kernel);
    kernel = {};  // may be the last reference to it, and its end the last to the device
  }
}

}  // namespace collet::core
