// What simulated devices are excused from: what the cpu backend is, on which they run, and strict mode.

#include "conformance/backends/cpu_exclusions.hpp"

namespace conformance {
namespace {

constexpr const char* kNoStrict = "Strict mode opens nothing simulated.";
constexpr const char* kNotMixed =
    "WebGPU takes no buffer that one launch both reads and writes by two arguments.";
constexpr const char* kFewBuffers = "A kernel has at most 8 buffers in WebGPU and 16 in OpenGL.";

std::vector<Exclusion> exclusions() {
  std::vector<Exclusion> all = cpu_exclusions();
  all.push_back({"Device.WorksInStrictMode", Kind::never, kNoStrict});
  all.push_back({"Compile.StandInIsRefusedInStrictMode", Kind::never, kNoStrict});
  for (const char* behaviour :
       {"Arguments.PartsOfOneBufferThatMeetAreAccepted", "Arguments.ThatMayAliasTakeTheSameBuffer",
        "Corpus.AliasedArguments", "Index.NeighboursOfASliceStayAsTheyWere"}) {
    all.push_back({behaviour, Kind::never, kNotMixed, "*webgpu*"});
  }
  for (const char* profile : {"*webgpu*", "*opengl*"}) {
    all.push_back({"Arguments.ThirtyOfThemArrive", Kind::never, kFewBuffers, profile});
    all.push_back({"Arguments.ThirtyOfThemArriveInEveryLaunch", Kind::never, kFewBuffers, profile});
  }
  all.push_back({"Compile.FeaturesThatTheDeviceLacksAreRefused", Kind::never,
                 "A C++ function has every type that its compiler has.", "*webgpu*"});
  return all;
}

[[maybe_unused]] const bool kAdded = add_backend("simulated", exclusions());

}  // namespace
}  // namespace conformance
