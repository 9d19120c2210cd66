// Every option of CompileOptions, compared with its default.

#include "backends/common/options.hpp"

#include <algorithm>
#include <array>

namespace collet::backend::common {
namespace {

constexpr std::array<std::string_view, 5> kLevels{"standard", "none", "less", "more", "most"};

}  // namespace

std::vector<std::string> ignored_options(const CompileOptions& options,
                                         std::span<const std::string_view> honoured) {
  std::vector<std::string> ignored;
  const auto note = [&](bool asked, std::string_view name, std::string_view value) {
    if (!asked || std::ranges::find(honoured, name) != honoured.end()) return;
    ignored.push_back(std::string(name) + (value.empty() ? "" : "=") + std::string(value));
  };
  note(options.optimise != CompileOptions::Optimise::standard, "optimise",
       kLevels[static_cast<std::size_t>(options.optimise)]);
  note(options.debug_info, "debug_info", "");
  note(options.fast_math, "fast_math", "");
  note(options.register_limit != 0, "register_limit", std::to_string(options.register_limit));
  note(options.min_groups_per_unit != 0, "min_groups_per_unit", std::to_string(options.min_groups_per_unit));
  note(!options.defines.empty(), "defines", std::to_string(options.defines.size()));
  return ignored;
}

}  // namespace collet::backend::common
