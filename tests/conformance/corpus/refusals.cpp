// Kernels of the corpus that need what a device lacks.

#include "conformance/corpus/tally.hpp"

namespace conformance {

const std::vector<ExpectedRefusal>& expected_refusals() {
  static const std::vector<ExpectedRefusal>& all = *new std::vector<ExpectedRefusal>([] {
    std::vector<ExpectedRefusal> refusals{
        {"vulkan", "SwiftShader*", "FusedMultiplyAddsRoundOnce", "a fused multiply-add of f32"},
        {"opencl", "pthread*", "Subgroup*", "subgroups"},  // PoCL
    };
    const auto without_64_bits = [&](const char* backend, const char* device) {
      for (const char* kernel : {"Atomic*64*", "SubgroupSumsOf64Bits"})
        refusals.push_back({backend, device, kernel, "64-bit integers"});
      for (const char* kernel : {"ArithmeticOfF64", "CastsBetween64BitTypes", "*InDoubles"})
        refusals.push_back({backend, device, kernel, "64-bit floats"});
    };
    without_64_bits("vulkan", "SwiftShader*");
    without_64_bits("simulated", "*webgpu*");
    refusals.push_back({"webgpu", "*", "AtomicsOnSharedMemoryInDoubles", "64-bit integers"});
    without_64_bits("webgpu", "*");
    refusals.push_back({"webgpu", "*", "FusedMultiplyAddsRoundOnce", "a fused multiply-add of f32"});
    for (const char* kernel :
         {"BreadthFirstSearch", "CompareExchangeLoopsMakeOtherAtomics", "LastGroupFinishesTheSum",
          "ReleaseAndAcquireOnSharedMemory", "WhatWasStoredBeforeAReleaseIsSeenAfterTheAcquire"})
      refusals.push_back({"webgpu", "*", kernel, "fences"});
    refusals.push_back({"webgpu", "*", "Subgroup*", "subgroups"});  // wgpu-native 29 on software devices
    refusals.push_back(
        {"webgpu", "*", "Subgroup*", "the number of a subgroup"});  // Dawn, which has subgroups
    for (const char* opengl : {"opengl", "opengles"}) {
      refusals.push_back({opengl, "*", "FusedMultiplyAddsRoundOnce", "a fused multiply-add of f32"});
      refusals.push_back({opengl, "*", "AtomicsOnSharedMemoryInDoubles", "64-bit floats"});
      without_64_bits(opengl, "*");
      refusals.push_back({opengl, "*", "Subgroup*", "subgroups"});
    }
    return refusals;
  }());
  return all;
}

}  // namespace conformance
