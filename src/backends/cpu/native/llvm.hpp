// libLLVM, loaded when somebody first needs it: its functions, and what differs between its versions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "collet/result.hpp"

namespace collet::backend::cpu::native {

// The names are LLVM's own.
using LLVMBool = int;
using LLVMTargetRef = struct LLVMTarget*;
using LLVMTargetMachineRef = struct LLVMOpaqueTargetMachine*;
using LLVMContextRef = struct LLVMOpaqueContext*;
using LLVMModuleRef = struct LLVMOpaqueModule*;
using LLVMMemoryBufferRef = struct LLVMOpaqueMemoryBuffer*;
using LLVMPassBuilderOptionsRef = struct LLVMOpaquePassBuilderOptions*;
using LLVMErrorRef = struct LLVMOpaqueError*;
using LLVMOrcJITTargetMachineBuilderRef = struct LLVMOrcOpaqueJITTargetMachineBuilder*;
using LLVMOrcLLJITBuilderRef = struct LLVMOrcOpaqueLLJITBuilder*;
using LLVMOrcLLJITRef = struct LLVMOrcOpaqueLLJIT*;
using LLVMOrcJITDylibRef = struct LLVMOrcOpaqueJITDylib*;
using LLVMOrcSymbolStringPoolEntryRef = struct LLVMOrcOpaqueSymbolStringPoolEntry*;
using LLVMOrcMaterializationUnitRef = struct LLVMOrcOpaqueMaterializationUnit*;
using LLVMOrcThreadSafeContextRef = struct LLVMOrcOpaqueThreadSafeContext*;
using LLVMOrcThreadSafeModuleRef = struct LLVMOrcOpaqueThreadSafeModule*;

struct LLVMJITSymbolFlags {
  std::uint8_t GenericFlags = 0;
  std::uint8_t TargetFlags = 0;
};
struct LLVMJITEvaluatedSymbol {
  std::uint64_t Address = 0;
  LLVMJITSymbolFlags Flags;
};
struct LLVMOrcCSymbolMapPair {
  LLVMOrcSymbolStringPoolEntryRef Name = nullptr;
  LLVMJITEvaluatedSymbol Sym;
};

// Threads: immutable.
struct Llvm {
#define COLLET_LLVM(result, name, arguments) result(*name) arguments = nullptr;
#include "backends/cpu/native/functions.inc"
#undef COLLET_LLVM

  std::string path;  // of the library
  std::uint32_t version = 0;
  std::string passes;  // what a kernel goes through before code is made of it, in this version's words

  // The two ways to a context that a module can be handed over with: which of them a version has.
  LLVMOrcThreadSafeContextRef (*new_shared_context)() = nullptr;
  LLVMContextRef (*context_of)(LLVMOrcThreadSafeContextRef) = nullptr;
  LLVMOrcThreadSafeContextRef (*share_context)(LLVMContextRef) = nullptr;
};

// Who compiles kernels, as a sentence.
std::string describe(const Llvm& llvm);

// Loads the library that COLLET_LLVM names, or the best one that this system has, at the first call; later
// calls give the same answer. Fails where there is none that Collet knows how to call, with every reason.
// Threads: thread-safe.
Result<const Llvm*> load_llvm();

// While it lives, this thread has LLVM compile that kernel. LLVM ends the process where it does not know on;
// the last words then name the kernel, and what to do.
class Compiling {
 public:
  explicit Compiling(const std::string& kernel);
  Compiling(const Compiling&) = delete;
  Compiling& operator=(const Compiling&) = delete;
  ~Compiling();
  // Fails where the process is exiting: LLVM must not be touched any more. While this lives, and it did not
  // fail, an exit of the main thread waits.
  Result<void> allowed() const;

 private:
  struct Hold;
  std::unique_ptr<Hold> hold_;
};

}  // namespace collet::backend::cpu::native
