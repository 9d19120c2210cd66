// CUDA: memory of the device, and of the host where both reach it.

#include "backends/cuda/device.hpp"

namespace collet::backend::cuda {

Result<Allocation> CudaDevice::create_memory(const MemoryDesc& desc) {
  const Current current(cuda_, context_);
  COLLET_CHECK(current.check());
  const std::string doing = "creating a buffer of " + std::to_string(desc.size) + " bytes";
  const Doing allocate{doing, Category::memory, Cause::allocation_failed};
  auto memory = std::make_unique<MemoryState>();
  if (desc.placement == Placement::device || !caps_.mapped) {
    if (auto done = check(cuda_.MemAlloc(&memory->address, desc.size), allocate); !done)
      return health_.note(done.error());
  } else {
    unsigned flags = kHostPortable | kHostDeviceMap;
    if (desc.placement == Placement::upload) flags |= kHostWriteCombined;
    void* host = nullptr;
    if (auto done = check(cuda_.MemHostAlloc(&host, desc.size, flags), allocate); !done)
      return health_.note(done.error());
    memory->host = static_cast<std::byte*>(host);
    if (auto done = check(cuda_.MemHostGetDevicePointer(&memory->address, host, 0), allocate); !done) {
      cuda_.MemFreeHost(host);  // unchecked: it gives back
      return health_.note(done.error());
    }
  }
  std::byte* const host = memory->host;
  return Allocation{.memory = Memory{reinterpret_cast<std::uintptr_t>(memory.release())}, .host = host};
}

void CudaDevice::destroy_memory(Memory memory) {
  const std::unique_ptr<MemoryState> owned(reinterpret_cast<MemoryState*>(memory.id));
  const Current current(cuda_, context_);
  if (owned->host != nullptr)
    cuda_.MemFreeHost(owned->host);  // unchecked: it gives back
  else
    cuda_.MemFree(owned->address);  // unchecked: it gives back
}

}  // namespace collet::backend::cuda
