// WebGPU: buffers. Their memory is zero when it is new, as the API promises.

#include <atomic>

#include "backends/webgpu/device.hpp"

namespace collet::backend::webgpu {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

Result<abi::Buffer> Native::create_buffer(std::uint64_t size, abi::Flags usage, std::string_view label,
                                          const Doing& doing) const {
  Listener listener;
  const abi::BufferDescriptor desc{.label = view(label), .usage = usage, .size = size};
  const abi::Buffer buffer = wgpu.DeviceCreateBuffer(device, &desc);
  auto done = listener.check(doing);
  if (done && buffer != nullptr) return buffer;
  if (buffer != nullptr) wgpu.BufferRelease(buffer);
  if (!done) return reports.note(done.error());
  return Error(ErrorCode::out_of_memory, Category::memory, Cause::allocation_failed,
               "WebGPU gives no buffer of " + std::to_string(size) + " bytes.");
}

void Native::release_buffer(abi::Buffer buffer) const {
  wgpu.BufferDestroy(buffer);  // bind groups may refer to it for some time
  wgpu.BufferRelease(buffer);
}

Result<Allocation> WebGpuDevice::create_memory(const MemoryDesc& desc) {
  using namespace abi::buffer_usage;
  const std::string doing = "creating a buffer of " + std::to_string(desc.size) + " bytes";
  COLLET_TRY(buffer, native_.create_buffer(desc.size, storage | copy_src | copy_dst, desc.label,
                                           {doing, Category::memory}));
  auto* made = new MemoryState{.buffer = buffer, .size = desc.size, .serial = next_serial()};
  return Allocation{.memory = Memory{reinterpret_cast<std::uintptr_t>(made)}, .zeroed = true};
}

void WebGpuDevice::destroy_memory(Memory memory) {
  const std::unique_ptr<MemoryState> owned(reinterpret_cast<MemoryState*>(memory.id));
  native_.release_buffer(owned->buffer);
}

}  // namespace collet::backend::webgpu
