// Kernels that stay on the device and answer messages.
//
//   struct Add { float value; };
//   COLLET_STRUCT(Add, value)
//   struct Total { float sum; std::uint32_t count; };
//   COLLET_STRUCT(Total, sum, count)
//
//   const auto counter = ring_kernel("counter", [](Inbox<Add> in, Outbox<Total> out, State<Total> total) {
//     total().sum += in.message().value;
//     total().count += 1u;
//     out.send(total());
//   });
//   auto ring = open_ring(device, counter).value();
//   Total now = ring.call(Add{3.0f}).value();
//
// The handler runs once for each message, in the order in which they were sent. docs/ring_kernels.md says
// when this is faster than a launch for each, and in which of three modes a device runs it.
#pragma once

#include <coroutine>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "collet/detail/ring_protocol.hpp"
#include "collet/detail/ring_trace.hpp"
#include "collet/device.hpp"
#include "collet/kernel_language.hpp"
#include "collet/stream.hpp"

namespace collet {

// How a ring's kernel runs.
enum class RingMode : std::uint8_t {
  resident,  // it stays until there was no message for a while: a message costs a store and a load
  windowed,  // the same, but it leaves after a bounded time, because of the driver or for other work
  relaunch,  // it is launched for the messages that are there, because it can't see what the host writes
};
COLLET_API std::string_view name_of(RingMode mode);

struct RingOptions {
  std::string label = {};
  // Messages that are on their way at most, their replies included: a power of two, at least 16.
  std::uint32_t capacity = 1024;
  // This mode or an error. Otherwise the first that the device has; Ring::reason() says why.
  std::optional<RingMode> mode = {};
};

struct RingStats {
  bool active = false;  // takes messages: not closed, not failed
  bool paused = false;
  std::uint64_t sent = 0;       // since it was opened
  std::uint64_t processed = 0;  // of these, those that the device has handled
  std::uint64_t errors = 0;     // of these, those whose handler failed
  std::uint64_t launches = 0;
  std::uint32_t waiting = 0;  // sent and not yet handled
};

struct RingChannelStats {
  std::uint64_t sent = 0;    // replies that became messages
  std::uint64_t errors = 0;  // handlers that failed, whose replies there are none
};

// What a handler takes, beside what a kernel takes.

// The messages. T is a scalar, a vector or a COLLET_STRUCT.
template <class T>
class Inbox {
 public:
  Inbox(const In<T>& all, detail::RingRun& run) : all_(all), run_(&run) {}
  // The one that this run of the handler is for.
  auto message() const { return all_[run_->slot()]; }

 private:
  In<T> all_;
  detail::RingRun* run_;
};

// The replies: at most one for a message, the last that is sent. Where items of a group send, that of the
// first one counts.
template <class T>
class Outbox {
 public:
  Outbox(const Out<T>& all, detail::RingRun& run) : all_(all), run_(&run) {}
  template <class X>
  void send(const X& value) const {
    run_->send([&] { all_[run_->slot()] = value; });
  }

 private:
  Out<T> all_;
  detail::RingRun* run_;
};

// A value that lives on the device between messages; zero when the ring is opened.
template <class T>
class State {
 public:
  explicit State(const InOut<T>& memory) : memory_(memory) {}
  Element<T> operator()() const { return memory_[0u]; }

 private:
  InOut<T> memory_;
};

namespace detail {

// What a handler's parameter is as the kernel's.
template <class Arg>
struct RingArgument {
  using Type = Arg;
  static constexpr bool kPassed = true;
};
template <class T>
struct RingArgument<State<T>> {
  using Type = InOut<T>;
  using Element = T;
  static constexpr bool kPassed = false;
};

// A kernel that goes around a handler: for messages that come while it runs, and for those that are there.
// What the host shares with it is marked MayAlias, so that no compiler takes it for memory that nobody else
// writes.
template <class Message, class Reply, class... Args>
struct RingKernels {
  using Type = Kernel<MayAlias<InOut<std::uint32_t>>, MayAlias<In<Message>>, MayAlias<Out<Reply>>,
                      Value<std::uint32_t>, Value<std::uint32_t>, Value<std::uint32_t>, Value<std::uint32_t>,
                      typename RingArgument<Args>::Type...>;
  template <class Handler>
  static Type make(const std::string& name, const Handler& handler, const RingLoop& loop,
                   const std::source_location& where) {
    const auto body = [&](MayAlias<InOut<std::uint32_t>> control, MayAlias<In<Message>> messages,
                          MayAlias<Out<Reply>> replies, Value<std::uint32_t> first, Value<std::uint32_t> most,
                          Value<std::uint32_t> shift, Value<std::uint32_t> linger,
                          typename RingArgument<Args>::Type... arguments) {
      trace_ring(loop, control, {first, most, shift, linger}, [&](RingRun& run) {
        handler(Inbox<Message>(messages, run), Outbox<Reply>(replies, run), Args(arguments)...);
      });
    };
    KernelNames names{.kernel = name,
                      .arguments = {"control", "messages", "replies", "first", "most", "shift", "linger"}};
    for (std::size_t i = 0; i < sizeof...(Args); ++i) names.arguments.push_back("own" + std::to_string(i));
    return Traceable<decltype(body)>::make(std::move(names), body, where).with(collet::group(loop.group));
  }
};

// The kernel for messages that come while it runs, and the one for those that are there.
template <class Made>
struct RingPair {
  Made live, batch;
};

}  // namespace detail

// A handler of messages and the kernels around it. Made by ring_kernel().
//
// Threads: immutable; copies are cheap.
template <class Message, class Reply, class... Args>
class RingKernel {
  using Made = typename detail::RingKernels<Message, Reply, Args...>::Type;

 public:
  explicit RingKernel(detail::RingPair<Made> kernels) : kernels_(std::move(kernels)) {}

  const std::string& name() const { return kernels_.live.name(); }
  // The kernel that waits for messages, in another language; or, for languages that have no fences for what
  // the host writes meanwhile, the one for messages that are there.
  Result<KernelCode> emit(Format format, Lines lines = Lines::hide) const {
    auto live = kernels_.live.emit(format, lines);
    return live ? live : kernels_.batch.emit(format, lines);
  }

  const detail::RingPair<Made>& kernels() const { return kernels_; }

 private:
  detail::RingPair<Made> kernels_;
};

namespace detail {

template <class Function>
struct RingHandler : RingHandler<decltype(&Function::operator())> {};
template <class Message, class Reply, class... Args>
struct RingHandler<void(Inbox<Message>, Outbox<Reply>, Args...)> {
  template <class Handler>
  static RingKernel<Message, Reply, Args...> make(const std::string& name, GroupSize group,
                                                  const Handler& handler, const std::source_location& where) {
    using Kernels = RingKernels<Message, Reply, Args...>;
    const std::uint32_t items = group.size[0] * group.size[1] * group.size[2];
    return RingKernel<Message, Reply, Args...>(
        {Kernels::make(name, handler, {.live = true, .group = items}, where),
         Kernels::make(name, handler, {.live = false, .group = items}, where)});
  }
};
template <class Class, class... Args>
struct RingHandler<void (Class::*)(Args...) const> : RingHandler<void(std::remove_cvref_t<Args>...)> {};
template <class... Args>
struct RingHandler<void (*)(Args...)> : RingHandler<void(std::remove_cvref_t<Args>...)> {};

}  // namespace detail

// Traces `handler` now: a function that takes an Inbox, an Outbox, and then any number of what a kernel takes
// and of State. It never fails: a mistake in it is named when the ring is opened. A handler of many items has
// one group of them; each sees the same message, and they may meet at barriers.
template <class Handler>
auto ring_kernel(const std::string& name, GroupSize group, const Handler& handler,
                 const std::source_location& where = std::source_location::current()) {
  return detail::RingHandler<Handler>::make(name, group, handler, where);
}
template <class Handler>
auto ring_kernel(const std::string& name, const Handler& handler,
                 const std::source_location& where = std::source_location::current()) {
  return detail::RingHandler<Handler>::make(name, group(1), handler, where);
}

namespace detail {

class RingState;

// What a launch of a ring's kernel is told; see RingLaunch.
struct RingFrame {
  std::uint32_t first = 0, most = 0, shift = 0, linger = 0;
};

// What a ring does with its device, whatever the types of its messages are.
struct RingDriver {
  std::function<void(Stream&, const RingFrame&)> launch;
  // `count` slots from `slot` on, to or from the host's copies; for devices whose memory the host can't
  // reach.
  std::function<void(Stream&, std::uint32_t slot, std::uint32_t count, const std::byte*)> upload_messages;
  std::function<void(Stream&, std::uint32_t slot, std::uint32_t count, std::byte*)> download_replies;
  std::function<void(Stream&, std::uint32_t word, std::uint32_t count, const std::uint32_t*)> upload_control;
  std::function<void(Stream&, std::uint32_t word, std::uint32_t count, std::uint32_t*)> download_control;
};

// How a ring will run, and its memory.
struct RingPlan {
  std::string kernel;
  RingOptions options;
  RingMode mode = RingMode::relaunch;
  std::string reason;
  std::uint32_t shift = 0;  // of the number of slots
  std::uint32_t message_bytes = 0, reply_bytes = 0;
  std::uint32_t rounds = 0;                     // of a live kernel's loop until it leaves
  Ref<BufferState> control, messages, replies;  // where live, the host reaches them
};

COLLET_API Result<RingPlan> plan_ring(const Device& device, const std::string& kernel,
                                      const RingOptions& options, std::uint32_t message_bytes,
                                      std::uint32_t reply_bytes);
// As good as the backend can.
COLLET_API Result<void> build_ring_kernel(const Device& device, KernelState& kernel);

// The buffer that a view is of lives as long as what this gives.
COLLET_API Ref<BufferState> kept(const Range& range);

struct CloseRing {
  COLLET_API void operator()(RingState* ring) const;
};
using OwnedRing = std::unique_ptr<RingState, CloseRing>;
COLLET_API Result<OwnedRing> open_ring(const Device& device, RingPlan plan, RingDriver driver);

// Of a ring that was moved from these say so.
COLLET_API Result<bool> ring_try_send(RingState* ring, const void* message, ring::Wanted wanted);
COLLET_API Result<std::uint32_t> ring_send(RingState* ring, const void* message, ring::Wanted wanted,
                                           Deadline deadline);
COLLET_API Result<void> ring_take(RingState* ring, std::uint32_t number, void* reply, Deadline deadline);
COLLET_API Result<void> ring_call_later(RingState* ring, const void* message,
                                        std::function<void(const Result<const std::byte*>&)> call,
                                        Deadline deadline);
COLLET_API Result<bool> ring_try_receive(RingState* ring, void* reply);
COLLET_API Result<void> ring_receive(RingState* ring, void* reply, Deadline deadline);
COLLET_API void ring_pause(RingState* ring, bool paused);
COLLET_API RingStats ring_stats(const RingState* ring);
COLLET_API Result<RingStats> ring_close(RingState* ring, Deadline deadline);
COLLET_API const RingPlan& ring_plan(const RingState* ring);

template <class Message, class Reply>
class RingAsk;

class RingChannelState;
struct CloseChannel {
  COLLET_API void operator()(RingChannelState* channel) const;
};
using OwnedChannel = std::unique_ptr<RingChannelState, CloseChannel>;
COLLET_API Result<OwnedChannel> open_channel(RingState* from, RingState* to, std::uint32_t reply_bytes);
COLLET_API Result<RingChannelStats> stop_channel(RingChannelState* channel);

}  // namespace detail

// An open ring. Closes when it goes: what was sent and not handled is dropped.
//
// Threads: thread-safe, but for moving it. One that was moved from answers with errors.
template <class Message, class Reply>
class Ring {
 public:
  explicit Ring(detail::OwnedRing state) : state_(std::move(state)) {}

  // Sends a message whose reply receive() gives. Waits while all slots are taken; a reply that nobody
  // receives keeps its slot.
  Result<void> send(const Message& message, Deadline deadline = kForever) {
    return without_number(
        detail::ring_send(state_.get(), &message, detail::ring::Wanted::next_reply, deadline));
  }
  // False where all slots are taken.
  Result<bool> try_send(const Message& message) {
    return detail::ring_try_send(state_.get(), &message, detail::ring::Wanted::next_reply);
  }
  // Sends a message whose reply nobody wants. Where its handler fails, stats() counts that.
  Result<void> post(const Message& message, Deadline deadline = kForever) {
    return without_number(
        detail::ring_send(state_.get(), &message, detail::ring::Wanted::no_reply, deadline));
  }
  Result<bool> try_post(const Message& message) {
    return detail::ring_try_send(state_.get(), &message, detail::ring::Wanted::no_reply);
  }
  // The reply to the oldest send() that was not received yet, or the error of its handler. Messages without a
  // reply are passed over. An error where no sent message has one to come.
  Result<Reply> receive(Deadline deadline = kForever) {
    Reply reply;
    auto done = detail::ring_receive(state_.get(), &reply, deadline);
    if (!done) return done.error();
    return reply;
  }
  // Nothing where it is not there yet.
  Result<std::optional<Reply>> try_receive() {
    Reply reply;
    auto found = detail::ring_try_receive(state_.get(), &reply);
    if (!found) return found.error();
    return *found ? std::optional<Reply>(reply) : std::nullopt;
  }
  // Sends a message and waits for its own reply.
  Result<Reply> call(const Message& message, Deadline deadline = kForever) {
    auto number = detail::ring_send(state_.get(), &message, detail::ring::Wanted::own_reply, deadline);
    if (!number) return number.error();
    Reply reply;
    auto done = detail::ring_take(state_.get(), *number, &reply, deadline);
    if (!done) return done.error();
    return reply;
  }

  // Sends a message and calls `then` with its reply, or with the error, on a thread of the ring's: one at a
  // time, in the order of their messages. It must not wait for the ring, and should not throw: what it throws
  // is logged. An error of this function means that it is not called.
  Result<void> call_later(const Message& message, std::function<void(const Result<Reply>&)> then,
                          Deadline deadline = kForever) {
    return detail::ring_call_later(
        state_.get(), &message,
        [then = std::move(then)](const Result<const std::byte*>& found) {
          if (!found) return then(found.error());
          Reply reply;
          __builtin_memcpy(&reply, *found, sizeof reply);
          then(reply);
        },
        deadline);
  }
  // What a coroutine may co_await for the reply; it goes on on that thread.
  detail::RingAsk<Message, Reply> ask(const Message& message) { return {*this, message}; }

  // Messages wait, and the kernel leaves, until resume().
  void pause() { detail::ring_pause(state_.get(), true); }
  void resume() { detail::ring_pause(state_.get(), false); }
  RingStats stats() const { return detail::ring_stats(state_.get()); }
  // Takes no more messages, has those that were sent handled until the deadline passes, and ends the kernel.
  // Replies that are there can still be received.
  Result<RingStats> close(Deadline deadline = kForever) { return detail::ring_close(state_.get(), deadline); }

  RingMode mode() const { return detail::ring_plan(state_.get()).mode; }
  // Why it is not a faster one, or what the mode costs here.
  const std::string& reason() const { return detail::ring_plan(state_.get()).reason; }

  // For connect().
  detail::RingState* state() const { return state_.get(); }

 private:
  static Result<void> without_number(const Result<std::uint32_t>& sent) {
    if (!sent) return sent.error();
    return {};
  }
  detail::OwnedRing state_;
};

namespace detail {

// What Ring::ask() gives.
template <class Message, class Reply>
class RingAsk {
 public:
  RingAsk(Ring<Message, Reply>& ring, const Message& message) : ring_(ring), message_(message) {}
  static constexpr bool await_ready() { return false; }
  // False, and no suspension, where the message could not be sent.
  bool await_suspend(std::coroutine_handle<> waiting) {
    auto sent = ring_.call_later(message_, [this, waiting](const Result<Reply>& reply) {
      reply_ = reply;
      waiting.resume();
    });
    if (!sent) reply_ = sent.error();
    return sent.has_value();
  }
  Result<Reply> await_resume() { return std::move(*reply_); }

 private:
  Ring<Message, Reply>& ring_;
  const Message message_;
  std::optional<Result<Reply>> reply_;
};

// What is passed for a handler's argument when a ring is opened, and what the ring keeps of it for its
// launches.
template <class Arg>
struct RingHeld {
  using Passed = std::tuple<collet::Actual<Arg>>;
  collet::Actual<Arg> actual;
  Ref<BufferState> buffer;  // of a view
  const collet::Actual<Arg>& pass() const { return actual; }
};
template <class T>
struct RingHeld<State<T>> {
  using Passed = std::tuple<>;
  Buffer<T> buffer;
  const Buffer<T>& pass() const { return buffer; }
};

template <class... Args>
using RingPassed = decltype(std::tuple_cat(std::declval<typename RingHeld<Args>::Passed>()...));

// The number among those passed of each argument.
template <class... Args>
inline constexpr auto kRingNumbers = [] {
  const std::array<bool, sizeof...(Args) + 1> passed{RingArgument<Args>::kPassed..., false};
  std::array<std::size_t, sizeof...(Args) + 1> numbers{};
  for (std::size_t i = 0; i < sizeof...(Args); ++i) numbers[i + 1] = numbers[i] + (passed[i] ? 1 : 0);
  return numbers;
}();

template <class Arg, std::size_t kNumber, class Passed>
Result<RingHeld<Arg>> hold(const Device&, const Passed& passed) {
  const auto& actual = std::get<kNumber>(passed);
  if constexpr (requires { actual.range(); })
    return RingHeld<Arg>{actual, kept(actual.range())};
  else
    return RingHeld<Arg>{actual, {}};
}
template <class Arg, std::size_t kNumber, class Passed>
  requires(!RingArgument<Arg>::kPassed)
Result<RingHeld<Arg>> hold(const Device& device, const Passed&) {
  using T = typename RingArgument<Arg>::Element;
  auto made = device.buffer<T>(1, {.label = "ring state"});
  if (!made) return made.error();
  return RingHeld<Arg>{std::move(*made)};
}

template <class Message, class Reply, class... Args, std::size_t... kIndex>
Result<Ring<Message, Reply>> open_ring(const Device& device,
                                       const RingKernel<Message, Reply, Args...>& kernel,
                                       const RingOptions& options, const RingPassed<Args...>& passed,
                                       std::index_sequence<kIndex...>) {
  auto plan = plan_ring(device, kernel.name(), options, sizeof(Message), sizeof(Reply));
  if (!plan) return plan.error();
  const auto& made = plan->mode == RingMode::relaunch ? kernel.kernels().batch : kernel.kernels().live;
  if (auto built = build_ring_kernel(device, *made.state()); !built) return built.error();

  struct Held {
    std::tuple<Result<RingHeld<Args>>...> arguments;
    Buffer<std::uint32_t> control;
    Buffer<Message> messages;
    Buffer<Reply> replies;
  };
  const std::uint64_t slots = std::uint64_t{1} << plan->shift;
  auto held =
      std::make_shared<Held>(Held{{hold<Args, kRingNumbers<Args...>[kIndex]>(device, passed)...},
                                  BufferAccess::make<std::uint32_t>(plan->control, ring::kStates + slots),
                                  BufferAccess::make<Message>(plan->messages, slots),
                                  BufferAccess::make<Reply>(plan->replies, slots)});
  std::optional<Error> wrong;
  ((std::get<kIndex>(held->arguments) || (wrong = std::get<kIndex>(held->arguments).error(), true)), ...);
  if (wrong) return *wrong;

  RingDriver driver;
  driver.launch = [held, made](Stream& stream, const RingFrame& frame) {
    stream.launch(made, groups(1), held->control, held->messages, held->replies, frame.first, frame.most,
                  frame.shift, frame.linger, std::get<kIndex>(held->arguments)->pass()...);
  };
  driver.upload_messages = [held](Stream& stream, std::uint32_t slot, std::uint32_t count,
                                  const std::byte* from) {
    stream.upload_borrowed(std::span(reinterpret_cast<const Message*>(from), count),
                           held->messages.slice(slot, count));
  };
  driver.download_replies = [held](Stream& stream, std::uint32_t slot, std::uint32_t count, std::byte* to) {
    stream.download(held->replies.slice(slot, count), std::span(reinterpret_cast<Reply*>(to), count));
  };
  driver.upload_control = [held](Stream& stream, std::uint32_t word, std::uint32_t count,
                                 const std::uint32_t* from) {
    stream.upload_borrowed(std::span(from, count), held->control.slice(word, count));
  };
  driver.download_control = [held](Stream& stream, std::uint32_t word, std::uint32_t count,
                                   std::uint32_t* to) {
    stream.download(held->control.slice(word, count), std::span(to, count));
  };
  auto opened = open_ring(device, std::move(*plan), std::move(driver));
  if (!opened) return opened.error();
  return Ring<Message, Reply>(std::move(*opened));
}

}  // namespace detail

// `arguments` are what a launch passes for the handler's parameters behind its Inbox and Outbox, but for
// State. Buffers live as long as the ring does. Everything is built before this returns.
template <class Message, class Reply, class... Args, class... Passed>
Result<Ring<Message, Reply>> open_ring(const Device& device,
                                       const RingKernel<Message, Reply, Args...>& kernel,
                                       const RingOptions& options = {}, const Passed&... arguments) {
  static_assert(
      sizeof...(Passed) == std::tuple_size_v<detail::RingPassed<Args...>>,
      "A ring is opened with an argument for each parameter of its handler but Inbox, Outbox and State.");
  return detail::open_ring(device, kernel, options, detail::RingPassed<Args...>(arguments...),
                           std::index_sequence_for<Args...>());
}

// Replies of one ring that are messages of another, as long as it lives.
//
// Threads: thread-safe.
class RingChannel {
 public:
  explicit RingChannel(detail::OwnedChannel state) : state_(std::move(state)) {}
  // Ends it; what is on its way stays where it is. An error where one of the rings ended before.
  Result<RingChannelStats> stop() { return detail::stop_channel(state_.get()); }

 private:
  detail::OwnedChannel state_;
};

// Sends each reply that from.receive() would give to the ring `to`, in order, on a thread of its own. The
// rings outlive the channel, and may be of different devices.
template <class Message, class Between, class Reply>
Result<RingChannel> connect(Ring<Message, Between>& from, Ring<Between, Reply>& to) {
  auto channel = detail::open_channel(from.state(), to.state(), sizeof(Between));
  if (!channel) return channel.error();
  return RingChannel(std::move(*channel));
}

}  // namespace collet
