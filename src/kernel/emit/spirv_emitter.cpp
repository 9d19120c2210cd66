// Control flow, variables, types and constants.

#include "kernel/emit/spirv_emitter.hpp"

#include "kernel/ir/table.hpp"

namespace collet::emit {

std::string SpirvEmitter::run() {
  for (std::size_t i = 0; i < kernel_.functions.size(); ++i) of_functions_.push_back(module_.fresh());
  begin();
  block(0);
  if (open_) module_.put(spv::OpReturn);
  module_.end_function();
  for (std::uint32_t i = 0; i < kernel_.functions.size(); ++i) function(i);
  return module_.finish();
}

Word SpirvEmitter::result_type(const ir::Function& function) {
  if (function.results.size() == 1) return type_of(function.results[0]);
  Words fields;
  for (const Scalar result : function.results) fields.push_back(type_of(result));
  return module_.type(spv::OpTypeStruct, fields);
}

void SpirvEmitter::function(std::uint32_t number) {
  const ir::Function& own = kernel_.functions[number];
  const Word result = result_type(own);
  Words types;
  own_arguments_.clear();
  for (const Scalar argument : own.arguments) {
    types.push_back(type_of(argument));
    own_arguments_.push_back(module_.fresh());
  }
  Words signature{result};
  signature.insert(signature.end(), types.begin(), types.end());
  module_.name(of_functions_[number], own.name);
  module_.begin_function(of_functions_[number], result, module_.type(spv::OpTypeFunction, signature), types,
                         own_arguments_);
  code_ = &own.body;
  ids_.assign(own.body.nodes.size(), 0);
  given_.clear();
  open_ = true;
  block(0);
  const Word given =
      given_.size() == 1 ? given_[0] : module_.value(spv::OpCompositeConstruct, result, given_);
  module_.put(spv::OpReturnValue, {given});
  module_.end_function();
}

Word SpirvEmitter::type_of(Scalar scalar) {
  switch (scalar) {
    case Scalar::none: return module_.type(spv::OpTypeVoid);
    case Scalar::boolean: return module_.type(spv::OpTypeBool);
    case Scalar::f32: return module_.type(spv::OpTypeFloat, {32});
    case Scalar::f64: module_.capability(spv::CapabilityFloat64); return module_.type(spv::OpTypeFloat, {64});
    case Scalar::i64:
    case Scalar::u64: module_.capability(spv::CapabilityInt64); return module_.type(spv::OpTypeInt, {64, 0});
    default: return module_.type(spv::OpTypeInt, {32, 0});
  }
}

Word SpirvEmitter::element_type(Scalar scalar) {
  return ir::bits(scalar) < 32 ? module_.type(spv::OpTypeInt, {ir::bits(scalar), 0}) : type_of(scalar);
}

Word SpirvEmitter::constant(Scalar scalar, std::uint64_t bits) {
  const Word type = type_of(scalar);
  if (scalar == Scalar::boolean)
    return module_.constant(bits != 0 ? spv::OpConstantTrue : spv::OpConstantFalse, type);
  const auto low = static_cast<Word>(bits);
  if (ir::bits(scalar) == 64)
    return module_.constant(spv::OpConstant, type, {low, static_cast<Word>(bits >> 32)});
  // Held in 32 bits.
  if (scalar == Scalar::i8) return module_.constant(spv::OpConstant, type, {(low ^ 0x80u) - 0x80u});
  if (scalar == Scalar::i16) return module_.constant(spv::OpConstant, type, {(low ^ 0x8000u) - 0x8000u});
  return module_.constant(spv::OpConstant, type, {low});
}

Word SpirvEmitter::pointer_type(spv::StorageClass storage, Word to) {
  return module_.type(spv::OpTypePointer, {static_cast<Word>(storage), to});
}

Word SpirvEmitter::call(Word number, Word type, std::initializer_list<Word> arguments) {
  Words operands{functions_, number};
  operands.insert(operands.end(), arguments.begin(), arguments.end());
  return module_.value(spv::OpExtInst, type, operands);
}

spv::StorageClass SpirvEmitter::storage(const Memory& memory) const {
  switch (memory.space) {
    case Space::workgroup: return spv::StorageClassWorkgroup;
    case Space::item: return spv::StorageClassFunction;
    case Space::table: return table_storage();
    default: return buffer_storage();
  }
}

Word SpirvEmitter::array_variable(const Memory& memory) {
  const Word size = word(static_cast<Word>(memory.count));
  const Word array = module_.type(spv::OpTypeArray, {element_type(memory.element.scalar), size});
  const Word pointer = pointer_type(storage(memory), array);
  if (memory.space == Space::item) return module_.local_variable(pointer);
  if (memory.space == Space::workgroup) return module_.global_variable(pointer, spv::StorageClassWorkgroup);
  Words elements;
  for (std::uint64_t i = 0; i < memory.count; ++i)
    elements.push_back(constant(memory.element.scalar, ir::table_element(memory, i)));
  return module_.global_variable(pointer, table_storage(),
                                 module_.constant(spv::OpConstantComposite, array, elements));
}

void SpirvEmitter::label(Word id) {
  module_.put(spv::OpLabel, {id});
  open_ = true;
}

void SpirvEmitter::branch(Word target) {
  if (open_) module_.put(spv::OpBranch, {target});
  open_ = false;
}

void SpirvEmitter::block(std::uint32_t index) {
  for (const Id id : code_->blocks[index].nodes) node(id);
}

void SpirvEmitter::if_else(const Node& node) {
  const Word then = module_.fresh();
  const Word merge = module_.fresh();
  const Word otherwise = node.high() != kNone ? module_.fresh() : merge;
  module_.put(spv::OpSelectionMerge, {merge, spv::SelectionControlMaskNone});
  module_.put(spv::OpBranchConditional, {argument(node, 0), then, otherwise});
  label(then);
  block(node.low());
  branch(merge);
  if (node.high() != kNone) {
    label(otherwise);
    block(node.high());
    branch(merge);
  }
  label(merge);
}

void SpirvEmitter::loop(const Node& node) {
  const Word header = module_.fresh();
  const Word body = module_.fresh();
  const Loop made{.merge = module_.fresh(), .continuing = module_.fresh()};
  branch(header);
  label(header);
  module_.put(spv::OpLoopMerge, {made.merge, made.continuing, spv::LoopControlMaskNone});
  branch(body);
  label(body);
  loops_.push_back(made);
  block(node.low());
  branch(made.continuing);
  loops_.pop_back();
  label(made.continuing);
  if (node.high() != kNone) block(node.high());
  branch(header);
  label(made.merge);
}

void SpirvEmitter::call(std::uint32_t number) {
  const ir::Function& of = kernel_.functions[number];
  Words operands{of_functions_[number]};
  operands.insert(operands.end(), passed_.begin(), passed_.end());
  called_ = module_.value(spv::OpFunctionCall, result_type(of), operands);
  gave_many_ = of.results.size() != 1;
  passed_.clear();
}

void SpirvEmitter::node(Id id) {
  const Node& node = code_->nodes[id];
  switch (node.op) {
    case Op::variable:
      ids_[id] = module_.local_variable(pointer_type(spv::StorageClassFunction, type_of(node.type.scalar)));
      module_.put(spv::OpStore, {ids_[id], constant(node.type.scalar, 0)});
      return;
    case Op::pass: passed_.push_back(argument(node, 0)); return;
    case Op::give: given_.push_back(argument(node, 0)); return;
    case Op::call: return call(node.low());
    case Op::set: module_.put(spv::OpStore, {argument(node, 0), argument(node, 1)}); return;
    case Op::store: store(node); return;
    case Op::atomic_store: atomic(node); return;
    case Op::barrier:
    case Op::fence: fence(node); return;
    case Op::if_: if_else(node); return;
    case Op::loop: loop(node); return;
    case Op::break_: branch(loops_.back().merge); return;
    case Op::continue_: branch(loops_.back().continuing); return;
    case Op::return_:
      module_.put(spv::OpReturn);
      open_ = false;
      return;
    default: ids_[id] = value(node);
  }
}

}  // namespace collet::emit
