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
  BufferState(Ref<DeviceState> owner, memory::Block memory, std::uint64_t size, std::string name)
      : device(std::move(owner)), block(memory), bytes(size), label(std::move(name)) {}
  ~BufferState() override;

  Ref<DeviceState> device;
  memory::Block block;      // nothing where bytes is 0
  std::uint64_t bytes = 0;  // what the user asked for; the block is rounded up to 16
  std::string label;
  std::uint64_t ready = 0;  // the point of the device's initialiser after which the contents are zero

  // `[Buffer "x"]`
  std::string name() const;

 private:
  void dispose() noexcept override;
};

// `options.zeroed` costs nothing where the host reaches the memory or the driver has zeroed it.
Result<Ref<BufferState>> make_buffer(const Ref<DeviceState>& device, std::uint64_t bytes,
                                     backend::Placement placement, BufferOptions options);

// What work on a buffer that was moved from fails with; such a one has no device.
Error moved_buffer_error();

}  // namespace collet::detail
