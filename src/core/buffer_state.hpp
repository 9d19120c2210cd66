// A buffer's memory and what must be known before it is used.
#pragma once

#include <string>

#include "collet/detail/ref.hpp"
#include "collet/device.hpp"
#include "core/device_state.hpp"
#include "memory/pool.hpp"

namespace collet::detail {

// Threads: immutable once made.
class BufferState final : public Counted {
 public:
  // `from`: the pool that the block is of, where it is not the device's own.
  BufferState(Ref<DeviceState> owner, memory::Block memory, std::uint64_t size, std::string name,
              Ref<PoolState> from = {});
  ~BufferState() override;

  Ref<DeviceState> device;
  Ref<PoolState> pool;      // nothing for the device's own
  memory::Block block;      // nothing where bytes is 0
  std::uint64_t bytes = 0;  // what the user asked for; the block is rounded up to 16
  std::string label;
  std::uint64_t ready = 0;  // the point of the device's initialiser after which the contents are zero

  // `[Buffer "x"]`
  std::string name() const;

 private:
  void dispose() noexcept override;
};

// `options.zeroed` costs nothing where the host reaches the memory or the driver has zeroed it. Of the
// device's own pool where `pool` is none. Not under a lock: it may call the program (MemoryOptions::retry).
Result<Ref<BufferState>> make_buffer(const Ref<DeviceState>& device, std::uint64_t bytes,
                                     backend::Placement placement, BufferOptions options,
                                     const Ref<PoolState>& pool = {});

// An error where they are more than 2^64.
Result<std::uint64_t> bytes_of(std::uint64_t count, std::uint32_t element_size);

// What work on a buffer that was moved from fails with; such a one has no device.
Error moved_buffer_error();

}  // namespace collet::detail
