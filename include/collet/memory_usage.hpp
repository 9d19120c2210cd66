// What a pool of device memory is used for, and what may be asked of it.
//
// Pools: each Device has one, and programs make more (Pool).
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "collet/export.hpp"

namespace collet {

struct MemoryUsage {
  std::uint64_t reserved = 0;   // bytes taken from the driver
  std::uint64_t used = 0;       // bytes of live buffers, rounding included
  std::uint64_t buffers = 0;    // live; pieces of memory that Collet uses itself count, too
  std::uint64_t blocks = 0;     // native allocations, whose number many drivers limit
  std::uint64_t limit = 0;      // MemoryOptions::limit
  std::uint64_t scattered = 0;  // free bytes that are not part of the largest free range of their block

  // Since the pool was made.
  std::uint64_t most_reserved = 0;
  std::uint64_t most_used = 0;
  std::uint64_t allocations = 0;         // of buffers
  std::uint64_t native_allocations = 0;  // of the driver
  std::uint64_t refusals = 0;            // allocations that failed

  // The part of the allocations that took no call of the driver, from 0 to 1.
  COLLET_API double reuse() const;
  // The part of the reserved bytes that is scattered, from 0 to 1.
  COLLET_API double fragmentation() const;
};

// Something that happened in a pool.
struct MemoryEvent {
  enum class Kind : std::uint8_t {
    allocated,  // a buffer got memory
    freed,      // and gave it back; `memory` and `offset` are those of its allocation
    refused,    // an allocation failed
    reserved,   // the driver gave memory to the pool
    returned,   // the pool gave it back
  };
  Kind kind = Kind::allocated;
  std::uint64_t bytes = 0;
  std::string_view label = {};  // of the buffer, where it is known; lives as long as the call
  std::uint64_t memory = 0;     // tells native allocations apart; 0 where there is none
  std::uint64_t offset = 0;     // in it
};

struct MemoryOptions {
  // Bytes that the pool may take from the driver; 0: as many as there are. An allocation beyond it gives back
  // what is idle first, and then is ErrorCode::out_of_memory.
  std::uint64_t limit = 0;
  // Called for everything that happens in the pool, on the thread on which it happens, which may hold locks
  // of Collet's: it must be thread-safe and call nothing of Collet.
  std::function<void(const MemoryEvent&)> trace = {};
  // Called where memory for a buffer of so many bytes can't be had, after Collet gave back what was idle.
  // True asks once more, false ends in the error: a program may drop buffers of its own here, as often as it
  // has some. On the thread that makes the buffer, and without locks.
  std::function<bool(std::uint64_t bytes)> retry = {};
};

}  // namespace collet
