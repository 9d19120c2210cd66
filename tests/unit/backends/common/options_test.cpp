// Options that a backend does not honour, by name and value.

#include <gtest/gtest.h>

#include <array>

#include "backends/common/options.hpp"

namespace collet::backend::common {
namespace {

using Optimise = CompileOptions::Optimise;
using Names = std::vector<std::string>;

TEST(IgnoredOptions, AreThoseThatDifferFromTheirDefault) {
  EXPECT_EQ(ignored_options({}), Names());
  EXPECT_EQ(ignored_options({.optimise = Optimise::most,
                             .debug_info = true,
                             .fast_math = true,
                             .register_limit = 32,
                             .min_groups_per_unit = 2,
                             .defines = {{"A", "1"}, {"B", "2"}}}),
            (Names{"optimise=most", "debug_info", "fast_math", "register_limit=32", "min_groups_per_unit=2",
                   "defines=2"}));
  EXPECT_EQ(ignored_options({.optimise = Optimise::none}), Names{"optimise=none"});
  EXPECT_EQ(ignored_options({.optimise = Optimise::less}), Names{"optimise=less"});
  EXPECT_EQ(ignored_options({.optimise = Optimise::more}), Names{"optimise=more"});
}

TEST(IgnoredOptions, LeaveOutWhatIsHonoured) {
  constexpr std::array<std::string_view, 2> kHonoured{"optimise", "defines"};
  EXPECT_EQ(
      ignored_options({.optimise = Optimise::none, .fast_math = true, .defines = {{"A", "1"}}}, kHonoured),
      Names{"fast_math"});
}

}  // namespace
}  // namespace collet::backend::common
