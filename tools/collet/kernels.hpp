// The kernels that the tool has built in, and kernels from files.
#pragma once

#include <collet/any_kernel.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace collet::tool {

struct BuiltIn {
  std::string name;
  std::string about;
  AnyKernel kernel;
  // What collet run takes where nothing is given: elements of the grid by dimension, and the kernel's values
  // in order, where x and y stand for the grid's.
  std::vector<std::string> grid = {"1024"};
  std::vector<std::string> values = {};
};
const std::vector<BuiltIn>& built_in_kernels();
// Null where there is none of that name.
const BuiltIn* find_built_in(const std::string& name);

// A ring kernel.
struct BuiltInRing {
  std::string name;
  std::string about;
  std::function<Result<KernelCode>(Format, Lines)> emit;
};
const std::vector<BuiltInRing>& built_in_rings();

inline constexpr const char* kStandardInput = "-";

// By the name of a built-in kernel, or the path of a file of IR text: whatever holds a dot or a slash. Where
// a text was read and is no kernel, `line` becomes the line that the error is about.
Result<AnyKernel> find_kernel(const std::string& name, std::uint32_t* line = nullptr);

}  // namespace collet::tool
