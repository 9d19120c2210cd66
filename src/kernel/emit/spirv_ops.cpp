// Operations.

#include "kernel/emit/spirv_emitter.hpp"

namespace collet::emit {

Word SpirvEmitter::value(const Node& node) {
  switch (ir::rule(node.op)) {
    case Rule::constant: return constant(node.type.scalar, node.immediate);
    case Rule::parameter: return parameter(node);
    case Rule::argument: return own_arguments_[node.low()];
    case Rule::result:
      return gave_many_
                 ? module_.value(spv::OpCompositeExtract, type_of(node.type.scalar), {called_, node.low()})
                 : called_;
    case Rule::length: return length(node.low());
    case Rule::builtin: return builtin(node);
    case Rule::equal:
    case Rule::order: return compare(node);
    case Rule::select:
      return module_.value(spv::OpSelect, type_of(node.type.scalar),
                           {argument(node, 0), argument(node, 1), argument(node, 2)});
    case Rule::convert: return convert(node);
    case Rule::bitcast: return bitcast(node);
    case Rule::get: return module_.value(spv::OpLoad, type_of(node.type.scalar), {argument(node, 0)});
    case Rule::load:
      if (node.op == Op::load) return load(node);
      [[fallthrough]];
    case Rule::atomic:
    case Rule::compare_exchange: return atomic(node);
    case Rule::subgroup:
    case Rule::subgroup_bits:
    case Rule::subgroup_vote:
    case Rule::subgroup_any_type:
    case Rule::subgroup_shuffle: return subgroup(node);
    default: return arithmetic(node);
  }
}

Word SpirvEmitter::arithmetic(const Node& node) {
  const Scalar kind = node.type.scalar;
  const bool floats = ir::is_float(kind);
  const bool booleans = kind == Scalar::boolean;
  const Word type = type_of(kind);
  for (const SpirvFunction& function : functions()) {
    if (function.op != node.op || (node.op == Op::rem && !floats)) continue;
    if (node.count == 1) return call(function.number, type, {argument(node, 0)});
    if (node.count == 2) return call(function.number, type, {argument(node, 0), argument(node, 1)});
    return call(function.number, type, {argument(node, 0), argument(node, 1), argument(node, 2)});
  }
  const auto unary = [&](spv::Op op) { return module_.value(op, type, {argument(node, 0)}); };
  const auto binary = [&](spv::Op op) {
    return module_.value(op, type, {argument(node, 0), argument(node, 1)});
  };
  const auto exact = [&](Word made) {
    if (floats) decorate_arithmetic(made);
    return made;
  };
  switch (node.op) {
    case Op::negate: return exact(unary(floats ? spv::OpFNegate : spv::OpSNegate));
    case Op::add: return exact(binary(floats ? spv::OpFAdd : spv::OpIAdd));
    case Op::sub: return exact(binary(floats ? spv::OpFSub : spv::OpISub));
    case Op::mul: return exact(binary(floats ? spv::OpFMul : spv::OpIMul));
    case Op::div:
      return exact(binary(floats ? spv::OpFDiv : ir::is_signed(kind) ? spv::OpSDiv : spv::OpUDiv));
    case Op::rem: return binary(spv::OpUMod);
    case Op::bit_not: return unary(booleans ? spv::OpLogicalNot : spv::OpNot);
    case Op::bit_and: return binary(booleans ? spv::OpLogicalAnd : spv::OpBitwiseAnd);
    case Op::bit_or: return binary(booleans ? spv::OpLogicalOr : spv::OpBitwiseOr);
    case Op::bit_xor: return binary(booleans ? spv::OpLogicalNotEqual : spv::OpBitwiseXor);
    case Op::shl: return binary(spv::OpShiftLeftLogical);
    case Op::shr: return binary(ir::is_signed(kind) ? spv::OpShiftRightArithmetic : spv::OpShiftRightLogical);
    case Op::count_bits: return unary(spv::OpBitCount);
    case Op::leading_zeros: return leading_zeros(argument(node, 0));
    default: return multiply_high(argument(node, 0), argument(node, 1), ir::is_signed(kind));
  }
}

Word SpirvEmitter::compare(const Node& node) {
  const Scalar kind = scalar(node.arguments[0]);
  const auto choose = [&](spv::Op floats, spv::Op signed_op, spv::Op unsigned_op) {
    return ir::is_float(kind) ? floats : ir::is_signed(kind) ? signed_op : unsigned_op;
  };
  const bool booleans = kind == Scalar::boolean;
  const spv::Op op = [&] {
    switch (node.op) {
      case Op::eq:
        return booleans ? spv::OpLogicalEqual : choose(spv::OpFOrdEqual, spv::OpIEqual, spv::OpIEqual);
      case Op::ne:
        return booleans ? spv::OpLogicalNotEqual
                        : choose(spv::OpFUnordNotEqual, spv::OpINotEqual, spv::OpINotEqual);
      case Op::lt: return choose(spv::OpFOrdLessThan, spv::OpSLessThan, spv::OpULessThan);
      case Op::le: return choose(spv::OpFOrdLessThanEqual, spv::OpSLessThanEqual, spv::OpULessThanEqual);
      case Op::gt: return choose(spv::OpFOrdGreaterThan, spv::OpSGreaterThan, spv::OpUGreaterThan);
      default: return choose(spv::OpFOrdGreaterThanEqual, spv::OpSGreaterThanEqual, spv::OpUGreaterThanEqual);
    }
  }();
  return module_.value(op, type_of(Scalar::boolean), {argument(node, 0), argument(node, 1)});
}

// To the form in which a small integer is held.
Word SpirvEmitter::narrow(Word value, Scalar to) {
  const std::uint32_t size = ir::bits(to);
  if (size >= 32) return value;
  if (!ir::is_signed(to))
    return module_.value(spv::OpBitwiseAnd, word_type(), {value, word((1u << size) - 1)});
  const Word up = module_.value(spv::OpShiftLeftLogical, word_type(), {value, word(32 - size)});
  return module_.value(spv::OpShiftRightArithmetic, word_type(), {up, word(32 - size)});
}

Word SpirvEmitter::convert(const Node& node) {
  const Scalar from = scalar(node.arguments[0]);
  const Scalar to = node.type.scalar;
  const Word type = type_of(to);
  Word value = argument(node, 0);
  if (ir::is_float(from) && ir::is_float(to)) return module_.value(spv::OpFConvert, type, {value});
  if (ir::is_float(from))
    return module_.value(ir::is_signed(to) ? spv::OpConvertFToS : spv::OpConvertFToU, type, {value});
  if (ir::is_float(to))
    return module_.value(ir::is_signed(from) ? spv::OpConvertSToF : spv::OpConvertUToF, type, {value});
  const bool wide_from = ir::bits(from) == 64;
  const bool wide_to = ir::bits(to) == 64;
  if (wide_from != wide_to)
    value = module_.value(wide_to && ir::is_signed(from) ? spv::OpSConvert : spv::OpUConvert, type, {value});
  return narrow(value, to);
}

Word SpirvEmitter::bitcast(const Node& node) {
  const Scalar from = scalar(node.arguments[0]);
  const Scalar to = node.type.scalar;
  const Word value = argument(node, 0);
  if (ir::bits(to) < 32) return ir::is_signed(from) == ir::is_signed(to) ? value : narrow(value, to);
  if (type_of(from) == type_of(to)) return value;
  return module_.value(spv::OpBitcast, type_of(to), {value});
}

Word SpirvEmitter::load(const Node& node) {
  const Scalar kind = node.type.scalar;
  const Word found = pointer(node.low(), argument(node, 0));
  const Word element = element_type(kind);
  const bool narrow_element = element != type_of(kind);
  const Words operands = buffer_storage() == spv::StorageClassCrossWorkgroup
                             ? Words{found, spv::MemoryAccessAlignedMask, ir::bits(kind) / 8}
                             : Words{found};
  const Word value = module_.value(spv::OpLoad, element, operands);
  return narrow_element ? module_.value(spv::OpUConvert, word_type(), {value}) : value;
}

void SpirvEmitter::store(const Node& node) {
  const Scalar kind = scalar(node.arguments[1]);
  const Word found = pointer(node.low(), argument(node, 0));
  const Word element = element_type(kind);
  Word value = argument(node, 1);
  if (element != type_of(kind)) value = module_.value(spv::OpUConvert, element, {value});
  if (buffer_storage() == spv::StorageClassCrossWorkgroup)
    module_.put(spv::OpStore, {found, value, spv::MemoryAccessAlignedMask, ir::bits(kind) / 8});
  else
    module_.put(spv::OpStore, {found, value});
}

Word SpirvEmitter::atomic_sum(const Node& node, Word found, Word scope) {
  module_.capability(spv::CapabilityAtomicFloat32AddEXT);
  module_.extension("SPV_EXT_shader_atomic_float_add");
  const Word type = type_of(Scalar::f32);
  Word value = argument(node, 1);
  if (node.op == Op::atomic_sub) value = module_.value(spv::OpFNegate, type, {value});
  return module_.value(spv::OpAtomicFAddEXT, type, {found, scope, word(spv::MemorySemanticsMaskNone), value});
}

Word SpirvEmitter::atomic(const Node& node) {
  const bool stores = node.op == Op::atomic_store;
  const Scalar kind = stores ? scalar(node.arguments[1]) : node.type.scalar;
  const Memory& memory = kernel_.memories[node.low()];
  if (ir::bits(kind) == 64) module_.capability(spv::CapabilityInt64Atomics);
  const Word found = pointer(node.low(), argument(node, 0));
  const Word scope = word(memory.space == Space::workgroup ? spv::ScopeWorkgroup : spv::ScopeDevice);
  const Word relaxed = word(spv::MemorySemanticsMaskNone);
  const bool is_signed = ir::is_signed(kind);
  const Word type = type_of(kind);
  const auto with_value = [&](spv::Op op) {
    return module_.value(op, type, {found, scope, relaxed, argument(node, 1)});
  };
  switch (node.op) {
    case Op::atomic_load: return module_.value(spv::OpAtomicLoad, type, {found, scope, relaxed});
    case Op::atomic_store:
      module_.put(spv::OpAtomicStore, {found, scope, relaxed, argument(node, 1)});
      return 0;
    case Op::atomic_add:
    case Op::atomic_sub:
      if (kind == Scalar::f32) return atomic_sum(node, found, scope);
      return with_value(node.op == Op::atomic_add ? spv::OpAtomicIAdd : spv::OpAtomicISub);
    case Op::atomic_min: return with_value(is_signed ? spv::OpAtomicSMin : spv::OpAtomicUMin);
    case Op::atomic_max: return with_value(is_signed ? spv::OpAtomicSMax : spv::OpAtomicUMax);
    case Op::atomic_and: return with_value(spv::OpAtomicAnd);
    case Op::atomic_or: return with_value(spv::OpAtomicOr);
    case Op::atomic_xor: return with_value(spv::OpAtomicXor);
    case Op::atomic_exchange: return with_value(spv::OpAtomicExchange);
    default:
      return module_.value(spv::OpAtomicCompareExchange, type,
                           {found, scope, relaxed, relaxed, argument(node, 2), argument(node, 1)});
  }
}

void SpirvEmitter::fence(const Node& node) {
  const Word semantics = word(spv::MemorySemanticsAcquireReleaseMask |
                              spv::MemorySemanticsWorkgroupMemoryMask | buffer_semantics());
  const Word group = word(spv::ScopeWorkgroup);
  if (node.op == Op::barrier) return module_.put(spv::OpControlBarrier, {group, group, semantics});
  const Word scope = is_system_fence(node)   ? word(system_scope())
                     : is_device_fence(node) ? word(spv::ScopeDevice)
                                             : group;
  module_.put(spv::OpMemoryBarrier, {scope, semantics});
}

Word SpirvEmitter::subgroup(const Node& node) {
  const Scalar kind = node.type.scalar;
  const bool floats = ir::is_float(kind);
  const Word type = type_of(kind);
  const Word scope = word(spv::ScopeSubgroup);
  const auto reduce = [&](spv::Op op, spv::GroupOperation how = spv::GroupOperationReduce) {
    module_.capability(spv::CapabilityGroupNonUniformArithmetic);
    return module_.value(op, type, {scope, static_cast<Word>(how), argument(node, 0)});
  };
  const auto choose = [&](spv::Op float_op, spv::Op signed_op, spv::Op unsigned_op) {
    return floats ? float_op : ir::is_signed(kind) ? signed_op : unsigned_op;
  };
  const spv::Op add = floats ? spv::OpGroupNonUniformFAdd : spv::OpGroupNonUniformIAdd;
  module_.capability(spv::CapabilityGroupNonUniform);
  switch (node.op) {
    case Op::subgroup_add: return reduce(add);
    case Op::subgroup_scan_add: return reduce(add, spv::GroupOperationInclusiveScan);
    case Op::subgroup_min:
      return reduce(
          choose(spv::OpGroupNonUniformFMin, spv::OpGroupNonUniformSMin, spv::OpGroupNonUniformUMin));
    case Op::subgroup_max:
      return reduce(
          choose(spv::OpGroupNonUniformFMax, spv::OpGroupNonUniformSMax, spv::OpGroupNonUniformUMax));
    case Op::subgroup_and: return reduce(spv::OpGroupNonUniformBitwiseAnd);
    case Op::subgroup_or: return reduce(spv::OpGroupNonUniformBitwiseOr);
    case Op::subgroup_any:
    case Op::subgroup_all:
      module_.capability(spv::CapabilityGroupNonUniformVote);
      return module_.value(
          node.op == Op::subgroup_any ? spv::OpGroupNonUniformAny : spv::OpGroupNonUniformAll, type,
          {scope, argument(node, 0)});
    case Op::subgroup_broadcast_first:
      module_.capability(spv::CapabilityGroupNonUniformBallot);
      return module_.value(spv::OpGroupNonUniformBroadcastFirst, type, {scope, argument(node, 0)});
    default:
      module_.capability(spv::CapabilityGroupNonUniformShuffle);
      return module_.value(spv::OpGroupNonUniformShuffle, type,
                           {scope, argument(node, 0), argument(node, 1)});
  }
}

}  // namespace collet::emit
