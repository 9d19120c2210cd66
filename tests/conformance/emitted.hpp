// Runs kernels that are written as IR text, through every emitter that the device has a format for.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "conformance/conformance.hpp"
#include "core/emission.hpp"
#include "kernel/emit/emit.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

namespace conformance {

struct Emitter {
  collet::Format format;

  collet::Result<collet::emit::Emitted> emit(const collet::ir::Kernel& kernel,
                                             const collet::emit::Target& target) const {
    return collet::emit::emit(format, kernel, target);
  }
};

inline std::vector<Emitter> emitters(const collet::Device& device) {
  std::vector<Emitter> found;
  for (const collet::Format format :
       {collet::Format::ir, collet::Format::spirv_shader, collet::Format::opencl_c,
        collet::Format::spirv_kernel, collet::Format::wgsl, collet::Format::cuda, collet::Format::glsl,
        collet::Format::glsl_es}) {
    if (takes(device, format)) found.push_back({format});
  }
  EXPECT_FALSE(found.empty()) << device.name() << " takes nothing that is emitted.";
  return found;
}

// What the device says of itself; narrow storage is left out, so that words are tried everywhere.
inline collet::emit::Target target_of(const collet::Device& device) {
  const collet::DeviceInfo& info = device.info();
  return {.name = info.name,
          .int64 = info.i64.value_or(false),
          .float64 = info.f64.value_or(false),
          .device_fences = info.device_fences.value_or(false),
          .subgroups = info.subgroups.value_or(false),
          .subgroup_arithmetic = info.subgroup_arithmetic.value_or(false),
          .subgroup_vote = info.subgroup_vote.value_or(false),
          .subgroup_broadcast = info.subgroup_broadcast.value_or(false),
          .subgroup_shuffle = info.subgroup_shuffle.value_or(false),
          .checks_buffers = false,  // they take lengths, which nobody passes here; see the behaviours Index.*
          .workarounds = collet::detail::target_of(info).workarounds};
}

// A kernel that verify() accepts; whatever is wrong stops the behaviour.
inline collet::ir::Kernel parsed(const std::string& text) {
  collet::ir::Kernel kernel = collet::ir::parse(text).value();
  collet::ir::verify(kernel).value();
  return kernel;
}

template <class... Args>
auto source_of(const collet::ir::Kernel& kernel, const collet::emit::Emitted& code) {
  using Made = typename collet::KernelSource<Args...>::KernelType;
  if (code.format == collet::Format::ir) return Made(collet::AnyKernel::parse(code.bytes).value().state());
  collet::Module module;
  module.add(code.format, code.bytes);
  collet::KernelSource<Args...> source(kernel.name, module);
  source.group(kernel.group[0], kernel.group[1], kernel.group[2]);
  return source.kernel();
}

// A device without the feature refuses by its name; that is said, and counted by the caller.
inline void say_refused(const collet::Device& device, const collet::Error& error) {
  EXPECT_EQ(error.code(), ErrorCode::unsupported) << error.describe();
  std::printf("[ REFUSED  ] %s: %s\n", device.info().id().c_str(), error.message().c_str());
}

}  // namespace conformance
