// The order of the passes, and what a kernel needs of its target.

#include "kernel/emit/lower.hpp"

#include <algorithm>

#include "kernel/ir/passes.hpp"

namespace collet::emit {
namespace {

// "" where every target has it.
std::string_view feature_of(const Kernel& kernel, const Node& node) {
  const Rule rule = ir::rule(node.op);
  const bool subgroup = rule >= Rule::subgroup && rule <= Rule::subgroup_shuffle;
  if (subgroup || (node.op >= Op::subgroup_size && node.op <= Op::subgroup_id)) return "subgroups";
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
    note(feature_of(plain, node));
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
  lowered = lower_vectors(lower_ranges(lowered));
  lowered = lower_halves(lowered);
  COLLET_TRY(floats, lower_floats(lowered, language, target));
  lowered = lower_small(lower_total(floats));
  Plain plain = lower_frame(lowered, language);
  if (language.barrier_behind_branches) plain.kernel = lower_branches(plain.kernel);
  COLLET_TRY(arrays, lower_memory(plain.kernel, language));
  plain.kernel = language.signed_wraps ? std::move(arrays) : lower_signed(arrays);
  ir::fold(plain.kernel);
  ir::compact(plain.kernel);
  return plain;
}

}  // namespace collet::emit
