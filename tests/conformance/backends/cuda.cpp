// What the cuda backend is excused from.

#include "conformance/registry.hpp"

namespace conformance {
namespace {

constexpr const char* kNoSpirv = "CUDA takes CUDA C++ and PTX, and no SPIR-V.";

[[maybe_unused]] const bool kAdded =
    add_backend("cuda", {
                            {"Compile.DamagedSpirvIsRefusedBeforeTheDriverSeesIt", Kind::never, kNoSpirv},
                            {"Compile.TruncatedSpirvIsRefused", Kind::never, kNoSpirv},
                            {"Compile.AnotherGroupSizeThanTheCodeFixesIsRefusedWithBothFigures", Kind::never,
                             "CUDA C++ says only how large a group may be."},
                            {"Races.Between*", Kind::never, kTakesNoIr},
                            {"Unwritten.*", Kind::never, kTakesNoIr},
                        });

}  // namespace
}  // namespace conformance
