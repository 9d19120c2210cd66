// Events: points on a stream's timeline.

#include "collet/event.hpp"

#include <algorithm>

#include "base/log.hpp"
#include "core/stream_state.hpp"
#include "core/thrown.hpp"

namespace collet {

Event::Event(detail::Ref<detail::EventState> state) : state_(std::move(state)) {}
Event::Event(const Event&) = default;
Event::Event(Event&&) noexcept = default;
Event& Event::operator=(const Event&) = default;
Event& Event::operator=(Event&&) noexcept = default;
Event::~Event() = default;

Result<bool> Event::done() const {
  if (state_->failure) return *state_->failure;
  return state_->stream->done(state_->value);
}

Result<void> Event::wait(Deadline deadline) const {
  if (state_->failure) return *state_->failure;
  return state_->stream->wait_value(state_->value, deadline);
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): it is copied where it is kept
void Event::then(std::function<void(const Result<void>&)> call) const {
  const Result<bool> now = done();
  detail::StreamState* const stream = state_->stream.get();
  if (!now) return detail::call_back(call, now.error(), stream);
  if (*now) return detail::call_back(call, {}, stream);
  const auto watched = stream->device->service.when(state_->stream, state_->value, call);
  if (!watched) detail::call_back(call, watched.error().during("waiting for an event to call back"), stream);
}

namespace {

// The device's time at which it was reached, in nanoseconds.
Result<std::uint64_t> timestamp_of(const Event& event) {
  const detail::EventState& state = *event.state();
  if (!state.timed) {
    const detail::DeviceState& device = *state.stream->device;
    if (!device.caps.timestamps) {
      return Error(ErrorCode::unsupported, Category::synchronisation,
                   device.facts->name + " has no timestamps.");
    }
    return Error(ErrorCode::invalid_argument, Category::synchronisation,
                 "An event was recorded without timing.");
  }
  COLLET_TRY(finished, event.done());
  if (!finished) {
    return Error(ErrorCode::invalid_argument, Category::synchronisation,
                 "An event is not done yet, so that its time is not known.")
        .with_hint("wait() for it first.");
  }
  if (state.timestamp == 0)
    return Error(ErrorCode::internal, Category::synchronisation, "The driver gave an event no time.");
  return state.timestamp;
}

}  // namespace

Result<std::chrono::nanoseconds> Event::elapsed(const Event& since) const {
  for (const Event* event : {&since, this}) {
    if (event->state_->failure) return *event->state_->failure;
  }
  if (since.state_->stream->device != state_->stream->device) {
    return Error(ErrorCode::invalid_argument, Category::synchronisation,
                 "The two events belong to different devices, whose clocks have nothing in common.");
  }
  COLLET_TRY(begin, timestamp_of(since));
  COLLET_TRY(end, timestamp_of(*this));
  return std::chrono::nanoseconds(static_cast<std::int64_t>(end - begin));
}

Result<Deadline::Clock::time_point> Event::time() const {
  if (state_->failure) return *state_->failure;
  COLLET_TRY(reached, timestamp_of(*this));
  COLLET_TRY(now, state_->stream->device->native->sample_clock());
  const std::chrono::nanoseconds ago(static_cast<std::int64_t>(now.device_ns - reached));
  const auto host = std::chrono::nanoseconds(static_cast<std::int64_t>(now.host_ns)) - ago;
  return Deadline::Clock::time_point(std::chrono::duration_cast<Deadline::Clock::duration>(host));
}

namespace detail {

void call_back(const std::function<void(const Result<void>&)>& call, const Result<void>& outcome,
               StreamState* stream) {
  try {
    call(outcome);
  } catch (...) {
    if (stream != nullptr) stream->count_failed_callback();
    base::log(LogLevel::error, stream != nullptr ? std::string_view(stream->device->facts->id) : "event",
              "A callback of Event::then() in " + (stream != nullptr ? stream->name() : "no stream") + " " +
                  core::thrown());
  }
}

Ref<EventState> StreamState::record(const EventOptions& asked) {
  const Ref self(this);
  const auto failed = [&](const Error& error) {
    Ref<EventState> event(new EventState(self, 0));
    event->failure = error;
    return event;
  };
  if (auto usable = device->usable(); !usable) return failed(usable.error());
  const Lock lock(mutex_);
  if (!open_locked()) return failed(*failure_);
  settle_all_reads_locked();
  if (failure_) return failed(*failure_);
  const bool timed = asked.timing && device->caps.timestamps;
  const std::uint64_t value = batch_->empty() && !timed ? next_value_ - 1 : next_value_;
  Ref<EventState> event(new EventState(self, value));
  if (timed) {
    event->timed = true;
    batch_->keep_alive(event.get());
    // Ordered, so that it stands after what came before.
    if (!batch_->commands.empty()) hazards_.order_next();
    add_locked(backend::Timestamp{.slot = &event->timestamp}, {});
    hazards_.order_next();
    maybe_submit_locked();
  }
  return event;
}

void StreamState::wait_for(const Ref<EventState>& event) {
  if (device->is_abandoned()) return;
  if (event->failure) {
    const Lock lock(mutex_);
    return fail_locked(event->failure->during("waiting for an event in " + name()));
  }
  if (event->stream.get() == this) return;                          // streams are ordered inside
  const Result<bool> finished = event->stream->done(event->value);  // also submits what it waits for
  if (!finished) {
    const Lock lock(mutex_);
    return fail_locked(finished.error().during("waiting for an event in " + name()));
  }
  if (*finished) return;

  const std::optional<backend::Point> point =
      event->stream->device == device ? event->stream->submitted_point(event->value) : std::nullopt;
  Lock lock(mutex_);
  if (!open_locked()) return;
  close_batch_locked();
  if (point && point->value >= event->value) {
    batch_->waits.push_back(*point);
    // The native wait must not outlive the stream that it waits for.
    batch_->keep_alive(event.get());
  } else {
    // Another device, or not submitted yet: held back until the event is done.
    batch_->blockers.push_back(event);
    lock.unlock();
    const auto watched = event->stream->device->service.when(
        event->stream, event->value, [self = Ref(this)](const Result<void>&) { self->pump(); });
    lock.lock();
    unattended_ = unattended_ || !watched;
  }
  pump_locked(lock);
}

}  // namespace detail
}  // namespace collet
