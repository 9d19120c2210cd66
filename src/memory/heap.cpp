// Heap: which native allocation serves a request, when a new one is made, and which idle ones are kept.

#include "memory/heap.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace collet::memory {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kFirstBlock = 4 * kMiB;
constexpr std::uint64_t kLargestBlock = 64 * kMiB;
constexpr std::uint64_t kCacheBytes = 64 * kMiB;
constexpr std::string_view kBlockLabel = "collet pool";

// How many blocks whose largest free range may or may not suffice are looked at before a roomier one is
// taken.
constexpr int kPatience = 8;

constexpr std::uint64_t round_up(std::uint64_t size, std::uint64_t power_of_two) {
  return (size + power_of_two - 1) & ~(power_of_two - 1);
}

std::uint32_t magnitude(std::uint64_t value) { return static_cast<std::uint32_t>(std::bit_width(value)); }

// Bin b holds blocks whose largest free range is in (2^(b-1), 2^b], and bin 0 the full ones. An empty block,
// which has a power of two, so shares a bin with a nearly empty one, and a buffer that comes and goes moves
// no block.
std::uint32_t bin_of(std::uint64_t largest_free) {
  return largest_free == 0 ? 0 : magnitude(largest_free - 1);
}

// Size classes of natives that are not cut up: eight to each power of two, so that rounding costs less than
// an eighth. Sizes are multiples of 16.
std::uint32_t class_shift(std::uint64_t size) { return std::max(magnitude(size / 16 - 1), 4u) - 4; }
std::uint64_t class_size(std::uint64_t size) {
  return round_up(size, std::uint64_t{16} << class_shift(size));
}
std::uint32_t class_index(std::uint64_t size) {
  const std::uint32_t shift = class_shift(size);
  return shift * 8 + static_cast<std::uint32_t>((size / 16) >> shift);
}

}  // namespace

Geometry Geometry::of(const backend::Caps& caps, std::uint64_t total) {
  Geometry geometry;
  geometry.alignment = std::bit_ceil(std::max({caps.offset_alignment, caps.copy_alignment, 64u}));
  geometry.max_allocation = caps.max_allocation & ~std::uint64_t{15};
  geometry.cache_bytes = std::min(kCacheBytes, total / 16);
  if (caps.shared_blocks) {
    geometry.largest_block = std::bit_floor(std::min({kLargestBlock, geometry.max_allocation, total / 8}));
    if (geometry.largest_block < 2 * geometry.alignment) geometry.largest_block = 0;
    geometry.first_block = std::min(kFirstBlock, geometry.largest_block);
  }
  return geometry;
}

Heap::Heap(Source& source, backend::Placement placement, const Geometry& geometry)
    : source_(source), placement_(placement), geometry_(geometry), next_block_(geometry.first_block) {}

Heap::~Heap() { destroy(natives_); }

Result<Block> Heap::allocate(std::uint64_t size, std::uint64_t alignment, std::string_view label,
                             Appetite appetite) {
  const std::lock_guard lock(mutex_);
  // What a range must have so that `size` bytes with that alignment are in it.
  const std::uint64_t slack = alignment > geometry_.alignment ? alignment - geometry_.alignment : 0;
  if (size + slack > geometry_.largest_block / 2) {
    COLLET_TRY(whole, take_whole(size, label, appetite));
    source_.use(whole->size);
    return hand_out(*whole, 0, size, 0);
  }

  const std::uint64_t rounded = round_up(size, geometry_.alignment);
  Native* native = find_block(rounded + slack);
  if (native == nullptr) {
    COLLET_TRY(grown, grow(rounded + slack, appetite));
    native = grown;
  }
  const auto range = native->ranges->allocate(rounded, alignment);
  assert(range);
  update_bin(native);
  if (native == spare_) spare_ = nullptr;
  source_.use(rounded);
  return hand_out(*native, range->offset, size, range->node);
}

Block Heap::hand_out(Native& native, std::uint64_t offset, std::uint64_t size, std::uint32_t node) {
  ++live_;
  ++made_;
  Block block;
  block.memory = native.allocation.memory;
  block.offset = offset;
  block.size = size;
  block.host = native.allocation.host == nullptr ? nullptr : native.allocation.host + offset;
  block.zeroed = native.allocation.zeroed && offset >= native.touched;
  block.native_ = &native;
  block.node_ = node;
  block.placement_ = placement_;
  native.touched = std::max(native.touched, round_up(offset + size, geometry_.alignment));
  return block;
}

void Heap::free(const Block& block) {
  Natives released;
  {
    const std::lock_guard lock(mutex_);
    Native* native = block.native_;
    assert(native->position < natives_.size() && natives_[native->position].get() == native);
    --live_;
    if (!native->ranges) {
      source_.unuse(native->size);
      into_cache(native, released);
    } else {
      native->ranges->free(block.node_);
      source_.unuse(round_up(block.size, geometry_.alignment));
      update_bin(native);
      if (native->ranges->empty()) became_empty(native, released);
    }
  }
  destroy(released);
}

void Heap::trim() {
  Natives released;
  {
    const std::lock_guard lock(mutex_);
    while (ages_.back() != nullptr) {
      Native* oldest = ages_.back();
      out_of_cache(oldest);
      released.push_back(release(oldest));
    }
    if (spare_ != nullptr) {
      out_of_bin(spare_);
      released.push_back(release(spare_));
      spare_ = nullptr;
    }
    if (natives_.empty()) next_block_ = geometry_.first_block;
  }
  destroy(released);
}

void Heap::add_to(MemoryUsage& usage) const {
  const std::lock_guard lock(mutex_);
  usage.buffers += live_;
  usage.allocations += made_;
  for (const auto& native : natives_) {
    if (native->ranges) usage.scattered += native->ranges->scattered();
  }
}

// --- Cut up -----------------------------------------------------------------------------------------------

void Heap::into_bin(Native* native, std::uint32_t bin) {
  native->bin = bin;
  bins_[native->bin].push_front(native);
  bin_map_ |= std::uint64_t{1} << native->bin;
}

void Heap::out_of_bin(Native* native) {
  bins_[native->bin].remove(native);
  if (bins_[native->bin].front() == nullptr) bin_map_ &= ~(std::uint64_t{1} << native->bin);
}

void Heap::update_bin(Native* native) {
  const std::uint32_t bin = bin_of(native->ranges->largest_free());
  if (bin == native->bin) return;
  out_of_bin(native);
  into_bin(native, bin);
}

Native* Heap::find_block(std::uint64_t size) const {
  // Fuller blocks first, so that others become empty. In this bin a block may be too full.
  Native* native = bins_[bin_of(size)].front();
  for (int i = 0; i < kPatience && native != nullptr; ++i, native = BySize::after(native)) {
    if (native->ranges->largest_free() >= size) return native;
  }
  const std::uint64_t roomy = bin_map_ & (~std::uint64_t{1} << bin_of(size));
  return roomy == 0 ? nullptr : bins_[static_cast<std::size_t>(std::countr_zero(roomy))].front();
}

Result<Native*> Heap::grow(std::uint64_t size, Appetite appetite) {
  const std::uint64_t needed = std::bit_ceil(size);
  std::uint64_t block_size = std::max(next_block_, needed);
  auto made = source_.create(block_size, placement_, kBlockLabel);
  while (!made && appetite == Appetite::modest && made.error().code() == ErrorCode::out_of_memory &&
         block_size > needed) {
    block_size /= 2;
    made = source_.create(block_size, placement_, kBlockLabel);
  }
  if (!made) return made.error();
  next_block_ = std::min(block_size * 2, geometry_.largest_block);

  Native* native = adopt(std::move(*made));
  native->ranges.emplace(native->size, geometry_.alignment);
  into_bin(native, bin_of(native->ranges->largest_free()));
  return native;
}

void Heap::became_empty(Native* native, Natives& released) {
  if (spare_ == nullptr) {
    spare_ = native;
    return;
  }
  Native* smaller = native->size > spare_->size ? std::exchange(spare_, native) : native;
  out_of_bin(smaller);
  released.push_back(release(smaller));
}

// --- Not cut up -------------------------------------------------------------------------------------------

Result<Native*> Heap::take_whole(std::uint64_t size, std::string_view label, Appetite appetite) {
  std::uint64_t native_size = size;
  const std::uint64_t cacheable = std::min(geometry_.cache_bytes, geometry_.max_allocation);
  if (size <= cacheable && class_size(size) <= cacheable) {
    native_size = class_size(size);
    if (Native* cached = classes_[class_index(native_size)].front(); cached != nullptr) {
      out_of_cache(cached);
      return cached;
    }
  }
  if (appetite == Appetite::modest) native_size = size;
  COLLET_TRY(made, source_.create(native_size, placement_, label));
  return adopt(std::move(made));
}

void Heap::into_cache(Native* native, Natives& released) {
  // An odd size is one that was made in need, or that is too large to keep.
  if (native->size > geometry_.cache_bytes || class_size(native->size) != native->size) {
    released.push_back(release(native));
    return;
  }
  classes_[class_index(native->size)].push_front(native);
  ages_.push_front(native);
  cached_ += native->size;
  while (cached_ > geometry_.cache_bytes) {
    Native* oldest = ages_.back();
    out_of_cache(oldest);
    released.push_back(release(oldest));
  }
}

void Heap::out_of_cache(Native* native) {
  classes_[class_index(native->size)].remove(native);
  ages_.remove(native);
  cached_ -= native->size;
}

// --- Ownership --------------------------------------------------------------------------------------------

Native* Heap::adopt(std::unique_ptr<Native> native) {
  native->position = natives_.size();
  return natives_.emplace_back(std::move(native)).get();
}

std::unique_ptr<Native> Heap::release(Native* native) {
  const std::size_t position = native->position;
  std::swap(natives_[position], natives_.back());
  natives_[position]->position = position;
  auto released = std::move(natives_.back());
  natives_.pop_back();
  return released;
}

void Heap::destroy(Natives& released) {
  for (auto& native : released) source_.destroy(std::move(native));
  released.clear();
}

}  // namespace collet::memory
