// Two-level segregated fit over the offsets of a block of memory that the host need not be able to touch.
//
// Every operation takes constant time. The bookkeeping stands beside the block, in nodes that are recycled:
// once there have been as many ranges as there will ever be, nothing is allocated any more.
//
// Threads: one at a time.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace collet::memory {

class Tlsf {
 public:
  // Manages [0, size). Ranges begin and end at multiples of `granularity`, a power of two; a ragged end of
  // `size` stays unused.
  explicit Tlsf(std::uint64_t size, std::uint64_t granularity = 16);

  struct Range {
    std::uint64_t offset = 0;
    std::uint32_t node = 0;  // what free() takes
  };
  // Nothing where no free range is large enough. `size` is not 0; `alignment` is a power of two. Alignments
  // up to the granularity cost nothing; larger ones are found only in a free range of size + alignment -
  // granularity.
  std::optional<Range> allocate(std::uint64_t size, std::uint64_t alignment = 1);

  // Joins the range with its free neighbours. `node` is free for reuse at once.
  void free(std::uint32_t node);

  bool empty() const { return used_ == 0; }
  // Bytes in live ranges, rounding included.
  std::uint64_t used() const { return used_ << shift_; }
  std::uint64_t size() const { return total_ << shift_; }
  // A size that allocate() has room for now. The largest free range may be larger by less than a sixteenth.
  std::uint64_t largest_free() const { return first_map_ == 0 ? 0 : smallest_of(highest_class()) << shift_; }
  // Free bytes that are not part of the largest free range. Looks at every range of about its size.
  std::uint64_t scattered() const;

 private:
  // Sizes and offsets in here count granules, not bytes.
  //
  // A class holds free ranges of similar size: sizes below 16 have one each, and above that each power of two
  // is cut into 16. The number of a class rises with its sizes.
  static constexpr std::uint32_t kSecondBits = 4;
  static constexpr std::uint32_t kSecondCount = 1 << kSecondBits;
  static constexpr std::uint32_t kNone = 0xffffffff;

  struct Node {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint32_t before = kNone;  // the neighbours in the block
    std::uint32_t after = kNone;
    std::uint32_t previous = kNone;  // in the list of its class, while free
    std::uint32_t next = kNone;      // also chains the nodes that stand for no range
    bool free = false;
  };

  static std::uint32_t class_of(std::uint64_t granules);
  static std::uint64_t smallest_of(std::uint32_t size_class) {
    const std::uint32_t row = size_class >> kSecondBits;
    const std::uint64_t column = size_class & (kSecondCount - 1);
    return row == 0 ? column : (kSecondCount + column) << (row - 1);
  }

  // Of which there is a free range; there is one.
  std::uint32_t highest_class() const {
    const std::uint32_t row = static_cast<std::uint32_t>(std::bit_width(first_map_)) - 1;
    return (row << kSecondBits) + static_cast<std::uint32_t>(std::bit_width(second_map_[row])) - 1;
  }
  std::uint32_t find(std::uint64_t granules) const;
  std::uint32_t new_node();  // its fields are left as they were
  void link(std::uint32_t node);
  void unlink(std::uint32_t node);
  // Moves a free node to another list only where its class changes: most cuts from a large range do not.
  void resize(std::uint32_t node, std::uint64_t granules);
  // Takes `granules`, fewer than it has, off the front of a free node. The result is in no list yet.
  std::uint32_t cut_front(std::uint32_t node, std::uint64_t granules);
  // Adds the range of `neighbour`, which is in no list, to a free node; `neighbour` then stands for no range.
  void absorb(std::uint32_t node, std::uint32_t neighbour);

  std::uint32_t shift_;
  std::uint64_t total_;
  std::uint64_t used_ = 0;
  std::uint64_t first_map_ = 0;                 // bit f: some class of row f has a free range
  std::array<std::uint16_t, 64> second_map_{};  // bit s of row f: class f * 16 + s has one
  std::vector<std::uint32_t> heads_;            // by class
  std::vector<Node> nodes_;
  std::uint32_t recycled_ = kNone;
};

}  // namespace collet::memory
