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

}  // namespace

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
