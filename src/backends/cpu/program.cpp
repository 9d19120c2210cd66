// CPU: a program is a host function that the caller compiled, or IR that the interpreter runs.

#include <cassert>
#include <new>

#include "backends/cpu/device.hpp"
#include "backends/cpu/errors.hpp"
#include "backends/cpu/interpreter/run.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

namespace collet::backend::cpu {
namespace {

using Lowered = std::shared_ptr<const interpreter::Program>;

constexpr std::uintptr_t kHostFunction = 1;  // the id of a program that is none of ours

const Lowered& lowered(Program program) { return *reinterpret_cast<const Lowered*>(program.id); }

// A host function whose closure is the program.
void interpret(const void* closure, const HostGroup& group) {
  thread_local interpreter::Scratch scratch;
  if (!interpreter::run(*static_cast<const Lowered*>(closure), group, scratch)) throw std::bad_alloc();
}

Result<Program> lower_text(std::span<const std::byte> code) {
  COLLET_TRY(kernel, ir::parse({reinterpret_cast<const char*>(code.data()), code.size()}));
  COLLET_CHECK(ir::verify(kernel));
  COLLET_TRY(program, interpreter::lower(kernel));
  return Program{reinterpret_cast<std::uintptr_t>(new Lowered(std::move(program)))};
}

}  // namespace

Result<BuiltProgram> CpuDevice::create_program(const ProgramDesc& desc) {
  BuiltProgram built{.program = Program{kHostFunction}, .log = {}, .ignored = {}};
  if (desc.format == Format::ir) {
    COLLET_TRY(program, lower_text(desc.code));
    built.program = program;
  }
  const CompileOptions& options = *desc.options;
  if (options.optimise != CompileOptions::Optimise::standard) built.ignored.emplace_back("optimise");
  if (options.debug_info) built.ignored.emplace_back("debug_info");
  if (options.fast_math) built.ignored.emplace_back("fast_math");
  if (options.register_limit != 0) built.ignored.emplace_back("register_limit");
  if (options.min_groups_per_unit != 0) built.ignored.emplace_back("min_groups_per_unit");
  if (!options.defines.empty()) built.ignored.emplace_back("defines");
  return built;
}

void CpuDevice::destroy_program(Program program) {
  if (program.id != kHostFunction) delete &lowered(program);
}

Result<std::vector<std::byte>> CpuDevice::program_binary(Program) {
  return Error(ErrorCode::unsupported, Category::compilation,
               "Host functions and interpreted kernels have no binary.");
}

Result<Kernel> CpuDevice::create_kernel(Program program, const KernelDesc& desc) {
  auto* kernel = new (std::nothrow) KernelState;
  if (kernel == nullptr) return no_memory(sizeof(KernelState), "a kernel");
  const bool interpreted = program.id != kHostFunction;
  assert(interpreted || desc.host_function != nullptr);
  kernel->function = interpreted ? &interpret : desc.host_function;
  kernel->closure = interpreted ? &lowered(program) : desc.host_closure;
  kernel->group_size = desc.signature->group_size;
  kernel->shared_bytes = desc.signature->shared_bytes;
  kernel->label = desc.label.empty() ? desc.entry : desc.label;
  return Kernel{reinterpret_cast<std::uintptr_t>(kernel)};
}

void CpuDevice::destroy_kernel(Kernel kernel) { delete reinterpret_cast<KernelState*>(kernel.id); }

}  // namespace collet::backend::cpu
