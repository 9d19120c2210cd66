// Processors, as LLVM names them.

#include "backends/cpu/native/machine.hpp"

#include "platform/platform.hpp"

namespace collet::backend::cpu::native {
namespace {

std::string taken(const Llvm& llvm, char* message) {
  std::string text = message != nullptr ? message : "";
  llvm.LLVMDisposeMessage(message);
  return text;
}

Machine find_host(const Llvm& llvm) {
  Machine machine{.cpu = taken(llvm, llvm.LLVMGetHostCPUName()),
                  .features = taken(llvm, llvm.LLVMGetHostCPUFeatures()),
                  .vectors = kSse2};
  const auto has = [&](std::string_view feature) {
    return machine.features.find(feature) != std::string::npos;
  };
  if (has("+avx2")) machine.vectors = kAvx2;
  if (has("+avx512f") && has("+avx512bw") && has("+avx512dq") && has("+avx512vl")) machine.vectors = kAvx512;
  return machine;
}

}  // namespace

Result<Level> find_level() {
  const auto chosen = platform::environment("COLLET_CPU_VECTORS");
  if (!chosen || chosen->empty()) return Level::host;
  if (chosen == "scalar") return Level::scalar;
  if (chosen == "sse2") return Level::sse2;
  if (chosen == "avx2") return Level::avx2;
  if (chosen == "avx512") return Level::avx512;
  return Error(ErrorCode::invalid_argument, Category::initialisation,
               "COLLET_CPU_VECTORS (" + *chosen + ") is none of scalar, sse2, avx2 and avx512.");
}

Result<Machine> find_machine(const Llvm& llvm, Level level) {
  Machine host = find_host(llvm);
  Machine narrower;
  switch (level) {
    case Level::host: return host;
    case Level::scalar: narrower = {.cpu = "x86-64", .features = "", .vectors = kScalar}; break;
    case Level::sse2: narrower = {.cpu = "x86-64", .features = "", .vectors = kSse2}; break;
    case Level::avx2: narrower = {.cpu = "x86-64-v3", .features = "", .vectors = kAvx2}; break;
    case Level::avx512: narrower = {.cpu = "x86-64-v4", .features = "", .vectors = kAvx512}; break;
  }
  if (narrower.vectors.width <= host.vectors.width) return narrower;
  return Error(ErrorCode::invalid_argument, Category::initialisation,
               "This processor (" + host.cpu + ") has vectors of " + std::to_string(host.vectors.width) +
                   " lanes, not of " + std::to_string(narrower.vectors.width) + ".");
}

}  // namespace collet::backend::cpu::native
