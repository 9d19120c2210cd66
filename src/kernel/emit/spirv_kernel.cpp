// SPIR-V of the kernel flavour, as OpenCL with IL and Level Zero take it.

#include <spirv/unified1/OpenCL.std.h>

#include "kernel/emit/spirv_emitter.hpp"
#include "kernel/ir/sizes.hpp"

namespace collet::emit {
namespace {

constexpr Word kKernelVersion = 0x00010000;  // what every driver of the flavour takes

constexpr SpirvFunction kKernelFunctions[] = {
    {Op::abs, OpenCLLIB::Fabs},         {Op::fma, OpenCLLIB::Fma},
    {Op::rem, OpenCLLIB::Fmod},         {Op::floor, OpenCLLIB::Floor},
    {Op::ceil, OpenCLLIB::Ceil},        {Op::trunc, OpenCLLIB::Trunc},
    {Op::round_even, OpenCLLIB::Rint},  {Op::sqrt, OpenCLLIB::Sqrt},
    {Op::native_sin, OpenCLLIB::Sin},   {Op::native_cos, OpenCLLIB::Cos},
    {Op::native_tan, OpenCLLIB::Tan},   {Op::native_exp, OpenCLLIB::Exp},
    {Op::native_exp2, OpenCLLIB::Exp2}, {Op::native_log, OpenCLLIB::Log},
    {Op::native_log2, OpenCLLIB::Log2}, {Op::native_rsqrt, OpenCLLIB::Rsqrt},
    {Op::native_pow, OpenCLLIB::Pow},
};

// Threads: one at a time.
class KernelEmitter : public SpirvEmitter {
 public:
  explicit KernelEmitter(const Kernel& kernel) : SpirvEmitter(kernel, kKernelVersion) {}

 private:
  std::span<const SpirvFunction> functions() const override { return kKernelFunctions; }
  spv::StorageClass buffer_storage() const override { return spv::StorageClassCrossWorkgroup; }
  spv::StorageClass table_storage() const override { return spv::StorageClassUniformConstant; }
  Word buffer_semantics() const override { return spv::MemorySemanticsCrossWorkgroupMemoryMask; }
  spv::Scope system_scope() const override { return spv::ScopeCrossDevice; }

  Scalar index_scalar() const override { return Scalar::u64; }
  void decorate_input(Word variable) override { module_.decorate(variable, spv::DecorationConstant); }

  void begin() override {
    for (const spv::Capability capability :
         {spv::CapabilityAddresses, spv::CapabilityKernel, spv::CapabilityInt64})
      module_.capability(capability);
    for (const Memory& memory : kernel_.memories) need(memory.element.scalar);
    for (const Parameter& parameter : kernel_.parameters) need(parameter.type.scalar);
    functions_ = module_.import("OpenCL.std");
    module_.memory_model(spv::AddressingModelPhysical64, spv::MemoryModelOpenCL);
    const Words interface = declare_inputs();
    declare_arguments();

    const Word function = module_.fresh();
    module_.entry_point(spv::ExecutionModelKernel, function, kernel_.name, interface);
    module_.execution_mode(function, spv::ExecutionModeLocalSize,
                           {kernel_.group[0], kernel_.group[1], kernel_.group[2]});
    module_.execution_mode(function, spv::ExecutionModeContractionOff);
    const Word nothing = module_.type(spv::OpTypeVoid);
    Words signature{nothing};
    signature.insert(signature.end(), argument_types_.begin(), argument_types_.end());
    module_.begin_function(function, nothing, module_.type(spv::OpTypeFunction, signature), argument_types_,
                           arguments_);
    for (std::uint32_t i = kernel_.buffer_count(); i < kernel_.memories.size(); ++i)
      memories_.push_back(array_variable(kernel_.memories[i]));
  }

  void need(Scalar scalar) {
    if (ir::bits(scalar) == 8) module_.capability(spv::CapabilityInt8);
    if (ir::bits(scalar) == 16) module_.capability(spv::CapabilityInt16);
  }

  void add_argument(Word type, std::string_view name) {
    argument_types_.push_back(type);
    arguments_.push_back(module_.fresh());
    module_.name(arguments_.back(), name);
  }

  static bool is_array(const Parameter& parameter) { return parameter.size != ir::bytes(parameter.type); }

  void declare_arguments() {
    std::uint32_t parameter = 0;
    for (const bool buffer : kernel_.buffer_argument) {
      if (buffer) {
        const Memory& memory = kernel_.memories[memories_.size()];
        add_argument(pointer_type(spv::StorageClassCrossWorkgroup, element_type(memory.element.scalar)),
                     memory.name);
        memories_.push_back(arguments_.back());
        continue;
      }
      const Parameter& one = kernel_.parameters[parameter++];
      const Word element = element_type(one.type.scalar);
      if (!is_array(one)) {
        add_argument(element, one.name);
      } else {
        const Word array = module_.type(spv::OpTypeArray, {element, word(one.size / ir::bytes(one.type))});
        const Word holder = module_.type(spv::OpTypeStruct, {array});
        add_argument(pointer_type(spv::StorageClassFunction, holder), one.name);
        module_.decorate(arguments_.back(), spv::DecorationFuncParamAttr,
                         {spv::FunctionParameterAttributeByVal});
        module_.decorate(arguments_.back(), spv::DecorationAlignment, {ir::bytes(one.type)});
      }
      parameters_.push_back(arguments_.back());
    }
  }

  Word pointer(std::uint32_t memory, Word index) override {
    const Memory& of = kernel_.memories[memory];
    const Word type = pointer_type(storage(of), element_type(of.element.scalar));
    // An index of 32 bits would count as signed.
    const Word wide = module_.value(spv::OpUConvert, type_of(Scalar::u64), {index});
    if (of.space == Space::buffer)
      return module_.value(spv::OpInBoundsPtrAccessChain, type, {memories_[memory], wide});
    return module_.value(spv::OpInBoundsAccessChain, type, {memories_[memory], wide});
  }

  Word parameter(const Node& node) override {
    const Parameter& of = kernel_.parameters[node.low()];
    const Word element = element_type(of.type.scalar);
    Word value = parameters_[node.low()];
    if (is_array(of)) {
      const Word type = pointer_type(spv::StorageClassFunction, element);
      const Word at = module_.value(spv::OpInBoundsAccessChain, type,
                                    {value, word(0), word(node.high() / ir::bytes(of.type))});
      value = module_.value(spv::OpLoad, element, {at, spv::MemoryAccessAlignedMask, ir::bytes(of.type)});
    }
    if (element == type_of(of.type.scalar)) return value;
    return module_.value(ir::is_signed(of.type.scalar) ? spv::OpSConvert : spv::OpUConvert, word_type(),
                         {value});
  }

  Word length(std::uint32_t) override { return word(0); }  // an argument, since lower_frame()

  Word leading_zeros(Word value) override { return call(OpenCLLIB::Clz, word_type(), {value}); }
  Word multiply_high(Word a, Word b, bool is_signed) override {
    return call(is_signed ? OpenCLLIB::SMul_hi : OpenCLLIB::UMul_hi, word_type(), {a, b});
  }

  Words argument_types_, arguments_;
  std::vector<Word> memories_, parameters_;
};

}  // namespace

Result<Emitted> emit_spirv_kernel(const Kernel& kernel, const Target& target) {
  const Language language{.has_fmod = true,
                          .fuses = true,
                          .signed_wraps = true,
                          .has_mul_high = true,
                          .has_narrow = true,
                          .casts_atomics = true,
                          .bytes_in_buffers = true,
                          .shorts_in_buffers = true,
                          .small_in_groups = true,
                          .small_in_items = true};
  Target usable = target;
  usable.subgroups = false;  // their instructions begin with SPIR-V 1.3
  COLLET_TRY(plain, lower(kernel, language, usable));
  COLLET_TRY(features, check_features(plain.kernel, usable));
  return Emitted{.format = Format::spirv_kernel,
                 .bytes = KernelEmitter(plain.kernel).run(),
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
