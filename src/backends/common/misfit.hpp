// Code that does not fit what it is launched with, in the words of every API.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collet/error.hpp"

namespace collet::backend::common {

// Views of the entries' names.
template <class Entries>
std::vector<std::string_view> names_of(const Entries& entries) {
  std::vector<std::string_view> names;
  names.reserve(entries.size());
  for (const auto& one : entries) names.push_back(one.name);
  return names;
}

// `message` is a sentence.
Error misfit(Cause cause, std::string message);

// `what` is the sentence up to the name: "The module has no kernel".
Error no_such_kernel(std::string_view what, std::string_view entry, std::span<const std::string_view> names);

// `what` is how the code is called: "The WGSL".
Error other_group_size(std::string_view what, std::string_view entry,
                       const std::array<std::uint32_t, 3>& fixed, const std::array<std::uint32_t, 3>& asked);

}  // namespace collet::backend::common
