// The tier, by its name.

#include "backends/cpu/tier.hpp"

#include "backends/cpu/backend.hpp"
#include "backends/cpu/native/llvm.hpp"
#include "platform/platform.hpp"

namespace collet::backend::cpu {

Result<CpuTier> find_tier(CpuTier asked) {
  if (asked != CpuTier::automatic) return asked;
  const auto chosen = platform::environment("COLLET_CPU_TIER");
  if (!chosen || chosen->empty() || chosen == "auto") return CpuTier::automatic;
  if (chosen == "interpreter") return CpuTier::interpreter;
  if (chosen == "native") return CpuTier::native;
  return Error(ErrorCode::invalid_argument, Category::initialisation,
               "COLLET_CPU_TIER (" + *chosen + ") is none of auto, interpreter and native.");
}

Result<std::string> describe_tier() {
  COLLET_TRY(tier, find_tier(CpuTier::automatic));
  if (tier == CpuTier::interpreter) return std::string();
  const auto llvm = native::load_llvm();
  if (llvm) return native::describe(**llvm);
  const Error& error = llvm.error();
  return Error(error.code(), error.category(), error.cause(),
               (tier == CpuTier::native ? "Kernels do not run, for COLLET_CPU_TIER is native: "
                                        : "Kernels run on the interpreter: ") +
                   error.message())
      .with_hint(error.hint());
}

}  // namespace collet::backend::cpu
