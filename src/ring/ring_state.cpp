// A ring's service thread, and waiting for it.

#include "ring/ring_state.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>

#include "core/buffer_state.hpp"
#include "core/device_state.hpp"
#include "platform/pause.hpp"
#include "platform/platform.hpp"

namespace collet::detail {
namespace {

using namespace std::chrono_literals;

// Looks at a slot before a waiting thread gives its core away: some tens of microseconds.
constexpr int kSpins = 3'000;
constexpr int kYields = 8;
// A kernel can't wake who waits, so the waiting thread looks again after a while.
constexpr std::int64_t kFirstNap = 50'000, kLongestNap = 1'000'000;  // ns
// How long a windowed kernel stays.
constexpr auto kWindow = 5ms;
// Rounds without a message until a live kernel leaves.
constexpr std::uint32_t kLinger = 2'000;

void add(std::uint32_t& futex, std::uint32_t waiting) {
  std::atomic_ref<std::uint32_t>(futex).fetch_add(1, std::memory_order_seq_cst);
  if (waiting != 0) platform::futex_wake(&futex, waiting);
}

ring::SlotMemory memory_of(const RingPlan& plan, std::vector<std::uint32_t>& control,
                           std::vector<std::byte>& messages, std::vector<std::byte>& replies) {
  ring::SlotMemory memory{.control = nullptr,
                          .messages = nullptr,
                          .replies = nullptr,
                          .shift = plan.shift,
                          .message_bytes = plan.message_bytes,
                          .reply_bytes = plan.reply_bytes};
  if (plan.mode == RingMode::relaunch) {
    const std::size_t slots = std::size_t{1} << plan.shift;
    control.resize(ring::kStates + slots);
    messages.resize(slots * plan.message_bytes);
    replies.resize(slots * plan.reply_bytes);
    memory.control = control.data();
    memory.messages = messages.data();
    memory.replies = replies.data();
  } else {
    memory.control = reinterpret_cast<std::uint32_t*>(plan.control->block.host);
    memory.messages = plan.messages->block.host;
    memory.replies = plan.replies->block.host;
  }
  return memory;
}

std::string figures(std::uint64_t handled, std::uint64_t sent) {
  return std::to_string(handled) + " of " + std::to_string(sent) + " messages were handled";
}

}  // namespace

RingState::RingState(const Device& on, RingPlan made, RingDriver driver)
    : plan(std::move(made)),
      device_(on),
      driver_(std::move(driver)),
      slots_(memory_of(plan, control_copy_, message_copy_, reply_copy_)),
      stream_(device_.stream({.label = plan.options.label})),
      listened_(plan.reply_bytes),
      listener_("[Ring \"" + plan.kernel + "\"]", [this](std::uint32_t number) -> Result<const std::byte*> {
        COLLET_CHECK(take(number, listened_.data(), kForever));
        return listened_.data();
      }) {}

RingState::~RingState() {
  abandon();
  if (thread_.joinable()) thread_.join();
  listener_.stop();
}

Result<void> RingState::start() {
  COLLET_TRY(thread, platform::start_thread("collet-ring", [this] { serve(); }));
  thread_ = std::move(thread);
  return {};
}

bool RingState::has_ended() const { return failed_.load() || over_.load() || is_beyond_reach(); }
bool RingState::is_beyond_reach() const { return device_.state()->is_abandoned(); }

// --- The service ----------------------------------------------------------------------------------------

bool RingState::has_work() const { return !paused_.load() && slots_.waits(next_); }
// Reads closing_ before the slots: what was sent before close() is handled.
bool RingState::is_ending() const {
  return failed_.load() || abandoned_.load() || (closing_.load() && !has_work());
}

void RingState::serve() {
  while (!is_ending()) {
    if (!has_work()) {
      park();
    } else if (plan.mode == RingMode::relaunch) {
      run_batch();
    } else {
      run_live();
    }
  }
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  add(ended_, sleepers_.load());
}

// A sender looks at parked_ behind what it has sent, and the service at what was sent behind parked_: one of
// them sees the other.
void RingState::park() {
  const std::uint32_t seen = std::atomic_ref(wake_).load();
  parked_.fetch_add(1);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!has_work() && !is_ending() && !closing_.load()) platform::futex_wait(&wake_, seen, -1);
  parked_.fetch_sub(1);
}

void RingState::wake_parked() { add(wake_, 2); }

void RingState::ask_to_leave() {
  if (plan.mode != RingMode::relaunch) slots_.word(ring::kLeave).store(1);
  wake_parked();
}

void RingState::run_live() {
  auto leave = slots_.word(ring::kLeave);
  leave.store(0);
  if (paused_.load() || is_ending()) return;  // whoever sets these asks to leave behind it
  driver_.launch(stream_, {.first = next_, .most = plan.rounds, .shift = plan.shift, .linger = kLinger});
  auto done = stream_.wait(plan.mode == RingMode::windowed ? Deadline::in(kWindow) : kForever);
  if (!done && done.error().code() == ErrorCode::timeout) {
    leave.store(1);
    done = stream_.wait();
  }
  ended(done);
}

// All that is there goes to the device at once, in one or two pieces, and comes back after the launch.
void RingState::run_batch() {
  const std::uint32_t capacity = 1u << plan.shift;
  std::uint32_t count = 0;
  while (count < capacity && slots_.waits(next_ + count)) ++count;
  const auto pieces = [&](const auto& piece) {
    const std::uint32_t first = slots_.slot_of(next_);
    const std::uint32_t head = std::min(count, capacity - first);
    piece(first, head);
    if (head != count) piece(0, count - head);
  };
  std::vector<std::uint32_t> states(capacity);
  for (std::uint32_t i = 0; i < count; ++i)
    states[slots_.slot_of(next_ + i)] = slots_.state(next_ + i).load(std::memory_order_acquire);
  pieces([&](std::uint32_t slot, std::uint32_t many) {
    driver_.upload_messages(stream_, slot, many,
                            slots_.memory().messages + std::size_t{slot} * plan.message_bytes);
    driver_.upload_control(stream_, ring::kStates + slot, many, &states[slot]);
  });
  driver_.launch(stream_, {.first = next_, .most = count, .shift = plan.shift, .linger = 0});
  std::vector<std::byte> replies(std::size_t{capacity} * plan.reply_bytes);
  std::array<std::uint32_t, 2> words{};  // kNext and kFailed
  const auto download = [&] {
    pieces([&](std::uint32_t slot, std::uint32_t many) {
      driver_.download_replies(stream_, slot, many, &replies[std::size_t{slot} * plan.reply_bytes]);
      driver_.download_control(stream_, ring::kStates + slot, many, &states[slot]);
    });
    driver_.download_control(stream_, ring::kNext, 2, words.data());
    return stream_.wait();
  };
  const auto done = download();
  // Where a handler failed, what stood behind the launch may have been left out.
  if (done || (done.error().code() == ErrorCode::kernel_failed && download())) {
    const std::uint32_t handled = std::min(words[0] - next_, count);
    for (std::uint32_t i = 0; i < handled; ++i) {
      const std::uint32_t slot = slots_.slot_of(next_ + i);
      std::memcpy(slots_.memory().replies + std::size_t{slot} * plan.reply_bytes,
                  &replies[std::size_t{slot} * plan.reply_bytes], plan.reply_bytes);
      slots_.state(next_ + i).store(states[slot], std::memory_order_release);
    }
    slots_.word(ring::kFailed).store(words[1]);
    slots_.word(ring::kNext).store(next_ + handled);
  }
  ended(done);
}

void RingState::ended(const Result<Receipt>& result) {
  launches_.fetch_add(1, std::memory_order_relaxed);
  next_ = slots_.word(ring::kNext).load();
  const std::uint32_t failures = slots_.word(ring::kFailed).load();
  if (!result) {
    if (result.error().cause() == Cause::assertion_failed && failures != failures_seen_) {
      const std::lock_guard lock(mutex_);
      std::erase_if(failures_, [&](const auto& one) { return next_ - one.first > 1u << plan.shift; });
      failures_.insert_or_assign(next_ - 1, result.error());
    } else {
      fail(result.error());
    }
    changed_.notify_all();
  }
  failures_seen_ = failures;
  add(ended_, sleepers_.load());
}

void RingState::fail(const Error& error) {
  const std::lock_guard lock(mutex_);
  failure_ =
      error.during("running [Ring \"" + plan.kernel + "\"], when " + figures(handled(), slots_.sent()));
  failed_ = true;
}

// --- Messages -------------------------------------------------------------------------------------------

std::uint64_t RingState::handled() const {
  const std::uint64_t sent = slots_.sent();
  return sent - (static_cast<std::uint32_t>(sent) - slots_.word(ring::kNext).load(std::memory_order_acquire));
}

Error RingState::failure() const {
  if (auto usable = device_.state()->usable(); !usable) return usable.error();
  const std::lock_guard lock(mutex_);
  if (failure_) return *failure_;
  return Error(ErrorCode::invalid_argument, Category::runtime,
               "[Ring \"" + plan.kernel + "\"] is closed: " + figures(handled(), slots_.sent()) + ".");
}

Result<void> RingState::open_for_messages() const {
  COLLET_CHECK(device_.state()->usable());
  if (failed_.load(std::memory_order_relaxed) || closing_.load(std::memory_order_relaxed)) [[unlikely]]
    return failure();
  return {};
}

Result<bool> RingState::try_send(const void* message, ring::Wanted wanted, std::uint32_t& number) {
  COLLET_CHECK(open_for_messages());
  if (!slots_.try_send(message, wanted, number)) return false;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (parked_.load(std::memory_order_relaxed) != 0) wake_parked();
  return true;
}

template <class Ready>
bool RingState::wait_until(const Ready& ready, Deadline deadline) {
  for (int i = 0; i < kSpins; ++i) {
    if (ready()) return true;
    if (failed_.load(std::memory_order_relaxed) || over_.load(std::memory_order_relaxed)) return ready();
    if ((i & 255) == 255 && deadline.passed()) return false;
    platform::relax();
  }
  for (int i = 0; i < kYields; ++i) {
    std::this_thread::yield();
    if (ready()) return true;
  }
  sleepers_.fetch_add(1);
  bool found = false;
  for (std::int64_t nap = kFirstNap;; nap = std::min(nap + nap / 4, kLongestNap)) {
    const std::uint32_t seen = std::atomic_ref(ended_).load();
    found = ready();
    if (found || deadline.passed()) break;
    if (has_ended()) {
      found = ready();
      break;
    }
    std::int64_t most = nap;
    if (!deadline.forever())
      most = std::clamp<std::int64_t>(
          std::chrono::duration_cast<std::chrono::nanoseconds>(deadline.left()).count(), 1, nap);
    platform::futex_wait(&ended_, seen, most);
  }
  sleepers_.fetch_sub(1);
  return found;
}

Error RingState::not_in_time(const std::string& doing) const {
  return Error(ErrorCode::timeout, Category::synchronisation,
               "The deadline passed while " + doing + " [Ring \"" + plan.kernel + "\"]; " +
                   figures(handled(), slots_.sent()) + ".");
}

void RingState::reap() {
  const std::lock_guard lock(mutex_);
  if (given_up_.empty()) return;
  std::vector<std::byte> reply(plan.reply_bytes);
  std::erase_if(given_up_, [&](std::uint32_t number) {
    return slots_.try_take(number, reply.data()) != ring::Outcome::waiting;
  });
}

Result<std::uint32_t> RingState::send(const void* message, ring::Wanted wanted, Deadline deadline) {
  std::uint32_t number = 0;
  COLLET_TRY(sent, try_send(message, wanted, number));
  if (sent) return number;
  Result<bool> now = false;
  wait_until(
      [&] {
        reap();
        now = try_send(message, wanted, number);
        return !now || *now;
      },
      deadline);
  if (!now) return now.error();
  if (*now) return number;
  COLLET_CHECK(open_for_messages());
  return not_in_time("all " + std::to_string(1u << plan.shift) + " slots were taken of");
}

Error RingState::failure_of(std::uint32_t number, Deadline deadline) {
  std::unique_lock lock(mutex_);
  const auto told = [&] { return failures_.contains(number) || failure_ || over_.load(); };
  if (deadline.forever())
    changed_.wait(lock, told);
  else
    changed_.wait_until(lock, deadline.at(), told);
  if (const auto found = failures_.find(number); found != failures_.end()) {
    const Error error = found->second;
    failures_.erase(found);
    return error;
  }
  return Error(ErrorCode::kernel_failed, Category::runtime, Cause::assertion_failed,
               "The handler of message " + std::to_string(number) + " of [Ring \"" + plan.kernel +
                   "\"] failed; what it said is not known.");
}

Result<void> RingState::take(std::uint32_t number, void* reply, Deadline deadline) {
  ring::Outcome outcome = ring::Outcome::waiting;
  wait_until([&] { return (outcome = slots_.try_take(number, reply)) != ring::Outcome::waiting; }, deadline);
  switch (outcome) {
    case ring::Outcome::replied: return {};
    case ring::Outcome::failed: return failure_of(number, deadline);
    case ring::Outcome::no_reply:
      return Error(ErrorCode::invalid_argument, Category::runtime,
                   "The handler of [Ring \"" + plan.kernel + "\"] sent no reply.");
    case ring::Outcome::waiting: break;
  }
  if (has_ended()) return failure();
  {
    const std::lock_guard lock(mutex_);
    given_up_.push_back(number);
  }
  return not_in_time("waiting for a reply of");
}

// Numbers of messages rise without end: those that are on their way differ by less than 2^32.
Result<void> RingState::call_later(const void* message, RingCall call, Deadline deadline) {
  COLLET_CHECK(listener_.start());
  COLLET_TRY(number, send(message, ring::Wanted::own_reply, deadline));
  const std::uint64_t sent = slots_.sent();
  listener_.listen(sent - (static_cast<std::uint32_t>(sent) - number), std::move(call));
  return {};
}

Result<bool> RingState::try_receive(void* reply) {
  std::uint32_t number = 0;
  switch (slots_.try_receive(reply, number)) {
    case ring::Slots::Received::replied: return true;
    case ring::Slots::Received::failed: return failure_of(number, kForever);
    case ring::Slots::Received::nothing_sent:
    case ring::Slots::Received::waiting: break;
  }
  if (has_ended()) return failure();
  return false;
}

Result<void> RingState::receive(void* reply, Deadline deadline) {
  using enum ring::Slots::Received;
  auto found = waiting;
  std::uint32_t number = 0;
  wait_until([&] { return (found = slots_.try_receive(reply, number)) != waiting; }, deadline);
  switch (found) {
    case replied: return {};
    case failed: return failure_of(number, deadline);
    case nothing_sent:
      if (has_ended()) return failure();
      return Error(ErrorCode::invalid_argument, Category::runtime,
                   "No message whose reply receive() gives is on its way in [Ring \"" + plan.kernel + "\"].");
    case waiting: break;
  }
  if (has_ended()) return failure();
  return not_in_time("waiting for a reply of");
}

Result<bool> RingState::receive_soon(void* reply) {
  using enum ring::Slots::Received;
  constexpr auto kSoon = 50ms;
  auto found = nothing_sent;
  std::uint32_t number = 0;
  const std::uint32_t seen = std::atomic_ref(wake_).load();
  wait_until([&] { return (found = slots_.try_receive(reply, number)) != waiting; }, Deadline::in(kSoon));
  switch (found) {
    case replied: return true;
    case failed: return failure_of(number, kForever);
    case nothing_sent:
    case waiting: break;
  }
  if (has_ended()) return failure();
  if (found == waiting) return false;
  parked_.fetch_add(1);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (slots_.nothing_sent()) platform::futex_wait(&wake_, seen, std::chrono::nanoseconds(kSoon).count());
  parked_.fetch_sub(1);
  return false;
}

void RingState::wake_receiver() { wake_parked(); }

// --- The end --------------------------------------------------------------------------------------------

void RingState::pause(bool paused) {
  paused_.store(paused);
  ask_to_leave();
}

RingStats RingState::stats() const {
  const std::uint64_t sent = slots_.sent();
  const std::uint64_t done = std::min(handled(), sent);
  return {.active = !closing_.load() && !failed_.load(),
          .paused = paused_.load(),
          .sent = sent,
          .processed = done,
          .errors = slots_.word(ring::kFailed).load(),
          .launches = launches_.load(),
          .waiting = static_cast<std::uint32_t>(sent - done)};
}

Result<RingStats> RingState::close(Deadline deadline) {
  paused_ = false;  // before closing_: a service that sees the end handles what was sent
  closing_ = true;
  ask_to_leave();
  {
    std::unique_lock lock(mutex_);
    const auto over = [&] { return over_.load(); };
    if (deadline.forever()) {
      changed_.wait(lock, over);
    } else if (!changed_.wait_until(lock, deadline.at(), over)) {
      lock.unlock();
      const Error late = not_in_time("closing");
      abandon();
      return late;
    }
    if (failure_) return *failure_;
  }
  return stats();
}

void RingState::abandon() {
  closing_ = true;
  abandoned_ = true;
  ask_to_leave();
}

}  // namespace collet::detail
