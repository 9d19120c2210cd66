// The order of the passes, and what a kernel needs of its target.

#include "kernel/emit/lower.hpp"

#include <algorithm>

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

Result<Plain> lower(const Kernel& kernel, const Language& language, const Target& target) {
  Kernel lowered = kernel;
  ir::compact(lowered);  // what nobody uses needs no feature
  const bool watched = target.loop_rounds != 0 && may_exceed(lowered, target.loop_rounds);
  if (target.fences_are_barriers) lowered = lower_fences(lowered);
  Checked checked = lower_indices(lowered, target);
  lowered = lower_vectors(lower_ranges(checked.kernel));
  lowered = lower_halves(lowered);
  COLLET_TRY(floats, lower_floats(lowered, language, target));
  if (watched) floats = watch_loops(floats);
  lowered = lower_small(lower_total(floats));
  if (target.u32_to_f32_is_wrong) lowered = lower_unsigned(lowered);
  Plain plain = lower_frame(lowered, language);
  plain.watched = watched;
  plain.trusts = std::move(checked.trusts);
  plain.terms = std::move(checked.terms);
  if (language.no_barriers_in_branches) plain.kernel = lower_branches(plain.kernel);
  COLLET_TRY(arrays, lower_memory(plain.kernel, language));
  plain.kernel = language.signed_wraps ? std::move(arrays) : lower_signed(arrays);
  ir::fold(plain.kernel);
  if (target.float_zeros_are_wrong) plain.kernel = lower_zeros(plain.kernel);
  ir::compact(plain.kernel);
  return plain;
}

}  // namespace collet::emit
