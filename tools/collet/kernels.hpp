// The kernels that the tool has built in, and kernels from files.
#pragma once

#include <collet/any_kernel.hpp>
#include <string>
#include <vector>

namespace collet::tool {

struct BuiltIn {
  std::string name;
  std::string about;
  AnyKernel kernel;
};
const std::vector<BuiltIn>& built_in_kernels();

// By the name of a built-in kernel, or the path of a file of IR text: whatever holds a dot or a slash.
Result<AnyKernel> find_kernel(const std::string& name);

}  // namespace collet::tool
