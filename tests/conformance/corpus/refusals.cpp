// Kernels of the corpus that need what a device lacks.

#include "conformance/corpus/tally.hpp"

namespace conformance {

const std::vector<ExpectedRefusal>& expected_refusals() {
  static const std::vector<ExpectedRefusal>& all = *new std::vector<ExpectedRefusal>{
      {"vulkan", "SwiftShader*", "*I64*", "64-bit integers"},
      {"vulkan", "SwiftShader*", "*U64*", "64-bit integers"},
      {"vulkan", "SwiftShader*", "CastsBetween64BitTypes", "64-bit integers"},
      {"vulkan", "SwiftShader*", "CountersOf64Bits", "64-bit integers"},
      {"vulkan", "SwiftShader*", "SubgroupSumsOf64Bits", "64-bit integers"},
      {"vulkan", "SwiftShader*", "Pcg32", "64-bit integers"},
      {"vulkan", "SwiftShader*", "Fibonacci64", "64-bit integers"},
      {"vulkan", "SwiftShader*", "ArithmeticOfF64", "64-bit floats"},
      {"vulkan", "SwiftShader*", "*InDoubles", "64-bit floats"},
      {"vulkan", "SwiftShader*", "FusedMultiplyAddsRoundOnce", "a fused multiply-add of f32"},
      {"opencl", "pthread*", "Subgroup*", "subgroups"},  // PoCL
  };
  return all;
}

}  // namespace conformance
