// Processors, as LLVM names them.

#include "backends/cpu/native/machine.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "platform/platform.hpp"

namespace collet::backend::cpu::native {
namespace {

// What LLVM calls the plainest processor that has the level.
struct Known {
  std::string_view name;
  Level level;
  const char* cpu;
  Vectors vectors;
};

#if defined(__x86_64__) || defined(_M_X64)
constexpr Known kLevels[] = {
    {"scalar", Level::scalar, "x86-64", kScalar},
    {"sse2", Level::sse2, "x86-64", kSse2},
    {"avx2", Level::avx2, "x86-64-v3", kAvx2},
    {"avx512", Level::avx512, "x86-64-v4", kAvx512},
};
#elif defined(__aarch64__) || defined(_M_ARM64)
constexpr Known kLevels[] = {
    {"scalar", Level::scalar, "generic", kScalar},
    {"neon", Level::neon, "generic", kNeon},
};
#else
constexpr std::array<Known, 0> kLevels{};
#endif

const Known* find_known(Level level) {
  const auto found = std::ranges::find(kLevels, level, &Known::level);
  return found == std::end(kLevels) ? nullptr : &*found;
}

std::string level_names() {
  std::string names = "host";
  for (const Known& one : kLevels) names += ", " + std::string(one.name);
  return names;
}

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
  if (!chosen || chosen->empty() || chosen == "host") return Level::host;
  const auto found = std::ranges::find(kLevels, *chosen, &Known::name);
  if (found != std::end(kLevels)) return found->level;
  return Error(
      ErrorCode::invalid_argument, Category::initialisation,
      "COLLET_CPU_VECTORS (" + *chosen + ") is none that this kind of processor has: " + level_names() + ".");
}

Result<Machine> find_machine(const Llvm& llvm, Level level) {
  Machine host = find_host(llvm);
  if (level == Level::host) return host;
  const Known* known = find_known(level);
  if (known == nullptr) {
    return Error(
        ErrorCode::invalid_argument, Category::initialisation,
        "This processor (" + host.cpu + ") is of another kind: its vectors are " + level_names() + ".");
  }
  if (known->vectors.width <= host.vectors.width)
    return Machine{.cpu = known->cpu, .features = "", .vectors = known->vectors};
  return Error(ErrorCode::invalid_argument, Category::initialisation,
               "This processor (" + host.cpu + ") has vectors of " + std::to_string(host.vectors.width) +
                   " lanes, not of " + std::to_string(known->vectors.width) + ".");
}

}  // namespace collet::backend::cpu::native
