// Lowering: control flow. Where lanes agree, jumps; where they part, masks.
//
// A lane that leaves by a mask is taken out of the masks of the loops that it leaves (and of mask 0, when it
// returns) at once; the masks of the blocks between learn of it when those blocks end, by rejoin().

#include <algorithm>

#include "backends/cpu/interpreter/lowering.hpp"

namespace collet::backend::cpu::interpreter {

using ir::Op;

void Lowering::block(std::uint32_t index) {
  block_ends_.emplace_back();
  if (!routines_.empty()) find_passes(index);
  for (const Id id : kernel_.blocks[index].nodes) {
    node(id);
    expire(lifetimes_.at[id]);
    if (ir::block_count(kernel_.nodes[id].op) != 0) expire(lifetimes_.node_end[id]);
  }
  patch(block_ends_.back(), here());
  block_ends_.pop_back();
  expire(lifetimes_.block_end[index]);
}

std::uint32_t Lowering::masks(std::uint32_t count) {
  const std::uint32_t first = next_mask_;
  next_mask_ += count;
  program_.mask_count = std::max(program_.mask_count, next_mask_);
  return first;
}

void Lowering::if_together(Id id) {
  const Node& node = kernel_.nodes[id];
  const std::uint32_t branch = emit({.run = find_branch(), .a = operand(node, 0, 0).at});
  block(node.low());
  if (node.high() != ir::kNone) {
    const std::uint32_t over = emit({.run = find_jump()});
    patch({branch}, here());
    block(node.high());
    patch({over}, here());
  } else {
    patch({branch}, here());
  }
  rejoin(id);
}

void Lowering::if_apart(Id id) {
  const Node& node = kernel_.nodes[id];
  const std::uint32_t outer = mask_;
  const std::uint32_t first = masks(2);
  const std::uint32_t split =
      emit({.run = find_split(), .a = operand(node, 0, 0).at, .mask = first, .other = outer});
  mask_ = first;
  block(node.low());
  patch({split}, here());
  if (node.high() != ir::kNone) {
    const std::uint32_t skip = emit({.run = find_skip(), .mask = first + 1});
    mask_ = first + 1;
    block(node.high());
    patch({skip}, here());
  }
  mask_ = outer;
  next_mask_ = first;
  rejoin(id);
}

// After a block that lanes may have left for good.
void Lowering::rejoin(Id id) {
  if (!shapes_.left_by_mask[id]) return;
  const std::uint32_t left = loops_.empty() ? 0 : loops_.back().turn;
  block_ends_.back().push_back(emit({.run = find_rejoin(), .mask = mask_, .other = left}));
}

void Lowering::range_instruction(Id id, Instruction& instruction) {
  const Node& node = kernel_.nodes[id];
  instruction.to = values_[id].components[0].at;
  instruction.a = operand(node, 0, 0).at;
  instruction.b = operand(node, 1, 0).at;
  instruction.c = operand(node, 2, 0).at;
  constexpr std::array<std::uint8_t, 3> kWhich{Instruction::kA, Instruction::kB, Instruction::kC};
  for (std::size_t i = 0; i < 3; ++i) {
    if (operand(node, i, 0).wide) instruction.wide = static_cast<std::uint8_t>(instruction.wide | kWhich[i]);
  }
}

void Lowering::loop(Id id) {
  const Node& node = kernel_.nodes[id];
  const bool range = node.op == Op::range;
  loops_.emplace_back();
  if (range) {
    result(id, 0);
    Instruction begin{.run = find_range_begin(node.type.scalar)};
    range_instruction(id, begin);
    loops_.back().breaks.push_back(emit(begin));
  }
  const std::uint32_t top = here();
  block(node.low());
  patch(loops_.back().continues, here());
  if (range) {
    Instruction next{.run = find_range_next(node.type.scalar), .target = top};
    range_instruction(id, next);
    emit(next);
  } else {
    if (node.high() != ir::kNone) block(node.high());
    emit({.run = find_jump(), .target = top});
  }
  patch(loops_.back().breaks, here());
  loops_.pop_back();
}

void Lowering::loop_apart(Id id) {
  const Node& node = kernel_.nodes[id];
  const bool range = node.op == Op::range;
  const bool each = range && shape(id) != Shape::uniform;  // lanes count for themselves
  const std::uint32_t outer = mask_;
  const std::uint32_t live = masks(2);
  const std::uint32_t turn = live + 1;
  loops_.push_back({.divergent = true, .live = live, .turn = turn});
  std::vector<std::uint32_t> ends;
  if (range) result(id, 0);
  if (each) {
    Instruction begin{.run = find_range_begin_lanes(node.type.scalar), .mask = live, .other = outer};
    range_instruction(id, begin);
    emit(begin);
  } else {
    ends.push_back(emit({.run = find_enter(), .mask = live, .other = outer}));
    if (range) {
      Instruction begin{.run = find_range_begin(node.type.scalar)};
      range_instruction(id, begin);
      ends.push_back(emit(begin));
    }
  }
  const std::uint32_t top = emit({.run = find_enter(), .mask = turn, .other = live});
  ends.push_back(top);
  mask_ = turn;
  block(node.low());
  mask_ = live;
  if (range) {
    Instruction next{
        .run = each ? find_range_next_lanes(node.type.scalar) : find_range_next(node.type.scalar),
        .mask = live,
        .target = top};
    range_instruction(id, next);
    emit(next);
  } else if (node.high() != ir::kNone) {
    ends.push_back(emit({.run = find_skip(), .mask = live}));
    block(node.high());
  }
  if (!range || each) emit({.run = find_jump(), .target = top});
  patch(ends, here());
  loops_.pop_back();
  mask_ = outer;
  next_mask_ = live;
  rejoin(id);
}

// Takes the lanes that run now out of a mask.
void Lowering::drop(std::uint32_t mask) {
  if (mask != mask_) emit({.run = find_drop(), .mask = mask, .other = mask_});
}

void Lowering::jump(const Node& node) {
  const bool leaves = node.op == Op::return_;
  const bool apart =
      leaves ? mask_ != 0 || std::ranges::any_of(loops_, &Loop::divergent) : loops_.back().divergent;
  if (!apart) {
    const std::uint32_t jump = emit({.run = find_jump()});
    if (leaves) {
      block_ends_.front().push_back(jump);
    } else {
      (node.op == Op::break_ ? loops_.back().breaks : loops_.back().continues).push_back(jump);
    }
    return;
  }
  std::uint32_t own = leaves ? 0 : loops_.back().turn;
  if (leaves) {
    drop(0);
    for (const Loop& loop : loops_) {
      drop(loop.live);
      drop(loop.turn);
    }
    if (!loops_.empty()) own = loops_.back().turn;
  } else {
    if (node.op == Op::break_) drop(loops_.back().live);
    drop(own);
  }
  // Last, because it says which lanes those are.
  if (own == mask_) emit({.run = find_drop(), .mask = mask_, .other = mask_});
}

}  // namespace collet::backend::cpu::interpreter
