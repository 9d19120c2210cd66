// What the vulkan backend is excused from.

#include "conformance/registry.hpp"

#include <collet_backends.hpp>

namespace conformance {
namespace {

constexpr const char* kNoText = "Vulkan takes SPIR-V, which is no text.";
#if !COLLET_HAS_SPIRV_TOOLS
constexpr const char* kUnchecked =
    "This build has no SPIR-V validator, and a damaged module can crash the driver.";
#endif

[[maybe_unused]] const bool kAdded = add_backend(
    "vulkan",
    {
        {"Compile.OfBrokenSourceFailsWithTheCompilersWords", Kind::never, kNoText},
        {"Compile.DefinesReachTheCode", Kind::never, kNoText},
        {"Compile.MoreArgumentsThanTheCodeTakesAreRefusedWithBothFigures", Kind::never,
         "A SPIR-V module does not say how many of its bindings a caller must fill."},
        {"Races.Between*", Kind::never, kTakesNoIr},
        {"Unwritten.*", Kind::never, kTakesNoIr},
        {"Kernel.ComputesIn64BitIntegers", Kind::never, "SwiftShader has no 64-bit integers in shaders.",
         "SwiftShader*"},
        {"Kernel.ComputesIn64BitFloats", Kind::never, "SwiftShader has no 64-bit floats.", "SwiftShader*"},
#if !COLLET_HAS_SPIRV_TOOLS
        {"Compile.DamagedSpirvIsRefusedBeforeTheDriverSeesIt", Kind::not_yet, kUnchecked, "*", false},
        {"Compile.TruncatedSpirvIsRefused", Kind::not_yet, kUnchecked, "*", false},
#endif
    });

}  // namespace
}  // namespace conformance
