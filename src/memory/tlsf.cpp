// TLSF: which free range serves a request, and how ranges are cut and joined.

#include "memory/tlsf.hpp"

#include <algorithm>
#include <cassert>

namespace collet::memory {
namespace {

// How many ranges of the request's own class are looked at when no larger class has one. They may be too
// small.
constexpr int kRangesTried = 4;

std::uint32_t top_bit(std::uint64_t value) { return static_cast<std::uint32_t>(std::bit_width(value)) - 1; }

std::uint32_t lowest_bit(std::uint64_t value) { return static_cast<std::uint32_t>(std::countr_zero(value)); }

}  // namespace

Tlsf::Tlsf(std::uint64_t size, std::uint64_t granularity)
    : shift_(lowest_bit(granularity)), total_(size >> shift_) {
  assert(std::has_single_bit(granularity) && granularity >= 16);
  if (total_ == 0) return;
  heads_.assign(class_of(total_) + 1, kNone);
  const std::uint32_t whole = new_node();
  nodes_[whole].size = total_;
  link(whole);
}

std::uint32_t Tlsf::class_of(std::uint64_t granules) {
  if (granules < kSecondCount) return static_cast<std::uint32_t>(granules);
  const std::uint32_t shift = top_bit(granules) - kSecondBits;
  return (shift << kSecondBits) + static_cast<std::uint32_t>(granules >> shift);
}

std::uint32_t Tlsf::find(std::uint64_t granules) const {
  // The first class whose every range is large enough.
  std::uint64_t rounded = granules;
  if (granules >= kSecondCount) rounded += (std::uint64_t{1} << (top_bit(granules) - kSecondBits)) - 1;
  const std::uint32_t enough = class_of(rounded);
  std::uint32_t row = enough >> kSecondBits;
  std::uint64_t columns = second_map_[row] & (~std::uint64_t{0} << (enough & (kSecondCount - 1)));
  if (columns == 0) {
    const std::uint64_t rows = first_map_ & (~std::uint64_t{1} << row);
    if (rows != 0) {
      row = lowest_bit(rows);
      columns = second_map_[row];
    }
  }
  if (columns != 0) return heads_[(row << kSecondBits) + lowest_bit(columns)];

  const std::uint32_t own = class_of(granules);
  std::uint32_t node = heads_[own];
  for (int i = 0; i < kRangesTried && node != kNone; ++i, node = nodes_[node].next) {
    if (nodes_[node].size >= granules) return node;
  }
  return kNone;
}

std::optional<Tlsf::Range> Tlsf::allocate(std::uint64_t size, std::uint64_t alignment) {
  assert(size != 0 && std::has_single_bit(alignment));
  const std::uint64_t granule_mask = (std::uint64_t{1} << shift_) - 1;
  if (size > this->size()) return std::nullopt;
  const std::uint64_t granules = (size + granule_mask) >> shift_;
  const std::uint64_t aligned_to = std::max<std::uint64_t>(alignment >> shift_, 1);
  if (aligned_to - 1 > total_ - granules) return std::nullopt;

  std::uint32_t node = find(granules + aligned_to - 1);
  if (node == kNone) return std::nullopt;
  const std::uint64_t padding = (0 - nodes_[node].offset) & (aligned_to - 1);
  if (padding != 0) link(cut_front(node, padding));
  if (nodes_[node].size == granules) {
    unlink(node);
  } else {
    node = cut_front(node, granules);
  }
  used_ += granules;
  return Range{nodes_[node].offset << shift_, node};
}

std::uint64_t Tlsf::scattered() const {
  if (first_map_ == 0) return 0;
  std::uint64_t largest = 0;
  for (std::uint32_t node = heads_[highest_class()]; node != kNone; node = nodes_[node].next) {
    largest = std::max(largest, nodes_[node].size);
  }
  return (total_ - used_ - largest) << shift_;
}

void Tlsf::free(std::uint32_t node) {
  assert(node < nodes_.size() && !nodes_[node].free && nodes_[node].size != 0);
  const std::uint32_t before = nodes_[node].before, after = nodes_[node].after;
  const bool joins_before = before != kNone && nodes_[before].free;
  const bool joins_after = after != kNone && nodes_[after].free;
  used_ -= nodes_[node].size;
  if (joins_before && joins_after) unlink(before);
  if (joins_after) {
    absorb(after, node);
    if (joins_before) absorb(after, before);
  } else if (joins_before) {
    absorb(before, node);
  } else {
    link(node);
  }
}

std::uint32_t Tlsf::new_node() {
  if (recycled_ == kNone) {
    assert(nodes_.size() < kNone);
    nodes_.emplace_back();
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  const std::uint32_t node = recycled_;
  recycled_ = nodes_[node].next;
  return node;
}

void Tlsf::link(std::uint32_t node) {
  Node& range = nodes_[node];
  const std::uint32_t size_class = class_of(range.size);
  std::uint32_t& head = heads_[size_class];
  range.free = true;
  range.previous = kNone;
  range.next = head;
  if (head != kNone) nodes_[head].previous = node;
  head = node;
  const std::uint32_t row = size_class >> kSecondBits;
  first_map_ |= std::uint64_t{1} << row;
  second_map_[row] = static_cast<std::uint16_t>(second_map_[row] | (1u << (size_class & (kSecondCount - 1))));
}

void Tlsf::unlink(std::uint32_t node) {
  Node& range = nodes_[node];
  range.free = false;
  if (range.next != kNone) nodes_[range.next].previous = range.previous;
  if (range.previous != kNone) {
    nodes_[range.previous].next = range.next;
    return;
  }
  const std::uint32_t size_class = class_of(range.size);
  heads_[size_class] = range.next;
  if (range.next != kNone) return;
  const std::uint32_t row = size_class >> kSecondBits;
  second_map_[row] =
      static_cast<std::uint16_t>(second_map_[row] & ~(1u << (size_class & (kSecondCount - 1))));
  if (second_map_[row] == 0) first_map_ &= ~(std::uint64_t{1} << row);
}

void Tlsf::resize(std::uint32_t node, std::uint64_t granules) {
  if (class_of(nodes_[node].size) == class_of(granules)) {
    nodes_[node].size = granules;
    return;
  }
  unlink(node);
  nodes_[node].size = granules;
  link(node);
}

std::uint32_t Tlsf::cut_front(std::uint32_t node, std::uint64_t granules) {
  const std::uint32_t front = new_node();
  Node& range = nodes_[node];
  nodes_[front] = {.offset = range.offset, .size = granules, .before = range.before, .after = node};
  if (range.before != kNone) nodes_[range.before].after = front;
  range.before = front;
  range.offset += granules;
  resize(node, range.size - granules);
  return front;
}

void Tlsf::absorb(std::uint32_t node, std::uint32_t neighbour) {
  Node& range = nodes_[node];
  Node& gone = nodes_[neighbour];
  if (gone.after == node) {
    range.offset = gone.offset;
    range.before = gone.before;
    if (gone.before != kNone) nodes_[gone.before].after = node;
  } else {
    range.after = gone.after;
    if (gone.after != kNone) nodes_[gone.after].before = node;
  }
  resize(node, range.size + gone.size);
  gone.size = 0;
  gone.next = recycled_;
  recycled_ = neighbour;
}

}  // namespace collet::memory
