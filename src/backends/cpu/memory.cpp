// CPU: memory is the host's, whatever the placement: pages for large blocks, the heap for small ones.

#include <new>

#include "backends/cpu/device.hpp"
#include "backends/cpu/errors.hpp"
#include "platform/platform.hpp"

namespace collet::backend::cpu {
namespace {

constexpr std::uint64_t kPagesFrom = 1 << 20;
constexpr std::align_val_t kAlignment{kCacheLine};

struct Block {
  std::byte* bytes;
  std::uint64_t size;
};

}  // namespace

Result<MemoryInfo> CpuDevice::memory_info() {
  return MemoryInfo{.total = platform::physical_memory(), .available = 0};
}

Result<Allocation> CpuDevice::create_memory(const MemoryDesc& desc) {
  const bool pages = desc.size >= kPagesFrom;
  auto* block = new (std::nothrow) Block{nullptr, desc.size};
  if (block == nullptr) return no_memory(sizeof(Block), "the books of a memory block");
  block->bytes = static_cast<std::byte*>(pages ? platform::map_pages(desc.size)
                                               : ::operator new(desc.size, kAlignment, std::nothrow));
  if (block->bytes == nullptr) {
    delete block;
    return no_memory(desc.size, "a memory block");
  }
  return Allocation{
      .memory = Memory{reinterpret_cast<std::uintptr_t>(block)}, .host = block->bytes, .zeroed = pages};
}

void CpuDevice::destroy_memory(Memory memory) {
  auto* block = reinterpret_cast<Block*>(memory.id);
  if (block->size >= kPagesFrom) {
    platform::unmap_pages(block->bytes, block->size);
  } else {
    ::operator delete(block->bytes, kAlignment);
  }
  delete block;
}

std::byte* address(const Slice& slice) {
  return reinterpret_cast<Block*>(slice.memory.id)->bytes + slice.offset;
}

}  // namespace collet::backend::cpu
