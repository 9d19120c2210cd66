// Which emitter serves a device.

#include "core/emission.hpp"

#include "core/device_state.hpp"
#include "kernel/emit/emit.hpp"
#include "kernel/emit/guard.hpp"
#include "kernel/ir/text.hpp"

namespace collet::detail {
namespace {

emit::Target target_of(const DeviceState& device) {
  const DeviceInfo& info = device.native->info();
  emit::Target target;
  target.name = info.name;
  target.int64 = info.i64.value_or(false);
  target.float64 = info.f64.value_or(false);
  return target;
}

Result<emit::Emitted> emitted(Format format, const ir::Kernel& kernel, const emit::Target& target) {
  switch (format) {
    case Format::spirv_shader: return emit::emit_spirv_shader(emit::guard(kernel), target);
    case Format::spirv_kernel: return emit::emit_spirv_kernel(emit::guard(kernel), target);
    case Format::opencl_c: return emit::emit_opencl_c(emit::guard(kernel), target);
    default:
      return emit::Emitted{
          .format = format, .bytes = ir::print(kernel), .features = {}, .counts = {}, .lengths = {}};
  }
}

bool has_emitter(Format format) {
  return format == Format::ir || format == Format::spirv_shader || format == Format::spirv_kernel ||
         format == Format::opencl_c;
}

}  // namespace

Result<EmittedCode> emit_for(const DeviceState& device, const KernelState& kernel) {
  if (!*kernel.traced) return kernel.traced->error();
  ir::Kernel shaped = **kernel.traced;
  shaped.group = kernel.shape.group.size;
  for (const Format format : device.caps.formats) {
    if (!has_emitter(format)) continue;
    COLLET_TRY(made, emitted(format, shaped, target_of(device)));
    return EmittedCode{.code = {format, std::move(made.bytes), {}},
                       .counts = std::move(made.counts),
                       .lengths = std::move(made.lengths)};
  }
  return Error(
      ErrorCode::unsupported, Category::compilation, Cause::no_kernels,
      described(kernel) + " can't be written in any language that " + device.facts->name + " takes.");
}

}  // namespace collet::detail
