// Traces the loop around a ring's handler; docs/ring_protocol.md describes it.

#include <functional>
#include <optional>
#include <utility>

#include "collet/control.hpp"
#include "collet/detail/ring_protocol.hpp"
#include "collet/detail/ring_trace.hpp"
#include "collet/functions.hpp"
#include "collet/memory.hpp"
#include "kernel/dsl/trace.hpp"

namespace collet::detail {
namespace {

using Word = Expr<std::uint32_t>;

// Looks at the next slot this often in one round of the loop, for drivers that count rounds.
constexpr int kLooksPerRound = 8;
// Not states of messages: those have 1, 2 or 3 in their lowest bits.
constexpr std::uint32_t kNothing = 0;
constexpr std::uint32_t kLeaveNow = ~0u << ring::kOutcomeShift;

constexpr std::uint32_t code(ring::Wanted wanted) { return static_cast<std::uint32_t>(wanted); }
constexpr std::uint32_t code(ring::Outcome outcome) {
  return static_cast<std::uint32_t>(outcome) << ring::kOutcomeShift;
}

// Atomic operations that order nothing.
Word load_alone(const InOut<std::uint32_t>& memory, const Word& at) {
  return Word(emit_at(ir::Op::atomic_load, {ir::Scalar::u32}, memory.memory(), 0, {index(at)}));
}
void store_alone(const InOut<std::uint32_t>& memory, const Word& at, const Word& value) {
  emit_at(ir::Op::atomic_store, {}, memory.memory(), 0, {index(at), value.traced()});
}
// Those that acquire and release what the host writes and reads.
void system_fence() { emit(ir::Op::fence, {}, {}, static_cast<std::uint64_t>(ir::Scope::system)); }
Word load_acquire(const InOut<std::uint32_t>& memory, const Word& at) {
  const Word found = load_alone(memory, at);
  system_fence();
  return found;
}
void store_release(const InOut<std::uint32_t>& memory, const Word& at, const Word& value) {
  system_fence();
  store_alone(memory, at, value);
}

// While it lives, `then` is traced inside the branch of each assertion.
class AssertionWatch {
 public:
  explicit AssertionWatch(std::function<void()> then) : trace_(Trace::current()) {
    if (trace_ != nullptr) trace_->watch_assertions(std::move(then));
  }
  ~AssertionWatch() {
    if (trace_ != nullptr) trace_->watch_assertions({});
  }
  AssertionWatch(const AssertionWatch&) = delete;
  AssertionWatch& operator=(const AssertionWatch&) = delete;

 private:
  Trace* const trace_;
};

// Threads: the trace's.
class RingTracer {
 public:
  RingTracer(const RingLoop& loop, const InOut<std::uint32_t>& control, const RingLaunch& launch,
             const std::function<void(RingRun&)>& handler)
      : loop_(loop), control_(control), launch_(launch), handler_(handler) {}

  void trace() {
    if (loop_.live)
      trace_live();
    else
      trace_batch();
  }

 private:
  bool alone() const { return loop_.group == 1; }

  // For the first item of the group.
  template <class Body>
  void lead(const Body& body) const {
    if (alone())
      body();
    else
      if_(local_id() == 0u, body);
  }

  Word slot_of(const Word& number) const { return number & ((Word(1u) << launch_.shift) - 1u); }
  Word lap_of(const Word& number) const { return (number >> launch_.shift) << ring::kLapShift; }

  // Runs the handler, and gives the word that says what became of the message.
  Word handle(const Word& number, const Word& state) {
    RingRun run(slot_of(number), alone());
    // Set where an assert_() of any item fails.
    std::optional<Var<std::uint32_t>> mine;
    std::optional<Shared<std::uint32_t>> ours;
    if (alone()) {
      mine.emplace(0u);
    } else {
      ours.emplace(shared<std::uint32_t>(1));
      lead([&] { (*ours)[0u] = 0u; });
      barrier();
    }
    {
      const AssertionWatch watch([&] {
        if (alone())
          *mine = 1u;
        else
          (void)atomic_or(*ours, 0u, 1u);
      });
      handler_(run);
    }
    if (!alone()) barrier();
    failed_.emplace((alone() ? Word(*mine) : Word(uniform((*ours)[0u]))) != 0u);
    const Word outcome = select(
        *failed_, Word(code(ring::Outcome::failed)),
        select(run.replied(), Word(code(ring::Outcome::replied)), Word(code(ring::Outcome::no_reply))));
    const Word wanted = state & 3u;
    return select(wanted == code(ring::Wanted::no_reply), lap_of(number) + ring::next_lap(0),
                  state | outcome);
  }

  // The messages are there, and whatever this launch writes is read when it has ended.
  void trace_batch() {
    Var<std::uint32_t> number = launch_.first;
    Var<std::uint32_t> left = launch_.most;
    while_([&] { return left != 0u; },
           [&] {
             const Word at = ring::kStates + slot_of(number);
             const Word state = Word(Var<std::uint32_t>(control_[at]));
             const Word done = handle(number, state);
             lead([&] { control_[at] = done; });
             number = number + 1u;
             left = left - 1u;
             leave_after_failure();
           });
    lead([&] { control_[ring::kNext] = number; });
  }

  // Of a failure there is one text for a launch: the host reads it before the next message is handled.
  void leave_after_failure() {
    if_(*failed_, [&] {
      lead([&] { control_[ring::kFailed] += 1u; });
      break_();
    });
  }

  Expr<bool> is_message(const Word& state, const Word& number) const {
    return (state ^ lap_of(number)) - 1u < 3u;
  }

  // Messages come while it runs. Every round all items do what the first one has seen: nothing, that the host
  // wants them to leave, or a message.
  void trace_live() {
    Var<std::uint32_t> number = launch_.first;
    Var<std::uint32_t> left = launch_.most;
    Var<std::uint32_t> idle = 0u;
    while_([&] { return left != 0u; },
           [&] {
             Var<std::uint32_t> found = 0u;
             lead([&] { look(number, found); });
             const Word seen = alone() ? Word(found) : Word(uniform(found));
             if_(seen == kLeaveNow, [] { break_(); });
             if_(seen != kNothing, [&] {
               const Word done = handle(number, seen);
               lead([&] { store_release(control_, ring::kStates + slot_of(number), done); });
               number = number + 1u;
               left = left - 1u;
               idle = 0u;
               lead([&] { store_alone(control_, Word(ring::kNext), number); });
               leave_after_failure();
             }).else_([&] {
               idle = idle + 1u;
               if_(Word(idle) > launch_.linger, [] { break_(); });
             });
           });
  }

  // What the first item sees. The state of a message is never one of the two words.
  void look(const Var<std::uint32_t>& number, Var<std::uint32_t>& found) {
    const Word at = ring::kStates + slot_of(number);
    Var<std::uint32_t> state = load_acquire(control_, at);
    for (int i = 1; i < kLooksPerRound; ++i)
      if_(!is_message(state, number), [&] { state = load_acquire(control_, at); });
    if_(is_message(state, number), [&] { found = state; });
    if_(load_alone(control_, Word(ring::kLeave)) != 0u, [&] { found = kLeaveNow; });
  }

  const RingLoop& loop_;
  const InOut<std::uint32_t>& control_;
  const RingLaunch& launch_;
  const std::function<void(RingRun&)>& handler_;
  std::optional<Expr<bool>> failed_;
};

}  // namespace

void RingRun::send(const std::function<void()>& store) {
  if (alone_)
    store();
  else
    if_(local_id() == 0u, store);
  replied_ = 1u;
}

void trace_ring(const RingLoop& loop, const InOut<std::uint32_t>& control, const RingLaunch& launch,
                const std::function<void(RingRun&)>& handler) {
  RingTracer(loop, control, launch, handler).trace();
}

}  // namespace collet::detail
