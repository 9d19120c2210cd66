// A kernel as native code has it: without vectors, with its places, and as text for LLVM.
#pragma once

#include <string>

#include "backends/cpu/native/layout.hpp"
#include "collet/result.hpp"

namespace collet::backend::cpu::native {

constexpr std::size_t kMostBuffers = 64;  // as Caps::max_bindings

// The code of its functions stands in the place of each call. ErrorCode::unsupported where that is too much.
Result<ir::Kernel> without_calls(const ir::Kernel& kernel);

// Threads: immutable.
struct KernelForm {
  // Needs a verified kernel without calls.
  KernelForm(const ir::Kernel& any, const Vectors& vectors);

  // ErrorCode::unsupported with the name of what is not covered.
  Result<void> check() const;
  // Needs check(). `partial`: for groups of which items may not exist, and none meet.
  std::string text(bool partial) const;

  const ir::Kernel kernel;  // without vectors
  const Shapes shapes;
  const Layout layout;
};

// The text that LLVM gets, for whole groups; for tests and people. Fails as KernelForm::check() does.
Result<std::string> write_text(const ir::Kernel& kernel, const Vectors& vectors);

}  // namespace collet::backend::cpu::native
