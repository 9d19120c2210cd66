// CUDA: programs are modules; CUDA C++ becomes PTX, which the driver compiles for the device.

#include <algorithm>
#include <array>

#include "backends/common/misfit.hpp"
#include "backends/common/options.hpp"
#include "backends/cuda/device.hpp"
#include "backends/cuda/ptx.hpp"

namespace collet::backend::cuda {
namespace {

constexpr std::size_t kLogBytes = 8192;

// The level of the driver's own compiler: NVRTC has none.
std::uintptr_t level_of(CompileOptions::Optimise optimise) {
  switch (optimise) {
    case CompileOptions::Optimise::none: return 0;
    case CompileOptions::Optimise::less: return 1;
    case CompileOptions::Optimise::more: return 2;
    case CompileOptions::Optimise::standard: return 3;
    case CompileOptions::Optimise::most: return 4;
  }
  return 3;
}

// What was honoured: of binaries, nothing but what the driver needs no compiler for.
std::vector<std::string> ignored(const CompileOptions& options, Format format) {
  constexpr std::array<std::string_view, 5> kOfText{"optimise", "debug_info", "fast_math", "register_limit",
                                                    "defines"};
  constexpr std::array<std::string_view, 2> kOfPtx{"optimise", "register_limit"};
  switch (format) {
    case Format::cuda: return common::ignored_options(options, kOfText);
    case Format::ptx: return common::ignored_options(options, kOfPtx);
    default: return common::ignored_options(options);
  }
}

Result<void> check_entry(const ProgramState& program, const KernelDesc& desc) {
  const std::vector<PtxEntry> entries = ptx_entries(program.ptx);
  const auto found = std::ranges::find(entries, desc.entry, &PtxEntry::name);
  const std::string name = "\"" + std::string(desc.entry) + "\"";
  if (found == entries.end()) {
    return common::no_such_kernel("The program has no kernel", desc.entry, common::names_of(entries))
        .with_hint("Write extern \"C\" before __global__: C++ gives other names to functions.");
  }
  if (desc.signature->shared_bytes != 0 && program.ptx.find(".extern .shared") == std::string::npos) {
    return common::misfit(Cause::shared_memory_unsupported,
                          "The kernel " + name + " is given " + std::to_string(desc.signature->shared_bytes) +
                              " bytes of shared memory, and has no place for them.")
        .with_hint("Write \"extern __shared__ unsigned words[];\".");
  }
  const std::size_t given = desc.signature->parameters.size();
  if (found->parameters == given) return {};
  return common::misfit(Cause::argument_count,
                        "The kernel " + name + " takes " + std::to_string(found->parameters) +
                            " arguments, and its signature gives " + std::to_string(given) + ".");
}

}  // namespace

Result<Module> CudaDevice::load_module(const void* image, const CompileOptions& options, std::string& log) {
  std::string errors(kLogBytes, '\0');
  log.assign(kLogBytes, '\0');
  std::array<int, 6> names{
      static_cast<int>(JitOption::info_log),     static_cast<int>(JitOption::info_log_bytes),
      static_cast<int>(JitOption::error_log),    static_cast<int>(JitOption::error_log_bytes),
      static_cast<int>(JitOption::optimisation), static_cast<int>(JitOption::max_registers)};
  const auto number = [](std::uintptr_t value) { return reinterpret_cast<void*>(value); };
  std::array<void*, 6> values{log.data(),
                              number(kLogBytes),
                              errors.data(),
                              number(kLogBytes),
                              number(level_of(options.optimise)),
                              number(options.register_limit)};
  Module module = nullptr;
  const Status status = cuda_.ModuleLoadDataEx(&module, image, options.register_limit != 0 ? 6 : 5,
                                               names.data(), values.data());
  log.resize(std::min(log.find('\0'), log.size()));
  errors.resize(std::min(errors.find('\0'), errors.size()));
  if (auto done = check(status, kLoadModule); !done) {
    return Error(done.error().code(), done.error().category(), done.error().cause(),
                 done.error().message() + (errors.empty() ? "" : " It says:\n" + errors))
        .with_native(status, std::string(Codes::name_of(status)));
  }
  return module;
}

Result<BuiltProgram> CudaDevice::create_program(const ProgramDesc& desc) {
  const std::string doing = "making [Program \"" + std::string(desc.label) + "\"] on " + candidate_.info.id();
  const std::string_view code(reinterpret_cast<const char*>(desc.code.data()), desc.code.size());
  auto program = std::make_unique<ProgramState>();
  BuiltProgram built;
  if (desc.format == Format::cuda) {
    auto compiled = compiler_->compile(code, desc.label, candidate_.capability, *desc.options);
    if (!compiled) return compiled.error().during(doing);
    program->ptx = std::move(compiled->ptx);
    built.log = std::move(compiled->log);
  } else if (desc.format == Format::ptx) {
    program->ptx = code;
  }
  const Current current(cuda_, context_);
  COLLET_CHECK(current.check());
  std::string log;
  const std::string binary(
      program->ptx.empty() ? code : std::string_view());  // where the driver may read it aligned
  auto module =
      load_module(program->ptx.empty() ? static_cast<const void*>(binary.data()) : program->ptx.c_str(),
                  *desc.options, log);
  if (!module) return health_.note(module.error().during(doing));
  program->module = *module;
  built.log += log;
  built.ignored = ignored(*desc.options, desc.format);
  built.program = Program{reinterpret_cast<std::uintptr_t>(program.release())};
  return built;
}

void CudaDevice::destroy_program(Program program) {
  const std::unique_ptr<ProgramState> owned(reinterpret_cast<ProgramState*>(program.id));
  const Current current(cuda_, context_);
  cuda_.ModuleUnload(owned->module);  // unchecked: it gives back
}

Result<Kernel> CudaDevice::create_kernel(Program handle, const KernelDesc& desc) {
  const auto& program = *reinterpret_cast<const ProgramState*>(handle.id);
  if (!program.ptx.empty()) COLLET_CHECK(check_entry(program, desc));
  const Current current(cuda_, context_);
  COLLET_CHECK(current.check());
  auto kernel = std::make_unique<KernelState>(KernelState{.signature = *desc.signature});
  const Status found =
      cuda_.ModuleGetFunction(&kernel->function, program.module, std::string(desc.entry).c_str());
  if (auto done = check(found, kFindFunction); !done) return health_.note(done.error());

  int most = 0;
  const Status asked =
      cuda_.FuncGetAttribute(&most, static_cast<int>(FunctionAttribute::max_items), kernel->function);
  COLLET_CHECK(check(asked, kAskFunction));
  const auto& group = desc.signature->group_size;
  const std::uint64_t items = std::uint64_t{group[0]} * group[1] * group[2];
  if (items > static_cast<std::uint64_t>(std::max(most, 0))) {
    return common::misfit(Cause::pipeline_failed, "The kernel \"" + std::string(desc.entry) +
                                                      "\" takes groups of at most " + std::to_string(most) +
                                                      " items, and the signature asks for " +
                                                      std::to_string(items) + ".")
        .with_hint(
            "It uses too many registers for more, or says so by __launch_bounds__: take smaller groups.");
  }
  return Kernel{reinterpret_cast<std::uintptr_t>(kernel.release())};
}

KernelFigures CudaDevice::kernel_figures(Kernel handle) {
  const auto& kernel = *reinterpret_cast<const KernelState*>(handle.id);
  const Current current(cuda_, context_);
  const auto figure = [](Status status, int value) {
    return status == kSuccess && value >= 0 ? std::optional(static_cast<std::uint32_t>(value)) : std::nullopt;
  };
  const auto attribute = [&](FunctionAttribute which) {
    int value = 0;
    const Status status = cuda_.FuncGetAttribute(&value, static_cast<int>(which), kernel.function);
    return figure(status, value);
  };
  const auto& group = kernel.signature.group_size;
  int groups = 0;
  const Status asked =
      cuda_.OccupancyOfKernel(&groups, kernel.function, static_cast<int>(group[0] * group[1] * group[2]),
                              kernel.signature.shared_bytes);
  return {.registers = attribute(FunctionAttribute::registers),
          .private_bytes = attribute(FunctionAttribute::private_bytes),
          .shared_bytes = attribute(FunctionAttribute::shared_bytes),
          .groups_per_unit = figure(asked, groups)};
}

void CudaDevice::destroy_kernel(Kernel kernel) {
  const std::unique_ptr<KernelState> owned(reinterpret_cast<KernelState*>(kernel.id));
}

}  // namespace collet::backend::cuda
