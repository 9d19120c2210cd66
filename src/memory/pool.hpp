// Hands out parts of native memory, so that a buffer costs no driver call and no driver limit is met early.
//
//   Pool pool(device);
//   COLLET_TRY(block, pool.allocate(4096, backend::Placement::device, "weights"));
//   … once no submitted work uses it: pool.free(block);
//
// Where Caps::shared_blocks, buffers are cut out of native blocks that grow from 4 to 64 MiB, and what is
// larger than half of the largest block gets a native allocation of its own. Elsewhere each buffer is a
// native allocation. Returned native allocations are kept in a bounded cache and reused for about the same
// size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "collet/backend.hpp"

namespace collet::memory {

class Heap;
class Source;
struct Native;

// A range of native memory. Copies name the same range; whoever allocated it frees it, once.
struct Block {
  backend::Memory memory;
  std::uint64_t offset = 0;   // a multiple of 64 and of what Caps ask of slices and copies
  std::uint64_t size = 0;     // what was asked for, rounded up to 16
  std::byte* host = nullptr;  // of this range; null where the host can't reach it
  bool zeroed = false;        // known to be all zero; false says nothing

 private:
  friend class Heap;
  friend class Pool;
  Native* native_ = nullptr;
  std::uint32_t node_ = 0;
  backend::Placement placement_ = backend::Placement::device;
};

struct PoolSetup {
  std::string name = {};    // for errors: `[Pool "weights"]`; "": the device's own
  std::uint64_t limit = 0;  // of bytes reserved; 0: none
  std::function<void(const MemoryEvent&)> trace = {};
  std::function<void()> reclaim = {};  // gives back what others keep idle; called without a lock of the pool
};

// Threads: thread-safe; a lock per placement.
class Pool {
 public:
  // `device` outlives the pool.
  explicit Pool(backend::Device& device, PoolSetup setup = {});
  // Another pool of the device of `like`; the driver is not asked.
  Pool(const Pool& like, PoolSetup setup);
  // Gives every native allocation back, those of live Blocks included.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // `size` is not 0, and `alignment` a power of two. May call the driver. When that runs out of memory,
  // everything idle is given back and the driver is asked once more; the error then says what was asked,
  // reserved and used.
  Result<Block> allocate(std::uint64_t size, backend::Placement placement, std::string_view label,
                         std::uint64_t alignment = 1);

  // The device must be done with the range. May give native memory back to the driver.
  void free(const Block& block);

  // Gives every native allocation without a live Block back.
  void trim();

  // Exact while nobody else allocates or frees. Looks at every native allocation.
  MemoryUsage usage() const;

 private:
  Pool(backend::Device& device, std::uint64_t total, PoolSetup setup);
  Result<Block> allocate_anyhow(std::uint64_t size, backend::Placement placement, std::string_view label,
                                std::uint64_t alignment);
  Error with_figures(const Error& error, std::uint64_t size) const;

  const std::uint64_t total_;  // bytes that the device has; the most there can be where it does not say
  const std::function<void()> reclaim_;
  std::unique_ptr<Source> source_;
  std::array<std::unique_ptr<Heap>, 4> heaps_;  // by Placement
};

}  // namespace collet::memory
