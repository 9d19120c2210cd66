// What devices on the cpu backend are excused from: itself, and the simulated ones.
#pragma once

#include "conformance/registry.hpp"

namespace conformance {

inline std::vector<Exclusion> cpu_exclusions() {
  constexpr const char* kNoCompiler =
      "The cpu backend takes C++ functions, which the program's own compiler has checked.";
  [[maybe_unused]] constexpr const char* kNoCounts =
      "The interpreter is passed no counts: it knows by itself which items exist.";
  return {
      {"Compile.OfBrokenSourceFailsWithTheCompilersWords", Kind::never, kNoCompiler},
      {"Compile.DamagedSpirvIsRefusedBeforeTheDriverSeesIt", Kind::never, kNoCompiler},
      {"Compile.TruncatedSpirvIsRefused", Kind::never, kNoCompiler},
      {"Compile.MissingEntryIsRefusedWithTheListOfThoseThere", Kind::never, kNoCompiler},
      {"Compile.FewerBuffersThanTheCodeUsesAreRefused", Kind::never, kNoCompiler},
      {"Compile.MoreArgumentsThanTheCodeTakesAreRefusedWithBothFigures", Kind::never, kNoCompiler},
      {"Compile.DefinesReachTheCode", Kind::never, kNoCompiler},
      {"Compile.AnotherGroupSizeThanTheCodeFixesIsRefusedWithBothFigures", Kind::never,
       "A C++ function takes groups of any size."},
      {"Compile.SharedBytesThatTheCodeDoesNotTakeAreRefused", Kind::never,
       "A C++ function may leave its shared memory alone, and nobody can tell."},
#if COLLET_CONFORMANCE_EMITS  // a build without a GPU's API emits nothing
      {"Emit.SaxpyWithARaggedLastGroup", Kind::never, kNoCounts},
      {"Emit.BytesAndShortsThroughWords", Kind::never, kNoCounts},
      {"Emit.BytesAndShortsWhereTheDeviceStoresThem", Kind::never, kNoCounts},
#endif
  };
}

}  // namespace conformance
