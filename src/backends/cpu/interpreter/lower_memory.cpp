// Lowering: loads, stores and atomic operations, component by component.

#include "backends/cpu/interpreter/lowering.hpp"

namespace collet::backend::cpu::interpreter {

// Fills in the index, the memory and the mask.
Reach Lowering::reach(const Node& node, Instruction& instruction) {
  const ir::Memory& memory = kernel_.memories[node.low()];
  const Id index = node.arguments[0];
  instruction.mask = mask_;
  instruction.memory = node.low();
  instruction.stride = memory.stride;
  instruction.offset = node.high();
  instruction.careful =
      memory.space == ir::Space::buffer && (memory.access != backend::Access::read || memory.may_alias);
  const bool rows = memory.space != ir::Space::item && !ir::is_atomic(node.op);
  if (shape(index) == Shape::linear && rows) {
    const Linear& linear = values_[index].linear;
    instruction.a = linear.base.at;
    for (std::size_t axis = 0; axis < 3; ++axis) instruction.strides[axis] = linear.strides[axis].at;
    return Reach::linear;
  }
  const Operand place = values_[index].components[0];
  instruction.a = place.at;
  if (place.wide) instruction.wide = Instruction::kA;
  return place.wide ? Reach::lanes : Reach::uniform;
}

void Lowering::load(Id id) {
  const Node& node = kernel_.nodes[id];
  const std::uint32_t bytes = element_bytes(node.type.scalar);
  const bool item = kernel_.memories[node.low()].space == ir::Space::item;
  Instruction instruction;
  const Reach how = reach(node, instruction);
  instruction.run = find_load(bytes, how, item, isa_);
  const std::uint8_t index = instruction.wide;
  for (std::size_t c = 0; c < node.type.width; ++c) {
    const Operand to = result(id, c);
    instruction.to = to.at;
    instruction.wide = static_cast<std::uint8_t>(index | (to.wide ? Instruction::kTo : 0));
    emit(instruction);
    instruction.offset += bytes;
  }
}

void Lowering::store(Id id) {
  const Node& node = kernel_.nodes[id];
  const ir::Type type = argument(node, 1).type;
  const std::uint32_t bytes = element_bytes(type.scalar);
  const bool item = kernel_.memories[node.low()].space == ir::Space::item;
  Instruction instruction;
  const Reach how = reach(node, instruction);
  instruction.run = find_store(bytes, how, item);
  const std::uint8_t index = instruction.wide;
  for (std::size_t c = 0; c < type.width; ++c) {
    const Operand value = operand(node, 1, c);
    instruction.b = value.at;
    instruction.wide = static_cast<std::uint8_t>(index | (value.wide ? Instruction::kB : 0));
    emit(instruction);
    instruction.offset += bytes;
  }
}

void Lowering::atomic(Id id) {
  const Node& node = kernel_.nodes[id];
  const ir::Type type = node.type == ir::kNothing ? argument(node, 1).type : node.type;
  Instruction instruction;
  reach(node, instruction);
  const bool shared = kernel_.memories[node.low()].space == ir::Space::buffer;
  instruction.run = find_atomic(node.op, type.scalar, shared);
  // An operand that the operation does not have is read all the same.
  instruction.b = instruction.c = constant(element_bytes(type.scalar), 0).at;
  if (node.count > 1) {
    const Operand value = operand(node, 1, 0);
    instruction.b = value.at;
    if (value.wide) instruction.wide = static_cast<std::uint8_t>(instruction.wide | Instruction::kB);
  }
  if (node.count > 2) {
    const Operand value = operand(node, 2, 0);
    instruction.c = value.at;
    if (value.wide) instruction.wide = static_cast<std::uint8_t>(instruction.wide | Instruction::kC);
  }
  if (node.type != ir::kNothing) instruction.to = result(id, 0).at;
  emit(instruction);
}

}  // namespace collet::backend::cpu::interpreter
