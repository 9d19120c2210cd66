// Which files and variables decide what a WebGPU library finds, and what WGPU_BACKEND asks of it.
#pragma once

#include <string>
#include <vector>

#include "backends/webgpu/abi.hpp"
#include "collet/properties.hpp"
#include "collet/result.hpp"

namespace collet::backend::webgpu {

std::vector<DriverFile> driver_files();
std::vector<std::string> driver_variables();

// The APIs below WebGPU that may be used: in wgpu-native's mask, and for a library that takes one only.
struct Choice {
  abi::Flags native_mask = 0;
  abi::BackendType backend = abi::BackendType::undefined;  // undefined: any
};

// What WGPU_BACKEND says: words between commas, of which webgpu.h can pass on the first. Where it says
// nothing, all but OpenGL: there wgpu-native 29 ends the process when it meets another thread's context.
Result<Choice> chosen_backend();

}  // namespace collet::backend::webgpu
