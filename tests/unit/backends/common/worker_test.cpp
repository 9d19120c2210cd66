// A worker: in order, without blocking the caller, and through failures.

#include "backends/common/worker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace collet::backend::common {
namespace {

// What an executor saw, and what the test lets it do. Threads: thread-safe.
struct Script {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::uint32_t> issued;  // patterns of the fills, in order
  std::vector<std::string> labels;    // of dispatches
  std::uint64_t ended = ~std::uint64_t{0};
  std::optional<std::uint32_t> refused;  // the pattern that is refused
  std::optional<Error> lost;
  bool held = false;                     // issue() does not return
  std::optional<std::uint32_t> held_at;  // of this pattern only
  std::uint64_t looks = 0;               // calls of ended()
  bool begun = false, given_up = false;
  bool can_wait = false;                 // then wait() lets everything end
  std::vector<std::thread::id> waiting;  // who called wait()
  std::thread::id thread;

  void set(const auto& change) {
    {
      const std::lock_guard lock(mutex);
      change();
    }
    changed.notify_all();
  }
  std::vector<std::uint32_t> seen() {
    const std::lock_guard lock(mutex);
    return issued;
  }
  void wait_for_issues(std::size_t count) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return issued.size() >= count; });
  }
};

class Scripted final : public Executor {
 public:
  explicit Scripted(Script& script) : script_(script) {}

  Result<void> begin() override {
    script_.set([&] { script_.begun = true; });
    script_.thread = std::this_thread::get_id();
    return {};
  }
  void end() override { script_.given_up = true; }

  Result<void> issue(std::span<const Command> commands) override {
    std::unique_lock lock(script_.mutex);
    if (!script_.can_wait) {
      EXPECT_EQ(std::this_thread::get_id(), script_.thread);
    }
    for (const Command& command : commands) {
      if (const auto* fill = std::get_if<Fill>(&command.what)) script_.issued.push_back(fill->pattern);
      if (const auto* dispatch = std::get_if<Dispatch>(&command.what)) {
        EXPECT_EQ(dispatch->slices.size(), 2u);
        EXPECT_EQ(dispatch->slices[1].offset, 32u);
        EXPECT_EQ(dispatch->constants[2], std::byte{3});
        script_.labels.emplace_back(dispatch->label);
      }
    }
    script_.changed.notify_all();
    const std::uint32_t last = script_.issued.empty() ? 0 : script_.issued.back();
    script_.changed.wait(lock, [&] { return !script_.held && script_.held_at != last; });
    if (script_.refused == last)
      return Error(ErrorCode::internal, Category::launch, "The driver refuses it.");
    ++count_;
    return {};
  }
  Result<std::uint64_t> ended() override {
    const std::lock_guard lock(script_.mutex);
    ++script_.looks;
    script_.changed.notify_all();
    if (script_.lost) return *script_.lost;
    return std::min(count_, script_.ended);
  }
  bool can_wait() const override {
    const std::lock_guard lock(script_.mutex);
    return script_.can_wait;
  }
  void wait() override {
    script_.set([&] {
      script_.waiting.push_back(std::this_thread::get_id());
      script_.ended = ~std::uint64_t{0};
    });
  }

 private:
  Script& script_;
  std::uint64_t count_ = 0;
};

class WorkerTest : public testing::Test {
 protected:
  void SetUp() override {
    auto made = Worker::start("test", std::make_unique<Scripted>(script));
    ASSERT_TRUE(made) << made.error().message();
    worker = *std::move(made);
  }

  // A worker ends when everything has.
  void TearDown() override {
    script.set([&] {
      script.ended = ~std::uint64_t{0};
      script.held = false;
      script.held_at.reset();
    });
  }

  Timeline timeline() { return *worker->create_timeline(); }
  Result<void> fill(std::uint32_t pattern, Point signal, std::vector<Point> waits = {}) {
    const Command command{Fill{.to = {}, .pattern = pattern}};
    return worker->submit({.waits = waits, .commands = {&command, 1}, .signal = signal});
  }
  Result<void> wait(Point point, Deadline deadline = Deadline::in(std::chrono::seconds(60))) {
    return worker->wait_timelines({&point, 1}, WaitFor::all, deadline);
  }

  Script script;
  std::unique_ptr<Worker> worker;
};

TEST_F(WorkerTest, RunsInOrderOnOneThread) {
  const Timeline a = timeline();
  const Timeline b = timeline();
  for (std::uint32_t i = 1; i <= 100; ++i) ASSERT_TRUE(fill(i, {i % 2 == 0 ? a : b, i}));
  EXPECT_TRUE(wait({a, 100}));
  EXPECT_TRUE(wait({b, 99}));
  std::vector<std::uint32_t> expected(100);
  for (std::uint32_t i = 0; i < 100; ++i) expected[i] = i + 1;
  EXPECT_EQ(script.seen(), expected);
  EXPECT_EQ(*worker->query_timeline(a), 100u);
  EXPECT_NE(script.thread, std::this_thread::get_id());
  worker->destroy_timeline(a);
  worker->destroy_timeline(b);
  worker.reset();
  EXPECT_TRUE(script.given_up);
}

TEST_F(WorkerTest, SubmitDoesNotBlockWhileTheDriverDoes) {
  const Timeline a = timeline();
  script.set([&] { script.held = true; });
  ASSERT_TRUE(fill(1, {a, 1}));
  script.wait_for_issues(1);
  for (std::uint32_t i = 2; i < 50; ++i) ASSERT_TRUE(fill(i, {a, i}));
  EXPECT_EQ(*worker->query_timeline(a), 0u);
  const auto late = wait({a, 1}, Deadline::in(std::chrono::milliseconds(5)));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code(), ErrorCode::timeout);
  EXPECT_EQ(late.error().message(),
            "The deadline passed with 0 of 1 timelines reached; one stands at 0 of 1.");
  script.set([&] { script.held = false; });
  EXPECT_TRUE(wait({a, 49}));
  worker->destroy_timeline(a);
}

TEST_F(WorkerTest, TheDriverHasSixtyFourSubmissionsAtATime) {
  script.set([&] { script.ended = 0; });
  const Timeline a = timeline();
  for (std::uint32_t i = 1; i <= 100; ++i) ASSERT_TRUE(fill(i, {a, i}));
  script.wait_for_issues(64);
  {
    std::unique_lock lock(script.mutex);
    const std::uint64_t before = script.looks;
    script.changed.wait(lock, [&] { return script.looks >= before + 5; });
    EXPECT_EQ(script.issued.size(), 64u);
    script.ended = 1;
  }
  script.wait_for_issues(65);
  script.set([&] { script.ended = ~std::uint64_t{0}; });
  EXPECT_TRUE(wait({a, 100}));
  EXPECT_EQ(script.seen().size(), 100u);
  worker->destroy_timeline(a);
}

TEST_F(WorkerTest, CopiesWhatSpansPointAt) {
  const Timeline a = timeline();
  script.set([&] { script.held = true; });
  {
    std::string label = "a label that is too long to stand inside of a string";
    std::vector<Slice> slices{{}, {.memory = {}, .offset = 32, .size = 4}};
    std::vector<std::byte> constants{std::byte{1}, std::byte{2}, std::byte{3}};
    const std::vector<Command> commands{
        {Dispatch{.kernel = {}, .slices = slices, .constants = constants, .label = label}},
        {Fill{.to = {}, .pattern = 7}},
        {Dispatch{.kernel = {}, .slices = slices, .constants = constants, .label = "second"}}};
    ASSERT_TRUE(fill(1, {a, 1}));
    ASSERT_TRUE(worker->submit({.waits = {}, .commands = commands, .signal = {a, 2}}));
    std::ranges::fill(label, '?');
    std::ranges::fill(slices, Slice{});
    std::ranges::fill(constants, std::byte{0});
  }
  script.set([&] { script.held = false; });
  EXPECT_TRUE(wait({a, 2}));
  EXPECT_EQ(script.labels,
            (std::vector<std::string>{"a label that is too long to stand inside of a string", "second"}));
  worker->destroy_timeline(a);
}

TEST_F(WorkerTest, PublishesWhatHasEndedAndNoMore) {
  const Timeline a = timeline();
  script.set([&] { script.ended = 0; });
  ASSERT_TRUE(fill(1, {a, 5}));
  ASSERT_TRUE(fill(2, {a, 6}));
  script.wait_for_issues(2);  // the second was issued while the first ran
  EXPECT_EQ(*worker->query_timeline(a), 0u);
  script.set([&] { script.ended = 1; });
  EXPECT_TRUE(wait({a, 5}));
  EXPECT_EQ(*worker->query_timeline(a), 5u);
  script.set([&] { script.ended = 2; });
  EXPECT_TRUE(wait({a, 6}));
  worker->destroy_timeline(a);
}

TEST_F(WorkerTest, ATimelineFailsWhenWhatRanBeforeHasEnded) {
  const Timeline a = timeline();
  const Timeline b = timeline();
  const Timeline c = timeline();
  script.set([&] {
    script.ended = 0;
    script.refused = 2;
  });
  ASSERT_TRUE(fill(1, {a, 1}));
  script.wait_for_issues(1);
  script.set([&] { script.held = true; });
  ASSERT_TRUE(fill(2, {a, 2}));
  script.wait_for_issues(2);
  ASSERT_TRUE(fill(3, {a, 3}));            // of the timeline that will fail
  ASSERT_TRUE(fill(4, {b, 1}, {{a, 2}}));  // waits for it
  ASSERT_TRUE(fill(5, {c, 1}));            // has nothing to do with it
  script.set([&] { script.held = false; });
  script.wait_for_issues(3);
  EXPECT_TRUE(worker->query_timeline(a)) << "the first still runs";
  script.set([&] { script.ended = 2; });
  EXPECT_EQ(wait({a, 3}).error().message(), "The driver refuses it.");
  EXPECT_EQ(wait({b, 1}).error().message(), "The driver refuses it.");
  EXPECT_TRUE(wait({c, 1}));
  EXPECT_EQ(script.seen(), (std::vector<std::uint32_t>{1, 2, 5}));
  EXPECT_EQ(fill(6, {a, 4}).error().message(), "The driver refuses it.");
  EXPECT_EQ(fill(7, {c, 2}, {{b, 1}}).error().message(), "The driver refuses it.");
  script.set([&] { script.ended = 3; });
  EXPECT_TRUE(fill(8, {c, 3}));
  EXPECT_TRUE(wait({c, 3}));
  for (const Timeline one : {a, b, c}) worker->destroy_timeline(one);
}

// What is queued behind it must not look at it again.
TEST_F(WorkerTest, ATimelineThatFailedMayGoAtOnce) {
  const Timeline a = timeline();
  const Timeline b = timeline();
  const Timeline c = timeline();
  script.set([&] {
    script.held = true;
    script.held_at = 3;
    script.refused = 2;
  });
  ASSERT_TRUE(fill(2, {a, 1}));
  script.wait_for_issues(1);
  ASSERT_TRUE(fill(3, {c, 1}));
  ASSERT_TRUE(fill(4, {a, 2}));
  ASSERT_TRUE(fill(5, {b, 1}, {{a, 1}}));
  script.set([&] { script.held = false; });
  EXPECT_FALSE(wait({a, 1}));
  worker->destroy_timeline(a);
  script.set([&] { script.held_at.reset(); });
  EXPECT_TRUE(wait({c, 1}));
  EXPECT_EQ(wait({b, 1}).error().message(), "The driver refuses it.");
  EXPECT_EQ(script.seen(), (std::vector<std::uint32_t>{2, 3}));
  worker->destroy_timeline(b);
  worker->destroy_timeline(c);
}

TEST_F(WorkerTest, ALostDeviceFailsEverything) {
  const Timeline a = timeline();
  const Timeline b = timeline();
  script.set([&] { script.ended = 0; });
  ASSERT_TRUE(fill(1, {a, 1}));
  script.wait_for_issues(1);
  script.set([&] { script.held = true; });
  ASSERT_TRUE(fill(2, {a, 2}));
  script.wait_for_issues(2);
  ASSERT_TRUE(fill(3, {b, 1}, {{a, 2}}));
  script.set([&] {
    script.lost = Error(ErrorCode::device_lost, Category::device, "It fell off.");
    script.held = false;
  });
  EXPECT_EQ(wait({a, 1}).error().message(), "It fell off.");
  EXPECT_EQ(wait({b, 1}).error().code(), ErrorCode::device_lost);
  EXPECT_EQ(fill(4, {b, 2}).error().code(), ErrorCode::device_lost);
  EXPECT_EQ(script.seen(), (std::vector<std::uint32_t>{1, 2}));
  worker->destroy_timeline(a);
  worker->destroy_timeline(b);
}

TEST_F(WorkerTest, ATimelineThatIsReachedMayGoBeforeWhoWaitedForIt) {
  const Timeline a = timeline();
  const Timeline b = timeline();
  ASSERT_TRUE(fill(1, {a, 1}));
  ASSERT_TRUE(wait({a, 1}));
  script.set([&] { script.held = true; });
  ASSERT_TRUE(fill(2, {b, 1}));
  script.wait_for_issues(2);
  ASSERT_TRUE(fill(3, {b, 2}, {{a, 1}}));
  worker->destroy_timeline(a);
  script.set([&] { script.held = false; });
  EXPECT_TRUE(wait({b, 2}));
  worker->destroy_timeline(b);
}

TEST_F(WorkerTest, WaitsForOneOfSeveral) {
  const Timeline a = timeline();
  const Timeline b = timeline();
  ASSERT_TRUE(fill(1, {b, 1}));
  const std::array points{Point{a, 1}, Point{b, 1}};
  EXPECT_TRUE(worker->wait_timelines(points, WaitFor::any, kForever));
  const auto all = worker->wait_timelines(points, WaitFor::all, Deadline::in(std::chrono::milliseconds(1)));
  EXPECT_EQ(all.error().message(),
            "The deadline passed with 1 of 2 timelines reached; one stands at 0 of 1.");
  worker->destroy_timeline(a);
  worker->destroy_timeline(b);
}

// The worker polls meanwhile, and gives way.
TEST_F(WorkerTest, WhoWaitsForAllDoesTheWaitingInTheDriver) {
  script.set([&] {
    script.can_wait = true;
    script.ended = 0;
  });
  const Timeline a = timeline();
  ASSERT_TRUE(fill(1, {a, 1}));
  ASSERT_TRUE(fill(2, {a, 2}));
  EXPECT_TRUE(wait({a, 2}, kForever));
  EXPECT_EQ(script.waiting, std::vector{std::this_thread::get_id()});
  EXPECT_EQ(script.seen(), (std::vector<std::uint32_t>{1, 2}));
  // And the worker goes on.
  ASSERT_TRUE(fill(3, {a, 3}));
  while (*worker->query_timeline(a) != 3) std::this_thread::yield();
  worker->destroy_timeline(a);
}

// The driver's wait has no deadline, and ends with the last that was submitted.
TEST_F(WorkerTest, NobodyElseWaitsInTheDriver) {
  script.set([&] {
    script.can_wait = true;
    script.ended = 1;
  });
  const Timeline a = timeline();
  const Timeline b = timeline();
  ASSERT_TRUE(fill(1, {a, 1}));
  ASSERT_TRUE(fill(2, {a, 2}));
  EXPECT_TRUE(wait({a, 1}, kForever));
  EXPECT_EQ(wait({a, 2}, Deadline::in(std::chrono::milliseconds(1))).error().code(), ErrorCode::timeout);
  ASSERT_TRUE(fill(3, {b, 1}));
  const std::array points{Point{a, 1}, Point{b, 1}};
  EXPECT_TRUE(worker->wait_timelines(points, WaitFor::any, kForever));
  EXPECT_TRUE(script.waiting.empty());
  script.set([&] { script.ended = ~std::uint64_t{0}; });
  EXPECT_TRUE(wait({b, 1}));
  worker->destroy_timeline(a);
  worker->destroy_timeline(b);
}

TEST_F(WorkerTest, AFailureReachesWhoWaitsInTheDriver) {
  script.set([&] {
    script.can_wait = true;
    script.refused = 2;
  });
  const Timeline a = timeline();
  ASSERT_TRUE(fill(1, {a, 1}));
  ASSERT_TRUE(fill(2, {a, 2}));
  EXPECT_EQ(wait({a, 2}, kForever).error().message(), "The driver refuses it.");
  worker->destroy_timeline(a);
}

TEST_F(WorkerTest, ThreadsLendThemselvesSideBySide) {
  script.set([&] { script.can_wait = true; });
  constexpr std::uint32_t kEach = 500;
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const Timeline own = timeline();
      for (std::uint32_t i = 1; i <= kEach; ++i) {
        EXPECT_TRUE(fill(i, {own, i}));
        EXPECT_TRUE(i % 7 == 0 ? wait({own, i}) : wait({own, i}, kForever));
      }
      worker->destroy_timeline(own);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(script.seen().size(), 4 * kEach);
}

TEST_F(WorkerTest, ThreadsSubmitAndWaitSideBySide) {
  constexpr std::uint32_t kEach = 500;
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const Timeline own = timeline();
      for (std::uint32_t i = 1; i <= kEach; ++i) {
        EXPECT_TRUE(fill(t * kEach + i, {own, i}));
        if (i % 7 == 0) {
          EXPECT_TRUE(wait({own, i}));
        }
      }
      EXPECT_TRUE(wait({own, kEach}));
      worker->destroy_timeline(own);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(script.seen().size(), 4 * kEach);
}

// A context that can't be made current.
class Unwilling final : public Executor {
 public:
  Result<void> begin() override { return Error(ErrorCode::unavailable, Category::device, "No context."); }
  Result<void> issue(std::span<const Command>) override { return {}; }
  Result<std::uint64_t> ended() override { return 0; }
};

TEST(Worker, DoesNotStartWithoutItsContext) {
  const auto made = Worker::start("test", std::make_unique<Unwilling>());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message(), "No context.");
}

}  // namespace
}  // namespace collet::backend::common
