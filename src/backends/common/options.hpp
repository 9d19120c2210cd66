// Options of a program that a backend does not honour, by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collet/options.hpp"

namespace collet::backend::common {

// Those that differ from their default and whose name is not in `honoured`, with their value where it is one:
// "optimise=most", "fast_math", "register_limit=32".
std::vector<std::string> ignored_options(const CompileOptions& options,
                                         std::span<const std::string_view> honoured = {});

}  // namespace collet::backend::common
