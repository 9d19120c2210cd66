// An opened device: where buffers, streams and compiled kernels come from.
//
//   auto device = collet::Device::open("vulkan:0").value();
//   auto buffer = device.buffer<float>(1 << 20).value();
//   auto stream = device.stream();
//
// Threads: thread-safe; a handle, copies are cheap. The device closes when the last handle, buffer, stream
// and piece of work are gone.
//
// A Device that was moved from returns an error from every call that can. Its info() and name() are empty, it
// uses no memory, its streams keep the error for wait(), and so does its native().
#pragma once

#include <array>
#include <future>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collet/buffer.hpp"
#include "collet/deadline.hpp"
#include "collet/kernel.hpp"
#include "collet/memory_usage.hpp"
#include "collet/options.hpp"
#include "collet/properties.hpp"
#include "collet/result.hpp"
#include "collet/stream.hpp"

namespace collet {

struct BufferOptions {
  std::string label = {};
  bool zeroed = true;  // false: the contents are whatever was there before
  // Of where it begins in the driver's allocation, which the driver aligns as it likes: a power of two, up to
  // 65,536. 1: what the device needs.
  std::uint64_t alignment = 1;
};

// How a kernel was built for a device.
struct BuildReport {
  Format format = Format::host_function;
  std::string log;                           // the compiler's words, also on success
  std::vector<std::string> ignored_options;  // not honoured by this backend
  // Absent where the driver does not say.
  std::optional<std::uint32_t> registers;        // of an item
  std::optional<std::uint32_t> private_bytes;    // of an item, in memory
  std::optional<std::uint32_t> shared_bytes;     // of a group, without what a launch gives
  std::optional<std::uint32_t> groups_per_unit;  // that one compute unit runs at the same time (occupancy)
};

class COLLET_API Device {
 public:
  // `id` is "backend" or "backend:index": "cpu", "vulkan:0", "opencl:1". It is opened as named, without a
  // probe; strict mode probes its backend first and refuses what discovery refuses. Any other selector (see
  // Request) is looked up by discover() first: "opencl:cpu:1", "gpu", "auto".
  static Result<Device> open(std::string_view id, OpenOptions options = {});
  // The best device of this machine, or the one that the environment names; see discovery.hpp. Devices that
  // were seen to compute correctly go before all others. One that can't be opened is left out with a warning,
  // and the next one opened; strict mode returns the error.
  static Result<Device> open_best(OpenOptions options = {});
  // The future's destructor does not block.
  static std::future<Result<Device>> open_async(std::string id, OpenOptions options = {});

  explicit Device(detail::Ref<detail::DeviceState> state);
  Device(const Device&);
  Device(Device&&) noexcept;
  Device& operator=(const Device&);
  Device& operator=(Device&&) noexcept;
  ~Device();

  const DeviceInfo& info() const;
  const std::string& name() const;

  // `count` elements, zero unless asked otherwise. 0 elements are valid.
  template <class T>
  Result<Buffer<T>> buffer(std::uint64_t count, BufferOptions options = {}) const {
    auto state = make_buffer(count, sizeof(T), std::move(options));
    if (!state) return state.error();
    return Buffer<T>(std::move(*state), count);
  }
  // A buffer with the contents of `host`.
  template <class T, std::size_t kExtent>
  Result<Buffer<std::remove_const_t<T>>> upload(std::span<T, kExtent> host,
                                                BufferOptions options = {}) const {
    auto state = upload_buffer(host.data(), host.size(), sizeof(T), std::move(options));
    if (!state) return state.error();
    return Buffer<std::remove_const_t<T>>(std::move(*state), host.size());
  }
  template <class T>
  Result<Buffer<T>> upload(const std::vector<T>& host, BufferOptions options = {}) const {
    return upload(std::span<const T>(host), std::move(options));
  }
  template <class T, std::size_t kCount>
  Result<Buffer<T>> upload(const std::array<T, kCount>& host, BufferOptions options = {}) const {
    return upload(std::span<const T>(host), std::move(options));
  }
  // device.upload({1.0f, 2.0f})
  template <class T>
  Result<Buffer<T>> upload(std::initializer_list<T> host, BufferOptions options = {}) const {
    return upload(std::span<const T>(host.begin(), host.size()), std::move(options));
  }

  // Never fails: where the driver has no queue left, the stream's first wait() says so.
  Stream stream(StreamOptions options = {}) const;

  // Builds now what the first launch would build.
  template <class... Args>
  Result<BuildReport> compile(const Kernel<Args...>& kernel) const {
    return compile_kernel(*kernel.state());
  }
  // The future's destructor does not block.
  template <class... Args>
  std::future<Result<BuildReport>> compile_async(const Kernel<Args...>& kernel) const {
    return compile_kernel_async(kernel.state());
  }

  // Blocks until all work that any stream of this device was given is done. Each stream keeps its own failure
  // for its own wait(); the first of them is returned here.
  Result<void> wait(Deadline deadline = kForever) const;

  // An error where the device is known to be lost: all that is left is to open it again. Asks nobody, so a
  // loss that no call has met yet is not known.
  Result<void> health() const;

  // Of the device's own pool; those that the program made have their own.
  MemoryUsage memory_usage() const;
  // Gives unused memory back to the driver: that of the pools of this device, and of its streams' Scratch.
  void trim() const;

  // For extensions and tests: the device below the waist. Lives as long as this handle.
  backend::Device& native() const;
  const detail::Ref<detail::DeviceState>& state() const { return state_; }

 private:
  Result<detail::Ref<detail::BufferState>> make_buffer(std::uint64_t count, std::uint32_t element_size,
                                                       BufferOptions options) const;
  Result<detail::Ref<detail::BufferState>> upload_buffer(const void* host, std::uint64_t count,
                                                         std::uint32_t element_size,
                                                         BufferOptions options) const;
  Result<BuildReport> compile_kernel(detail::KernelState& kernel) const;
  std::future<Result<BuildReport>> compile_kernel_async(const detail::Ref<detail::KernelState>& kernel) const;

  detail::Handle<detail::DeviceState> state_;
};

}  // namespace collet
