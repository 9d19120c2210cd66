// What simulated devices are excused from: what the cpu backend is, on which they run, and strict mode.

#include "conformance/registry.hpp"

namespace conformance {
namespace {

constexpr const char* kNoCompiler =
    "Simulated devices take C++ functions, which the program's own compiler has checked.";
constexpr const char* kNoStrict = "Strict mode opens nothing simulated.";

[[maybe_unused]] const bool kAdded = add_backend(
    "simulated",
    {
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
        {"Device.WorksInStrictMode", Kind::never, kNoStrict},
        {"Compile.StandInIsRefusedInStrictMode", Kind::never, kNoStrict},
    });

}  // namespace
}  // namespace conformance
