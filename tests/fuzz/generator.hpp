// Random kernels that verify() accepts, with a launch for each. One seed is one kernel, on every machine.
#pragma once

#include <cstdint>

#include "fuzz/work.hpp"

namespace collet::fuzz {

enum class Taste : std::uint8_t {
  // All floats and functions, and indices beyond the memory: for what runs on this processor only. Items do
  // not meet.
  wild,
  // What must give the same bits on every device: integers, booleans, and f32 that hold integers, so that no
  // result is rounded; every index inside its memory, nothing read before it is written, no race. Items may
  // meet in workgroup memory, at barriers, and in atomics whose order does not show. What it generates never
  // changes: kept reproducers name their buffers by its seeds.
  portable,
  // The same with every operation of the language: also f16 and f64 that hold integers, all atomics, fences,
  // lengths, subgroups where what shows does not depend on their size, and up to 64 groups that are ragged
  // in three dimensions. Devices refuse what they lack.
  wide,
  // A wide one; one in sixteen prints, and asserts what holds.
  talking,
  // A portable one that has, beside what it does, every kind of access to every memory with an index out of
  // range, by arithmetic
  // that wraps around and in ways that need no check.
  out_of_range,
};

Work generate(std::uint64_t seed, Taste taste);

// Buffers of a portable kernel, in order: every kernel has them all, so that all have one signature.
enum PortableBuffer : std::uint32_t { kIn, kNumbers, kOut, kBytes, kShorts, kPairs, kSums, kMarks, kBuffers };

}  // namespace collet::fuzz
