// Errors: codes, names, and the exact text that people read.

#include "collet/error.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace collet {
namespace {

Error sample() {
  return Error(ErrorCode::out_of_memory, Category::memory, Cause::allocation_failed,
               "64 bytes are asked for; 32 are left.");
}

TEST(Error, KeepsItsCodeCategoryCauseAndMessage) {
  const Error error = sample();
  EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
  EXPECT_EQ(error.category(), Category::memory);
  EXPECT_EQ(error.cause(), Cause::allocation_failed);
  EXPECT_EQ(error.message(), "64 bytes are asked for; 32 are left.");
  EXPECT_EQ(error.native_code(), 0);
  EXPECT_EQ(error.native_name(), "");
  EXPECT_TRUE(error.context().empty());
  EXPECT_EQ(error.hint(), "");
}

TEST(Error, HasTheCauseOtherUnlessOneIsGiven) {
  EXPECT_EQ(Error(ErrorCode::internal, Category::driver, "It broke.").cause(), Cause::other);
}

TEST(Error, DescribesOnlyItsMessageWhereThereIsNoMore) {
  EXPECT_EQ(sample().describe(), "64 bytes are asked for; 32 are left.");
}

TEST(Error, DescribesTheWholeStoryInOrder) {
  const Error error = sample()
                          .with_native(-2, "VK_ERROR_OUT_OF_DEVICE_MEMORY")
                          .during("making [Buffer \"x\"]")
                          .during("opening the scene")
                          .with_hint("Free something.");
  EXPECT_EQ(error.describe(),
            "64 bytes are asked for; 32 are left.\n"
            "  Native code: VK_ERROR_OUT_OF_DEVICE_MEMORY (-2)\n"
            "  While making [Buffer \"x\"]\n"
            "  While opening the scene\n"
            "  Hint: Free something.");
  EXPECT_EQ(error.context(), (std::vector<std::string>{"making [Buffer \"x\"]", "opening the scene"}));
}

TEST(Error, SayingMoreLeavesTheOriginalAsItWas) {
  const Error error = sample();
  (void)error.during("something");
  (void)error.with_hint("advice");
  (void)error.with_native(1, "ONE");
  EXPECT_EQ(error.describe(), sample().describe());
}

TEST(Error, ALaterHintReplacesTheEarlier) {
  EXPECT_EQ(sample().with_hint("one").with_hint("two").hint(), "two");
}

TEST(Error, PrintsItsCodeFirst) {
  std::ostringstream out;
  out << sample();
  EXPECT_EQ(out.str(), "out_of_memory: 64 bytes are asked for; 32 are left.");
}

// A name per enumerator, none twice, none forgotten.
template <class Enum>
void expect_names(Enum last) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    const std::string_view name = to_string(static_cast<Enum>(i));
    EXPECT_NE(name, "unknown") << i;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  EXPECT_EQ(to_string(static_cast<Enum>(static_cast<int>(last) + 1)), "unknown");
}

TEST(Error, EveryEnumeratorHasItsOwnName) {
  expect_names(ErrorCode::internal);
  expect_names(Category::synchronisation);
  expect_names(Cause::other);
}

}  // namespace
}  // namespace collet
