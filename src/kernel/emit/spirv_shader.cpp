// SPIR-V of the shader flavour, as Vulkan 1.1 takes it.

#include <spirv/unified1/GLSL.std.450.h>

#include "kernel/emit/coherence.hpp"
#include "kernel/emit/spirv_emitter.hpp"
#include "kernel/ir/sizes.hpp"

namespace collet::emit {
namespace {

constexpr Word kShaderVersion = 0x00010300;

constexpr SpirvFunction kShaderFunctions[] = {
    {Op::abs, GLSLstd450FAbs},
    {Op::fma, GLSLstd450Fma},
    {Op::floor, GLSLstd450Floor},
    {Op::ceil, GLSLstd450Ceil},
    {Op::trunc, GLSLstd450Trunc},
    {Op::round_even, GLSLstd450RoundEven},
    {Op::sqrt, GLSLstd450Sqrt},
    {Op::native_sin, GLSLstd450Sin},
    {Op::native_cos, GLSLstd450Cos},
    {Op::native_tan, GLSLstd450Tan},
    {Op::native_exp, GLSLstd450Exp},
    {Op::native_exp2, GLSLstd450Exp2},
    {Op::native_log, GLSLstd450Log},
    {Op::native_log2, GLSLstd450Log2},
    {Op::native_rsqrt, GLSLstd450InverseSqrt},
    {Op::native_pow, GLSLstd450Pow},
};

// Threads: one at a time.
class ShaderEmitter : public SpirvEmitter {
 public:
  explicit ShaderEmitter(const Kernel& kernel) : SpirvEmitter(kernel, kShaderVersion) {}

 private:
  std::span<const SpirvFunction> functions() const override { return kShaderFunctions; }
  spv::StorageClass buffer_storage() const override { return spv::StorageClassStorageBuffer; }
  spv::StorageClass table_storage() const override { return spv::StorageClassPrivate; }
  Word buffer_semantics() const override { return spv::MemorySemanticsUniformMemoryMask; }
  spv::Scope system_scope() const override { return spv::ScopeDevice; }  // Vulkan has no wider one
  void decorate_arithmetic(Word id) override { module_.decorate(id, spv::DecorationNoContraction); }

  Scalar index_scalar() const override { return Scalar::u32; }

  void begin() override {
    module_.capability(spv::CapabilityShader);
    functions_ = module_.import("GLSL.std.450");
    module_.memory_model(spv::AddressingModelLogical, spv::MemoryModelGLSL450);
    declare_memories();
    if (!kernel_.parameters.empty()) declare_constants();
    const Words interface = declare_inputs();

    const Word function = module_.fresh();
    module_.entry_point(spv::ExecutionModelGLCompute, function, kernel_.name, interface);
    module_.execution_mode(function, spv::ExecutionModeLocalSize,
                           {kernel_.group[0], kernel_.group[1], kernel_.group[2]});
    const Word nothing = module_.type(spv::OpTypeVoid);
    module_.begin_function(function, nothing, module_.type(spv::OpTypeFunction, {nothing}), {}, {});
  }

  void declare_memories() {
    const std::vector<bool> coherent = coherent_buffers(kernel_);
    bool aliased = false;
    for (const Memory& memory : kernel_.memories) aliased = aliased || memory.may_alias;
    for (std::uint32_t i = 0; i < kernel_.memories.size(); ++i) {
      const Memory& memory = kernel_.memories[i];
      if (memory.space == Space::buffer)
        variables_.push_back(declare_buffer(memory, i, aliased));
      else
        variables_.push_back(array_variable(memory));
      module_.name(variables_.back(), memory.name);
      if (coherent[i]) module_.decorate(variables_.back(), spv::DecorationCoherent);
    }
  }

  Word declare_buffer(const Memory& memory, std::uint32_t binding, bool aliased) {
    const std::uint32_t size = ir::bytes(memory.element);
    if (size == 1) module_.capability(spv::CapabilityStorageBuffer8BitAccess);
    if (size == 1) module_.extension("SPV_KHR_8bit_storage");
    if (size == 2) module_.capability(spv::CapabilityStorageBuffer16BitAccess);
    const Word array = module_.new_type(spv::OpTypeRuntimeArray, {element_type(memory.element.scalar)});
    module_.decorate(array, spv::DecorationArrayStride, {size});
    const Word block = module_.new_type(spv::OpTypeStruct, {array});
    module_.decorate(block, spv::DecorationBlock);
    module_.decorate_member(block, 0, spv::DecorationOffset, {0});
    const Word variable = module_.global_variable(pointer_type(spv::StorageClassStorageBuffer, block),
                                                  spv::StorageClassStorageBuffer);
    if (memory.access == backend::Access::read) module_.decorate(variable, spv::DecorationNonWritable);
    if (aliased) module_.decorate(variable, spv::DecorationAliased);
    module_.decorate(variable, spv::DecorationDescriptorSet, {0});
    module_.decorate(variable, spv::DecorationBinding, {binding});
    return variable;
  }

  // All parameters are words of one array, so that C++'s offsets need no layout rule of the API's.
  void declare_constants() {
    const Word count = word(kernel_.parameters[0].size / 4);
    const Word array = module_.new_type(spv::OpTypeArray, {word_type(), count});
    module_.decorate(array, spv::DecorationArrayStride, {4});
    const Word block = module_.new_type(spv::OpTypeStruct, {array});
    module_.decorate(block, spv::DecorationBlock);
    module_.decorate_member(block, 0, spv::DecorationOffset, {0});
    constants_ = module_.global_variable(pointer_type(spv::StorageClassPushConstant, block),
                                         spv::StorageClassPushConstant);
    module_.name(constants_, "constants");
  }

  Word pointer(std::uint32_t memory, Word index) override {
    const Memory& of = kernel_.memories[memory];
    const Word type = pointer_type(storage(of), element_type(of.element.scalar));
    if (of.space == Space::buffer)
      return module_.value(spv::OpAccessChain, type, {variables_[memory], word(0), index});
    return module_.value(spv::OpAccessChain, type, {variables_[memory], index});
  }

  Word parameter(const Node& node) override {
    const Word type = pointer_type(spv::StorageClassPushConstant, word_type());
    const Word at = module_.value(spv::OpAccessChain, type, {constants_, word(0), word(node.high() / 4)});
    return module_.value(spv::OpLoad, word_type(), {at});
  }

  Word length(std::uint32_t buffer) override {
    return module_.value(spv::OpArrayLength, word_type(), {variables_[buffer], 0});
  }

  // The position of the highest one is -1 where there is none.
  Word leading_zeros(Word value) override {
    const Word highest = call(GLSLstd450FindUMsb, word_type(), {value});
    return module_.value(spv::OpISub, word_type(), {word(31), highest});
  }

  Word multiply_high(Word a, Word b, bool is_signed) override {
    const Word pair = module_.type(spv::OpTypeStruct, {word_type(), word_type()});
    const Word product = module_.value(is_signed ? spv::OpSMulExtended : spv::OpUMulExtended, pair, {a, b});
    return module_.value(spv::OpCompositeExtract, word_type(), {product, 1});
  }

  std::vector<Word> variables_;  // of memories
  Word constants_ = 0;
};

}  // namespace

Result<Emitted> emit_spirv_shader(const Kernel& kernel, const Target& target) {
  const Language language{.fuses = target.fused_multiply_add,
                          .signed_wraps = true,
                          .constant_block = true,
                          .length_query = true,
                          .has_mul_high = true,
                          .has_narrow = true,
                          .casts_atomics = true,
                          .float_atomics = true,
                          .bytes_in_buffers = target.storage8,
                          .shorts_in_buffers = target.storage16};
  COLLET_TRY(plain, lower(kernel, language, target));
  COLLET_TRY(features, check_features(plain.kernel, target));
  COLLET_CHECK(check_f64_functions(plain.kernel));
  return Emitted{.format = Format::spirv_shader,
                 .bytes = ShaderEmitter(plain.kernel).run(),
                 .features = std::move(features),
                 .emulated = std::move(plain.emulated),
                 .counts = std::move(plain.counts),
                 .lengths = std::move(plain.lengths),
                 .shared_bytes = ir::workgroup_bytes(plain.kernel),
                 .watched = plain.watched,
                 .trusts = std::move(plain.trusts),
                 .terms = std::move(plain.terms),
                 .applied = plain.applied};
}

}  // namespace collet::emit
