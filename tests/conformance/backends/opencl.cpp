// What the opencl backend is excused from.

#include "conformance/registry.hpp"

namespace conformance {
namespace {

constexpr const char* kNoShaders = "OpenCL takes SPIR-V of the kernel flavour only, not shaders.";

[[maybe_unused]] const bool kAdded = add_backend(
    "opencl", {
                  {"Compile.DamagedSpirvIsRefusedBeforeTheDriverSeesIt", Kind::never, kNoShaders},
                  {"Compile.TruncatedSpirvIsRefused", Kind::never, kNoShaders},
                  {"Corpus.Fibonacci64", Kind::never,
                   "Intel's CPU compiler crashes while it vectorises the kernel.", "Intel*", false},
                  {"Kernel.ABranchBehindABranchWithABarrierIsEachItemsOwn", Kind::never,
                   "PoCL 3.1 lets the first item decide for all; emitted code avoids it.", "pthread*"},
              });

}  // namespace
}  // namespace conformance
