// The languages that kernels are written in, by the names that the command line has for them.
#pragma once

#include <collet/options.hpp>

namespace collet::tool {

struct Dialect {
  const char* name;
  Format format;
};
inline constexpr Dialect kDialects[] = {{"ir", Format::ir},
                                        {"opencl", Format::opencl_c},
                                        {"cuda", Format::cuda},
                                        {"hip", Format::hip},
                                        {"glsl-vulkan", Format::glsl_vulkan},
                                        {"glsl", Format::glsl},
                                        {"gles", Format::glsl_es},
                                        {"wgsl", Format::wgsl},
                                        {"msl", Format::msl},
                                        {"spirv", Format::spirv_shader},
                                        {"spirv-kernel", Format::spirv_kernel}};

}  // namespace collet::tool
