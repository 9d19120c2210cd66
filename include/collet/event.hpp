// A moment in a stream: everything added before it is done.
//
//   Event start = stream.record();
//   stream.launch(…);
//   Event end = stream.record();
//   end.wait().value();
//   auto span = end.elapsed(start).value();
//   auto when = end.time().value();  // by the host's clock
//
// An Event that was moved from has failed with an error that says so.
//
// Threads: thread-safe; a handle, copies are cheap.
#pragma once

#include <chrono>
#include <functional>

#include "collet/deadline.hpp"
#include "collet/detail/ref.hpp"
#include "collet/result.hpp"

namespace collet {

class COLLET_API Event {
 public:
  explicit Event(detail::Ref<detail::EventState> state);
  Event(const Event&);
  Event(Event&&) noexcept;
  Event& operator=(const Event&);
  Event& operator=(Event&&) noexcept;
  ~Event();

  // True once the work is done; the error that it failed with.
  Result<bool> done() const;
  // Blocks until the work is done. Downloads added before the event have arrived when it returns.
  Result<void> wait(Deadline deadline = kForever) const;
  // Calls `call` once, with the outcome, on a thread of the device, or at once where the work is already
  // done. `call` must not block, and should not throw: nobody is there to catch it. What it throws all the
  // same is logged as an error with the stream's label and counted in Receipt::failed_callbacks of the
  // stream's next wait(); no other work is affected.
  void then(std::function<void(const Result<void>&)> call) const;

  // The time on the device between two events of one device. An error where the device has no timestamps, an
  // event was recorded without, or either is not done yet.
  Result<std::chrono::nanoseconds> elapsed(const Event& since) const;

  // When it was reached, by the host's clock: for a trace beside the program's own times. An error like that
  // of elapsed(), or where the device's clock can't be compared with the host's.
  Result<Deadline::Clock::time_point> time() const;

  const detail::Ref<detail::EventState>& state() const { return state_; }

 private:
  detail::Handle<detail::EventState> state_;
};

}  // namespace collet
