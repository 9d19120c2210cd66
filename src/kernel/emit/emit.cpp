// Which emitter writes which format. Builds without a backend that takes SPIR-V have none for it.

#include "kernel/emit/emit.hpp"

#include "kernel/emit/lower.hpp"
#include "kernel/ir/sizes.hpp"
#include "kernel/ir/text.hpp"

#include <collet_backends.hpp>

namespace collet::emit {
namespace {

Result<Emitted> as_text(const ir::Kernel& kernel, const Target& target) {
  COLLET_TRY(made, lower_for_ir(kernel, target));
  return Emitted{.format = Format::ir,
                 .bytes = ir::print(made.kernel),
                 .features = {},
                 .emulated = std::move(made.emulated),
                 .counts = {},
                 .lengths = {},
                 .shared_bytes = ir::workgroup_bytes(made.kernel),
                 .watched = false};
}

using Emitter = Result<Emitted> (*)(const ir::Kernel&, const Target&);

Emitter emitter(Format format) {
  switch (format) {
    case Format::ir: return as_text;
    case Format::opencl_c: return emit_opencl_c;
    case Format::glsl_vulkan: return emit_glsl_vulkan;
    case Format::glsl: return emit_glsl;
    case Format::glsl_es: return emit_glsl_es;
    case Format::cuda: return emit_cuda;
    case Format::hip: return emit_hip;
    case Format::wgsl: return emit_wgsl;
    case Format::msl: return emit_msl;
#if COLLET_HAS_SPIRV
    case Format::spirv_shader: return emit_spirv_shader;
    case Format::spirv_kernel: return emit_spirv_kernel;
#endif
    default: return nullptr;
  }
}

}  // namespace

Target target_of_language(Format format) {
  Target target{.name = std::string(to_string(format))};
  target.int64 = target.float64 = target.int64_atomics = target.float32_atomics = true;
  target.storage8 = target.storage16 = true;
  target.subgroups = target.subgroup_arithmetic = target.subgroup_vote = true;
  target.subgroup_broadcast = target.subgroup_shuffle = target.subgroup_int64 = true;
  target.fused_multiply_add = target.device_fences = true;
  const bool opengl = format == Format::glsl || format == Format::glsl_es;
  if (opengl || format == Format::wgsl) {
    target.int64 = target.int64_atomics = target.subgroup_int64 = false;
    target.fused_multiply_add = false;  // theirs may round twice
    target.float64 = format == Format::glsl;
  }
  if (opengl) {
    target.subgroups = target.subgroup_arithmetic = target.subgroup_vote = false;
    target.subgroup_broadcast = target.subgroup_shuffle = false;
  }
  if (format == Format::msl) target.float64 = target.int64_atomics = target.subgroup_int64 = false;
  return target;
}

bool has_emitter(Format format) { return emitter(format) != nullptr; }

Result<Emitted> emit(Format format, const ir::Kernel& kernel, const Target& target) {
  if (const Emitter found = emitter(format)) return found(kernel, target);
  return Error(ErrorCode::unsupported, Category::compilation, Cause::module_failed,
               "This build writes no kernels as " + std::string(to_string(format)) + ".");
}

}  // namespace collet::emit
