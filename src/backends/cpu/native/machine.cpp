// Processors, as LLVM names them.

#include "backends/cpu/native/machine.hpp"

namespace collet::backend::cpu::native {
namespace {

std::string taken(const Llvm& llvm, char* message) {
  std::string text = message != nullptr ? message : "";
  llvm.LLVMDisposeMessage(message);
  return text;
}

}  // namespace

Machine find_machine(const Llvm& llvm, Level level) {
  switch (level) {
    case Level::sse2: return {.cpu = "x86-64", .features = "", .width = 4};
    case Level::avx2: return {.cpu = "x86-64-v3", .features = "", .width = 8};
    case Level::avx512: return {.cpu = "x86-64-v4", .features = "", .width = 16};
    case Level::host: break;
  }
  Machine machine{.cpu = taken(llvm, llvm.LLVMGetHostCPUName()),
                  .features = taken(llvm, llvm.LLVMGetHostCPUFeatures())};
  const auto has = [&](std::string_view feature) {
    return machine.features.find(feature) != std::string::npos;
  };
  if (has("+avx2")) machine.width = 8;
  if (has("+avx512f") && has("+avx512bw") && has("+avx512dq") && has("+avx512vl")) machine.width = 16;
  return machine;
}

}  // namespace collet::backend::cpu::native
