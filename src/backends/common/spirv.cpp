// SPIR-V: the reference validator's verdict on a module.

#include "backends/common/spirv.hpp"

#include <collet_backends.hpp>

#if COLLET_HAS_SPIRV_TOOLS
#include <spirv-tools/libspirv.h>
#endif

#include <cstring>
#include <memory>
#include <spirv/unified1/spirv.hpp>

namespace collet::backend::common {
namespace {

Error refused(std::string message) {
  return Error(ErrorCode::build_failed, Category::compilation, Cause::module_failed, std::move(message));
}

Result<std::vector<std::uint32_t>> words_of(std::span<const std::byte> code) {
  constexpr std::size_t kHeader = 5 * sizeof(std::uint32_t);
  if (code.size() < kHeader || code.size() % sizeof(std::uint32_t) != 0) {
    return refused("A SPIR-V module of " + std::to_string(code.size()) +
                   " bytes is impossible: it must be a multiple of 4 and at least 20.");
  }
  std::vector<std::uint32_t> words(code.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), code.data(), code.size());
  if (words[0] != spv::MagicNumber) {
    return refused("The module is no SPIR-V of this machine's byte order: it begins with " +
                   std::to_string(words[0]) + " instead of " + std::to_string(spv::MagicNumber) + ".");
  }
  return words;
}

#if COLLET_HAS_SPIRV_TOOLS
bool declares(const std::vector<std::uint32_t>& words, spv::Capability capability) {
  constexpr std::size_t kHeaderWords = 5;
  constexpr std::uint32_t kDeclaration = 2u << 16 | spv::OpCapability;
  for (std::size_t at = kHeaderWords; at + 1 < words.size() && words[at] == kDeclaration; at += 2) {
    if (words[at + 1] == capability) return true;
  }
  return false;
}

spv_target_env environment_of(SpirvTarget target, const std::vector<std::uint32_t>& words) {
  switch (target) {
    case SpirvTarget::vulkan_1_1: return SPV_ENV_VULKAN_1_1;
    case SpirvTarget::vulkan_1_2: return SPV_ENV_VULKAN_1_2;
    case SpirvTarget::vulkan_1_3: return SPV_ENV_VULKAN_1_3;
    case SpirvTarget::opencl: break;
  }
  // The validator's OpenCL rules end at SPIR-V 1.2 and know no extension that brings 64-bit atomics; other
  // modules get the rules that hold everywhere.
  const bool known = words[1] <= 0x00010200 && !declares(words, spv::CapabilityInt64Atomics);
  return known ? SPV_ENV_OPENCL_2_2 : SPV_ENV_UNIVERSAL_1_6;
}

Result<void> validate(const std::vector<std::uint32_t>& words, SpirvTarget target, bool scalar_layout) {
  const std::unique_ptr<spv_context_t, decltype(&spvContextDestroy)> context(
      spvContextCreate(environment_of(target, words)), &spvContextDestroy);
  const std::unique_ptr<spv_validator_options_t, decltype(&spvValidatorOptionsDestroy)> options(
      spvValidatorOptionsCreate(), &spvValidatorOptionsDestroy);
  if (scalar_layout) spvValidatorOptionsSetScalarBlockLayout(options.get(), true);
  if (target == SpirvTarget::vulkan_1_3) spvValidatorOptionsSetAllowLocalSizeId(options.get(), true);

  spv_const_binary_t binary{words.data(), words.size()};
  spv_diagnostic diagnostic = nullptr;
  const spv_result_t verdict = spvValidateWithOptions(context.get(), options.get(), &binary, &diagnostic);
  const std::unique_ptr<spv_diagnostic_t, decltype(&spvDiagnosticDestroy)> owned(diagnostic,
                                                                                 &spvDiagnosticDestroy);
  if (verdict == SPV_SUCCESS) return {};
  const std::string said =
      diagnostic != nullptr && diagnostic->error != nullptr ? diagnostic->error : "no reason given";
  return refused("The SPIR-V module is invalid: " + said).with_native(verdict, "spv_result_t");
}

Result<std::string> disassemble(const std::vector<std::uint32_t>& words) {
  const std::unique_ptr<spv_context_t, decltype(&spvContextDestroy)> context(
      spvContextCreate(SPV_ENV_UNIVERSAL_1_6), &spvContextDestroy);
  spv_text text = nullptr;
  const spv_result_t verdict =
      spvBinaryToText(context.get(), words.data(), words.size(),
                      SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_INDENT, &text, nullptr);
  const std::unique_ptr<spv_text_t, decltype(&spvTextDestroy)> owned(text, &spvTextDestroy);
  if (verdict != SPV_SUCCESS)
    return refused("The SPIR-V module can't be read.").with_native(verdict, "spv_result_t");
  return std::string(text->str, text->length);
}
#else
Result<void> validate(const std::vector<std::uint32_t>&, SpirvTarget, bool) { return {}; }

Result<std::string> disassemble(const std::vector<std::uint32_t>&) {
  return Error(ErrorCode::unsupported, Category::compilation,
               "This build of Collet has no SPIRV-Tools to show a module as text.");
}
#endif

}  // namespace

std::string_view spirv_remark() {
#if COLLET_HAS_SPIRV_TOOLS
  return "";
#else
  return "This build of Collet has no SPIR-V validator: the driver got the module unchecked.";
#endif
}

Result<void> validate_spirv(std::span<const std::byte> code, SpirvTarget target, bool scalar_layout) {
  COLLET_TRY(words, words_of(code));
  return validate(words, target, scalar_layout);
}

Result<std::string> spirv_text(std::span<const std::byte> code) {
  COLLET_TRY(words, words_of(code));
  return disassemble(words);
}

}  // namespace collet::backend::common
