// CPU: a program is a host function that the caller compiled; there is nothing to build.

#include <cassert>
#include <new>

#include "backends/cpu/device.hpp"
#include "backends/cpu/errors.hpp"

namespace collet::backend::cpu {

Result<BuiltProgram> CpuDevice::create_program(const ProgramDesc& desc) {
  assert(desc.format == Format::host_function);
  BuiltProgram built{.program = Program{1}, .log = {}, .ignored = {}};
  const CompileOptions& options = *desc.options;
  if (options.optimise != CompileOptions::Optimise::standard) built.ignored.emplace_back("optimise");
  if (options.debug_info) built.ignored.emplace_back("debug_info");
  if (options.fast_math) built.ignored.emplace_back("fast_math");
  if (options.register_limit != 0) built.ignored.emplace_back("register_limit");
  if (options.min_groups_per_unit != 0) built.ignored.emplace_back("min_groups_per_unit");
  if (!options.defines.empty()) built.ignored.emplace_back("defines");
  return built;
}

void CpuDevice::destroy_program(Program) {}

Result<std::vector<std::byte>> CpuDevice::program_binary(Program) {
  return Error(ErrorCode::unsupported, Category::compilation,
               "A host function is part of the calling program and has no binary of its own.");
}

Result<Kernel> CpuDevice::create_kernel(Program, const KernelDesc& desc) {
  assert(desc.host_function != nullptr);
  auto* kernel = new (std::nothrow) KernelState;
  if (kernel == nullptr) return no_memory(sizeof(KernelState), "a kernel");
  kernel->function = desc.host_function;
  kernel->closure = desc.host_closure;
  kernel->group_size = desc.signature->group_size;
  kernel->shared_bytes = desc.signature->shared_bytes;
  kernel->label = desc.label.empty() ? desc.entry : desc.label;
  return Kernel{reinterpret_cast<std::uintptr_t>(kernel)};
}

void CpuDevice::destroy_kernel(Kernel kernel) { delete reinterpret_cast<KernelState*>(kernel.id); }

}  // namespace collet::backend::cpu
