// The pool's memory of one placement: native blocks that are cut up, and native allocations that are not.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "memory/native.hpp"
#include "memory/pool.hpp"

namespace collet::memory {

// The sizes that a pool works with on one device. Immutable.
struct Geometry {
  // `total` is how many bytes there are for the pool.
  static Geometry of(const backend::Caps& caps, std::uint64_t total);

  std::uint64_t alignment = 64;     // of offsets; a power of two
  std::uint64_t first_block = 0;    // bytes of the first block that is cut up
  std::uint64_t largest_block = 0;  // later ones double up to this; both are powers of two, 0: none is cut up
  std::uint64_t cache_bytes = 0;    // idle native allocations that are not cut up, together
  std::uint64_t max_allocation = 0;
};

// Threads: thread-safe. The lock is held while the driver allocates, and not while it frees.
class Heap {
 public:
  Heap(Source& source, backend::Placement placement, const Geometry& geometry);
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  enum class Appetite : std::uint8_t {
    normal,  // takes more from the driver than needed, for what comes next
    modest,  // is content with what serves this request
  };
  Result<Block> allocate(std::uint64_t size, std::uint64_t alignment, std::string_view label,
                         Appetite appetite);
  void free(const Block& block);
  void trim();
  void add_to(MemoryUsage& usage) const;

 private:
  using Natives = std::vector<std::unique_ptr<Native>>;
  using BySize = Chain<&Native::by_size>;
  using ByAge = Chain<&Native::by_age>;

  // Cut up: blocks stand in bins by the magnitude of their largest free range.
  Native* find_block(std::uint64_t size) const;
  Result<Native*> grow(std::uint64_t size, Appetite appetite);
  void into_bin(Native* native, std::uint32_t bin);
  void out_of_bin(Native* native);
  void update_bin(Native* native);
  // Keeps at most one empty block.
  void became_empty(Native* native, Natives& released);

  // Not cut up: idle ones wait in a cache for a request of their size class.
  Result<Native*> take_whole(std::uint64_t size, std::string_view label, Appetite appetite);
  void into_cache(Native* native, Natives& released);
  void out_of_cache(Native* native);

  Native* adopt(std::unique_ptr<Native> native);
  std::unique_ptr<Native> release(Native* native);
  void destroy(Natives& released);

  Block hand_out(Native& native, std::uint64_t offset, std::uint64_t size, std::uint32_t node);

  Source& source_;
  const backend::Placement placement_;
  const Geometry geometry_;

  mutable std::mutex mutex_;  // guards all below
  Natives natives_;           // owns every native of this heap
  std::uint64_t live_ = 0;
  std::uint64_t made_ = 0;  // Blocks that were handed out

  std::uint64_t next_block_;
  std::uint64_t bin_map_ = 0;  // bit b: bins_[b] is not empty
  std::array<BySize, 64> bins_;
  Native* spare_ = nullptr;  // the one empty block

  std::uint64_t cached_ = 0;         // bytes
  std::array<BySize, 168> classes_;  // the cache, by size class
  ByAge ages_;                       // the cache, newest first
};

}  // namespace collet::memory
