// Which emitter serves a device.

#include "core/emission.hpp"

#include <algorithm>

#include "core/device_state.hpp"
#include "drivers/quirks.hpp"
#include "kernel/emit/emit.hpp"
#include "kernel/emit/guard.hpp"
#include "kernel/emit/lower.hpp"
#include "kernel/emit/messages.hpp"
#include "kernel/emit/shadow.hpp"
#include "kernel/ir/sizes.hpp"
#include "kernel/ir/text.hpp"
#include "platform/thread.hpp"

namespace collet::detail {

emit::Target target_of(const DeviceInfo& info) {
  // What is not reported is not used.
  const auto has = [](const std::optional<bool>& reported) { return reported.value_or(false); };
  emit::Target target{.name = info.name,
                      .int64 = has(info.i64),
                      .float64 = has(info.f64),
                      .int64_atomics = has(info.i64_atomics),
                      .float32_atomics = has(info.f32_atomics),
                      .storage8 = has(info.storage8),
                      .storage16 = has(info.storage16),
                      .fused_multiply_add = has(info.exact_fma),
                      .device_fences = has(info.device_fences),
                      .subgroups = has(info.subgroups),
                      .subgroup_arithmetic = has(info.subgroup_arithmetic),
                      .subgroup_vote = has(info.subgroup_vote),
                      .subgroup_broadcast = has(info.subgroup_broadcast),
                      .subgroup_shuffle = has(info.subgroup_shuffle),
                      .subgroup_int64 = has(info.subgroup_i64)};
  for (const drivers::Quirk* quirk : drivers::quirks_of(info)) {
    target.loop_rounds = std::max(target.loop_rounds, quirk->loop_rounds);
    target.workarounds.add(quirk->workaround);
    if (quirk->workaround == emit::Workaround::limit_stack)  // half, for what else stands there
      target.stack = {.bytes = platform::thread_stack_bytes() / 2, .quirk = std::string(quirk->id)};
  }
  return target;
}

namespace {

// Quirks of the device that changed the code.
std::vector<std::string> applied_quirks(const DeviceInfo& info, const emit::Workarounds& applied) {
  std::vector<std::string> ids;
  for (const drivers::Quirk* quirk : drivers::quirks_of(info)) {
    if (applied.has(quirk->workaround)) ids.emplace_back(quirk->id);
  }
  return ids;
}

// Of a kernel that was made from sources.
Result<KernelCode> given_code(const KernelState& kernel, Format format) {
  for (const Code& code : kernel.module->codes) {
    if (code.format == format) return KernelCode{.format = format, .bytes = code.bytes, .features = {}};
  }
  return Error(ErrorCode::unsupported, Category::compilation, Cause::no_kernels,
               described(kernel) + " was made from sources and has none in " +
                   std::string(to_string(format)) + ".")
      .with_hint("It has: " + listed_codes(kernel) + ".");
}

ir::Kernel with_group(const KernelState& kernel) {
  ir::Kernel made = **kernel.traced;
  made.group = kernel.shape.group.size;
  return made;
}

// Of checked mode.
enum class Checks : std::uint8_t { none, own_memory, all };

// What a device has room for: shadows and messages take a buffer each.
Checks checks_of(const DeviceState& device, const KernelState& kernel) {
  if (!device.options.checked || kernel.is_own) return Checks::none;
  return kernel.signature.buffer_count + 2 <= device.caps.max_bindings ? Checks::all : Checks::own_memory;
}

// Whether people read the code. Each pass copies a kernel with what it knows of the program.
enum class Places : std::uint8_t { keep, drop };

struct Shaped {
  ir::Kernel kernel;
  std::vector<ir::Message> messages;
  std::vector<std::uint32_t> shadow_units = {};
  std::uint64_t shared_bytes = 0;  // without those of shadows
};

// With its messages as code, and with a guard against items that do not exist; the interpreter knows them by
// itself.
Result<Shaped> shaped(const KernelState& kernel, Format format, Checks checks, Places places) {
  Shaped made{.kernel = with_group(kernel), .messages = {}};
  if (checks != Checks::none) made.kernel = emit::lower_checks(made.kernel);
  made.shared_bytes = ir::workgroup_bytes(made.kernel);
  if (checks != Checks::none && format == Format::ir) {
    emit::Shadowed shadowed = emit::lower_shadow(made.kernel, checks == Checks::all);
    made.kernel = std::move(shadowed.kernel);
    made.shadow_units = std::move(shadowed.units);
  }
  if (places == Places::drop) made.kernel.places.clear();
  made.messages = made.kernel.messages;
  if (!made.messages.empty()) {
    COLLET_TRY(plain, emit::lower_messages(made.kernel));
    made.kernel = std::move(plain);
  }
  if (format != Format::ir) made.kernel = emit::guard(made.kernel);
  return made;
}

// As it is, for a backend that reads kernels itself.
Result<EmittedCode> as_ir(emit::Parted parted, const emit::Target& target, const std::string& name,
                          std::uint64_t shared) {
  COLLET_TRY(made, emit::lower_for_ir(std::move(parted.kernel), target));
  return EmittedCode{.code = {Format::ir, {}, {}},
                     .ir = std::move(made.kernel),
                     .entry = name,
                     .words = std::move(parted.words),
                     .counts = {},
                     .lengths = {},
                     .shared_bytes = shared,
                     .quirks = {},
                     .emulated = std::move(made.emulated)};
}

}  // namespace

Result<KernelCode> emit_kernel(const KernelState& kernel, Format format, Lines lines) {
  if (kernel.traced == nullptr) return given_code(kernel, format);
  if (!*kernel.traced) return kernel.traced->error();
  if (!emit::has_emitter(format)) {
    return Error(ErrorCode::unsupported, Category::compilation, Cause::other,
                 "This build writes no kernels in " + std::string(to_string(format)) + ".");
  }
  if (format == Format::ir)
    return KernelCode{.format = format, .bytes = ir::print(with_group(kernel)), .features = {}};
  COLLET_TRY(whole, shaped(kernel, format, Checks::none, Places::keep));
  emit::Target target = emit::target_of_language(format);
  target.shows_lines = lines == Lines::show;
  COLLET_TRY(made, emit::emit(format, whole.kernel, target));
  return KernelCode{.format = format, .bytes = std::move(made.bytes), .features = std::move(made.features)};
}

Result<EmittedCode> emit_for(const DeviceState& device, const KernelState& kernel, Scope scope) {
  if (!*kernel.traced) return kernel.traced->error();
  for (const Format format : device.caps.formats) {
    if (!emit::has_emitter(format)) continue;
    COLLET_TRY(whole, shaped(kernel, format, checks_of(device, kernel), Places::drop));
    emit::Parted parted{.kernel = std::move(whole.kernel), .words = {}};
    if (scope == Scope::parts) parted = emit::in_parts(parted.kernel);
    const DeviceInfo& info = device.native->info();
    emit::Target target = target_of(info);
    target.trusts_launches = scope == Scope::grid;
    target.entry = "collet_" + kernel.name;  // a kernel may have the name of a language's function
    if (format == Format::ir) {
      COLLET_TRY(made, as_ir(std::move(parted), target, kernel.name, whole.shared_bytes));
      made.messages = std::move(whole.messages);
      made.shadow_units = std::move(whole.shadow_units);
      return std::move(made);
    }
    COLLET_TRY(made, emit::emit(format, parted.kernel, target));
    return EmittedCode{.code = {format, std::move(made.bytes), {}},
                       .entry = made.entry.empty() ? kernel.name : made.entry,
                       .words = std::move(parted.words),
                       .counts = std::move(made.counts),
                       .lengths = std::move(made.lengths),
                       .shared_bytes = made.shared_bytes,
                       .messages = std::move(whole.messages),
                       .watched = made.watched,
                       .unoptimised = made.applied.has(emit::Workaround::plain_build),
                       .quirks = applied_quirks(info, made.applied),
                       .emulated = std::move(made.emulated),
                       .trusts = std::move(made.trusts),
                       .terms = std::move(made.terms)};
  }
  return Error(
      ErrorCode::unsupported, Category::compilation, Cause::no_kernels,
      described(kernel) + " can't be written in any language that " + device.facts->name + " takes.");
}

}  // namespace collet::detail
