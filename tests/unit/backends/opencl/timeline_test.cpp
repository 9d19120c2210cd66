// What OpenCL says of a command that ended badly becomes the stream's error, and nothing is left in flight
// then. A driver of this machine does the work; only its answers are changed. That a command ended badly is
// said when the driver has ended all of its queue: the caller gives its memory back then.

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
  static inline std::atomic<cl_int> read{CL_SUCCESS};     // of enqueueing a read
  static inline std::atomic<int> finishes{0};             // calls of clFinish

  static cl_int CL_API_CALL event_info(cl_event event, cl_event_info what, std::size_t size, void* to,
                                       std::size_t* needed) {
    const cl_int asked = real.clGetEventInfo(event, what, size, to, needed);
    const cl_int changed = status;
    if (what != CL_EVENT_COMMAND_EXECUTION_STATUS || changed == CL_COMPLETE) return asked;
    cl_command_queue queue = nullptr;
    if (changed < CL_COMPLETE && real.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(cl_command_queue),
                                                     &queue, nullptr) == CL_SUCCESS)
      real.clFinish(queue);
    *static_cast<cl_int*>(to) = changed;
    return asked;
  }
  static cl_int CL_API_CALL wait_for(cl_uint count, const cl_event* events) {
    const cl_int waited = real.clWaitForEvents(count, events);
    return status == CL_COMPLETE ? waited : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  }
  static cl_int CL_API_CALL enqueue_read(cl_command_queue queue, cl_mem from, cl_bool blocking,
                                         std::size_t offset, std::size_t size, void* to, cl_uint count,
                                         const cl_event* waits, cl_event* event) {
    if (read != CL_SUCCESS) return read;
    return real.clEnqueueReadBuffer(queue, from, blocking, offset, size, to, count, waits, event);
  }
  static cl_int CL_API_CALL finish(cl_command_queue queue) {
    ++finishes;
    return real.clFinish(queue);
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
      changed.clEnqueueReadBuffer = &Changed::enqueue_read;
      changed.clFinish = &Changed::finish;
      return changed;
    }();
    const auto found = backend::opencl::enumerate(api).value();
    if (found.empty()) GTEST_SKIP() << "no OpenCL device";
    auto opened = backend::opencl::OpenClDevice::open(api, found[0], {});
    ASSERT_TRUE(opened) << opened.error().describe();
    device.emplace(detail::Ref(new detail::DeviceState(std::move(*opened), {})));
  }

  // Of a stream whose commands end with `status`.
  Error failure(cl_int status) {
    const auto buffer = device->buffer<std::uint32_t>(1000).value();
    std::vector<std::uint32_t> host(1000);
    Stream stream = device->stream();
    EXPECT_TRUE(stream.wait());
    Changed::status = CL_SUBMITTED;  // none of them seems to end before the last is there
    stream.fill(buffer, 7u);
    stream.download(buffer, std::span(host));
    stream.flush();
    Changed::status = status;
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
  EXPECT_TRUE(device->health());
}

TEST_F(OpenClTimeline, WantOfResourcesInAKernelIsALostDevice) {
  const Error error = failure(CL_OUT_OF_RESOURCES);
  EXPECT_EQ(error.code(), ErrorCode::device_lost);
  EXPECT_EQ(error.message(), "OpenCL ended a command with CL_OUT_OF_RESOURCES (-5).");
  const auto lost = device->health();
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().message(), error.message());
}

TEST_F(OpenClTimeline, ADeviceThatIsGoneIsALostDevice) {
  EXPECT_EQ(failure(CL_DEVICE_NOT_AVAILABLE).code(), ErrorCode::device_lost);
}

// The fill is under way when the read is refused. With a timestamp, its queue becomes another one before.
TEST_F(OpenClTimeline, AHalfSubmissionFailsItsTimelineAndNobodyWaitsMeanwhile) {
  backend::Device& native = device->native();
  const auto memory = native.create_memory({.size = 4096, .label = {}}).value().memory;
  const backend::Slice slice{.memory = memory, .size = 4096, .access = backend::Access::read_write};
  std::vector<std::uint32_t> host(1024);
  std::uint64_t time = 0;
  const backend::Command fill{.what = backend::Fill{.to = slice, .pattern = 7}};
  const backend::Command read{
      .what = backend::Read{.from = slice, .to = reinterpret_cast<std::byte*>(host.data())}};
  const std::vector<std::vector<backend::Command>> submissions = {
      {fill, read}, {{.what = backend::Timestamp{&time}}, fill, read}};
  for (const auto& commands : submissions) {
    const auto queue = native.create_queue(backend::QueueKind::compute, {}).value();
    const auto failing = native.create_timeline().value();
    Changed::finishes = 0;
    Changed::read = CL_OUT_OF_HOST_MEMORY;
    EXPECT_TRUE(native.submit(queue, {.waits = {}, .commands = commands, .signal = {failing, 1}}));
    const auto later = native.submit(queue, {.waits = {}, .commands = {&fill, 1}, .signal = {failing, 2}});
    Changed::read = CL_SUCCESS;
    EXPECT_FALSE(later) << "the timeline will fail";
    const backend::Point point{failing, 1};
    const auto done = native.wait_timelines({&point, 1}, backend::WaitFor::all, kForever);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code(), ErrorCode::out_of_memory);
    const std::string count = std::to_string(commands.size());
    EXPECT_NE(done.error().describe().find("submitting command " + count + " of " + count), std::string::npos)
        << done.error().describe();
    EXPECT_EQ(Changed::finishes, 0);

    const auto timeline = native.create_timeline().value();
    const backend::Point next{timeline, 1};
    ASSERT_TRUE(native.submit(queue, {.waits = {}, .commands = {&read, 1}, .signal = next}));
    ASSERT_TRUE(native.wait_timelines({&next, 1}, backend::WaitFor::all, kForever));
    EXPECT_EQ(host.back(), 7u) << "what was begun was done";
    host.assign(host.size(), 0);
    native.destroy_timeline(timeline);
    native.destroy_timeline(failing);
    native.destroy_queue(queue);
  }
  native.destroy_memory(memory);
}

}  // namespace
}  // namespace collet
