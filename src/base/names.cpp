// The written names of the public enumerations.

#include "collet/options.hpp"
#include "collet/properties.hpp"

namespace collet {

std::string_view to_string(DeviceType type) {
  switch (type) {
    case DeviceType::discrete: return "discrete";
    case DeviceType::integrated: return "integrated";
    case DeviceType::virtual_gpu: return "virtual";
    case DeviceType::cpu: return "cpu";
    case DeviceType::software: return "software";
    case DeviceType::simulated: return "simulated";
    case DeviceType::other: return "other";
  }
  return "unknown";
}

std::string_view to_string(Rung rung) {
  switch (rung) {
    case Rung::not_built: return "not built";
    case Rung::compiled_in: return "compiled in";
    case Rung::loaded: return "loaded";
    case Rung::initialised: return "initialised";
    case Rung::executed: return "executed";
    case Rung::verified: return "verified";
  }
  return "unknown";
}

std::string_view to_string(Format format) {
  switch (format) {
    case Format::ir: return "IR";
    case Format::host_function: return "CPU function";
    case Format::spirv_shader: return "SPIR-V (shader)";
    case Format::spirv_kernel: return "SPIR-V (kernel)";
    case Format::opencl_c: return "OpenCL C";
    case Format::cuda: return "CUDA C++";
    case Format::ptx: return "PTX";
    case Format::cubin: return "cubin";
    case Format::hip: return "HIP C++";
    case Format::hsaco: return "hsaco";
    case Format::glsl: return "GLSL";
    case Format::glsl_vulkan: return "GLSL for Vulkan";
    case Format::glsl_es: return "GLSL ES";
    case Format::wgsl: return "WGSL";
    case Format::msl: return "MSL";
    case Format::metallib: return "metallib";
  }
  return "unknown";
}

}  // namespace collet
