// Where the system gives no threads: calls fail with an Error or do the work themselves, and nothing is lost.

#include "platform/thread.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <collet_backends.hpp>
#include <memory>
#include <optional>

#include "collet/collet.hpp"
#include "core/device_state.hpp"
#include "doubles/manual_device.hpp"
#include "platform/platform.hpp"
#include "unit/captured_log.hpp"
#include "unit/variables.hpp"

namespace collet {
namespace {

using test::ManualDevice;
using test::ManualWork;

// While it lives, this many threads can still be started.
class ThreadsLeft {
 public:
  explicit ThreadsLeft(std::uint32_t count) { platform::limit_threads(count); }
  ThreadsLeft(const ThreadsLeft&) = delete;
  ThreadsLeft& operator=(const ThreadsLeft&) = delete;
  ~ThreadsLeft() { platform::limit_threads(std::nullopt); }
};

template <class T>
std::string why(const Result<T>& result) {
  return result ? "no error" : result.error().message();
}

TEST(Threads, AreStartedAndJoined) {
  std::atomic<int> done{0};
  auto thread = platform::start_thread("collet-test", [&] { ++done; });
  ASSERT_TRUE(thread) << why(thread);
  EXPECT_TRUE(thread->joinable());
  EXPECT_FALSE(thread->is_current());
  thread->join();
  EXPECT_FALSE(thread->joinable());
  EXPECT_EQ(done, 1);
}

TEST(Threads, ASystemThatGivesNoneIsAnErrorWithAdvice) {
  const ThreadsLeft none(0);
  const auto thread = platform::start_thread("collet-test", [] {});
  ASSERT_FALSE(thread);
  EXPECT_EQ(thread.error().code(), ErrorCode::unavailable);
  EXPECT_TRUE(thread.error().message().starts_with(
      "The system starts no thread (collet-test): a test allows no more."))
      << thread.error().message();
  EXPECT_NE(thread.error().hint(), "");
}

TEST(Threads, WithoutThemOpeningTheCpuIsAnError) {
  const ThreadsLeft none(0);
  const auto device = Device::open("cpu", {.cpu_threads = 2});
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().code(), ErrorCode::unavailable);
  EXPECT_TRUE(device.error().message().starts_with("The cpu backend has 0 of 2 worker threads. "))
      << device.error().message();
}

TEST(Threads, ANumberOfThemThatWasAskedForIsKeptOrTheCallFails) {
  const ThreadsLeft one(1);
  const auto device = Device::open("cpu", {.cpu_threads = 2});
  EXPECT_TRUE(why(device).starts_with("The cpu backend has 1 of 2 worker threads. ")) << why(device);
}

TEST(Threads, TheCpuMakesDoWithFewerWhereNoNumberWasAskedForAndSaysSo) {
  if (platform::usable_processors() < 2) GTEST_SKIP() << "One processor has one thread anyway.";
  const test::CapturedLog log;
  std::optional<Device> device;
  {
    const ThreadsLeft one(1);
    auto opened = Device::open("cpu");
    ASSERT_TRUE(opened) << why(opened);
    device = *opened;
  }
  EXPECT_EQ(device->info().compute_units, 1u);
  EXPECT_EQ(log.count("warn cpu: The cpu backend has 1 of "), 1u);
  const auto twice = kernel("twice", [](InOut<std::uint32_t> x) { x[global_id()] = x[global_id()] * 2u; });
  std::vector<std::uint32_t> host(1000, 21);
  const auto x = device->upload(host).value();
  auto stream = device->stream();
  stream.launch(twice, host.size(), x);
  stream.download(x, host);
  ASSERT_TRUE(stream.wait());
  EXPECT_EQ(host, std::vector<std::uint32_t>(1000, 42));
}

TEST(Threads, WithoutThemTheFutureOfAnAsynchronousCallHoldsTheError) {
  const Device device = Device::open("cpu").value();
  const auto nothing = kernel("nothing", [](Out<std::uint32_t> x) { x[global_id()] = 0u; });
  const ThreadsLeft none(0);
  const auto opened = Device::open_async("cpu").get();
  EXPECT_TRUE(why(opened).starts_with("The system starts no thread (collet-async): ")) << why(opened);
  const auto compiled = device.compile_async(nothing).get();
  EXPECT_TRUE(why(compiled).starts_with("The system starts no thread (collet-async): ")) << why(compiled);
}

TEST(Threads, WithoutThemAKernelStaysAsItIsAndTheLogSaysSo) {
  const test::Variables automatic{{"COLLET_CPU_TIER", "auto"}};
  const auto worth = kernel("worth_it", [](Out<std::uint32_t> out) {
    Var<std::uint32_t> sum = global_id();
    for_(0u, 100u, [&](const auto& k) { sum = sum * 3u + k; });
    out[global_id()] = sum;
  });
  const test::CapturedLog log;
  const Device device = Device::open("cpu").value();
  const auto out = device.buffer<std::uint32_t>(1'000'000).value();
  const ThreadsLeft none(0);
  auto stream = device.stream();
  stream.launch(worth, 1'000'000, out);
  EXPECT_TRUE(stream.wait());
  EXPECT_EQ(log.count("warn cpu:0: [Kernel \"worth_it\"] stays as it is: The system starts no thread"), 1u);
}

#if COLLET_HAS_VULKAN && COLLET_HAS_OPENCL
TEST(Threads, WithoutThemBackendsAreProbedInARow) {
  const ThreadsLeft none(0);
  const Machine machine = discover({.cached = false, .backends = {"vulkan", "opencl"}});
  ASSERT_EQ(machine.backends.size(), 2u);
#ifdef _WIN32
  // What a child writes is read by threads there. Without them the probe runs here, and that is said.
  EXPECT_FALSE(machine.notes.empty());
  for (const BackendInfo& backend : machine.backends) EXPECT_FALSE(backend.isolated) << backend.id;
#else
  EXPECT_TRUE(machine.notes.empty());
  for (const BackendInfo& backend : machine.backends) EXPECT_TRUE(backend.isolated) << backend.id;
#endif
}
#endif

// --- Streams, whose service thread there is not ---------------------------------------------------------

class ThreadsOfStreams : public testing::Test {
 protected:
  struct Manual {
    std::shared_ptr<ManualWork> work = std::make_shared<ManualWork>();
    Device device = Device(detail::Ref(new detail::DeviceState(std::make_unique<ManualDevice>(work), {})));
    Buffer<std::uint32_t> buffer = device.buffer<std::uint32_t>(16).value();
    std::optional<Stream> stream = device.stream();
    ~Manual() { work->complete_always(); }
  };
  const ThreadsLeft none_{0};
};

TEST_F(ThreadsOfStreams, NothingIsGatheredThatNobodyWouldSubmit) {
  Manual manual;
  for (std::uint32_t i = 0; i < 11; ++i) manual.stream->fill(manual.buffer, i);
  EXPECT_EQ(manual.work->count(), 11u);
  manual.work->complete_always();
  EXPECT_TRUE(manual.stream->wait());
}

TEST_F(ThreadsOfStreams, ACallbackIsCalledAtOnceWithTheError) {
  Manual manual;
  manual.stream->fill(manual.buffer, 1u);
  std::optional<Error> told;
  manual.stream->record({.timing = false}).then([&](const Result<void>& outcome) {
    if (!outcome) told = outcome.error();
  });
  ASSERT_TRUE(told);
  EXPECT_EQ(told->code(), ErrorCode::unavailable);
  manual.work->complete_always();
  EXPECT_TRUE(manual.stream->wait());
}

TEST_F(ThreadsOfStreams, ADroppedStreamWaitsForItsWork) {
  Manual manual;
  manual.stream->fill(manual.buffer, 1u);
  std::atomic<bool> dropped{false};
  std::thread dropping([&] {
    manual.stream.reset();
    dropped = true;
  });
  EXPECT_FALSE(dropped) << "nobody else would bring it to its end";
  manual.work->complete_always();
  dropping.join();
}

TEST_F(ThreadsOfStreams, ADroppedStreamThatWaitsForAnotherDeviceFinishesItsWorkFirst) {
  Manual first;
  Manual second;
  second.work->complete_always();
  first.stream->fill(first.buffer, 1u);
  second.stream->wait_for(first.stream->record({.timing = false}));
  second.stream->fill(second.buffer, 2u);
  EXPECT_EQ(second.work->count(), 0u);
  std::thread dropping([&] { second.stream.reset(); });
  first.work->complete_always();
  dropping.join();
  EXPECT_EQ(second.work->count(), 1u);
}

}  // namespace
}  // namespace collet
