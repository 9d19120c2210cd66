// What the opencl backend is excused from.

#include "conformance/registry.hpp"

namespace conformance {
namespace {

constexpr const char* kNoShaders = "OpenCL takes SPIR-V of the kernel flavour only, not shaders.";

[[maybe_unused]] const bool kAdded =
    add_backend("opencl", {
                              {"Compile.DamagedSpirvIsRefusedBeforeTheDriverSeesIt", Kind::never, kNoShaders},
                              {"Compile.TruncatedSpirvIsRefused", Kind::never, kNoShaders},
                              {"Races.Between*", Kind::never, kTakesNoIr},
                              {"Unwritten.*", Kind::never, kTakesNoIr},
                          });

}  // namespace
}  // namespace conformance
