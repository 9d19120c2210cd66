// A timeline made of single events, for APIs that have no other: values and the events that stand for them,
// oldest first, until they are reached.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "collet/backend.hpp"

namespace collet::backend::common {

using NativeEvent = void*;  // an API's event is a pointer in all of them

// What a timeline asks of the API.
//
// Threads: thread-safe.
class Events {
 public:
  Events() = default;
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  virtual ~Events() = default;

  // Whether it has ended; the error that it ended with. A lost device has ended everything. Does not block,
  // unless the driver fails to answer.
  virtual Result<bool> ended(NativeEvent event) = 0;
  // Blocks until it has ended. False where that is not known to have been well.
  virtual bool wait(NativeEvent event) = 0;
  virtual Result<void> retain(NativeEvent event) = 0;
  virtual void release(NativeEvent event) = 0;
  // When it ended, in nanoseconds of the device; 0 where the driver has no time for it.
  virtual std::uint64_t time(NativeEvent event) = 0;
};

// A time that a Timestamp command waits for.
struct Stamp {
  std::uint64_t value = 0;  // of the signal that it belongs to
  NativeEvent event = nullptr;
  std::uint64_t* slot = nullptr;
};

// It fails where an event ended badly, once all events behind that one have ended too: they may still write
// into the caller's memory.
//
// Threads: thread-safe.
class EventTimeline {
 public:
  explicit EventTimeline(Events& events);
  ~EventTimeline();
  EventTimeline(const EventTimeline&) = delete;
  EventTimeline& operator=(const EventTimeline&) = delete;

  // Takes the event and the stamps' events over. Values rise; `queue` is a number of the caller's.
  void push(std::uint64_t value, NativeEvent event, std::uint64_t queue, std::vector<Stamp>& stamps);
  // The same for a submission that failed when a part of it had begun, whose end is `event`: the timeline
  // fails with `error` then.
  void push_failed(std::uint64_t value, NativeEvent event, std::uint64_t queue, Error error);
  // An error where the timeline has failed or will fail: nothing more should be submitted.
  Result<void> check_open();
  // The last value reached, or the error that the timeline failed with.
  Result<std::uint64_t> poll();
  // Blocks. Only an adaptive wait looks several times before it sleeps in the driver.
  Result<void> wait(std::uint64_t value, bool adaptive);
  // An event, retained for the caller, that `queue` must wait for; null where it need not.
  Result<NativeEvent> event_for_queue(std::uint64_t value, std::uint64_t queue);

 private:
  struct Pending {
    std::uint64_t value = 0;
    NativeEvent event = nullptr;
    std::uint64_t queue = 0;
  };
  // Of a part of a submission that is under way.
  struct Announced {
    std::uint64_t value = 0;
    Error error;
  };

  Pending& at(std::size_t position) { return ring_[(head_ + position) & (ring_.size() - 1)]; }
  const Pending* find(std::uint64_t value);
  void add(const Pending& pending);
  void grow();
  // `done` is known to have ended well, and need not be asked.
  void advance(NativeEvent done = nullptr);
  void pop();
  void fill_stamps();
  void drop();
  void release(NativeEvent event);
  void release_kept();
  void spin(NativeEvent event) const;

  Events& events_;
  std::mutex mutex_;
  std::vector<Pending> ring_;  // size is a power of two
  std::size_t head_ = 0;
  std::size_t count_ = 0;
  std::vector<Stamp> stamps_;      // rising values
  std::size_t waiters_ = 0;        // threads that wait for an event of the ring, outside the lock
  std::vector<NativeEvent> kept_;  // reached, and released after the last of those
  std::uint64_t reached_ = 0;
  std::optional<Announced> announced_;
  std::optional<Error> failing_;  // the first failure, until all events behind it have ended
  std::optional<Error> failure_;
};

// wait_timelines() of a device whose timelines are all of these.
Result<void> wait_for_events(std::span<const Point> points, WaitFor mode, Deadline deadline, bool adaptive);

}  // namespace collet::backend::common
