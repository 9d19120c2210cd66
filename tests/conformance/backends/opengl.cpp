// What the backends opengl and opengles are excused from.

#include "conformance/registry.hpp"

namespace conformance {
namespace {

constexpr const char* kNoSpirv = "OpenGL takes GLSL, and no SPIR-V.";

constexpr const char* kNo64Bits = "GLSL without extensions has no integers of 64 bits.";

std::vector<Exclusion> exclusions() {
  return {
      {"Compile.DamagedSpirvIsRefusedBeforeTheDriverSeesIt", Kind::never, kNoSpirv},
      {"Compile.TruncatedSpirvIsRefused", Kind::never, kNoSpirv},
      {"Compile.MoreArgumentsThanTheCodeTakesAreRefusedWithBothFigures", Kind::never,
       "GLSL does not say how many of its blocks a caller must fill."},
      {"Arguments.ThirtyOfThemArrive", Kind::never, "llvmpipe binds 16 buffers.", "llvmpipe*"},
      {"Arguments.ThirtyOfThemArriveInEveryLaunch", Kind::never, "llvmpipe binds 16 buffers.", "llvmpipe*"},
      {"Kernel.ComputesIn64BitIntegers", Kind::never, kNo64Bits},
      {"Kernel.ComputesIn64BitFloats", Kind::never, kNo64Bits},
      {"Races.Between*", Kind::never, kTakesNoIr},
      {"Unwritten.*", Kind::never, kTakesNoIr},
  };
}

[[maybe_unused]] const bool kAdded =
    add_backend("opengl", exclusions()) && add_backend("opengles", exclusions());

}  // namespace
}  // namespace conformance
