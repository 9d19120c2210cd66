// What a caller may ask for when it opens a device or compiles a kernel.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collet/export.hpp"
#include "collet/memory_usage.hpp"

namespace collet {

// The languages and binaries that a kernel can be given in.
enum class Format : std::uint8_t {
  ir,
  host_function,
  spirv_shader,
  spirv_kernel,
  opencl_c,
  cuda,
  ptx,
  cubin,
  hip,
  hsaco,
  glsl,
  glsl_vulkan,  // buffers are bindings of set 0, constants are push constants
  glsl_es,
  wgsl,
  msl,
  metallib,
};

COLLET_API std::string_view to_string(Format format);

enum class WaitMode : std::uint8_t {
  block,     // sleeps in the driver
  adaptive,  // spins for a moment first: lower latency, more CPU
};

// How the CPU backend runs kernels of the kernel language. All give the same bits.
enum class CpuTier : std::uint8_t {
  automatic,    // the interpreter at once, and native code once a kernel is worth it and LLVM is done
  interpreter,  // nothing is compiled
  native,       // every kernel waits for LLVM and needs it; the interpreter runs what that does not cover
};

// A line that an item printed.
struct PrintedLine {
  std::array<std::uint32_t, 3> item{};  // its global id
  std::string text = {};
  std::string file = {};  // where print_() stands
  std::uint32_t line = 0;
};

// What one launch printed.
struct Printed {
  std::string kernel = {};
  std::vector<PrintedLine> lines = {};  // in any order, or in that of items: OpenOptions::print_in_order
  std::uint64_t lost = 0;               // lines that had no room
};

struct OpenOptions {
  std::string label = {};
  // Every substitution becomes an error. A device that is simulated, that runs no kernels or that discovery
  // refuses is not opened. COLLET_STRICT=1 asks for the same.
  bool strict = false;
  WaitMode wait = WaitMode::block;
  // The API's own checking layer is switched on and its messages go to the log, which also says where there
  // is no such layer. COLLET_VALIDATE=1 asks for the same.
  bool validation = false;
  // Checked mode: an index out of range in a kernel of the kernel language makes the wait for its launch
  // fail, with Cause::index_out_of_range, the place in the program, the buffer, the index and the item.
  // The cpu backend also finds data races (Cause::data_race) and reads of shared memory and arrays that
  // nobody wrote (Cause::uninitialised_read). Kernels get slower. COLLET_CHECK=1 asks for the same.
  bool checked = false;
  // Threads of the CPU backend; 0 means one per processor that this process may use, or as many as
  // cpu_processors names.
  std::uint32_t cpu_threads = 0;
  // The processors that those threads are bound to, in turn, as the system numbers them; none is bound where
  // this is empty. A thread of the program that waits and lends itself stays where the program has it.
  std::vector<std::uint32_t> cpu_processors = {};
  // COLLET_CPU_TIER says it where this does not.
  CpuTier cpu_tier = CpuTier::automatic;
  // Of the device's own pool.
  MemoryOptions memory = {};
  // Gets what kernels print_(), launch after launch, before a wait for it returns, on the thread that waits
  // or closes the stream. It must not call the stream. Where it is empty, lines go to the log as warnings of
  // the module "print", which reach stderr unless COLLET_LOG says otherwise.
  std::function<void(const Printed&)> print = {};
  // For the lines of one launch; it is never less than one of each that the kernel prints.
  std::uint32_t print_bytes = 256u << 10;
  // Lines come in the order of items: by z, then y, then x; those of one item as it printed them.
  bool print_in_order = false;
};

// Go with every program. What a backend can't honour is refused or named in the receipt.
struct CompileOptions {
  enum class Optimise : std::uint8_t { standard, none, less, more, most };
  Optimise optimise = Optimise::standard;
  bool debug_info = false;
  bool fast_math = false;
  std::uint32_t register_limit = 0;                               // per item; 0 means none
  std::uint32_t min_groups_per_unit = 0;                          // launch bounds; 0 means none
  std::vector<std::pair<std::string, std::string>> defines = {};  // text formats only

  friend bool operator==(const CompileOptions&, const CompileOptions&) = default;
};

}  // namespace collet
