// OpenCL: one cl_mem per Memory, and sub-buffers for parts of it. Drivers allocate at first use, so a lack of
// memory may show only in the submission that touches it. On a CPU it shows at once: see create_memory().

#include "backends/opencl/device.hpp"

namespace collet::backend::opencl {
namespace {

// Sub-buffers kept per Memory. A window that slides over a buffer makes new ones for ever.
constexpr std::size_t kMaxParts = 64;

MemoryState& state(Memory memory) { return *reinterpret_cast<MemoryState*>(memory.id); }

}  // namespace

Result<MemoryInfo> OpenClDevice::memory_info() {
  MemoryInfo info{.total = candidate_.info.memory_total.value_or(0), .available = 0};
  const std::string extensions = device_text(cl_, candidate_.device, CL_DEVICE_EXTENSIONS);
  if (has_extension(extensions, "cl_amd_device_attribute_query")) {
    // KiB in all, and in the largest free block.
    const auto free = device_values<std::size_t>(cl_, candidate_.device, CL_DEVICE_GLOBAL_FREE_MEMORY_AMD);
    if (!free.empty()) info.available = std::uint64_t{free[0]} * 1024;
  }
  return info;
}

Result<Allocation> OpenClDevice::create_memory(const MemoryDesc& desc) {
  cl_mem_flags flags = CL_MEM_READ_WRITE;
  // Pinned where the driver can: Write and Read of it are faster. Where the device is the CPU all memory is
  // the host's, and asked for as such it is allocated now: PoCL, which allocates at the first launch
  // otherwise, ends the process there by an assertion when it gets none.
  if (desc.placement != Placement::device || candidate_.info.type == DeviceType::software)
    flags |= CL_MEM_ALLOC_HOST_PTR;
  void* shared = nullptr;
  if (desc.placement == Placement::shared && caps_.concurrent) {
    shared = cl_.clSVMAlloc(context_, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, desc.size, 0);
    if (shared == nullptr)
      return Error(ErrorCode::out_of_memory, Category::memory, Cause::allocation_failed,
                   "The driver has no " + std::to_string(desc.size) + " bytes that host and device share.");
    flags = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
  }
  cl_int status = CL_SUCCESS;
  const cl_mem mem = cl_.clCreateBuffer(context_, flags, desc.size, shared, &status);
  if (status != CL_SUCCESS) {
    if (shared != nullptr) cl_.clSVMFree(context_, shared);
    const std::string doing = "creating a buffer of " + std::to_string(desc.size) + " bytes";
    return health_.note(check(status, {doing, Category::memory}).error());
  }
  auto memory = std::make_unique<MemoryState>();
  memory->mem = mem;
  memory->shared = shared;
  memory->size = desc.size;
  memory->serial = next_serial();
  return Allocation{.memory = Memory{reinterpret_cast<std::uintptr_t>(memory.release())},
                    .host = static_cast<std::byte*>(shared)};
}

void OpenClDevice::destroy_memory(Memory memory) {
  const std::unique_ptr<MemoryState> owned(&state(memory));
  for (const SubBuffer& part : owned->parts) cl_.clReleaseMemObject(part.mem);
  cl_.clReleaseMemObject(owned->mem);
  if (owned->shared != nullptr) cl_.clSVMFree(context_, owned->shared);
}

// The sub-buffer is retained for the caller: another thread may evict it from the cache.
Result<Binding> OpenClDevice::bind_part(const Slice& slice) {
  MemoryState& memory = state(slice.memory);
  const std::lock_guard lock(memory.mutex);
  for (const SubBuffer& part : memory.parts) {
    if (part.offset != slice.offset || part.size != slice.size) continue;
    COLLET_CHECK(check(cl_.clRetainMemObject(part.mem), kRetainBuffer));
    return Binding{.mem = part.mem, .serial = part.serial};
  }

  const cl_buffer_region region{.origin = slice.offset, .size = slice.size};
  cl_int status = CL_SUCCESS;
  const cl_mem mem = cl_.clCreateSubBuffer(memory.mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  if (status != CL_SUCCESS) {
    const std::string doing = "creating a sub-buffer of " + std::to_string(slice.size) + " bytes at " +
                              std::to_string(slice.offset) + " in a buffer of " + std::to_string(memory.size);
    return check(status, {doing, Category::memory}).error();
  }
  const SubBuffer made{.offset = slice.offset, .size = slice.size, .serial = next_serial(), .mem = mem};
  if (memory.parts.size() < kMaxParts) {
    memory.parts.push_back(made);
  } else {
    // Work in flight holds its own reference to the one that goes.
    SubBuffer& evicted = memory.parts[memory.next_evicted++ % kMaxParts];
    cl_.clReleaseMemObject(evicted.mem);
    evicted = made;
  }
  COLLET_CHECK(check(cl_.clRetainMemObject(mem), kRetainBuffer));
  return Binding{.mem = mem, .serial = made.serial};
}

}  // namespace collet::backend::opencl
