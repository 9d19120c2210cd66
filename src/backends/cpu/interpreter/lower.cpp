// From a kernel to a program: node after node, in the order in which they stand.

#include <algorithm>
#include <string>

#include "backends/cpu/interpreter/lowering.hpp"
#include "backends/cpu/simt/places.hpp"
#include "kernel/emit/guard.hpp"
#include "kernel/ir/sizes.hpp"

namespace collet::backend::cpu::interpreter {
namespace {

constexpr std::uint32_t kLanes = 256;           // of a part: enough that an instruction's own cost is small
constexpr std::uint32_t kDivergentLanes = 64;   // where a loop waits for its slowest lane
constexpr std::uint64_t kPartBytes = 1u << 20;  // of private arrays that a part should stay below
constexpr std::uint64_t kMostBytes = 1u << 30;  // of registers, and of private arrays

void place_memories(const ir::Kernel& kernel, Program& program) {
  for (const ir::Memory& memory : kernel.memories) {
    ProgramMemory placed{.space = memory.space, .stride = memory.stride, .count = memory.count};
    if (memory.space == ir::Space::table) {
      placed.at = program.tables.size();
      program.tables.insert(program.tables.end(), memory.contents.begin(), memory.contents.end());
      program.tables.resize((program.tables.size() + 15) / 16 * 16);
    } else if (memory.space != ir::Space::buffer) {
      std::uint64_t& size = memory.space == ir::Space::item ? program.item_bytes : program.group_bytes;
      placed.at = size;
      size += (memory.count * memory.stride + 15) / 16 * 16;
    }
    program.memories.push_back(placed);
  }
}

void choose_lanes(const ir::Kernel& kernel, bool whole_group, bool divergent_loops, Program& program) {
  const auto items = static_cast<std::uint32_t>(ir::group_items(kernel));
  program.whole = whole_group;
  program.lanes = std::min(items, divergent_loops ? kDivergentLanes : kLanes);
  while (program.lanes > kBlock && program.lanes * program.item_bytes > kPartBytes) program.lanes /= 2;
  if (program.whole) program.lanes = items;
  program.capacity = (program.lanes + 63) / 64 * 64;
}

Error too_large(const ir::Kernel& kernel, const char* what, std::uint64_t bytes) {
  return Error(ErrorCode::out_of_memory, Category::kernel,
               "[Kernel \"" + kernel.name + "\"] needs " + std::to_string(bytes) + " bytes of " + what +
                   " for the items that run together; at most " + std::to_string(kMostBytes) +
                   " are allowed.")
      .with_hint("Use smaller groups or smaller private arrays.");
}

Result<std::shared_ptr<Program>> lower_as_it_is(const ir::Kernel& kernel) {
  auto program = std::make_shared<Program>();
  place_memories(kernel, *program);
  Shapes shapes = find_shapes(kernel);
  std::vector<Shapes> of_functions;
  bool divergent_loops = shapes.divergent_loops;
  for (const ir::Function& function : kernel.functions) {
    of_functions.push_back(find_shapes(function.body));
    divergent_loops = divergent_loops || of_functions.back().divergent_loops;
  }
  choose_lanes(kernel, shapes.whole_group, divergent_loops, *program);
  const std::uint64_t item_bytes = program->item_bytes * program->lanes;
  if (item_bytes > kMostBytes) return too_large(kernel, "private arrays", item_bytes);

  std::vector<Routine> routines;
  for (std::size_t i = 0; i < kernel.functions.size(); ++i) {
    const ir::Function& function = kernel.functions[i];
    Lowering lowering(function.body, std::move(of_functions[i]), *program, routines);
    routines.push_back(lowering.function(function));
  }
  Lowering(kernel, std::move(shapes), *program, routines).kernel();
  if (program->register_bytes > kMostBytes) return too_large(kernel, "registers", program->register_bytes);
  return program;
}

}  // namespace

Lowering::Lowering(const ir::Kernel& code, Shapes shapes, Program& program,
                   const std::vector<Routine>& routines)
    : kernel_(code),
      program_(program),
      routines_(routines),
      shapes_(std::move(shapes)),
      lifetimes_(find_lifetimes(code, shapes_)),
      registers_(program.capacity, program.register_bytes),
      values_(code.nodes.size()),
      expiring_(lifetimes_.count),
      parameter_at_(place_parameters(code)) {
  program_.mask_count = std::max(program_.mask_count, 1u);
  next_mask_ = program_.mask_count;
}

void Lowering::kernel() {
  program_.axes = find_axes(kernel_);
  for (std::uint32_t axis = 0; axis < 3; ++axis) axis_[program_.axes[axis]] = axis;
  program_.entry = here();
  block(0);
  program_.register_bytes = registers_.size();
}

Register Lowering::reserve(std::uint32_t bytes, bool wide, std::uint32_t until) {
  const Register found = registers_.take(bytes, wide);
  expiring_[until].push_back(found);
  return found;
}

void Lowering::expire(std::uint32_t position) {
  for (const Register& old : expiring_[position]) registers_.give_back(old);
  expiring_[position].clear();
}

std::uint32_t Lowering::emit(const Instruction& instruction) {
  program_.body.push_back(instruction);
  return here() - 1;
}

void Lowering::patch(const std::vector<std::uint32_t>& jumps, std::uint32_t target) {
  for (const std::uint32_t jump : jumps) program_.body[jump].target = target;
}

void Lowering::node(Id id) {
  const Node& node = kernel_.nodes[id];
  const bool unused = lifetimes_.end[id] == lifetimes_.at[id];
  switch (ir::rule(node.op)) {
    case ir::Rule::if_: return shapes_.divergent[id] ? if_apart(id) : if_together(id);
    case ir::Rule::range:
    case ir::Rule::loop: return shapes_.divergent[id] ? loop_apart(id) : loop(id);
    case ir::Rule::jump: return jump(node);
    case ir::Rule::load:
      if (node.op == ir::Op::load) {
        if (!unused) load(id);
        return;
      }
      return atomic(id);
    case ir::Rule::store: return node.op == ir::Op::store ? store(id) : atomic(id);
    case ir::Rule::atomic:
    case ir::Rule::compare_exchange: return atomic(id);
    case ir::Rule::barrier: return;  // lockstep is stricter
    case ir::Rule::fence: emit({.run = find_fence()}); return;
    case ir::Rule::variable: return variable(id);
    case ir::Rule::get:
      if (!unused) get(id);
      return;
    case ir::Rule::set: return set(id);
    case ir::Rule::pass:
    case ir::Rule::call:
    case ir::Rule::result:
    case ir::Rule::argument:
    case ir::Rule::give: return call(id);
    case ir::Rule::uniform:
    case ir::Rule::subgroup:
    case ir::Rule::subgroup_bits:
    case ir::Rule::subgroup_vote:
    case ir::Rule::subgroup_any_type:
    case ir::Rule::subgroup_shuffle:
      if (!unused) between_items(id);
      return;
    default:
      if (!unused) value(id);
      return;
  }
}

Result<std::shared_ptr<const Program>> lower(const ir::Kernel& kernel) {
  COLLET_TRY(program, lower_as_it_is(kernel));
  if (program->whole) {
    COLLET_TRY(ragged, lower_as_it_is(emit::guard(kernel)));
    program->ragged = std::move(ragged);
  }
  return std::shared_ptr<const Program>(std::move(program));
}

}  // namespace collet::backend::cpu::interpreter
