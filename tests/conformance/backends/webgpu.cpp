// What the webgpu backend is excused from.

#include "conformance/registry.hpp"

namespace conformance {
namespace {

constexpr const char* kNotMixed =
    "WebGPU takes no buffer that one launch both reads and writes by two arguments.";
constexpr const char* kNoSpirv = "WebGPU takes WGSL, and no SPIR-V.";
constexpr const char* kNoFences = "WGSL has no fences but in barriers.";
constexpr const char* kNo64Bits = "WGSL has no types of 64 bits.";

[[maybe_unused]] const bool kAdded = add_backend(
    "webgpu",
    {
        {"Arguments.PartsOfOneBufferThatMeetAreAccepted", Kind::never, kNotMixed},
        {"Arguments.ThatMayAliasTakeTheSameBuffer", Kind::never, kNotMixed},
        {"Corpus.AliasedArguments", Kind::never, kNotMixed},
        {"Index.NeighboursOfASliceStayAsTheyWere", Kind::never, kNotMixed},
        {"Arguments.ThirtyOfThemArrive", Kind::never, "SwiftShader gives WebGPU 10 buffers.", "SwiftShader*"},
        {"Arguments.ThirtyOfThemArriveInEveryLaunch", Kind::never, "SwiftShader gives WebGPU 10 buffers.",
         "SwiftShader*"},
        {"Compile.DamagedSpirvIsRefusedBeforeTheDriverSeesIt", Kind::never, kNoSpirv},
        {"Compile.TruncatedSpirvIsRefused", Kind::never, kNoSpirv},
        {"Compile.DefinesReachTheCode", Kind::never, "WGSL knows no defines."},
        {"Compile.MoreArgumentsThanTheCodeTakesAreRefusedWithBothFigures", Kind::never,
         "A WGSL kernel does not say how many of its bindings a caller must fill."},
        {"Kernel.ComputesIn64BitIntegers", Kind::never, kNo64Bits},
        {"Kernel.ComputesIn64BitFloats", Kind::never, kNo64Bits},
        {"Kernel.AFenceThatNotAllItemsReachIsNoBarrier", Kind::never, kNoFences},
        {"Language.AMessageThatAFlagAnnouncesIsThere", Kind::never, kNoFences},
        {"Races.Between*", Kind::never, kTakesNoIr},
        {"Races.WhatIsInOrderIsLeftAlone", Kind::never, kNoFences},
        {"Unwritten.*", Kind::never, kTakesNoIr},
    });

}  // namespace
}  // namespace conformance
