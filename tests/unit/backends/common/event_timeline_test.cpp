// Timelines of single events: in order, through failures, and without a wait where nobody asked for one.

#include "backends/common/event_timeline.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

namespace collet::backend::common {
namespace {

// Events that end when the test says so. Threads: thread-safe.
class MadeUp final : public Events {
 public:
  struct Event {
    std::optional<Error> error;
    bool ended = false;
    int references = 1;
    std::uint64_t time = 0;
  };

  NativeEvent make() {
    const std::lock_guard lock(mutex_);
    return &all_.emplace_back();
  }
  void end(NativeEvent event, std::uint64_t time = 0) {
    const std::lock_guard lock(mutex_);
    of(event).ended = true;
    of(event).time = time;
  }
  void fail(NativeEvent event, ErrorCode code = ErrorCode::internal) {
    const std::lock_guard lock(mutex_);
    of(event).error = Error(code, Category::runtime, "It ended badly.");
  }
  int references() {
    const std::lock_guard lock(mutex_);
    int sum = 0;
    for (const Event& event : all_) sum += event.references;
    return sum;
  }

  Result<bool> ended(NativeEvent event) override {
    const std::lock_guard lock(mutex_);
    EXPECT_GT(of(event).references, 0);
    if (of(event).error) return *of(event).error;
    return of(event).ended;
  }
  bool wait(NativeEvent event) override {
    ++waits;
    for (;;) {
      const auto done = ended(event);
      if (!done || *done) return done.has_value();
      std::this_thread::yield();
    }
  }
  Result<void> retain(NativeEvent event) override {
    const std::lock_guard lock(mutex_);
    ++of(event).references;
    return {};
  }
  void release(NativeEvent event) override {
    const std::lock_guard lock(mutex_);
    --of(event).references;
  }
  std::uint64_t time(NativeEvent event) override { return of(event).time; }

  std::atomic<int> waits{0};

 private:
  static Event& of(NativeEvent event) { return *static_cast<Event*>(event); }

  std::mutex mutex_;
  std::deque<Event> all_;
};

class EventTimelines : public testing::Test {
 protected:
  NativeEvent push(std::uint64_t value, std::uint64_t queue = 1) {
    const NativeEvent event = events.make();
    timeline->push(value, event, queue, none);
    return event;
  }
  void TearDown() override {
    timeline.reset();
    EXPECT_EQ(events.references(), 0) << "events were not given back";
  }

  MadeUp events;
  std::optional<EventTimeline> timeline{std::in_place, events};
  std::vector<Stamp> none;
};

TEST_F(EventTimelines, ValuesAreReachedInOrder) {
  const NativeEvent first = push(1);
  const NativeEvent second = push(2);
  EXPECT_EQ(timeline->poll().value(), 0u);
  events.end(second);
  EXPECT_EQ(timeline->poll().value(), 0u) << "the first has not ended";
  events.end(first);
  EXPECT_EQ(timeline->poll().value(), 2u);
  EXPECT_TRUE(timeline->wait(2, false));
  EXPECT_EQ(events.waits, 0);
}

TEST_F(EventTimelines, ManyAreKept) {
  std::vector<NativeEvent> all;
  for (std::uint64_t value = 1; value <= 1000; ++value) all.push_back(push(value));
  for (std::size_t i = 0; i < 500; ++i) events.end(all[i]);
  EXPECT_EQ(timeline->poll().value(), 500u);
  for (std::uint64_t value = 1001; value <= 1400; ++value) all.push_back(push(value));
  for (std::size_t i = 500; i < all.size(); ++i) events.end(all[i]);
  EXPECT_EQ(timeline->poll().value(), 1400u);
}

TEST_F(EventTimelines, AFailureIsToldWhenAllBehindItHaveEnded) {
  events.end(push(1));
  events.fail(push(2));
  const NativeEvent last = push(3);
  EXPECT_EQ(timeline->poll().value(), 1u);
  const auto closed = timeline->check_open();
  ASSERT_FALSE(closed);
  EXPECT_EQ(closed.error().message(), "It ended badly.");
  EXPECT_FALSE(timeline->event_for_queue(3, 2));
  events.end(last);
  const auto failed = timeline->poll();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message(), "It ended badly.");
  EXPECT_FALSE(timeline->poll()) << "it stays failed";
  EXPECT_FALSE(timeline->wait(2, false));
  EXPECT_EQ(events.waits, 0) << "nobody asked for a wait";
}

TEST_F(EventTimelines, AWaitComesBackWhenAllBehindAFailureHaveEnded) {
  events.fail(push(1));
  const NativeEvent last = push(2);
  std::atomic<bool> back{false};
  std::thread waiting([&] {
    EXPECT_FALSE(timeline->wait(1, true));
    back = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(back) << "the second still runs";
  events.end(last);
  waiting.join();
}

TEST_F(EventTimelines, ALostDeviceIsNotWaitedFor) {
  events.fail(push(1), ErrorCode::device_lost);
  push(2);
  const auto failed = timeline->poll();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code(), ErrorCode::device_lost);
}

TEST_F(EventTimelines, AHalfSubmissionFailsItWhenThatHasEnded) {
  events.end(push(1));
  const NativeEvent half = events.make();
  timeline->push_failed(2, half, 1, Error(ErrorCode::out_of_memory, Category::stream, "No room."));
  EXPECT_EQ(timeline->poll().value(), 1u);
  EXPECT_EQ(timeline->check_open().error().message(), "No room.");
  events.end(half);
  const auto failed = timeline->poll();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message(), "No room.");
}

TEST_F(EventTimelines, QueuesWaitForEventsOfOthersOnly) {
  const NativeEvent event = push(1, 7);
  EXPECT_EQ(timeline->event_for_queue(1, 7).value(), nullptr);
  const auto other = timeline->event_for_queue(1, 8);
  ASSERT_TRUE(other);
  EXPECT_EQ(*other, event);
  events.release(*other);
  events.end(event);
  EXPECT_EQ(timeline->poll().value(), 1u);
  EXPECT_EQ(timeline->event_for_queue(1, 8).value(), nullptr);
}

TEST_F(EventTimelines, StampsGetTheTimeOfTheirEvents) {
  std::uint64_t reached = 0, unreached = 0;
  const NativeEvent first = events.make(), second = events.make();
  events.end(first, 1234);
  std::vector<Stamp> stamps{{.event = first, .slot = &reached}};
  ASSERT_TRUE(events.retain(first));
  timeline->push(1, first, 1, stamps);
  EXPECT_TRUE(stamps.empty());
  stamps = {{.event = second, .slot = &unreached}};
  ASSERT_TRUE(events.retain(second));
  timeline->push(2, second, 1, stamps);
  EXPECT_EQ(timeline->poll().value(), 1u);
  EXPECT_EQ(reached, 1234u);
  EXPECT_EQ(unreached, 0u);
}

TEST_F(EventTimelines, ThreadsWaitWhileOthersPoll) {
  constexpr std::uint64_t kValues = 200;
  std::vector<NativeEvent> all;
  for (std::uint64_t value = 1; value <= kValues; ++value) all.push_back(push(value));
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t value = 1 + t; value <= kValues; value += 4)
        EXPECT_TRUE(timeline->wait(value, t % 2 == 0));
    });
  }
  for (const NativeEvent event : all) {
    events.end(event);
    EXPECT_TRUE(timeline->poll());
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace collet::backend::common
