// What OpenCL says of a command that ended badly becomes the stream's error, and nothing is left in flight
// then. A driver of this machine does the work; only its answers are changed.

#include <gtest/gtest.h>

#include <atomic>

#include "backends/opencl/device.hpp"
#include "collet/collet.hpp"
#include "core/device_state.hpp"

namespace collet {
namespace {

using backend::opencl::Api;

// Answers that take the place of the driver's.
struct Changed {
  static inline Api real{};
  static inline std::atomic<cl_int> status{CL_COMPLETE};  // of all commands; CL_COMPLETE: as the driver says
  static inline std::atomic<int> waits{0};                // calls of clWaitForEvents

  static cl_int CL_API_CALL event_info(cl_event event, cl_event_info what, std::size_t size, void* to,
                                       std::size_t* needed) {
    const cl_int asked = real.clGetEventInfo(event, what, size, to, needed);
    if (what == CL_EVENT_COMMAND_EXECUTION_STATUS && status != CL_COMPLETE)
      *static_cast<cl_int*>(to) = status;
    return asked;
  }
  static cl_int CL_API_CALL wait_for(cl_uint count, const cl_event* events) {
    ++waits;
    const cl_int waited = real.clWaitForEvents(count, events);
    return status == CL_COMPLETE ? waited : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  }
};

class OpenClTimeline : public testing::Test {
 protected:
  void SetUp() override {
    const auto library = platform::Library::open(platform::library_names("opencl"));
    if (!library) GTEST_SKIP() << "no OpenCL: " << library.error().message();
    // Until the process ends: a device is closed by the last thread that uses it.
    static const Api api = [&] {
      Changed::real = backend::opencl::load_api(*library).value();
      Api changed = Changed::real;
      changed.clGetEventInfo = &Changed::event_info;
      changed.clWaitForEvents = &Changed::wait_for;
      return changed;
    }();
    const auto found = backend::opencl::enumerate(api).value();
    if (found.empty()) GTEST_SKIP() << "no OpenCL device";
    auto opened = backend::opencl::OpenClDevice::open(api, found[0], {});
    ASSERT_TRUE(opened) << opened.error().describe();
    device.emplace(detail::Ref(new detail::DeviceState(std::move(*opened), {})));
  }

  // Of a stream whose commands end with `status`.
  Error failure(cl_int status, int submissions = 1) {
    const auto buffer = device->buffer<std::uint32_t>(1000).value();
    std::vector<std::uint32_t> host(1000);
    Stream stream = device->stream();
    EXPECT_TRUE(stream.wait());
    Changed::status = CL_SUBMITTED;  // none of them seems to end before the last is there
    for (int i = 0; i < submissions; ++i) {
      stream.fill(buffer, 7u);
      stream.download(buffer, std::span(host));
      stream.flush();
    }
    Changed::status = status;
    Changed::waits = 0;
    const auto done = stream.wait();
    Changed::status = CL_COMPLETE;
    if (!done) return done.error();
    return Error(ErrorCode::internal, Category::runtime, "nothing failed");
  }

  std::optional<Device> device;
};

TEST_F(OpenClTimeline, ACommandThatEndedBadlyIsNamed) {
  const Error error = failure(CL_INVALID_VALUE);
  EXPECT_EQ(error.code(), ErrorCode::internal);
  EXPECT_EQ(error.message(), "OpenCL ended a command with CL_INVALID_VALUE (-30).");
  EXPECT_EQ(error.native_code(), CL_INVALID_VALUE);
  EXPECT_TRUE(device->native().health());
}

TEST_F(OpenClTimeline, WantOfResourcesInAKernelIsALostDevice) {
  const Error error = failure(CL_OUT_OF_RESOURCES);
  EXPECT_EQ(error.code(), ErrorCode::device_lost);
  EXPECT_EQ(error.message(), "OpenCL ended a command with CL_OUT_OF_RESOURCES (-5).");
  EXPECT_FALSE(device->native().health());
}

TEST_F(OpenClTimeline, ADeviceThatIsGoneIsALostDevice) {
  EXPECT_EQ(failure(CL_DEVICE_NOT_AVAILABLE).code(), ErrorCode::device_lost);
}

TEST_F(OpenClTimeline, WhatIsStillInFlightIsWaitedFor) {
  constexpr int kSubmissions = 5;
  failure(CL_INVALID_VALUE, kSubmissions);
  EXPECT_GE(Changed::waits, kSubmissions) << "the wait itself, and one for each but the first";
}

}  // namespace
}  // namespace collet
