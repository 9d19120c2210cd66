// From a kernel to what a driver takes: SPIR-V of both flavours, and a text in each language.
//
// An emitter means exactly what eval.cpp says, but for two things that the APIs leave to the driver: f32
// division and square root (2.5 and 3 ULP where the driver does not round them right), and denormals, which
// may be flushed. f16 and small integers are computed in 32 bits and narrowed after each operation, so that
// no device lacks them.
//
// The code takes the kernel's arguments as docs/kernel_sources.md says. Behind them it takes the u32 that
// Emitted asks for: first the element counts of the launch, then the lengths of buffers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "collet/options.hpp"
#include "collet/result.hpp"
#include "kernel/emit/workarounds.hpp"
#include "kernel/ir/ceilings.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::emit {

// What all items of a group may keep together: see stack.hpp.
struct StackLimit {
  std::uint64_t bytes = 0;
  std::string quirk = {};  // the id of the one that sets it, for refusals
};

// What a device has. What it lacks is lowered or refused, never approximated.
struct Target {
  std::string name = "the target";  // for refusals
  // Entry point of code that is text, whose language has names of its own; "": the kernel's name.
  std::string entry = {};
  bool int64 = false;
  bool float64 = false;
  bool int64_atomics = false;
  bool float32_atomics = false;     // sums; what else is atomic on floats goes by the integers of their bits
  bool storage8 = false;            // buffers of bytes; without it they are reached through 32-bit words
  bool storage16 = false;           // the same for 16 bits
  bool fused_multiply_add = false;  // its fma rounds once; OpenCL's always does
  bool device_fences = false;       // fences of device scope
  // Size, lane and number of a subgroup; and what its lanes do together, where that is there too.
  bool subgroups = false;
  bool subgroup_arithmetic = false;
  bool subgroup_vote = false;
  bool subgroup_broadcast = false;
  bool subgroup_shuffle = false;
  bool subgroup_int64 = false;  // any of these on 64-bit integers
  // Whether the code checks indices into buffers, workgroup memory and private arrays; off where the driver
  // itself loads 0 and stores nothing beyond their ends, or where the program asked for that.
  bool checks_buffers = true, checks_groups = true, checks_items = true;
  // Whether checks of buffers may be left out that a launch can answer once for all items: Emitted::trusts.
  bool trusts_launches = false;
  // Loop iterations, of all loops together, after which the driver silently exits; 0: unlimited.
  std::uint32_t loop_rounds = 0;
  // Asked where Workaround::limit_stack is.
  StackLimit stack = {};
  // Text says in comments which line of the program its statements come from.
  bool shows_lines = false;
  // Off only to show what a driver makes of constants that are left to it.
  bool folds_constants = true;
  // What its driver's faults ask for, besides watching loops.
  Workarounds workarounds = {};
};

// Code that is right only in launches where a term is below the length of a buffer.
struct Trust {
  std::uint32_t buffer = 0;
  std::uint32_t ceiling = 0;  // of Emitted::terms

  friend bool operator==(const Trust&, const Trust&) = default;
};

// Whether a launch keeps to all of them. `leaf` gives what it has for a term that names no other.
template <class Leaf>
bool are_kept(std::span<const Trust> trusts, std::span<const ir::Ceiling> terms, const Leaf& leaf) {
  if (trusts.empty()) return true;
  ir::CeilingValues values;
  ir::evaluate(terms, leaf, values);
  return std::ranges::all_of(trusts, [&](const Trust& trust) {
    return values[trust.ceiling] < leaf({.what = ir::Ceiling::What::length, .a = trust.buffer});
  });
}

struct Emitted {
  Format format = Format::opencl_c;
  std::string bytes;                       // text without a terminator, or SPIR-V words
  std::vector<std::string> features;       // of the target that the code uses: "64-bit integers"
  std::vector<std::string> emulated = {};  // that the target lacks and the code does without
  std::vector<std::uint32_t> counts;       // dimensions whose element count is passed
  std::vector<std::uint32_t> lengths;      // buffers whose number of elements is passed
  std::string entry = {};                  // "": the kernel's name
  std::uint64_t shared_bytes = 0;          // of workgroup memory that the code declares
  // One more buffer is bound behind the others, of one u32 that is 0 and becomes 1 where a loop was cut.
  bool watched = false;
  // A launch that does not keep to all of these takes code that was emitted without trust.
  std::vector<Trust> trusts = {};
  std::vector<ir::Ceiling> terms = {};
  Workarounds applied = {};  // those of the target that changed this kernel's code
};

// Each takes a kernel that verify() accepted. ErrorCode::unsupported names what the target lacks. The two for
// SPIR-V are only in builds with a backend that takes it.
Result<Emitted> emit_spirv_shader(const ir::Kernel& kernel, const Target& target);
Result<Emitted> emit_spirv_kernel(const ir::Kernel& kernel, const Target& target);
Result<Emitted> emit_opencl_c(const ir::Kernel& kernel, const Target& target);
Result<Emitted> emit_glsl_vulkan(const ir::Kernel& kernel, const Target& target);
Result<Emitted> emit_glsl(const ir::Kernel& kernel, const Target& target);     // 4.30 core
Result<Emitted> emit_glsl_es(const ir::Kernel& kernel, const Target& target);  // 3.10
Result<Emitted> emit_cuda(const ir::Kernel& kernel, const Target& target);
Result<Emitted> emit_hip(const ir::Kernel& kernel, const Target& target);
Result<Emitted> emit_wgsl(const ir::Kernel& kernel, const Target& target);
Result<Emitted> emit_msl(const ir::Kernel& kernel, const Target& target);

// A device that has everything that the language of a format can say.
Target target_of_language(Format format);

// Whether this build can write kernels in that format, and what it writes. Format::ir is the text form.
bool has_emitter(Format format);
Result<Emitted> emit(Format format, const ir::Kernel& kernel, const Target& target);

}  // namespace collet::emit
