// Exported: modules, kernels, launches.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>

#include "driver.hpp"
#include "faults.hpp"
#include "launch.hpp"
#include "memory.hpp"
#include "module.hpp"
#include "ptx_lexer.hpp"

namespace collet::cuda_double {
namespace {

// Buffers of the caller, whose sizes are options of their own: a size is given, and replaced by what was
// written.
struct Logs {
  char *info = nullptr, *error = nullptr;
  std::size_t info_size = 0, error_size = 0;
  void **info_written = nullptr, **error_written = nullptr;

  Logs(std::span<const int> options, void** values) {
    for (std::size_t i = 0; i < options.size(); ++i) {
      const auto size =
          static_cast<std::size_t>(static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(values[i])));
      switch (options[i]) {
        case kJitInfoLog: info = static_cast<char*>(values[i]); break;
        case kJitErrorLog: error = static_cast<char*>(values[i]); break;
        case kJitInfoLogSize:
          info_size = size;
          info_written = &values[i];
          break;
        case kJitErrorLogSize:
          error_size = size;
          error_written = &values[i];
          break;
        default: break;  // of code generation
      }
    }
  }

  static void write(char* to, std::size_t size, void** written, const std::string& text) {
    std::size_t length = 0;
    if (to != nullptr && size != 0) {
      length = std::min(text.size(), size - 1);
      std::memcpy(to, text.data(), length);
      to[length] = 0;
    }
    if (written != nullptr) *written = reinterpret_cast<void*>(std::uintptr_t{length});
  }
  void say(const std::string& of_info, const std::string& of_error) const {
    write(info, info_size, info_written, of_info);
    write(error, error_size, error_written, of_error);
  }
};

int find_kernel(FunctionHandle* handle, std::shared_ptr<Kernel>& kernel) {
  if (Stream::in_host_function()) return kErrorNotPermitted;
  if (!is_initialized()) return kErrorNotInitialized;
  kernel = Kernels::instance().find(handle);
  return kernel == nullptr ? kErrorInvalidHandle : kernel->module->context->error();
}

u32 most_threads(const Function& function) {
  return function.most_threads != 0 ? std::min(function.most_threads, kMostThreads) : kMostThreads;
}

u32 static_shared(const Kernel& kernel) {
  return kernel.module->program().shared_bytes + kernel.function->shared_bytes;
}

int check_launch(const Kernel& kernel, const Grid& grid) {
  const Dim3 &blocks = grid.blocks, &threads = grid.threads;
  for (const u32 size : {blocks[0], blocks[1], blocks[2], threads[0], threads[1], threads[2]}) {
    if (size == 0) return kErrorInvalidValue;
  }
  if (blocks[0] > 0x7fffffffU || blocks[1] > 65535 || blocks[2] > 65535) return kErrorInvalidValue;
  if (threads[0] > kMostThreads || threads[1] > kMostThreads || threads[2] > 64) return kErrorInvalidValue;
  if (threads[0] * threads[1] * threads[2] > most_threads(*kernel.function)) return kErrorInvalidValue;
  const Dim3& required = kernel.function->required_block;
  if (required[0] != 0 && required != threads) return kErrorInvalidValue;
  const u64 shared = u64{static_shared(kernel)} + grid.dynamic_shared;
  const u32 most = std::max(kernel.most_dynamic_shared.load(),
                            kSharedPerBlock - std::min(kSharedPerBlock, static_shared(kernel)));
  if (grid.dynamic_shared > most || shared > kSharedPerBlockOptin) return kErrorInvalidValue;
  return kSuccess;
}

}  // namespace

void drop_modules(const std::shared_ptr<Context>& context) {
  for (const auto& kernel : Kernels::instance().all()) {
    if (kernel->module->context == context) {
      Kernels::instance().remove(reinterpret_cast<FunctionHandle*>(kernel.get()));
    }
  }
  for (const auto& module : Modules::instance().all()) {
    if (module->context == context) Modules::instance().remove(reinterpret_cast<ModuleHandle*>(module.get()));
  }
}

Result cuModuleLoadDataEx(ModuleHandle** module, const void* image, unsigned count, int* options,
                          void** values) {
  std::shared_ptr<Context> context;
  COLLET_CUDA_DOUBLE_TRY(current(context));
  if (module == nullptr || image == nullptr || (count != 0 && (options == nullptr || values == nullptr))) {
    return kErrorInvalidValue;
  }
  const Logs logs({options, count}, values);
  const auto* text = static_cast<const char*>(image);
  if (std::memcmp(text, "\177ELF", 4) == 0) {
    logs.say("", "The CUDA double runs PTX, and no machine code.");
    return kErrorNoBinaryForGpu;
  }
  try {
    const auto loaded = Module::load(context, text);
    if (loaded == nullptr) return kErrorOutOfMemory;
    *module = Modules::instance().add(loaded);
    logs.say(
        "The CUDA double interprets " + std::to_string(loaded->program().functions.size()) + " functions.",
        "");
    return kSuccess;
  } catch (const PtxError& error) {
    logs.say("", error.what());
    return kErrorInvalidPtx;
  }
}

Result cuModuleUnload(ModuleHandle* handle) {
  std::shared_ptr<Context> context;
  COLLET_CUDA_DOUBLE_TRY(current(context));
  const auto module = Modules::instance().remove(handle);
  if (module == nullptr) return kErrorInvalidHandle;
  wait_for_all();
  for (const auto& kernel : Kernels::instance().all()) {
    if (kernel->module == module) Kernels::instance().remove(reinterpret_cast<FunctionHandle*>(kernel.get()));
  }
  return kSuccess;
}

Result cuModuleGetFunction(FunctionHandle** function, ModuleHandle* handle, const char* name) {
  std::shared_ptr<Context> context;
  COLLET_CUDA_DOUBLE_TRY(current(context));
  if (function == nullptr || name == nullptr) return kErrorInvalidValue;
  const auto module = Modules::instance().find(handle);
  if (module == nullptr) return kErrorInvalidHandle;
  const Program& program = module->program();
  const auto found = program.function_index.find(std::string_view(name));
  if (found == program.function_index.end()) return kErrorNotFound;
  const Function& named = program.functions[found->second];
  if (!named.is_kernel || !named.is_defined) return kErrorNotFound;
  for (const auto& kernel : Kernels::instance().all()) {
    if (kernel->function != &named) continue;
    *function = reinterpret_cast<FunctionHandle*>(kernel.get());
    return kSuccess;
  }
  auto kernel = std::make_shared<Kernel>();
  kernel->module = module;
  kernel->function = &named;
  *function = Kernels::instance().add(std::move(kernel));
  return kSuccess;
}

Result cuModuleGetGlobal_v2(CuDevicePtr* address, std::size_t* size, ModuleHandle* handle, const char* name) {
  std::shared_ptr<Context> context;
  COLLET_CUDA_DOUBLE_TRY(current(context));
  const auto module = Modules::instance().find(handle);
  if (module == nullptr) return kErrorInvalidHandle;
  if (name == nullptr) return kErrorInvalidValue;
  const auto& variables = module->program().variables;
  const auto found = std::ranges::find(variables, std::string_view(name), &Variable::name);
  if (found == variables.end()) return kErrorNotFound;
  if (address != nullptr) *address = module->data() + found->offset;
  if (size != nullptr) *size = found->size;
  return kSuccess;
}

Result cuFuncGetAttribute(int* value, int attribute, FunctionHandle* handle) {
  std::shared_ptr<Kernel> kernel;
  COLLET_CUDA_DOUBLE_TRY(find_kernel(handle, kernel));
  if (value == nullptr) return kErrorInvalidValue;
  const Function& function = *kernel->function;
  switch (attribute) {
    case kFunctionMaxThreads: *value = static_cast<int>(most_threads(function)); break;
    case kFunctionSharedBytes: *value = static_cast<int>(static_shared(*kernel)); break;
    case kFunctionConstBytes: *value = 0; break;
    case kFunctionLocalBytes: *value = static_cast<int>(function.local_bytes); break;
    case kFunctionRegisters: *value = static_cast<int>(std::clamp(function.registers, 16U, 255U)); break;
    case kFunctionPtxVersion:
    case kFunctionBinaryVersion: *value = kMajor * 10 + kMinor; break;
    case kFunctionCacheMode: *value = 0; break;
    case kFunctionMaxDynamicShared: {
      const u32 usual = kSharedPerBlock - std::min(kSharedPerBlock, static_shared(*kernel));
      *value = static_cast<int>(std::max(usual, kernel->most_dynamic_shared.load()));
      break;
    }
    case kFunctionCarveout: *value = -1; break;
    default: return kErrorInvalidValue;
  }
  return kSuccess;
}

Result cuFuncSetAttribute(FunctionHandle* handle, int attribute, int value) {
  std::shared_ptr<Kernel> kernel;
  COLLET_CUDA_DOUBLE_TRY(find_kernel(handle, kernel));
  if (attribute == kFunctionCarveout) return kSuccess;
  if (attribute != kFunctionMaxDynamicShared || value < 0) return kErrorInvalidValue;
  if (static_cast<u32>(value) + static_shared(*kernel) > kSharedPerBlockOptin) return kErrorInvalidValue;
  kernel->most_dynamic_shared = static_cast<u32>(value);
  return kSuccess;
}

Result cuLaunchKernel(FunctionHandle* handle, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                      unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                      StreamHandle* stream_handle, void** parameters, void** extra) {
  std::shared_ptr<Kernel> kernel;
  std::shared_ptr<Stream> stream;
  COLLET_CUDA_DOUBLE_TRY(find_kernel(handle, kernel));
  COLLET_CUDA_DOUBLE_TRY(find_stream(stream_handle, stream));
  if (stream->context != kernel->module->context) return kErrorInvalidHandle;
  if (extra != nullptr) return kErrorNotSupported;
  const Function& function = *kernel->function;
  if (parameters == nullptr && !function.parameters.empty()) return kErrorInvalidValue;
  static std::atomic<u64> launches{0};
  Grid grid;
  grid.program = &kernel->module->program();
  grid.kernel = &function;
  grid.blocks = {grid_x, grid_y, grid_z};
  grid.threads = {block_x, block_y, block_z};
  grid.dynamic_shared = shared;
  grid.device = stream->context->device;
  grid.number = ++launches;
  COLLET_CUDA_DOUBLE_TRY(check_launch(*kernel, grid));
  grid.arguments.resize(function.parameter_bytes);
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Parameter& parameter = function.parameters[i];
    if (parameters[i] == nullptr) return kErrorInvalidValue;
    std::memcpy(grid.arguments.data() + parameter.offset, parameters[i], parameter.size);
  }
  const LaunchFault planned = next_launch();
  const auto launch = std::make_shared<Launch>(std::move(grid));
  enqueue(stream, [launch, kernel, planned, context = stream->context]() -> int {
    if (planned == LaunchFault::loses_context) {
      context->destroy();
      return kErrorContextIsDestroyed;
    }
    if (planned == LaunchFault::fails) return kErrorLaunchFailed;
    const std::optional<Fault> fault = launch->run(context->cancelled());
    if (!fault) return kSuccess;
    set_last_fault(fault->text);
    return fault->code;
  });
  return kSuccess;
}

Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, FunctionHandle* handle, int block_size,
                                                   std::size_t shared) {
  std::shared_ptr<Kernel> kernel;
  COLLET_CUDA_DOUBLE_TRY(find_kernel(handle, kernel));
  if (blocks == nullptr || block_size <= 0) return kErrorInvalidValue;
  *blocks = blocks_per_processor(*kernel, static_cast<u32>(block_size), shared);
  return kSuccess;
}

Result cuOccupancyMaxPotentialBlockSize(int* grid, int* block, FunctionHandle* handle,
                                        std::size_t (*shared_of)(int), std::size_t shared, int limit) {
  std::shared_ptr<Kernel> kernel;
  COLLET_CUDA_DOUBLE_TRY(find_kernel(handle, kernel));
  if (grid == nullptr || block == nullptr || limit < 0) return kErrorInvalidValue;
  u32 most = most_threads(*kernel->function);
  if (limit != 0) most = std::min(most, static_cast<u32>(limit));
  // The size with the most threads on a processor; the largest one of those.
  u32 best = 0, threads = 0;
  int blocks = 0;
  for (u32 size = most; size != 0;
       size = size % kWarpSize != 0 ? size - size % kWarpSize : size - kWarpSize) {
    const std::size_t bytes = shared_of != nullptr ? shared_of(static_cast<int>(size)) : shared;
    const int fitting = blocks_per_processor(*kernel, size, bytes);
    if (static_cast<u32>(fitting) * size <= threads) continue;
    best = size;
    blocks = fitting;
    threads = static_cast<u32>(fitting) * size;
  }
  *block = static_cast<int>(best);
  *grid = blocks * static_cast<int>(kProcessors);
  return kSuccess;
}

// The double's own functions, for tests.

// See faults.hpp. 0: done; 1: a word is not known, and nothing changed.
COLLET_CUDA_DOUBLE_EXPORT int collet_cuda_double_ask(const char* words) {
  return ask_for_faults(words) ? 0 : 1;
}
// Forgets what was asked for; what COLLET_CUDA_DOUBLE says holds again.
COLLET_CUDA_DOUBLE_EXPORT void collet_cuda_double_forget() { forget_faults(); }
// The device's context is gone: what runs is stopped.
COLLET_CUDA_DOUBLE_EXPORT void collet_cuda_double_lose_context(int device) {
  if (device < 0 || device >= kDevices) return;
  if (const auto context = primary(device)) context->destroy();
}
// PTX instructions that warps did, each one counted once for all of a warp's threads.
COLLET_CUDA_DOUBLE_EXPORT unsigned long long collet_cuda_double_instructions() { return instructions_done(); }
// Why the last kernel was stopped, as a sentence; valid until the thread asks again.
COLLET_CUDA_DOUBLE_EXPORT const char* collet_cuda_double_last_fault() {
  static thread_local std::string text;
  text = last_fault();
  return text.c_str();
}
// Streams, events, modules and pieces of memory that were made and not destroyed.
COLLET_CUDA_DOUBLE_EXPORT unsigned long long collet_cuda_double_objects() {
  return Streams::instance().size() + Events::instance().size() + Modules::instance().size() +
         Memory::instance().count();
}

}  // namespace collet::cuda_double
