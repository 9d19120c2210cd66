// Modules that were loaded, and their functions.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "abi.hpp"
#include "context.hpp"
#include "handles.hpp"
#include "ptx_program.hpp"

namespace collet::cuda_double {

// Threads: thread-safe.
class Module {
 public:
  // Throws PtxError. nullptr: there is no memory for its variables.
  static std::shared_ptr<Module> load(std::shared_ptr<Context> context, const std::string& ptx);
  ~Module();
  Module(const Module&) = delete;

  const Program& program() const { return program_; }
  u64 data() const { return data_; }

  const std::shared_ptr<Context> context;

 private:
  explicit Module(std::shared_ptr<Context> of) : context(std::move(of)) {}

  Program program_;
  u64 data_ = 0;
};

// A kernel of a module. It keeps the module's program. Threads: thread-safe.
struct Kernel {
  std::shared_ptr<Module> module;
  const Function* function = nullptr;
  std::atomic<u32> most_dynamic_shared{0};
};

using Modules = Handles<ModuleHandle, Module>;
using Kernels = Handles<FunctionHandle, Kernel>;

// How many blocks of the kernel a processor has room for.
int blocks_per_processor(const Kernel& kernel, u32 threads, u64 dynamic_shared);

}  // namespace collet::cuda_double
