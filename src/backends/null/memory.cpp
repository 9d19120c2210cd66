// Null: memory is pages of the host.

#include "backends/null/device.hpp"
#include "platform/platform.hpp"

namespace collet::backend::null {
namespace {

struct Block {
  std::byte* bytes;
  std::size_t size;
};

}  // namespace

Result<MemoryInfo> NullDevice::memory_info() {
  return MemoryInfo{.total = platform::physical_memory(), .available = 0};
}

Result<Allocation> NullDevice::create_memory(const MemoryDesc& desc) {
  auto* pages = static_cast<std::byte*>(platform::map_pages(desc.size));
  if (pages == nullptr) {
    return Error(ErrorCode::out_of_memory, Category::memory, Cause::allocation_failed,
                 "The system has no " + std::to_string(desc.size) + " bytes left.");
  }
  auto* block = new Block{pages, desc.size};
  return Allocation{.memory = Memory{reinterpret_cast<std::uintptr_t>(block)}, .host = pages, .zeroed = true};
}

void NullDevice::destroy_memory(Memory memory) {
  auto* block = reinterpret_cast<Block*>(memory.id);
  platform::unmap_pages(block->bytes, block->size);
  delete block;
}

std::byte* address(const Slice& slice) {
  return reinterpret_cast<Block*>(slice.memory.id)->bytes + slice.offset;
}

}  // namespace collet::backend::null
