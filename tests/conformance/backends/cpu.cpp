// What the cpu backend is excused from.

#include "conformance/registry.hpp"

namespace conformance {
namespace {

constexpr const char* kNoCompiler =
    "The cpu backend takes C++ functions, which the program's own compiler has checked.";

[[maybe_unused]] const bool kAdded = add_backend(
    "cpu", {
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
           });

}  // namespace
}  // namespace conformance
