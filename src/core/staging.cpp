// Staging: chunks of 1 MiB or more, cut from front to back.

#include "core/staging.hpp"

#include <algorithm>

namespace collet::core {
namespace {

constexpr std::uint64_t kChunk = 1 << 20;

}  // namespace

StagingChunk::StagingChunk(detail::DeviceState& owner, memory::Block from_pool,
                           std::shared_ptr<StagingUse> counter)
    : device(owner), block(from_pool), host(from_pool.host), size(from_pool.size), use_(std::move(counter)) {
  use_->bytes.fetch_add(size, std::memory_order_relaxed);
}

StagingChunk::StagingChunk(detail::DeviceState& owner, std::uint64_t heap_size,
                           std::shared_ptr<StagingUse> counter)
    : device(owner),
      heap(new(std::nothrow) std::byte[heap_size]),
      host(heap.get()),
      size(heap_size),
      use_(std::move(counter)) {
  use_->bytes.fetch_add(size, std::memory_order_relaxed);
}

StagingChunk::~StagingChunk() {
  use_->bytes.fetch_sub(size, std::memory_order_relaxed);
  if (block.memory.id != 0) device.pool.free(block);
}

void StagingChunk::dispose() noexcept {
  if (!device.is_abandoned()) delete this;
}

Result<Staged> Staging::allocate(std::uint64_t size) {
  if (!current_ || current_->size - current_->used < size) {
    const std::uint64_t wanted = std::max(size, kChunk);
    if (device_.caps.host_commands) {
      current_ = detail::Ref(new StagingChunk(device_, wanted, use_));
      if (current_->host == nullptr) {
        current_ = {};
        return Error(ErrorCode::out_of_memory, Category::memory, Cause::allocation_failed,
                     "The host has no " + std::to_string(wanted) + " bytes left to stage a copy.");
      }
    } else {
      COLLET_TRY(block, device_.pool.allocate(wanted, placement_, "staging"));
      current_ = detail::Ref(new StagingChunk(device_, block, use_));
    }
  }
  StagingChunk& chunk = *current_;
  Staged staged{.chunk = current_,
                .host = chunk.host + chunk.used,
                .slice = {chunk.block.memory, chunk.block.offset + chunk.used, size, backend::Access::read}};
  chunk.used = std::min(chunk.size, (chunk.used + size + 63) & ~std::uint64_t{63});
  return staged;
}

}  // namespace collet::core
