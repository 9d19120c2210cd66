// A kernel before and after it is compiled for a device.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "collet/backend.hpp"
#include "collet/detail/ref.hpp"
#include "collet/kernel.hpp"
#include "collet/receipt.hpp"
#include "kernel/emit/emit.hpp"
#include "kernel/emit/parts.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::core {
struct Messages;
}

namespace collet::detail {

// Buffers and scalars of one kernel together.
inline constexpr std::size_t kMostArguments = 128;

// The code that kernels share. Threads: immutable once a kernel uses it; Module copies before it changes one.
class ModuleState final : public Counted {
 public:
  const std::uint64_t serial = next_serial();
  std::string label;
  std::vector<Code> codes;
  bool used = false;  // by a kernel

  // Unique in this process.
  static std::uint64_t next_serial();
};

// What became of a kernel's function when it was traced.
using TracedCode = Result<ir::Kernel>;

// A program built for one device. Threads: immutable.
class CompiledProgram final : public Counted {
 public:
  CompiledProgram(DeviceState& owner, backend::BuiltProgram program, Format of)
      : device(owner), built(std::move(program)), format(of) {}
  ~CompiledProgram() override;

  DeviceState& device;  // outlives this
  backend::BuiltProgram built;
  Format format;

 private:
  void dispose() noexcept override;
};

// A kernel built for one device, with what a launch needs at hand. Threads: immutable but for its count.
class CompiledKernel final : public Counted {
 public:
  CompiledKernel(DeviceState& owner, KernelState& kernel);
  // One more constant, which the launch fills in; see ConstantParameter.
  void add_constant(int argument);
  // One more buffer of words, which the launch makes.
  void add_hidden_buffer();
  // One more constant, which the launch of each part of a grid fills in.
  void add_part_word(const emit::PartWord& word);

  ~CompiledKernel() override;

  DeviceState& device;  // outlives this
  Ref<CompiledProgram> program;
  backend::Kernel handle;  // id 0 where the CPU function stands in
  backend::Signature signature;
  // The parameters as a launch walks them.
  struct BufferParameter {
    std::uint32_t argument;  // which of those passed
    backend::Access access;
    std::uint32_t element_size;
  };
  struct ConstantParameter {
    // Which of those passed; −1 − d for the element count in dimension d, kLength − b for the length of
    // buffer b.
    int argument;
    std::uint32_t offset;
    std::uint32_t size;
  };
  static constexpr int kLength = -4;
  std::uint32_t element_size(std::size_t buffer) const {
    return buffer < buffers.size() ? buffers[buffer].element_size : sizeof(std::uint32_t);  // a hidden one
  }
  // Two buffers that may not overlap.
  struct Pair {
    std::uint16_t first, second;
    std::uint16_t written;  // one of them
  };
  std::vector<BufferParameter> buffers;
  std::vector<Pair> disjoint;
  std::vector<ConstantParameter> constants;
  struct PartParameter {
    emit::PartWord word;
    std::uint32_t offset;
  };
  std::vector<PartParameter> part_words;  // of one that is compiled for parts of a grid
  // What a launch must keep to; the terms' parameters are numbered as the first of `constants`.
  std::vector<emit::Trust> trusts;
  std::vector<ir::Ceiling> terms;
  HostCode host;
  std::string name;  // the kernel's
  bool takes_count = false;
  // Of code in checked mode, see emit::Shadowed: where it is not empty, the buffer behind its own is for
  // them.
  std::vector<std::uint32_t> shadow_units;
  // Of code that has some: the next buffer is for them.
  std::shared_ptr<const core::Messages> messages;
  bool watched = false;          // in its last buffer, one u32 becomes 1 where the driver cut a loop
  bool needs_slow_path = false;  // has a hidden buffer, or may be built again with more effort
  bool has_parts = false;        // a grid beyond the device's limits is launched in parts
  std::shared_ptr<const KernelFacts> facts;
  std::atomic<std::uint64_t> operations{0};  // of all launches, about; counted where it may be improved

 private:
  void dispose() noexcept override;
};

// Threads: thread-safe.
class KernelState final : public Counted {
 public:
  KernelState(std::string kernel_name, Ref<ModuleState> code, std::vector<Declared> parameters,
              HostCode host_code, Shape kernel_shape,
              std::shared_ptr<const TracedCode> traced_code = nullptr);
  ~KernelState() override;

  // What was compiled for the device of that serial, or null. Lock-free.
  CompiledKernel* find(std::uint64_t device_serial) const {
    for (const Entry* entry = entries_.load(std::memory_order_acquire); entry != nullptr;
         entry = entry->next) {
      if (entry->device_serial == device_serial) return entry->compiled;
    }
    return nullptr;
  }
  void remember(std::uint64_t device_serial, CompiledKernel* compiled);

  const std::uint64_t serial = ModuleState::next_serial();
  const std::string name;
  const Ref<ModuleState> module;
  const std::vector<Declared> declared;
  const HostCode host;
  const std::shared_ptr<const TracedCode> traced;  // null where the kernel was made from sources
  const Shape shape;
  backend::Signature signature;
  bool is_own = false;  // Collet's: never in checked mode; set before anybody compiles it

 private:
  // Devices own what is compiled; this is a list that only grows, so that it needs no lock to read.
  struct Entry {
    std::uint64_t device_serial;
    CompiledKernel* compiled;
    Entry* next;
  };
  std::atomic<Entry*> entries_{nullptr};
};

// The languages and architectures that its code is there for: "SPIR-V (shader), OpenCL C".
std::string listed_codes(const KernelState& kernel);

// Which launches a kernel is built for.
enum class Scope : std::uint8_t {
  grid,     // those that keep to CompiledKernel::trusts
  checked,  // the others
  parts,    // parts of a grid beyond the device's limits
};

// Builds `kernel` for `device`; BuildEffort::best and scopes other than Scope::grid are for traced ones.
Result<Ref<CompiledKernel>> compile(DeviceState& device, KernelState& kernel, Scope scope = Scope::grid,
                                    backend::BuildEffort effort = backend::BuildEffort::quick);

// Builds `code` of the kernel's module, or wraps its CPU function where `code` is null.
Result<Ref<CompiledProgram>> build(DeviceState& device, const KernelState& kernel, const Code* code,
                                   backend::BuildEffort effort = backend::BuildEffort::quick);

// Of a kernel that verify() accepted, whose arguments are known only at run time.
Ref<KernelState> make_kernel(ir::Kernel kernel);

// `[Kernel "saxpy"]`
std::string described(const KernelState& kernel);

}  // namespace collet::detail
