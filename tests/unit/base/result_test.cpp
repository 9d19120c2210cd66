// Result: std::expected's promises, and the two macros.

#include "collet/result.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace collet {
namespace {

Error broken() { return Error(ErrorCode::timeout, Category::stream, "Too late.").with_hint("Wait longer."); }

TEST(Result, HoldsAValueOrAnError) {
  const Result<int> good = 7;
  const Result<int> bad = broken();
  EXPECT_TRUE(good.has_value());
  EXPECT_EQ(*good, 7);
  EXPECT_EQ(good.value(), 7);
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.error().code(), ErrorCode::timeout);
}

TEST(Result, ValueThrowsTheWholeStory) {
  const Result<int> bad = broken();
  try {
    (void)bad.value();
    FAIL() << "nothing was thrown";
  } catch (const Exception& thrown) {
    EXPECT_STREQ(thrown.what(), "Too late.\n  Hint: Wait longer.");
    EXPECT_EQ(thrown.error().code(), ErrorCode::timeout);
  }
  EXPECT_THROW(Result<void>(broken()).value(), Exception);
  EXPECT_NO_THROW(Result<void>().value());
}

TEST(Result, MovesWhatCanNotBeCopied) {
  Result<std::unique_ptr<int>> made = std::make_unique<int>(3);
  EXPECT_EQ(**made, 3);
  const std::unique_ptr<int> taken = std::move(made).value();
  EXPECT_EQ(*taken, 3);
  EXPECT_EQ(*Result<std::unique_ptr<int>>(broken()).value_or(std::make_unique<int>(4)), 4);
}

TEST(Result, ValueOrGivesTheOtherOnlyOnFailure) {
  EXPECT_EQ(Result<int>(1).value_or(2), 1);
  EXPECT_EQ(Result<int>(broken()).value_or(2), 2);
}

Result<int> doubled(Result<int> from) {
  COLLET_TRY(value, std::move(from));
  value *= 2;  // a reference to the value
  return value;
}

Result<std::string> checked(Result<void> first) {
  COLLET_CHECK(first);
  return std::string("reached");
}

TEST(Result, TryDeclaresTheValueOrReturnsTheError) {
  EXPECT_EQ(doubled(21).value(), 42);
  EXPECT_EQ(doubled(broken()).error().message(), "Too late.");
}

TEST(Result, CheckReturnsTheErrorOrGoesOn) {
  EXPECT_EQ(checked({}).value(), "reached");
  EXPECT_EQ(checked(broken()).error().message(), "Too late.");
}

}  // namespace
}  // namespace collet
