// CPU: a program is a host function that the caller compiled, or IR that runs natively or on the interpreter.

#include <algorithm>
#include <cassert>
#include <new>

#include "backends/common/options.hpp"
#include "backends/cpu/device.hpp"
#include "backends/cpu/errors.hpp"
#include "backends/cpu/interpreter/run.hpp"
#include "backends/cpu/native/program.hpp"
#include "backends/cpu/tier.hpp"
#include "backends/cpu/walk.hpp"
#include "base/log.hpp"
#include "kernel/ir/blocks.hpp"

namespace collet::backend::cpu {
namespace {

constexpr std::uintptr_t kHostFunction = 1;  // the id of a program that is none of ours

// IR, by the tier that runs it. Threads: immutable.
struct Lowered {
  std::shared_ptr<const interpreter::Program> interpreted;  // one of the two
  std::shared_ptr<const native::Program> native;
};

const Lowered& lowered(Program program) { return *reinterpret_cast<const Lowered*>(program.id); }

// Host functions whose closure is the program.
void interpret(const void* closure, const HostGroup& group) {
  thread_local interpreter::Scratch scratch;
  const auto done = interpreter::run(static_cast<const Lowered*>(closure)->interpreted, group, scratch);
  if (!done) throw KernelFailed(done.error());
}

void run_native(const void* closure, const HostGroup& first, std::uint32_t count) {
  thread_local native::Scratch scratch;
  const auto done = native::run(*static_cast<const Lowered*>(closure)->native, first, count, scratch);
  if (!done) throw KernelFailed(done.error());
}

// About how many operations an item does in a block; `functions` says it of the functions.
double cost_of(const ir::Kernel& kernel, std::uint32_t block, const std::vector<double>& functions) {
  constexpr double kRounds = 32;  // of a loop, where nobody knows
  double sum = 0;
  for (const ir::Id id : kernel.blocks[block].nodes) {
    const ir::Node& node = kernel.nodes[id];
    const double rounds = node.op == ir::Op::if_ ? 1 : kRounds;
    sum += node.op == ir::Op::call ? functions[node.low()] : 1;
    ir::for_blocks(node, [&](std::uint32_t inner) { sum += cost_of(kernel, inner, functions) * rounds; });
  }
  return sum;
}

double cost_of(const ir::Kernel& kernel) {
  std::vector<double> functions;
  functions.reserve(kernel.functions.size());
  for (const ir::Function& function : kernel.functions)
    functions.push_back(cost_of(function.body, 0, functions));
  return cost_of(kernel, 0, functions);
}

// Says in `built` which tier runs it, and why not the better one.
Result<Lowered> lower(const ProgramDesc& desc, CpuTier asked, BuiltProgram& built) {
  const ir::Kernel& kernel = *desc.ir;
  COLLET_TRY(tier, find_tier(asked));
  Lowered made;
  if (tier == CpuTier::native || (tier == CpuTier::automatic && desc.effort == BuildEffort::best)) {
    COLLET_TRY(level, native::find_level());
    auto compiled = native::compile(kernel, level);
    if (compiled) {
      made.native = *std::move(compiled);
      built.tier = "native";
      return made;
    }
    // Who asks for native code by name gets it or an error, but for a kernel that it does not cover.
    const ErrorCode code = compiled.error().code();
    if (code == ErrorCode::invalid_argument) return compiled.error();
    if (tier == CpuTier::native && code != ErrorCode::unsupported)
      return Error(compiled.error()).during("making native code, which the tier \"native\" asks for");
    built.log = "Runs on the interpreter: " + compiled.error().message();
    base::log(LogLevel::info, "cpu", built.log);
  } else if (tier == CpuTier::automatic) {
    built.item_cost = static_cast<std::uint64_t>(std::min(cost_of(kernel), 1e15));
  }
  COLLET_TRY(program, interpreter::lower(kernel));
  made.interpreted = std::move(program);
  built.tier = "interpreter";
  return made;
}

}  // namespace

Result<BuiltProgram> CpuDevice::create_program(const ProgramDesc& desc) {
  BuiltProgram built{.program = Program{kHostFunction}, .log = {}, .ignored = {}};
  if (desc.format == Format::ir) {
    COLLET_TRY(made, lower(desc, tier_, built));
    built.program = Program{reinterpret_cast<std::uintptr_t>(new Lowered(std::move(made)))};
  }
  built.ignored = common::ignored_options(*desc.options);
  return built;
}

void CpuDevice::destroy_program(Program program) {
  if (program.id != kHostFunction) delete &lowered(program);
}

Result<Kernel> CpuDevice::create_kernel(Program program, const KernelDesc& desc) {
  auto* kernel = new (std::nothrow) KernelState;
  if (kernel == nullptr) return no_memory(sizeof(KernelState), "a kernel");
  const bool ours = program.id != kHostFunction;
  assert(ours || desc.host_function != nullptr);
  kernel->function = ours ? &interpret : desc.host_function;
  if (ours && lowered(program).native) {
    kernel->row = &run_native;
    kernel->columns = find_columns(lowered(program).native->kernel());
  }
  kernel->closure = ours ? &lowered(program) : desc.host_closure;
  kernel->group_size = desc.signature->group_size;
  kernel->shared_bytes = desc.signature->shared_bytes;
  kernel->label = desc.label.empty() ? desc.entry : desc.label;
  return Kernel{reinterpret_cast<std::uintptr_t>(kernel)};
}

void CpuDevice::destroy_kernel(Kernel kernel) { delete reinterpret_cast<KernelState*>(kernel.id); }

}  // namespace collet::backend::cpu
