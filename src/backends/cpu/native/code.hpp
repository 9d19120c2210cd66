// Machine code that LLVM made of text.
#pragma once

#include <memory>
#include <string>

#include "backends/cpu/native/machine.hpp"

namespace collet::backend::cpu::native {

struct Frame;
using Entry = void (*)(const Frame*);

// Owns the memory that the code is in. Threads: immutable; the code may run on many at once.
class Code {
 public:
  // Compiles a module that defines the function `kernel`. Fails with LLVM's words.
  static Result<std::unique_ptr<const Code>> compile(const Llvm& llvm, const Machine& machine,
                                                     const std::string& text);
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
  ~Code();

  Entry entry() const { return entry_; }

 private:
  explicit Code(const Llvm& llvm) : llvm_(llvm) {}

  Result<void> start(const Machine& machine, std::size_t length);
  Result<void> define_functions();
  Result<void> add(const std::string& text);
  Result<void> find_entry();
  Error error(LLVMErrorRef error, const char* doing) const;

  const Llvm& llvm_;
  LLVMTargetMachineRef target_ = nullptr;
  LLVMOrcLLJITRef jit_ = nullptr;
  Entry entry_ = nullptr;
};

}  // namespace collet::backend::cpu::native
