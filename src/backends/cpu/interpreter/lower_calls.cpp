// Lowering: functions, and calls of them. Arguments and results are wide, whatever the caller has.

#include "backends/cpu/interpreter/lowering.hpp"

namespace collet::backend::cpu::interpreter {

using ir::Op;

Routine Lowering::function(const ir::Function& function) {
  const auto places = [&](const std::vector<ir::Scalar>& scalars) {
    std::vector<Operand> made;
    for (const ir::Scalar scalar : scalars) {
      const Register taken = registers_.take_new(element_bytes(scalar), true);
      made.push_back({.at = static_cast<std::uint32_t>(taken.at), .wide = true});
    }
    return made;
  };
  own_ = {.start = here(),
          .mask = masks(1),
          .caller = static_cast<std::uint32_t>(registers_.take_new(4, false).at),
          .arguments = places(function.arguments),
          .results = places(function.results)};
  mask_ = own_.mask;
  block(0);
  emit({.run = find_return(), .a = own_.caller});
  program_.register_bytes = registers_.size();
  return own_;
}

void Lowering::find_passes(std::uint32_t block) {
  std::vector<Id> passed;
  for (const Id id : kernel_.blocks[block].nodes) {
    const Node& node = kernel_.nodes[id];
    if (node.op == Op::pass) passed.push_back(id);
    if (node.op != Op::call) continue;
    const std::vector<Operand>& places = routines_[node.low()].arguments;
    for (std::size_t i = 0; i < passed.size(); ++i) passes_[passed[i]] = places[i];
    passed.clear();
  }
}

void Lowering::call(Id id) {
  const Node& node = kernel_.nodes[id];
  switch (node.op) {
    case Op::pass:
      apply(find_copy(element_bytes(argument(node, 0).type.scalar), isa_), passes_.at(id),
            {operand(node, 0, 0)});
      return;
    case Op::call:
      called_ = &routines_[node.low()];
      emit({.run = find_call(),
            .to = called_->caller,
            .mask = called_->mask,
            .other = mask_,
            .target = called_->start});
      return;
    case Op::result:
      if (lifetimes_.end[id] == lifetimes_.at[id]) return;
      apply(find_copy(element_bytes(node.type.scalar), isa_), result(id, 0), {called_->results[node.low()]});
      return;
    case Op::argument: values_[id].components[0] = own_.arguments[node.low()]; return;
    default:
      apply(find_copy(element_bytes(argument(node, 0).type.scalar), isa_), own_.results[node.low()],
            {operand(node, 0, 0)});
  }
}

}  // namespace collet::backend::cpu::interpreter
