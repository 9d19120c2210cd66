// Which call an error belongs to that the library reports by calling back.

#include "backends/webgpu/errors.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace collet::backend::webgpu {
namespace {

void report(Reports& reports, abi::ErrorType type, std::string_view message) {
  const auto info = reports.errors();
  info.callback(nullptr, type, view(message), info.first, info.second);
}

TEST(WebGpuErrors, AnErrorBelongsToTheCallThatListens) {
  Reports reports;
  Listener listener;
  EXPECT_TRUE(listener.check(kSubmit));
  report(reports, abi::ErrorType::validation, "the first");
  report(reports, abi::ErrorType::internal, "what follows from it");
  const auto done = listener.check(kMakePipeline);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().cause(), Cause::pipeline_failed);
  EXPECT_EQ(done.error().native_name(), "Validation");
  EXPECT_EQ(done.error().message(),
            "WebGPU reports Validation (2) while making a pipeline. It says:\nthe first");
  EXPECT_TRUE(listener.check(kSubmit)) << "it is told once";
  EXPECT_TRUE(reports.check()) << "the device goes on";
}

TEST(WebGpuErrors, OnlyTheInnermostListens) {
  Reports reports;
  Listener outer;
  {
    Listener inner;
    EXPECT_EQ(Listener::current(), &inner);
    report(reports, abi::ErrorType::out_of_memory, "too much");
    const auto done = inner.check(kMakeStaging);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code(), ErrorCode::out_of_memory);
  }
  EXPECT_EQ(Listener::current(), &outer);
  EXPECT_TRUE(outer.check(kSubmit));
}

// Nobody knows what it has not done, so nothing of it may be believed any more.
TEST(WebGpuErrors, AnErrorOfNoCallLosesTheDevice) {
  Reports reports;
  Listener listener;
  std::thread([&] { report(reports, abi::ErrorType::validation, "a mistake"); }).join();
  EXPECT_TRUE(listener.check(kSubmit)) << "it is another thread's";
  const auto lost = reports.check();
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code(), ErrorCode::device_lost);
  EXPECT_EQ(lost.error().message(), "WebGPU reports an error (Validation) of no call: a mistake");
}

TEST(WebGpuErrors, ADeviceThatIsClosedIsNotLost) {
  Reports reports;
  const auto info = reports.lost();
  info.callback(nullptr, abi::DeviceLostReason::destroyed, view("closed"), info.first, info.second);
  EXPECT_TRUE(reports.check());
  info.callback(nullptr, abi::DeviceLostReason::unknown, view("gone"), info.first, info.second);
  const auto lost = reports.check();
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().message(), "WebGPU reports that the device is lost: gone");
}

TEST(WebGpuErrors, ALongSentenceIsCutAndItsLengthTold) {
  Reports reports;
  Listener listener;
  report(reports, abi::ErrorType::internal, std::string(5000, 'x'));
  const auto done = listener.check(kRecord);
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message().find("… (904 bytes more)"), std::string::npos);
}

}  // namespace
}  // namespace collet::backend::webgpu
