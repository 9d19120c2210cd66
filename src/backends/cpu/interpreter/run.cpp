// A group, cut into parts.

#include "backends/cpu/interpreter/run.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include "backends/cpu/simt/places.hpp"

namespace collet::backend::cpu::interpreter {
namespace {

constexpr std::align_val_t kAlignment{64};

void fill(const Program& program, std::byte* registers) {
  for (const Constant& constant : program.constants) {
    for (std::uint32_t i = 0; i < kBlock; ++i) {
      std::byte* to = registers + constant.at + i * constant.bytes;
      switch (constant.bytes) {
        case 1: *reinterpret_cast<std::uint8_t*>(to) = static_cast<std::uint8_t>(constant.bits); break;
        case 2: *reinterpret_cast<std::uint16_t*>(to) = static_cast<std::uint16_t>(constant.bits); break;
        case 4: *reinterpret_cast<std::uint32_t*>(to) = static_cast<std::uint32_t>(constant.bits); break;
        default: *reinterpret_cast<std::uint64_t*>(to) = constant.bits; break;
      }
    }
  }
}

}  // namespace

void Scratch::Free::operator()(std::byte* memory) const { ::operator delete[](memory, kAlignment); }

Scratch::Bytes Scratch::allocate(std::uint64_t size) {
  return Bytes(static_cast<std::byte*>(::operator new[](std::max<std::uint64_t>(size, 64), kAlignment)));
}

Result<void> Scratch::prepare(const std::shared_ptr<const Program>& program) {
  if (program_ == program) return {};
  program_.reset();
  const std::uint64_t mask_bytes = std::uint64_t{program->mask_count} * program->capacity;
  const std::uint64_t item_bytes = program->item_bytes * program->lanes;
  try {
    registers_ = allocate(program->register_bytes);
    masks_ = allocate(mask_bytes);
    group_ = allocate(program->group_bytes);
    items_ = allocate(item_bytes);
    active_.assign(program->mask_count, 0);
    views_.assign(program->memories.size(), {});
  } catch (const std::bad_alloc&) {
    const std::uint64_t all = program->register_bytes + mask_bytes + program->group_bytes + item_bytes;
    return Error(ErrorCode::out_of_memory, Category::memory, Cause::allocation_failed,
                 "There is no memory for the " + std::to_string(all) +
                     " bytes that a workgroup of the kernel needs to run.")
        .with_hint("Use smaller groups, smaller private arrays or less workgroup memory.");
  }
  // Lanes beyond the last item are computed too, with whatever is there.
  std::memset(registers_.get(), 0, program->register_bytes);
  fill(*program, registers_.get());
  const auto base_of = [&](ir::Space space) {
    // Nothing writes to a table.
    if (space == ir::Space::table) return const_cast<std::byte*>(program->tables.data());
    return space == ir::Space::item ? items_.get() : group_.get();
  };
  for (std::size_t i = 0; i < program->memories.size(); ++i) {
    const ProgramMemory& memory = program->memories[i];
    if (memory.space == ir::Space::buffer) continue;
    views_[i] = {.data = base_of(memory.space) + memory.at, .count = memory.count};
  }
  program_ = program;
  return {};
}

void Scratch::run_part(Frame& frame) {
  frame.count = frame.run * frame.rows;
  frame.blocks = (frame.count + kBlock - 1) / kBlock;
  std::memset(frame.masks, 1, frame.count);
  std::memset(frame.masks + frame.count, 0, frame.blocks * kBlock - frame.count);
  frame.active[0] = frame.count;
  if (program_->item_bytes != 0) std::memset(items_.get(), 0, frame.count * program_->item_bytes);
  const Instruction* body = program_->body.data();
  const auto end = static_cast<std::uint32_t>(program_->body.size());
  for (frame.at = program_->entry; frame.at != end;) {
    const Instruction& instruction = body[frame.at++];
    instruction.run(frame, instruction);
  }
}

Result<void> run(const std::shared_ptr<const Program>& program, const HostGroup& group, Scratch& scratch) {
  std::array<std::uint32_t, 3> items{};
  for (std::uint32_t d = 0; d < 3; ++d) items[d] = existing(group, d);
  if (program->ragged != nullptr && items != group.size) return run(program->ragged, group, scratch);
  if (program->whole) items = group.size;
  const std::uint32_t width = items[program->axes[0]];
  const std::uint32_t height = items[program->axes[1]];
  const std::uint32_t depth = items[program->axes[2]];
  if (width == 0 || height == 0 || depth == 0) return {};
  COLLET_CHECK(scratch.prepare(program));

  for (std::size_t i = 0; i < program->memories.size(); ++i) {
    const ProgramMemory& memory = program->memories[i];
    if (memory.space != ir::Space::buffer) break;  // buffers come first
    scratch.views_[i] = {.data = group.buffers[i], .count = group.buffer_sizes[i] / memory.stride};
  }
  if (program->group_bytes != 0) std::memset(scratch.group_.get(), 0, program->group_bytes);

  Frame frame;
  frame.registers = scratch.registers_.get();
  frame.masks = reinterpret_cast<std::uint8_t*>(scratch.masks_.get());
  frame.active = scratch.active_.data();
  frame.capacity = program->capacity;
  frame.views = scratch.views_.data();
  frame.item_bytes = program->item_bytes;
  frame.group = &group;
  frame.height = height;
  frame.subgroup = std::min(kSubgroup, group.size[0] * group.size[1] * group.size[2]);
  for (const Instruction& instruction : program->prologue) instruction.run(frame, instruction);

  const std::uint32_t rows = height * depth;
  const bool cut_rows = !program->whole && width > program->lanes;
  frame.rows = program->whole ? rows : cut_rows ? 1 : std::max(1u, program->lanes / width);
  const std::uint32_t step = frame.rows;
  for (std::uint32_t row = 0; row < rows; row += step) {
    frame.first_row = row;
    frame.rows = std::min(step, rows - row);
    const std::uint32_t most = cut_rows ? program->lanes : width;
    for (std::uint32_t x = 0; x < width; x += most) {
      frame.first_x = x;
      frame.run = std::min(most, width - x);
      scratch.run_part(frame);
    }
  }
  return {};
}

}  // namespace collet::backend::cpu::interpreter
