// Memory of a device that a program keeps apart, with a limit and figures of its own.
//
//   Pool weights(device, 256 << 20);
//   auto layer = weights.buffer<float>(n).value();
//
// Buffers of a pool are buffers of its device. The pool's memory lives until the last of them is gone.
//
// Threads: thread-safe; a handle, copies are cheap. One that was moved from returns errors.
#pragma once

#include <string>

#include "collet/buffer.hpp"
#include "collet/device.hpp"
#include "collet/memory_usage.hpp"
#include "collet/result.hpp"

namespace collet {

struct PoolOptions {
  std::string label = {};
  MemoryOptions memory = {};
};

class COLLET_API Pool {
 public:
  explicit Pool(const Device& device, PoolOptions options = {});
  // With a limit in bytes; see MemoryOptions::limit.
  Pool(const Device& device, std::uint64_t limit);
  Pool(const Pool&);
  Pool(Pool&&) noexcept;
  Pool& operator=(const Pool&);
  Pool& operator=(Pool&&) noexcept;
  ~Pool();

  // `count` elements, zero unless asked otherwise; see Device::buffer().
  template <class T>
  Result<Buffer<T>> buffer(std::uint64_t count, BufferOptions options = {}) const {
    auto state = make_buffer(count, sizeof(T), std::move(options));
    if (!state) return state.error();
    return detail::BufferAccess::make<T>(std::move(*state), count);
  }

  MemoryUsage usage() const;
  // Gives unused memory back to the driver.
  void trim() const;
  const std::string& label() const;

 private:
  Result<detail::Ref<detail::BufferState>> make_buffer(std::uint64_t count, std::uint32_t element_size,
                                                       BufferOptions options) const;

  detail::Handle<detail::PoolState> state_;
};

}  // namespace collet
