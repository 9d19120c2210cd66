// The order of the passes, and what a kernel needs of its target.

#include "kernel/emit/lower.hpp"

#include <algorithm>

#include "kernel/emit/stack.hpp"
#include "kernel/emit/watch.hpp"
#include "kernel/ir/passes.hpp"

namespace collet::emit {
namespace {

bool is_subgroup(Rule rule) { return rule >= Rule::subgroup && rule <= Rule::subgroup_shuffle; }

// "" where every target has it.
std::string_view feature_of(const Kernel& kernel, const Node& node) {
  switch (ir::rule(node.op)) {
    case Rule::subgroup:
    case Rule::subgroup_bits: return "subgroup arithmetic";
    case Rule::subgroup_vote: return "subgroup votes";
    case Rule::subgroup_any_type: return "subgroup broadcasts";
    case Rule::subgroup_shuffle: return "subgroup shuffles";
    default: break;
  }
  if (ir::is_atomic(node.op) && kernel.memories[node.low()].stride == 8) return "64-bit atomics";
  if (ir::is_atomic(node.op) && node.type == ir::kF32) return "atomic sums of floats";
  if (is_system_fence(node)) return "fences of system scope";
  if (is_device_fence(node)) return "fences of device scope";
  return "";
}

std::string_view feature_of(Scalar scalar) {
  if (scalar == Scalar::i64 || scalar == Scalar::u64) return "64-bit integers";
  return scalar == Scalar::f64 ? "64-bit floats" : "";
}

bool has(const Target& target, std::string_view feature) {
  if (feature == "64-bit integers") return target.int64;
  if (feature == "64-bit floats") return target.float64;
  if (feature == "64-bit atomics") return target.int64_atomics;
  if (feature == "atomic sums of floats") return target.float32_atomics;
  if (feature == "fences of device scope" || feature == "fences of system scope") return target.device_fences;
  if (feature == "subgroup arithmetic") return target.subgroup_arithmetic;
  if (feature == "subgroup votes") return target.subgroup_vote;
  if (feature == "subgroup broadcasts") return target.subgroup_broadcast;
  if (feature == "subgroup shuffles") return target.subgroup_shuffle;
  if (feature == "subgroups of 64-bit integers") return target.subgroup_int64;
  return target.subgroups;
}

}  // namespace

Result<std::vector<std::string>> check_features(const Kernel& plain, const Target& target) {
  std::vector<std::string> found;
  const auto note = [&](std::string_view feature) {
    if (!feature.empty() && std::ranges::find(found, feature) == found.end()) found.emplace_back(feature);
  };
  for (const ir::Function& function : plain.functions) {
    for (const Scalar scalar : function.arguments) note(feature_of(scalar));
    for (const Scalar scalar : function.results) note(feature_of(scalar));
    for (const Node& node : function.body.nodes) note(feature_of(node.type.scalar));
  }
  for (const Node& node : plain.nodes) {
    note(feature_of(node.type.scalar));
    const bool together = is_subgroup(ir::rule(node.op));
    if (together || (node.op >= Op::subgroup_size && node.op <= Op::subgroup_id)) note("subgroups");
    note(feature_of(plain, node));
    if (together && ir::is_integer(node.type.scalar) && ir::bits(node.type.scalar) == 64)
      note("subgroups of 64-bit integers");
  }
  for (const Memory& memory : plain.memories) note(feature_of(memory.element.scalar));
  for (const Parameter& parameter : plain.parameters) note(feature_of(parameter.type.scalar));
  for (const std::string& feature : found) {
    if (has(target, feature)) continue;
    return Error(ErrorCode::unsupported, Category::compilation, Cause::module_failed,
                 "[Kernel \"" + plain.name + "\"] needs " + feature + ", which " + target.name + " lacks.");
  }
  return found;
}

Result<void> check_f64_functions(const Kernel& kernel) {
  const auto is_missing = [](const Node& node) {
    return node.op >= Op::native_sin && node.op <= Op::native_pow && node.op != Op::native_rsqrt &&
           node.type.scalar == Scalar::f64;
  };
  const auto check = [&](const std::vector<Node>& nodes) -> Result<void> {
    const auto found = std::ranges::find_if(nodes, is_missing);
    if (found == nodes.end()) return {};
    return Error(ErrorCode::unsupported, Category::compilation, Cause::module_failed,
                 "[Kernel \"" + kernel.name + "\"] needs " + std::string(ir::name(found->op)) +
                     " of 64-bit floats, which Vulkan lacks.");
  };
  for (const ir::Function& function : kernel.functions) COLLET_CHECK(check(function.body.nodes));
  return check(kernel.nodes);
}

namespace {

std::size_t node_count(const Kernel& kernel) {
  std::size_t count = 0;
  for (const ir::Block& block : kernel.blocks) count += block.nodes.size();
  return count;
}

// Runs the passes that a target asks for, and notes those that changed something: each only adds nodes.
//
// Threads: one at a time.
class Applied {
 public:
  explicit Applied(const Target& target) : asked_(target.workarounds) {}

  Kernel run(Workaround one, Kernel (*pass)(const Kernel&), Kernel kernel) {
    if (!asked_.has(one)) return kernel;
    Kernel made = pass(kernel);
    if (node_count(made) != node_count(kernel)) made_.add(one);
    return made;
  }
  void note(Workaround one) { made_.add(one); }
  Workarounds made() const { return made_; }

 private:
  Workarounds asked_, made_;
};

bool has_float_atomics(const Kernel& kernel) {
  return std::ranges::any_of(kernel.nodes, [](const Node& node) {
    return ir::is_float_atomic(node.op) && ir::is_float(node.type.scalar);
  });
}

bool has_small_private_arrays(const Kernel& kernel) {
  return std::ranges::any_of(kernel.memories, [](const Memory& memory) {
    return memory.space == Space::item && ir::bits(memory.element.scalar) < 32;
  });
}

bool has_barriers(const Kernel& kernel) {
  return std::ranges::any_of(
      kernel.nodes, [](const Node& node) { return node.op == Op::barrier || node.op == Op::uniform; });
}

// Whether a function stays one. Its loops are the kernel's where the driver's faults have to do with loops,
// and its integers of 64 bits where there are none.
bool stays(const Kernel& body, const Language& language, const Target& target) {
  // What no compiler is to know is made of an item's place.
  const Workarounds& asked = target.workarounds;
  if (language.place_as_argument &&
      (asked.has(Workaround::hide_zeros) || asked.has(Workaround::opaque_floats)))
    return false;
  const bool careful = target.loop_rounds != 0 || target.workarounds.has(Workaround::divergent_loops) ||
                       target.workarounds.has(Workaround::barrier_before_loops) ||
                       target.workarounds.has(Workaround::plain_build);
  return !(careful && may_exceed(body, 0)) && (target.int64 || !uses_wide(body));
}

// Without ranges, vectors, halves and what floats lack.
Result<Kernel> lower_values(const Kernel& kernel, const Language& language, const Target& target) {
  return lower_floats(lower_halves(lower_vectors(lower_ranges(kernel))), language, target);
}

// The last passes: what is left is as the language writes it.
Kernel finished(Kernel kernel, const Language& language, const Target& target, Applied& applied) {
  if (!language.has_narrow) kernel = lower_narrow(kernel);
  if (!language.signed_wraps) kernel = lower_signed(kernel);
  if (target.folds_constants) ir::fold(kernel);
  kernel = applied.run(Workaround::hide_zeros, lower_zeros, std::move(kernel));
  kernel = applied.run(Workaround::opaque_floats, lower_opaque, std::move(kernel));
  kernel = applied.run(Workaround::opaque_choices, lower_choices, std::move(kernel));
  ir::compact(kernel);
  return kernel;
}

// The passes of lower() that have something to do in a function that stays.
Result<Kernel> lower_function(const Kernel& body, const Language& language, const Target& target,
                              Applied& applied) {
  COLLET_TRY(values, lower_values(body, language, target));
  Kernel lowered = lower_small(lower_total(values, language));
  lowered = applied.run(Workaround::u32_through_i32, lower_unsigned, std::move(lowered));
  return finished(std::move(lowered), language, target, applied);
}

bool any_uses_wide(const Kernel& kernel) {
  return uses_wide(kernel) ||
         std::ranges::any_of(kernel.functions, [](const ir::Function& f) { return uses_wide(f.body); });
}

// They are code by now: only their lowering knows where a launch finds them.
Result<void> check_messages(const Kernel& kernel) {
  if (kernel.messages.empty()) return {};
  return Error(ErrorCode::invalid_argument, Category::compilation, Cause::module_failed,
               "[Kernel \"" + kernel.name + "\"] still has " + std::to_string(kernel.messages.size()) +
                   " messages, which lower_messages() takes away.");
}

}  // namespace

Result<Portable> lower_for_ir(Kernel kernel, const Target& target) {
  COLLET_CHECK(check_messages(kernel));
  Portable made{.kernel = std::move(kernel), .emulated = {}};
  if (!target.float32_atomics && has_float_atomics(made.kernel))
    made.kernel = lower_float_atomics(made.kernel, false);
  if (!target.int64 && any_uses_wide(made.kernel)) {
    COLLET_TRY(plain, lower_calls(made.kernel));
    made.kernel = std::move(plain);
  }
  if (!target.int64 && uses_wide(made.kernel)) {
    const Language whatever{};
    const Kernel scalars = lower_halves(lower_vectors(lower_ranges(made.kernel)));
    made.kernel = lower_wide(lower_small(lower_total(scalars, whatever)), whatever);
    made.emulated.emplace_back("64-bit integers");
    ir::fold(made.kernel);
    ir::compact(made.kernel);
  }
  COLLET_CHECK(check_features(made.kernel, target));  // where some are left, it names them
  return made;
}

Result<Plain> lower(const Kernel& kernel, const Language& language, const Target& target) {
  COLLET_CHECK(check_messages(kernel));
  Applied applied(target);
  const bool inlined = !kernel.functions.empty() && target.workarounds.has(Workaround::inline_functions) &&
                       has_barriers(kernel);
  if (inlined) applied.note(Workaround::inline_functions);
  const auto function_stays = [&](const Kernel& body) { return !inlined && stays(body, language, target); };
  COLLET_TRY(lowered, lower_calls(kernel, ir::kMostNodes, function_stays));
  ir::compact(lowered);  // what nobody uses needs no feature
  std::vector<ir::Function> functions = std::move(lowered.functions);
  lowered.functions.clear();
  for (ir::Function& function : functions) {
    COLLET_TRY(body, lower_function(function.body, language, target, applied));
    function.body = std::move(body);
  }
  if (has_float_atomics(lowered))
    lowered = lower_float_atomics(lowered, language.float_atomics && target.float32_atomics);
  const bool watched = target.loop_rounds != 0 && may_exceed(lowered, target.loop_rounds);
  if (watched) applied.note(Workaround::watch_loops);
  if (target.workarounds.has(Workaround::plain_build) && upsets_vectoriser(lowered))
    applied.note(Workaround::plain_build);
  lowered = applied.run(Workaround::fences_as_atomics, lower_fences, std::move(lowered));
  Checked checked = lower_indices(lowered, target);
  if (checked.hidden) applied.note(Workaround::constant_loads);
  COLLET_TRY(values, lower_values(checked.kernel, language, target));
  if (watched) values = watch_loops(values);
  lowered = lower_small(lower_total(values, language));
  Plain plain = lower_frame(lowered, language);
  if (!target.int64 && uses_wide(plain.kernel)) {
    plain.kernel = lower_wide(plain.kernel, language);
    if (!uses_wide(plain.kernel)) plain.emulated.emplace_back("64-bit integers");
  }
  plain.kernel = applied.run(Workaround::u32_through_i32, lower_unsigned, std::move(plain.kernel));
  plain.watched = watched;
  plain.trusts = std::move(checked.trusts);
  plain.terms = std::move(checked.terms);
  plain.kernel = applied.run(Workaround::flat_barriers, lower_branches, std::move(plain.kernel));
  plain.kernel = applied.run(Workaround::divergent_loops, lower_divergent_loops, std::move(plain.kernel));
  plain.kernel = applied.run(Workaround::barrier_before_loops, lower_leading_loops, std::move(plain.kernel));
  plain.kernel = applied.run(Workaround::narrow_groups, lower_narrow_groups, std::move(plain.kernel));
  COLLET_TRY(arrays, lower_memory(plain.kernel, language));
  if (target.workarounds.has(Workaround::wide_private_arrays) && has_small_private_arrays(arrays)) {
    applied.note(Workaround::wide_private_arrays);
    Language wide = language;
    wide.small_in_items = false;
    COLLET_TRY(words, lower_memory(plain.kernel, wide));
    arrays = std::move(words);
  }
  if (!language.casts_atomics) arrays = lower_atomics(arrays);
  if (language.atomic_memory) arrays = lower_atomic_memory(arrays);
  plain.kernel = finished(std::move(arrays), language, target, applied);
  COLLET_CHECK(check_stack(plain.kernel, target));
  plain.kernel.functions = std::move(functions);
  plain.applied = applied.made();
  return plain;
}

}  // namespace collet::emit
