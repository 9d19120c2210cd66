// Threads: everything at once, and every result checked.

#include <atomic>
#include <cstdlib>
#include <future>
#include <mutex>
#include <optional>
#include <random>
#include <thread>

#include "conformance/conformance.hpp"
#include "conformance/kernels.hpp"
#include "conformance/threads.hpp"

namespace conformance {
namespace {

uint32_t stress_operations() {
  const char* asked = std::getenv("COLLET_STRESS_OPERATIONS");
  return asked != nullptr ? static_cast<uint32_t>(std::strtoul(asked, nullptr, 10)) : 500;
}

// One thread of the stress test: buffers with known contents, used by a few streams that Events order.
class Stress {
 public:
  Stress(const collet::Device& device, uint32_t seed) : device_(device), random_(seed) {
    for (int i = 0; i < 2; ++i) streams_.push_back(device_.stream());
  }

  void run(uint32_t operations) {
    for (uint32_t i = 0; i < operations && !testing::Test::HasFailure(); ++i) step();
    for (std::size_t i = 0; i < buffers_.size(); ++i) check(i);
    for (auto& stream : streams_) EXPECT_OK(stream.wait());
  }

 private:
  struct Tracked {
    collet::Buffer<uint32_t> buffer;
    Words expected;
    std::size_t stream;  // the last to use it
  };

  std::size_t pick(std::size_t count) { return random_() % count; }
  uint32_t any_word() { return static_cast<uint32_t>(random_()); }

  void step() {
    if (buffers_.size() < 2) return make();
    switch (pick(11)) {
      case 0: return buffers_.size() < 12 ? make() : drop();
      case 1: return drop();
      case 2: return upload(pick(buffers_.size()));
      case 3: return fill(pick(buffers_.size()));
      case 4:
      case 5: return increment(pick(buffers_.size()));
      case 6:
      case 7: return copy(pick(buffers_.size()), pick(buffers_.size()));
      case 8: return check(pick(buffers_.size()));
      case 9: return change_streams();
      default: return wait();
    }
  }

  // The stream to use a buffer on, ordered after its last use.
  collet::Stream& stream_for(Tracked& tracked) { return ordered(tracked, pick(streams_.size())); }
  collet::Stream& ordered(Tracked& tracked, std::size_t index) {
    if (tracked.stream != index) streams_[index].wait_for(streams_[tracked.stream].record({.timing = false}));
    tracked.stream = index;
    return streams_[index];
  }

  void make() {
    const std::size_t size = 1 + pick(pick(8) == 0 ? 20'000 : 500);
    if (pick(2) == 0) {
      auto buffer = device_.buffer<uint32_t>(size);
      ASSERT_OK(buffer);
      buffers_.push_back({std::move(*buffer), Words(size, 0), pick(streams_.size())});
    } else {
      Words contents = pattern(size, any_word());
      auto buffer = device_.upload(contents);
      ASSERT_OK(buffer);
      buffers_.push_back({std::move(*buffer), std::move(contents), pick(streams_.size())});
    }
  }

  void drop() {
    std::swap(buffers_[pick(buffers_.size())], buffers_.back());
    buffers_.pop_back();
  }

  void upload(std::size_t index) {
    Tracked& tracked = buffers_[index];
    tracked.expected = pattern(tracked.expected.size(), any_word());
    stream_for(tracked).upload(tracked.expected, tracked.buffer);
  }

  void fill(std::size_t index) {
    Tracked& tracked = buffers_[index];
    const std::size_t first = pick(tracked.expected.size());
    const std::size_t count = pick(tracked.expected.size() - first + 1);
    const uint32_t value = any_word();
    std::fill_n(tracked.expected.begin() + static_cast<std::ptrdiff_t>(first), count, value);
    stream_for(tracked).fill(tracked.buffer.slice(first, count), value);
  }

  void increment(std::size_t index) {
    Tracked& tracked = buffers_[index];
    const std::size_t count = 1 + pick(tracked.expected.size());
    for (std::size_t i = 0; i < count; ++i) ++tracked.expected[i];
    stream_for(tracked).launch(kernels::increment(), count, tracked.buffer);
  }

  void copy(std::size_t from, std::size_t to) {
    if (from == to) return;
    Tracked& source = buffers_[from];
    Tracked& target = buffers_[to];
    const std::size_t count = 1 + pick(std::min(source.expected.size(), target.expected.size()));
    std::copy_n(source.expected.begin(), count, target.expected.begin());
    const std::size_t index = pick(streams_.size());
    ordered(source, index);
    collet::Stream& stream = ordered(target, index);
    if (pick(2) == 0) {
      stream.copy(source.buffer.slice(0, count), target.buffer.slice(0, count));
    } else {
      stream.launch(kernels::copy(), count, source.buffer, target.buffer);
    }
  }

  void check(std::size_t index) {
    Tracked& tracked = buffers_[index];
    Words host(tracked.expected.size());
    collet::Stream& stream = stream_for(tracked);
    stream.download(tracked.buffer, std::span(host));
    if (pick(2) == 0) {
      ASSERT_OK(stream.record({.timing = false}).wait());
    } else {
      ASSERT_OK(stream.wait());
    }
    ASSERT_TRUE(host == tracked.expected) << "a buffer of " << host.size();
  }

  // The new stream takes over what the old one was the last to use.
  void change_streams() {
    const std::size_t index = pick(streams_.size());
    auto next = device_.stream();
    next.wait_for(streams_[index].record({.timing = false}));
    streams_[index] = std::move(next);
  }

  void wait() { EXPECT_OK(streams_[pick(streams_.size())].wait()); }

  collet::Device device_;
  std::mt19937 random_;
  std::vector<collet::Stream> streams_;
  std::vector<Tracked> buffers_;
};

}  // namespace

CONFORMANCE_TEST(Thread, SixtyFourWithStreamsOfTheirOwn) {
  on_threads(64, [&](uint32_t thread) {
    auto buffer = device.buffer<uint32_t>(200 + thread).value();
    auto stream = device.stream();
    for (int i = 0; i < 20; ++i) stream.launch(kernels::increment(), 200 + thread, buffer);
    ASSERT_OK(stream.wait());
    EXPECT_EQ(read(device, buffer), Words(200 + thread, 20));
  });
}

CONFORMANCE_TEST(Thread, ManyAllocateAtOnce) {
  on_threads(16, [&](uint32_t thread) {
    std::vector<collet::Buffer<uint32_t>> buffers;
    for (uint32_t i = 0; i < 50; ++i) {
      buffers.push_back(device.upload(Words(1 + i * 7, thread * 100 + i)).value());
      if (i % 3 == 0) buffers.erase(buffers.begin());
    }
    for (const auto& buffer : buffers) {
      const Words host = read(device, buffer);
      ASSERT_EQ(host, Words(host.size(), thread * 100 + static_cast<uint32_t>(host.size() - 1) / 7));
    }
  });
}

CONFORMANCE_TEST(Thread, ManyMeetAKernelThatIsNotCompiledYet) {
  const auto kernel = kernels::fresh_increment();
  on_threads(16, [&](uint32_t) {
    auto buffer = device.buffer<uint32_t>(100).value();
    auto stream = device.stream();
    stream.launch(kernel, 100, buffer);
    ASSERT_OK(stream.wait());
    EXPECT_EQ(read(device, buffer), Words(100, 1));
  });
}

CONFORMANCE_TEST(Thread, ManyReadOneBuffer) {
  const auto source = device.upload(pattern(10'000)).value();
  on_threads(16, [&](uint32_t) {
    auto mine = device.buffer<uint32_t>(10'000).value();
    auto stream = device.stream();
    for (int i = 0; i < 5; ++i) {
      stream.launch(kernels::copy(), 10'000, source, mine);
      ASSERT_OK(stream.wait());
      ASSERT_EQ(read(device, mine), pattern(10'000));
    }
  });
}

CONFORMANCE_TEST(Thread, ManyWriteTheirPartsOfOneBuffer) {
  const auto shared = device.buffer<uint32_t>(16 * 1024).value();
  on_threads(16, [&](uint32_t thread) {
    auto stream = device.stream();
    for (int i = 0; i < 10; ++i) stream.launch(kernels::increment(), 1024, shared.slice(1024 * thread, 1024));
    EXPECT_OK(stream.wait());
  });
  EXPECT_EQ(read(device, shared), Words(16 * 1024, 10));
}

CONFORMANCE_TEST(Thread, StreamIsHandedFromOneToTheNext) {
  auto buffer = device.buffer<uint32_t>(100).value();
  std::optional<collet::Stream> stream(device.stream());
  for (int i = 0; i < 20; ++i) {
    std::thread([&] { stream->launch(kernels::increment(), 100, buffer); }).join();
  }
  std::thread([&] { EXPECT_OK(stream->wait()); }).join();
  EXPECT_EQ(read(device, buffer), Words(100, 20));
}

CONFORMANCE_TEST(Thread, EventsPassFromOneToTheOther) {
  auto buffer = device.buffer<uint32_t>(5000).value();
  std::promise<collet::Event> made;
  std::thread producer([&] {
    auto stream = device.stream();
    for (int i = 0; i < 50; ++i) stream.launch(kernels::increment(), 5000, buffer);
    made.set_value(stream.record());
  });
  std::thread consumer([&] {
    auto stream = device.stream();
    stream.wait_for(made.get_future().get());
    for (int i = 0; i < 50; ++i) stream.launch(kernels::increment(), 5000, buffer);
    EXPECT_OK(stream.wait());
  });
  producer.join();
  consumer.join();
  EXPECT_EQ(read(device, buffer), Words(5000, 100));
}

CONFORMANCE_TEST(Thread, DeviceIsWaitedForWhileOthersWork) {
  std::atomic<bool> stop = false;
  std::thread waiter([&] {
    while (!stop) EXPECT_OK(device.wait());
  });
  on_threads(8, [&](uint32_t) {
    auto buffer = device.buffer<uint32_t>(1000).value();
    for (int round = 0; round < 5; ++round) {
      auto stream = device.stream();
      for (int i = 0; i < 10; ++i) stream.launch(kernels::increment(), 1000, buffer);
      ASSERT_OK(stream.wait());
    }
    EXPECT_EQ(read(device, buffer), Words(1000, 50));
  });
  stop = true;
  waiter.join();
}

CONFORMANCE_TEST(Thread, EveryOneOpensADeviceOfItsOwn) {
  on_threads(6, [&](uint32_t thread) {
    for (int round = 0; round < 2; ++round) {
      auto own = collet::Device::open(device.info().id()).value();
      auto buffer = own.buffer<uint32_t>(100).value();
      auto stream = own.stream();
      stream.launch(kernels::iota(), 100, buffer, thread);
      ASSERT_OK(stream.wait());
      EXPECT_EQ(read(own, buffer), counting(100, thread));
    }
  });
}

CONFORMANCE_TEST(Thread, ErrorsStayWithTheirStream) {
  on_threads(16, [&](uint32_t thread) {
    auto buffer = device.buffer<uint32_t>(100).value();
    auto stream = device.stream();
    for (uint32_t i = 0; i < 20; ++i) {
      stream.fill(buffer.slice(100, 1000 + thread), 1u);
      expect_error(stream.wait(), ErrorCode::invalid_argument, {std::to_string(1000 + thread)});
      stream.launch(kernels::increment(), 100, buffer);
      ASSERT_OK(stream.wait());
    }
    EXPECT_EQ(read(device, buffer), Words(100, 20));
  });
}

CONFORMANCE_TEST(Thread, StressRandomOperations) {
  const uint32_t operations = stress_operations();
  on_threads(16, [&](uint32_t thread) { Stress(device, 1000 + thread).run(operations); });
}

}  // namespace conformance
