// What a driver's code becomes, and a lost device that is remembered.

#include "backends/common/check.hpp"

#include <gtest/gtest.h>

#include "backends/common/health.hpp"

namespace collet::backend::common {
namespace {

struct Codes {
  using Type = int;
  static constexpr std::string_view kApi = "OpenXY";
  static bool is_error(Type code) { return code != 0; }
  static std::string_view name_of(Type) { return "XY_BROKEN"; }
  static Meaning meaning_of(Type code) {
    switch (code) {
      case 1: return {ErrorCode::out_of_memory, Cause::allocation_failed};
      case 2: return {ErrorCode::device_lost};
      case 3: return {ErrorCode::timeout};
      case 4: return {ErrorCode::build_failed};
      default: return {};
    }
  }
};

constexpr Doing kLaunch{"launching", Category::launch, Cause::queue_failed};

TEST(Check, LetsSuccessPass) { EXPECT_TRUE(check<Codes>(0, kLaunch)); }

TEST(Check, SaysWhatWasBeingDone) {
  const Error error = check<Codes>(-7, kLaunch).error();
  EXPECT_EQ(error.message(), "OpenXY reports XY_BROKEN (-7) while launching.");
  EXPECT_EQ(error.code(), ErrorCode::internal);
  EXPECT_EQ(error.category(), Category::launch);
  EXPECT_EQ(error.cause(), Cause::queue_failed);
  EXPECT_EQ(error.native_code(), -7);
  EXPECT_EQ(error.native_name(), "XY_BROKEN");
}

TEST(Check, TakesWhatTheCodeSaysBeforeWhatWasBeingDone) {
  const auto files = [](int code) {
    const Error error = check<Codes>(code, kLaunch).error();
    return std::pair{error.category(), error.cause()};
  };
  EXPECT_EQ(files(1), std::pair(Category::memory, Cause::allocation_failed));
  EXPECT_EQ(files(2), std::pair(Category::device, Cause::queue_failed));
  EXPECT_EQ(files(3), std::pair(Category::synchronisation, Cause::queue_failed));
  EXPECT_EQ(files(4), std::pair(Category::compilation, Cause::queue_failed));
}

TEST(Check, CallsATimeoutADeadline) {
  EXPECT_EQ(check<Codes>(3, kLaunch).error().message(), "The deadline passed before the device was done.");
}

TEST(Health, KeepsTheFirstErrorOfALostDevice) {
  Health health;
  EXPECT_TRUE(health.check());
  EXPECT_EQ(health.note(check<Codes>(1, kLaunch).error()).native_code(), 1);
  EXPECT_TRUE(health.check()) << "a lack of memory passes";
  EXPECT_EQ(health.note(check<Codes>(2, kLaunch).error()).native_code(), 2);
  (void)health.note(check<Codes>(2, {"waiting", Category::synchronisation}).error());
  ASSERT_FALSE(health.check());
  EXPECT_EQ(health.check().error().message(), "OpenXY reports XY_BROKEN (2) while launching.");
}

}  // namespace
}  // namespace collet::backend::common
