// What handlers see while a part of a group runs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/interpreter/program.hpp"
#include "collet/backend.hpp"

namespace collet::backend::cpu::interpreter {

struct View {
  std::byte* data = nullptr;
  std::uint64_t count = 0;  // elements
};

// Threads: one at a time.
struct Frame {
  std::byte* registers = nullptr;
  std::uint32_t count = 0;   // lanes that run; never 0
  std::uint32_t blocks = 0;  // that hold them
  std::uint32_t at = 0;      // the next instruction

  // The lanes are `rows` rows of `run` items; the first begins at x = first_x in row first_row of the group,
  // whose planes have `height` rows.
  std::uint32_t run = 0;
  std::uint32_t rows = 0;
  std::uint32_t first_x = 0;
  std::uint32_t first_row = 0;
  std::uint32_t height = 0;
  std::uint32_t subgroup = 0;

  std::uint8_t* masks = nullptr;    // `capacity` bytes of 0 and 1 each
  std::uint32_t* active = nullptr;  // how many are 1, of each mask
  std::uint32_t capacity = 0;

  const View* views = nullptr;  // of each memory; private arrays begin at the first lane's
  std::uint64_t item_bytes = 0;
  const HostGroup* group = nullptr;

  std::uint8_t* mask(std::uint32_t number) const { return masks + std::size_t{number} * capacity; }
  bool full(std::uint32_t number) const { return active[number] == count; }
};

template <class T>
T* lanes(const Frame& frame, std::uint32_t at) {
  return reinterpret_cast<T*>(frame.registers + at);
}

// The value of a uniform register.
template <class T>
T uniform(const Frame& frame, std::uint32_t at) {
  return *lanes<T>(frame, at);
}

template <class T>
void set_uniform(const Frame& frame, std::uint32_t at, T value) {
  T* to = lanes<T>(frame, at);
  for (std::uint32_t i = 0; i < kBlock; ++i) to[i] = value;
}

// How many elements of a register an instruction computes.
inline std::size_t width_of(const Frame& frame, const Instruction& i) {
  return ((i.wide & Instruction::kTo) != 0 ? std::size_t{frame.blocks} : 1) * kBlock;
}

// Whether a register has one element per lane, as a step from lane to lane.
inline std::size_t step_of(const Instruction& i, std::uint8_t which) { return (i.wide & which) != 0 ? 1 : 0; }

}  // namespace collet::backend::cpu::interpreter
