// The waist: everything that the core asks of a backend, and nothing else.
//
// The core validates; a backend trusts and translates. A backend may assume of every call that handles are
// live and its own, sizes and offsets are in range and aligned as its Caps ask, slices of one dispatch do not
// overlap where one is written, counts are within its Caps, and that no span is empty unless said so here.
// Errors are only what the core can't foresee. Nothing here throws or prints.
//
// Threads: everything is thread-safe, except that one queue is used by one thread at a time (not always the
// same thread). Only wait_timelines and closing a device block; where a driver fails to say how far it is,
// whoever asked waits for it.
//
// src/backends/null is the skeleton to copy.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "collet/deadline.hpp"
#include "collet/detail/parameters.hpp"
#include "collet/options.hpp"
#include "collet/properties.hpp"
#include "collet/result.hpp"

namespace collet::ir {
struct Kernel;
}

namespace collet::backend {

// Handles mean something to their backend only. 0 is never a live object.
struct Memory {
  std::uintptr_t id = 0;
  friend bool operator==(Memory, Memory) = default;
};
struct Program {
  std::uintptr_t id = 0;
};
struct Kernel {
  std::uintptr_t id = 0;
};
struct Timeline {
  std::uintptr_t id = 0;
  friend bool operator==(Timeline, Timeline) = default;
};
struct Queue {
  std::uintptr_t id = 0;
};

// --- Memory ---------------------------------------------------------------------------------------------

enum class Placement : std::uint8_t {
  device,    // fastest for kernels
  upload,    // the host writes it in order, the device reads it
  readback,  // the device writes it, the host reads it (cached)
  shared,    // both, at the same time
};

struct MemoryDesc {
  std::uint64_t size = 0;  // a multiple of 16, at most Caps::max_allocation
  Placement placement = Placement::device;
  std::string_view label;  // for the driver's debug names
};

struct Allocation {
  Memory memory;
  // Where the host can reach it for as long as it lives; null where it can't. Never null for upload, readback
  // and shared where Caps::mapped.
  std::byte* host = nullptr;
  bool zeroed = false;  // known to be all zero
};

// A part of a Memory.
struct Slice {
  Memory memory;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  Access access = Access::read;
};

struct MemoryInfo {
  std::uint64_t total = 0;
  std::uint64_t available = 0;  // 0: the API does not say
};

// --- Programs -------------------------------------------------------------------------------------------

struct Parameter {
  enum class Kind : std::uint8_t { buffer, constant };
  Kind kind = Kind::buffer;
  Access access = Access::read;    // buffer
  bool may_alias = false;          // buffer: may overlap another argument
  std::uint32_t element_size = 0;  // buffer: bytes per element
  std::uint32_t offset = 0;        // constant: where it stands in Dispatch::constants
  std::uint32_t size = 0;          // constant: bytes
};

// What the core and the kernel agree on. Buffers get bindings 0, 1, 2, … in the order of the parameters;
// constants stand in one block at their C++ offsets.
struct Signature {
  std::array<std::uint32_t, 3> group_size = {1, 1, 1};
  std::vector<Parameter> parameters;
  std::uint32_t buffer_count = 0;
  std::uint32_t constants_size = 0;  // a multiple of 4
  std::uint32_t shared_bytes = 0;    // workgroup memory given at launch, beside what the code declares itself
};

// For backends that can build a program quickly, or slowly into better code.
enum class BuildEffort : std::uint8_t { quick, best };

struct ProgramDesc {
  Format format = Format::host_function;
  std::span<const std::byte> code;  // text without a terminator, or binary; empty for host_function and ir
  const ir::Kernel* ir = nullptr;   // ir: a kernel that verify() accepted; copy what is needed
  std::string_view architecture;    // of prebuilt binaries: "sm_75", "gfx1030"
  const CompileOptions* options = nullptr;  // never null
  std::string_view label;
  BuildEffort effort = BuildEffort::quick;
};

struct BuiltProgram {
  Program program;
  std::string log;                   // the compiler's words, also on success
  std::vector<std::string> ignored;  // options that this backend did not honour, each named
  std::string tier = {};             // which of its ways this backend took; "" where it has one
  // Where BuildEffort::best gives a better program: about how many operations an item of this one takes. The
  // core asks for the better one when that is worth it, from a thread of its own. 0: this is the best.
  std::uint64_t item_cost = 0;
};

// What the driver says of a kernel; absent where it does not say.
struct KernelFigures {
  std::optional<std::uint32_t> registers;        // of an item
  std::optional<std::uint32_t> private_bytes;    // of an item, in memory
  std::optional<std::uint32_t> shared_bytes;     // of a group, without what a launch gives
  std::optional<std::uint32_t> groups_per_unit;  // that one compute unit runs at the same time
};

struct HostGroup;
// Runs one workgroup on the calling thread. `closure` is what KernelDesc carried.
using HostFunction = void (*)(const void* closure, const HostGroup& group);

struct KernelDesc {
  std::string_view entry;
  const Signature* signature = nullptr;  // never null; copy what is needed
  HostFunction host_function = nullptr;  // host_function only; the closure outlives the kernel
  const void* host_closure = nullptr;
  std::string_view label;
};

// What a host function sees of its workgroup.
struct HostGroup {
  std::array<std::uint32_t, 3> id{};
  std::array<std::uint32_t, 3> count{};         // groups in the grid
  std::array<std::uint32_t, 3> size{};          // items in a group
  std::array<std::uint64_t, 3> extent{};        // items that exist: the element count of the launch
  std::byte* const* buffers = nullptr;          // one per buffer parameter
  const std::uint64_t* buffer_sizes = nullptr;  // bytes
  const std::byte* constants = nullptr;
  std::byte* shared = nullptr;  // Signature::shared_bytes, 64-byte aligned, not cleared between groups
};

// --- Work -----------------------------------------------------------------------------------------------

struct Point {
  Timeline timeline;
  std::uint64_t value = 0;
};

// Offsets and sizes of Copy, Write and Read are multiples of Caps::copy_alignment.
struct Copy {
  Slice from, to;  // equal sizes, not overlapping
};
struct Fill {
  Slice to;  // offset and size are multiples of 4
  std::uint32_t pattern = 0;
};
// Write and Read are given only where Caps::host_commands. The host memory stays valid until the
// submission's signal; Read has filled it when the signal arrives.
struct Write {
  const std::byte* from = nullptr;
  Slice to;
};
struct Read {
  Slice from;
  std::byte* to = nullptr;
};
struct Dispatch {
  Kernel kernel;
  std::array<std::uint32_t, 3> groups = {1, 1, 1};  // none is 0
  std::array<std::uint64_t, 3> extent = {1, 1, 1};  // for HostGroup; others find it in their constants
  // One per buffer parameter, none of size 0. A binding may reach up to the next multiple of 16 behind its
  // slice: that memory is there, and kernels know their lengths by other means.
  std::span<const Slice> slices;
  std::span<const std::byte> constants;  // Signature::constants_size bytes; may be empty
  std::string_view label;
};
// *slot is the device's clock in nanoseconds, set when the submission's signal arrives; 0 where the driver
// gave no time.
struct Timestamp {
  std::uint64_t* slot = nullptr;
};

struct Command {
  std::variant<Copy, Fill, Write, Read, Dispatch, Timestamp> what;
  // This command, and all that follow it, must see what the commands before it in this queue did (those of
  // earlier submissions included). Where false, it may run beside its predecessors, back to and including the
  // last ordered one.
  bool ordered = true;
};

struct Submission {
  std::span<const Point> waits;       // each was already submitted as a signal on this device; may be empty
  std::span<const Command> commands;  // may be empty; spans inside are valid during the call only
  Point signal;                       // values of one timeline rise from submission to submission
};

enum class QueueKind : std::uint8_t { compute, transfer };
enum class WaitFor : std::uint8_t { all, any };

struct ClockSample {
  std::uint64_t device_ns = 0;
  std::uint64_t host_ns = 0;  // Deadline::Clock's epoch
};

// Every limit that the core checks for this device, so that the backend need not.
struct Caps {
  std::vector<Format> formats;  // what create_program takes, best first
  std::string architecture;     // prebuilt binaries must match it; "" where there are none

  std::uint32_t max_bindings = 0;        // buffers of one kernel
  std::uint64_t max_binding_range = 0;   // bytes of one slice of a dispatch
  std::uint32_t max_constants_size = 0;  // bytes
  std::uint32_t offset_alignment = 16;   // of slices in a dispatch; a power of two
  std::uint32_t copy_alignment = 1;      // of offsets and sizes of Copy, Write and Read; a power of two
  std::array<std::uint32_t, 3> max_groups{};
  std::array<std::uint32_t, 3> max_group_size{};
  std::uint32_t max_group_items = 0;
  std::uint32_t max_shared_bytes = 0;
  std::uint64_t max_allocation = 0;   // bytes of one create_memory
  std::uint64_t max_allocations = 0;  // live at once; 0: no known limit

  bool shared_blocks = true;    // several buffers may live in one Memory
  bool mixed_access = true;     // a dispatch may read one slice of a Memory and write another
  bool mapped = false;          // upload, readback and shared placements have host pointers
  bool host_commands = false;   // Write and Read work
  bool transfer_queue = false;  // create_queue(transfer) is more than another compute queue
  bool timestamps = false;
  bool executes = true;  // false: dispatches are accepted and not run (the null backend); receipts say so
  // A kernel that runs and the host see what the other writes to memory of Placement::shared, which has host
  // pointers then.
  bool concurrent = false;
  bool exclusive = false;  // while a kernel of one queue runs, those of the others wait
  bool overlaps = false;   // commands run beside each other, but for what is `ordered`; false: all is ordered
  std::uint32_t gather = 1;  // launches worth gathering into one submission while the queue is busy
};

// An opened device. Destroyed only when idle and without live objects.
class COLLET_API Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  virtual const DeviceInfo& info() const = 0;
  virtual const Caps& caps() const = 0;
  virtual Result<MemoryInfo> memory_info() = 0;
  // An error where the device is known to be lost.
  virtual Result<void> health() = 0;
  // A typed side door for what only one API has; null where there is none of that name.
  virtual void* extension(std::string_view name) = 0;

  virtual Result<Allocation> create_memory(const MemoryDesc& desc) = 0;
  virtual void destroy_memory(Memory memory) = 0;
  // Makes host writes visible to the device, or device writes to the host, where memory is not coherent.
  virtual Result<void> sync_host_range(const Slice& slice, bool to_device) = 0;

  virtual Result<BuiltProgram> create_program(const ProgramDesc& desc) = 0;
  virtual void destroy_program(Program program) = 0;
  // The program outlives its kernels. A signature that does not fit the code is an error where the API can
  // tell.
  virtual Result<Kernel> create_kernel(Program program, const KernelDesc& desc) = 0;
  virtual void destroy_kernel(Kernel kernel) = 0;
  virtual KernelFigures kernel_figures(Kernel) { return {}; }

  virtual Result<Timeline> create_timeline() = 0;  // starts at 0
  virtual void destroy_timeline(Timeline timeline) = 0;
  // The last value reached, or the error that the timeline failed with. A timeline fails only when nothing of
  // it runs any more, and stays failed.
  virtual Result<std::uint64_t> query_timeline(Timeline timeline) = 0;
  // An error with code timeout when the deadline passes first; the error of a timeline that failed. The
  // calling thread may run host functions meanwhile.
  virtual Result<void> wait_timelines(std::span<const Point> points, WaitFor mode, Deadline deadline) = 0;

  virtual Result<Queue> create_queue(QueueKind kind, std::string_view label) = 0;
  virtual void destroy_queue(Queue queue) = 0;  // idle, or its timeline failed
  // On an error nothing of the submission runs, and its signal never comes; where a part of it runs already,
  // there is no error here, and the timeline fails when that part has ended. Drivers that allocate lazily may
  // report out_of_memory here.
  virtual Result<void> submit(Queue queue, const Submission& submission) = 0;

  virtual Result<ClockSample> sample_clock() = 0;
};

struct ProbeResult {
  Rung rung = Rung::compiled_in;
  std::string message;              // the loader's or driver's exact words
  std::string library;              // name or path
  std::string version = {};         // of the loader or API, in its own words
  std::vector<DeviceInfo> devices;  // index = position
};

// Threads: thread-safe. Lives until the process ends.
class COLLET_API Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  virtual std::string_view id() const = 0;
  // Silent; an absent driver is no error but a rung and a message.
  virtual ProbeResult probe() = 0;
  // Loader, manifests and drivers, found without loading any. A change in one of these files, or in one of
  // the variables, makes an earlier probe worthless.
  virtual std::vector<DriverFile> files() const { return {}; }
  virtual std::vector<std::string> variables() const { return {}; }
  virtual Result<std::unique_ptr<Device>> open(std::uint32_t index, const OpenOptions& options) = 0;
};

}  // namespace collet::backend
