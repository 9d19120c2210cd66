// What the cpu backend is excused from.

#include "conformance/backends/cpu_exclusions.hpp"

namespace conformance {
namespace {

[[maybe_unused]] const bool kAdded = add_backend("cpu", cpu_exclusions());

}  // namespace
}  // namespace conformance
