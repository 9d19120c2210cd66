// The table of limits, and how a row finds its own.

#include "limits.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace collet::bench {
namespace {

// The texts are the row's own; one that ends in * is the beginning of it. The tier is "" where none is said.
struct Rule {
  std::string_view name;
  std::string_view reference;
  std::string_view tier;
  double ratio;
};

// The first that matches counts.
constexpr Rule kRules[] = {
    // Launches: the bare API's, and OpenMP's fork and join.
    {"launch+wait, *", "OpenMP fork/join", "", 1.1},
    {"launch+wait", "a poll that waits", "", 1.05},
    {"launch+wait, adaptive wait", "glClientWaitSync", "", 1.5},
    {"launch+wait", "*", "", 1.03},
    {"1,000 launches, one wait", "one pass", "", 1.05},
    {"1,000 launches, one wait", "one flush", "", 1.05},
    {"1,000 launches, one wait", "*", "", 1.03},
    {"launches up to 10^6", "the fastest decade", "", 1.1},
    // The start of a program.
    {"collet devices, nothing cached", "*", "", 1.3},
    {"open_best(), from the cache", "*", "", 1.1},
    // A message to a kernel that stays.
    {"a call", "launch, wait, download", "", 1.0 / 30},
    // Generated kernels beside those written by hand, on the same API.
    {"*", "hand-written GLSL", "", 1.03},
    {"*", "hand-written OpenCL C", "", 1.03},
    {"*", "hand-written WGSL", "", 1.05},
    // The interpreter beside what others compile for the same processor.
    {"naive matmul*", "hand-written OpenCL C on PoCL", "interpreter", 1.0 / 5},
    {"tiled matmul*", "hand-written OpenCL C on PoCL", "interpreter", 1.0 / 5},
    {"saxpy*", "C++ with OpenMP", "interpreter", 1 / 0.5},
    // Native code beside the same: never slower than PoCL, and many times as fast where groups share memory.
    {"tiled matmul*", "hand-written OpenCL C on PoCL", "native", 1.0 / 25},
    {"mandelbrot*", "hand-written OpenCL C on PoCL", "native", 1.0 / 5},
    {"reduction*", "hand-written OpenCL C on PoCL", "native", 1.0 / 4},
    {"histogram*", "hand-written OpenCL C on PoCL", "native", 1.0 / 4},
    {"*", "hand-written OpenCL C on PoCL", "native", 1},
    {"*", "C++ with OpenMP", "native", 1 / 0.9},
    {"fused tiled matmul*", "a SIMD tile written by hand", "native", 1 / 0.8},
    {"blocked matmul*", "OpenBLAS", "native", 1 / 0.5},
    {"blocked matmul*", "a loop nest with OpenMP", "native", 1 / 1.3},
};

bool matches(std::string_view pattern, std::string_view text) {
  if (!pattern.ends_with('*')) return pattern == text;
  return text.starts_with(pattern.substr(0, pattern.size() - 1));
}

const Rule* find_rule(const Row& row) {
  const auto found = std::ranges::find_if(kRules, [&](const Rule& rule) {
    return matches(rule.name, row.name) && matches(rule.reference, row.reference_name) &&
           rule.tier == row.tier;
  });
  return found == std::end(kRules) ? nullptr : found;
}

std::string figure(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string sentence(const Row& row, const Limit& limit) {
  std::string text = row.device.id() + " " + row.name + (row.tier.empty() ? "" : " (" + row.tier + ")") +
                     ": " + figure(row.ours) + " " + row.unit + " is more than the " +
                     figure(limit.most(row.reference)) + " allowed";
  if (row.reference_name != "budget")
    text += ", " + figure(limit.ratio) + " times the " + figure(row.reference) + " of " + row.reference_name;
  if (limit.slack != 0) text += ", with " + figure(limit.slack * 100) + " % for noise";
  return text + ".";
}

}  // namespace

std::optional<double> ratio_of(const Row& row) {
  if (row.bounds) return row.bounds->value;
  if (row.reference != 0) return row.ours / row.reference;
  if (row.ours == 0) return 1;
  return std::nullopt;
}

bool is_steady(const Row& row) {
  return row.unit == "instructions" || row.unit == "allocations" || row.unit == "bytes";
}

std::optional<Limit> limit_of(const Row& row) {
  if (row.information) return std::nullopt;
  if (row.reference_name == "budget") return Limit{.slack = is_steady(row) ? 0 : kSlack};
  const Rule* rule = find_rule(row);
  if (rule == nullptr) return std::nullopt;
  return Limit{.ratio = rule->ratio, .slack = kSlack};
}

bool is_missed(const Row& row) {
  const auto limit = limit_of(row);
  return limit && !(row.ours <= limit->most(row.reference));
}

std::vector<std::string> missed_limits(std::span<const Row> rows) {
  std::vector<std::string> missed;
  for (const Row& row : rows) {
    if (is_missed(row)) missed.push_back(sentence(row, *limit_of(row)));
  }
  return missed;
}

}  // namespace collet::bench
