// Pool: limits, and what happens when the driver has no memory left.

#include "memory/pool.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/checked.hpp"
#include "memory/heap.hpp"
#include "memory/native.hpp"

namespace collet::memory {
namespace {

std::string subject(std::string_view label) {
  return label.empty() ? "A buffer" : "[Buffer \"" + std::string(label) + "\"]";
}

std::uint64_t total_of(backend::Device& device) {
  const auto info = device.memory_info();
  return info && info->total != 0 ? info->total : ~std::uint64_t{0};
}

}  // namespace

Pool::Pool(backend::Device& device, PoolSetup setup) : Pool(device, total_of(device), std::move(setup)) {}

Pool::Pool(const Pool& like, PoolSetup setup) : Pool(like.source_->device(), like.total_, std::move(setup)) {}

Pool::Pool(backend::Device& device, std::uint64_t total, PoolSetup setup)
    : total_(total), reclaim_(std::move(setup.reclaim)) {
  const Geometry geometry =
      Geometry::of(device.caps(), setup.limit == 0 ? total : std::min(total, setup.limit));
  source_ = std::make_unique<Source>(device, std::move(setup));
  for (std::size_t i = 0; i < heaps_.size(); ++i) {
    heaps_[i] = std::make_unique<Heap>(*source_, static_cast<backend::Placement>(i), geometry);
  }
}

Pool::~Pool() = default;

Result<Block> Pool::allocate(std::uint64_t size, backend::Placement placement, std::string_view label,
                             std::uint64_t alignment) {
  auto block = allocate_anyhow(size, placement, label, alignment);
  if (!block) [[unlikely]] {
    source_->count_refusal();
    source_->trace({.kind = MemoryEvent::Kind::refused, .bytes = size, .label = label});
    return block;
  }
  source_->trace({.kind = MemoryEvent::Kind::allocated,
                  .bytes = block->size,
                  .label = label,
                  .memory = block->memory.id,
                  .offset = block->offset});
  return block;
}

Result<Block> Pool::allocate_anyhow(std::uint64_t size, backend::Placement placement, std::string_view label,
                                    std::uint64_t alignment) {
  const backend::Device& device = source_->device();
  const std::uint64_t limit = device.caps().max_allocation;
  const auto rounded = base::checked_round_up(size, 16);
  if (!rounded || *rounded > limit) [[unlikely]] {
    return Error(ErrorCode::out_of_memory, Category::memory, Cause::allocation_failed,
                 subject(label) + " asks for " + std::to_string(size) + " bytes; " + device.info().name +
                     " allows at most " + std::to_string(limit) + " bytes in one allocation.");
  }

  Heap& heap = *heaps_[static_cast<std::size_t>(placement)];
  auto block = heap.allocate(*rounded, alignment, label, Heap::Appetite::normal);
  if (block) [[likely]]
    return block;
  if (block.error().code() == ErrorCode::out_of_memory) {
    if (reclaim_) reclaim_();
    trim();
    block = heap.allocate(*rounded, alignment, label, Heap::Appetite::modest);
    if (block) return block;
  }
  return with_figures(block.error(), size);
}

void Pool::free(const Block& block) {
  source_->trace({.kind = MemoryEvent::Kind::freed,
                  .bytes = block.size,
                  .memory = block.memory.id,
                  .offset = block.offset});
  heaps_[static_cast<std::size_t>(block.placement_)]->free(block);
}

void Pool::trim() {
  for (auto& heap : heaps_) heap->trim();
}

MemoryUsage Pool::usage() const {
  MemoryUsage usage;
  source_->add_to(usage);
  for (const auto& heap : heaps_) heap->add_to(usage);
  return usage;
}

Error Pool::with_figures(const Error& error, std::uint64_t size) const {
  const MemoryUsage now = usage();
  const std::string pool = source_->name().empty() ? "a pool" : source_->name();
  return error.during("allocating " + std::to_string(size) + " bytes from " + pool + " that has reserved " +
                      std::to_string(now.reserved) +
                      " bytes (native allocations: " + std::to_string(now.blocks) + ") and uses " +
                      std::to_string(now.used) + " bytes (buffers: " + std::to_string(now.buffers) + ")");
}

}  // namespace collet::memory
