// What simulated devices are excused from: what the cpu backend is, on which they run, and strict mode.

#include "conformance/backends/cpu_exclusions.hpp"

namespace conformance {
namespace {

constexpr const char* kNoStrict = "Strict mode opens nothing simulated.";

std::vector<Exclusion> exclusions() {
  std::vector<Exclusion> all = cpu_exclusions();
  all.push_back({"Device.WorksInStrictMode", Kind::never, kNoStrict});
  all.push_back({"Compile.StandInIsRefusedInStrictMode", Kind::never, kNoStrict});
  return all;
}

[[maybe_unused]] const bool kAdded = add_backend("simulated", exclusions());

}  // namespace
}  // namespace conformance
