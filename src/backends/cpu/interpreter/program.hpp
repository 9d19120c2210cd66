// A kernel as the interpreter runs it: a flat list of instructions over registers of lanes.
//
// A lane is an item: x runs fastest, and a row of items along x is a run of neighbouring lanes. A kernel that
// lets items meet (barrier, uniform, subgroup operations) runs the whole group in lockstep, and in groups
// that are not full runs its guarded form; any other packs the items that exist into parts of Program::lanes.
//
// A register is a byte offset into the scratch. A value has one of three shapes:
//   uniform  the same in all lanes: kBlock copies, so that it can stand in for one block of lanes
//   linear   base + x * sx + y * sy + z * sz of the item's place, all four uniform; u32 and i32 only
//   varying  one element per lane, booleans as bytes of 0 and 1
// A vector is its components, each in a register of its own.
//
// What the IR leaves open, here: an index beyond its memory loads 0 and stores nothing, variables begin at
// 0, workgroup memory and private arrays are 0 when their group begins, a range whose step is not positive
// runs once, a subgroup has kSubgroup items of neighbouring lanes, subgroup_scan_add counts the own item, and
// a shuffle from a lane that is not there gives 0.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "collet/result.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::backend::cpu::interpreter {

inline constexpr std::uint32_t kBlock = 16;  // lanes; every loop over lanes covers whole blocks

struct Frame;
struct Instruction;
using Handler = void (*)(Frame&, const Instruction&);

struct Instruction {
  // In `wide`: which registers hold an element per lane; the others are uniform.
  static constexpr std::uint8_t kTo = 1, kA = 2, kB = 4, kC = 8;

  Handler run = nullptr;
  std::uint32_t to = 0;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
  std::array<std::uint32_t, 3> strides{};  // registers, of a linear value
  std::uint32_t mask = 0;                  // number of a mask; what it masks is the handler's business
  std::uint32_t other = 0;                 // number of a second mask
  std::uint32_t target = 0;                // the instruction to go on with, for control flow
  std::uint32_t memory = 0;
  std::uint32_t stride = 0;  // bytes from one element of the memory to the next
  std::uint32_t offset = 0;  // bytes inside the element, or of a constant
  std::uint8_t wide = 0;
  bool careful = true;  // lanes that are masked off must not read the memory: others may write it
};

// The bits of a uniform register that never changes.
struct Constant {
  std::uint32_t at = 0;
  std::uint32_t bytes = 0;  // of one element
  std::uint64_t bits = 0;
};

struct ProgramMemory {
  ir::Space space = ir::Space::buffer;
  std::uint32_t stride = 0;
  std::uint64_t count = 0;
  std::uint64_t at = 0;  // in the group's or the item's bytes, or in the tables'
};

// Threads: immutable.
struct Program {
  std::array<std::uint32_t, 3> axes{};    // which dimension each axis of lanes is; trivial ones come last
  std::uint32_t lanes = 0;                // most lanes at a time
  std::uint32_t capacity = 0;             // lanes that a register has room for
  bool whole = false;                     // runs the whole group at once, existing or not
  std::shared_ptr<const Program> ragged;  // for groups that are not full; null: the same
  std::vector<Instruction> prologue;      // once per group
  std::vector<Instruction> body;          // once per part, from `entry` to its end; functions stand before
  std::uint32_t entry = 0;
  std::vector<Constant> constants;
  std::vector<ProgramMemory> memories;
  std::vector<std::byte> tables;
  std::uint64_t register_bytes = 0;
  std::uint32_t mask_count = 0;
  std::uint64_t group_bytes = 0;
  std::uint64_t item_bytes = 0;
};

// Takes a kernel that verify() accepted. Fails where a group's private arrays would not fit into memory.
Result<std::shared_ptr<const Program>> lower(const ir::Kernel& kernel);

}  // namespace collet::backend::cpu::interpreter
