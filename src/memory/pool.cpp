// Pool: limits, and what happens when the driver has no memory left.

#include "memory/pool.hpp"

#include <string>

#include "base/checked.hpp"
#include "memory/heap.hpp"
#include "memory/native.hpp"

namespace collet::memory {
namespace {

std::string subject(std::string_view label) {
  return label.empty() ? "A buffer" : "[Buffer \"" + std::string(label) + "\"]";
}

}  // namespace

Pool::Pool(backend::Device& device) : source_(std::make_unique<Source>(device)) {
  const Geometry geometry = Geometry::of(device);
  for (std::size_t i = 0; i < heaps_.size(); ++i) {
    heaps_[i] = std::make_unique<Heap>(*source_, static_cast<backend::Placement>(i), geometry);
  }
}

Pool::~Pool() = default;

Result<Block> Pool::allocate(std::uint64_t size, backend::Placement placement, std::string_view label) {
  const backend::Device& device = source_->device();
  const std::uint64_t limit = device.caps().max_allocation;
  const auto rounded = base::checked_round_up(size, 16);
  if (!rounded || *rounded > limit) [[unlikely]] {
    return Error(ErrorCode::out_of_memory, Category::memory, Cause::allocation_failed,
                 subject(label) + " asks for " + std::to_string(size) + " bytes; " + device.info().name +
                     " allows at most " + std::to_string(limit) + " bytes in one allocation.");
  }

  Heap& heap = *heaps_[static_cast<std::size_t>(placement)];
  auto block = heap.allocate(*rounded, label, Heap::Appetite::normal);
  if (block) [[likely]]
    return block;
  if (block.error().code() == ErrorCode::out_of_memory) {
    trim();
    block = heap.allocate(*rounded, label, Heap::Appetite::modest);
    if (block) return block;
  }
  return with_figures(block.error(), size);
}

void Pool::free(const Block& block) { heaps_[static_cast<std::size_t>(block.placement_)]->free(block); }

void Pool::trim() {
  for (auto& heap : heaps_) heap->trim();
}

Pool::Usage Pool::usage() const {
  Usage usage{.reserved = source_->reserved(), .used = 0, .blocks = source_->count(), .allocations = 0};
  for (const auto& heap : heaps_) heap->add_to(usage);
  return usage;
}

Error Pool::with_figures(const Error& error, std::uint64_t size) const {
  const Usage now = usage();
  return error.during("allocating " + std::to_string(size) + " bytes from a pool that has reserved " +
                      std::to_string(now.reserved) +
                      " bytes (native allocations: " + std::to_string(now.blocks) + ") and uses " +
                      std::to_string(now.used) + " bytes (buffers: " + std::to_string(now.allocations) + ")");
}

}  // namespace collet::memory
