// What is known of work that failed: an event after it is not done.

#include <gtest/gtest.h>

#include "backends/null/device.hpp"
#include "collet/collet.hpp"
#include "core/device_state.hpp"
#include "doubles/failing_device.hpp"

namespace collet {
namespace {

using test::Call;
using test::FaultPlan;

class StreamFailure : public testing::Test {
 protected:
  // Memory that the host does not reach, so that downloads pass through staging.
  static Device open(const std::shared_ptr<FaultPlan>& plan) {
    auto native = std::make_unique<test::FailingDevice>(std::make_unique<backend::null::NullDevice>(), plan);
    native->hide_memory = true;
    native->limits.host_commands = false;
    return Device(detail::Ref(new detail::DeviceState(std::move(native), {})));
  }

  std::shared_ptr<FaultPlan> plan = std::make_shared<FaultPlan>();
  Device device = open(plan);
  Buffer<std::uint32_t> buffer = device.buffer<std::uint32_t>(16).value();
  Stream stream = device.stream();
  std::array<std::uint32_t, 16> host{};
};

TEST_F(StreamFailure, AnEventAfterADownloadThatFailedIsNotDone) {
  stream.download(buffer, std::span(host));
  const Event with = stream.record({.timing = false});
  stream.flush();
  stream.fill(buffer, 7u);
  const Event after = stream.record({.timing = false});
  stream.flush();
  plan->fail(Call::sync_host_range, 1, ErrorCode::internal);
  ASSERT_FALSE(stream.wait());
  EXPECT_TRUE(plan->fired());
  EXPECT_FALSE(with.wait());
  EXPECT_FALSE(after.wait());
  EXPECT_FALSE(after.done());
}

TEST_F(StreamFailure, WhatComesAfterTheWaitIsDoneAgain) {
  stream.download(buffer, std::span(host));
  plan->fail(Call::sync_host_range, 1, ErrorCode::internal);
  ASSERT_FALSE(stream.wait());
  stream.download(buffer, std::span(host));
  const Event event = stream.record({.timing = false});
  EXPECT_TRUE(event.wait());
  EXPECT_TRUE(stream.wait());
}

TEST_F(StreamFailure, ALostDeviceStaysLost) {
  plan->fail(Call::submit, 1, ErrorCode::device_lost);
  stream.fill(buffer, 7u);
  for (int i = 0; i < 2; ++i) {
    const auto done = stream.wait();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code(), ErrorCode::device_lost);
  }
  stream.download(buffer, std::span(host));
  EXPECT_FALSE(stream.wait());
}

TEST_F(StreamFailure, AnotherFailureIsToldOnce) {
  plan->fail(Call::submit, 1, ErrorCode::internal);
  stream.fill(buffer, 7u);
  EXPECT_FALSE(stream.wait());
  EXPECT_TRUE(stream.wait());
}

TEST_F(StreamFailure, AnUploadIntoMemoryThatTheHostDoesNotReachArrives) {
  std::vector<std::uint32_t> words(16);
  for (std::uint32_t i = 0; i < 16; ++i) words[i] = i * 3 + 1;
  const auto uploaded = device.upload(words).value();
  stream.download(uploaded, std::span(host));
  ASSERT_TRUE(stream.wait());
  EXPECT_TRUE(std::equal(host.begin(), host.end(), words.begin()));
}

}  // namespace
}  // namespace collet
