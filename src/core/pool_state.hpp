// A pool that a program made: memory of a device with a limit and figures of its own.
#pragma once

#include <string>

#include "collet/pool.hpp"
#include "core/device_state.hpp"

namespace collet::detail {

// Threads: thread-safe.
class PoolState final : public Counted {
 public:
  PoolState(Ref<DeviceState> owner, PoolOptions asked);
  // Waits until its last buffers are zeroed, where that is under way.
  ~PoolState() override;

  const Ref<DeviceState> device;
  const PoolOptions options;
  memory::Pool memory;

 private:
  void dispose() noexcept override;
};

}  // namespace collet::detail
