// The tier, by its name.

#include "backends/cpu/tier.hpp"

#include "platform/platform.hpp"

namespace collet::backend::cpu {

Result<Tier> find_tier() {
  const auto chosen = platform::environment("COLLET_CPU_TIER");
  if (!chosen || chosen->empty() || chosen == "interpreter") return Tier::interpreter;
  if (chosen == "native") return Tier::native;
  return Error(ErrorCode::invalid_argument, Category::initialisation,
               "COLLET_CPU_TIER (" + *chosen + ") is neither interpreter nor native.");
}

}  // namespace collet::backend::cpu
