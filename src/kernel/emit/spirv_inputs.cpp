// Where an item stands: SPIR-V's input variables.

#include "kernel/emit/spirv_emitter.hpp"

namespace collet::emit {
namespace {

spv::BuiltIn builtin_of(Op op) {
  switch (op) {
    case Op::global_id: return spv::BuiltInGlobalInvocationId;
    case Op::local_id: return spv::BuiltInLocalInvocationId;
    case Op::group_id: return spv::BuiltInWorkgroupId;
    case Op::group_count: return spv::BuiltInNumWorkgroups;
    case Op::subgroup_size: return spv::BuiltInSubgroupSize;
    case Op::subgroup_lane: return spv::BuiltInSubgroupLocalInvocationId;
    default: return spv::BuiltInSubgroupId;
  }
}

bool is_vector(Op op) { return op < Op::subgroup_size; }

}  // namespace

Word SpirvEmitter::input_type(Op op) {
  return is_vector(op) ? module_.type(spv::OpTypeVector, {type_of(index_scalar()), 3}) : word_type();
}

void SpirvEmitter::declare_input(Op op) {
  if (ir::rule(op) != Rule::builtin || op == Op::group_size) return;
  const spv::BuiltIn builtin = builtin_of(op);
  if (inputs_.contains(builtin)) return;
  const Word type = input_type(op);
  const Word variable =
      module_.global_variable(pointer_type(spv::StorageClassInput, type), spv::StorageClassInput);
  module_.decorate(variable, spv::DecorationBuiltIn, {static_cast<Word>(builtin)});
  decorate_input(variable);
  if (!is_vector(op)) module_.capability(spv::CapabilityGroupNonUniform);
  inputs_[builtin] = variable;
}

// A kernel's functions have some where a pass put them there.
Words SpirvEmitter::declare_inputs() {
  for (const Node& node : kernel_.nodes) declare_input(node.op);
  for (const ir::Function& function : kernel_.functions) {
    for (const Node& node : function.body.nodes) declare_input(node.op);
  }
  Words variables;
  for (const auto& [builtin, variable] : inputs_) variables.push_back(variable);
  return variables;
}

Word SpirvEmitter::builtin(const Node& node) {
  if (node.op == Op::group_size) return word(kernel_.group[node.immediate]);
  const Word variable = inputs_[builtin_of(node.op)];
  const Word all = module_.value(spv::OpLoad, input_type(node.op), {variable});
  if (!is_vector(node.op)) return all;
  const Word one = module_.value(spv::OpCompositeExtract, type_of(index_scalar()),
                                 {all, static_cast<Word>(node.immediate)});
  return index_scalar() == Scalar::u32 ? one : module_.value(spv::OpUConvert, word_type(), {one});
}

}  // namespace collet::emit
