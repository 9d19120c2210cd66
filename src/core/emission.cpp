// Which emitter serves a device.

#include "core/emission.hpp"

#include "core/device_state.hpp"
#include "kernel/emit/emit.hpp"
#include "kernel/emit/guard.hpp"

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

// A device that has everything.
emit::Target any_target() {
  emit::Target target;
  target.int64 = target.float64 = target.int64_atomics = true;
  target.storage8 = target.storage16 = true;
  target.subgroups = target.fused_multiply_add = true;
  return target;
}

// Of a kernel that was made from sources.
Result<KernelCode> given_code(const KernelState& kernel, Format format) {
  std::string list;
  for (const Code& code : kernel.module->codes) {
    if (code.format == format) return KernelCode{.format = format, .bytes = code.bytes, .features = {}};
    list += (list.empty() ? "" : ", ") + std::string(to_string(code.format));
  }
  return Error(ErrorCode::unsupported, Category::compilation, Cause::no_kernels,
               described(kernel) + " was made from sources and has none in " +
                   std::string(to_string(format)) + ".")
      .with_hint(list.empty() ? "It has a C++ function only." : "It has: " + list + ".");
}

}  // namespace

Result<KernelCode> emit_kernel(const KernelState& kernel, Format format) {
  if (kernel.traced == nullptr) return given_code(kernel, format);
  if (!*kernel.traced) return kernel.traced->error();
  if (!emit::has_emitter(format)) {
    return Error(ErrorCode::unsupported, Category::compilation, Cause::other,
                 "This build writes no kernels in " + std::string(to_string(format)) + ".");
  }
  ir::Kernel shaped = **kernel.traced;
  shaped.group = kernel.shape.group.size;
  const bool guarded = format != Format::ir;
  COLLET_TRY(made, emit::emit(format, guarded ? emit::guard(shaped) : shaped, any_target()));
  return KernelCode{.format = format, .bytes = std::move(made.bytes), .features = std::move(made.features)};
}

Result<EmittedCode> emit_for(const DeviceState& device, const KernelState& kernel) {
  if (!*kernel.traced) return kernel.traced->error();
  ir::Kernel shaped = **kernel.traced;
  shaped.group = kernel.shape.group.size;
  for (const Format format : device.caps.formats) {
    if (!emit::has_emitter(format)) continue;
    // The interpreter knows by itself which items exist.
    const bool guarded = format != Format::ir;
    COLLET_TRY(made, emit::emit(format, guarded ? emit::guard(shaped) : shaped, target_of(device)));
    return EmittedCode{.code = {format, std::move(made.bytes), {}},
                       .counts = std::move(made.counts),
                       .lengths = std::move(made.lengths)};
  }
  return Error(
      ErrorCode::unsupported, Category::compilation, Cause::no_kernels,
      described(kernel) + " can't be written in any language that " + device.facts->name + " takes.");
}

}  // namespace collet::detail
