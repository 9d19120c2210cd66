// From a kernel to what a driver takes: SPIR-V of both flavours, and OpenCL C.
//
// An emitter means exactly what eval.cpp says, but for two things that the APIs leave to the driver: f32
// division and square root (2.5 and 3 ULP where the driver does not round them right), and denormals, which
// may be flushed. f16 and small integers are computed in 32 bits and narrowed after each operation, so that
// no device lacks them.
//
// The code takes the kernel's arguments as docs/kernel_sources.md says. Behind them it takes the u32 that
// Emitted asks for: first the element counts of the launch, then the lengths of buffers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collet/options.hpp"
#include "collet/result.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::emit {

// What a device has. What it lacks is lowered or refused, never approximated.
struct Target {
  std::string name = "the target";  // for refusals
  bool int64 = false;
  bool float64 = false;
  bool int64_atomics = false;
  bool storage8 = false;   // buffers of bytes; without it they are reached through 32-bit words
  bool storage16 = false;  // the same for 16 bits
  bool subgroups = false;
  bool fused_multiply_add = false;  // its fma rounds once; OpenCL's always does
};

struct Emitted {
  Format format = Format::opencl_c;
  std::string bytes;                   // text without a terminator, or SPIR-V words
  std::vector<std::string> features;   // of the target that the code uses: "64-bit integers"
  std::vector<std::uint32_t> counts;   // dimensions whose element count is passed
  std::vector<std::uint32_t> lengths;  // buffers whose number of elements is passed
};

// Each takes a kernel that verify() accepted. ErrorCode::unsupported names what the target lacks. The two for
// SPIR-V are only in builds with a backend that takes it.
Result<Emitted> emit_spirv_shader(const ir::Kernel& kernel, const Target& target);
Result<Emitted> emit_spirv_kernel(const ir::Kernel& kernel, const Target& target);
Result<Emitted> emit_opencl_c(const ir::Kernel& kernel, const Target& target);

// Whether this build can write kernels in that format, and what it writes. Format::ir is the text form.
bool has_emitter(Format format);
Result<Emitted> emit(Format format, const ir::Kernel& kernel, const Target& target);

}  // namespace collet::emit
