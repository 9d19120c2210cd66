// What stands behind the handles of the CPU backend: kernels, timelines, queues, and the records of work in
// them.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "backends/cpu/spin.hpp"
#include "collet/backend.hpp"

namespace collet::backend::cpu {

struct QueueState;

// Runs `count` groups along x, beginning with `first`.
using RowFunction = void (*)(const void* closure, const HostGroup& first, std::uint32_t count);

// Immutable but for its estimate.
struct KernelState {
  HostFunction function = nullptr;
  RowFunction row = nullptr;  // in place of `function`, where groups are cheaper by the row
  const void* closure = nullptr;
  std::uint32_t columns = 0;  // of its strips (walk.hpp)
  std::array<std::uint32_t, 3> group_size{};
  std::uint32_t shared_bytes = 0;
  std::string label;
  // What a group cost at the last dispatch, in 1/16 ns; 0 where none has run. A hint for splitting, no more.
  std::atomic<std::uint64_t> group_cost{0};
};

// Threads: thread-safe. The protocol of wake_at and epoch is in timeline.cpp.
struct alignas(kCacheLine) TimelineState {
  static constexpr std::uint64_t kNobody = std::numeric_limits<std::uint64_t>::max();

  std::atomic<std::uint64_t> value{0};
  std::atomic<std::uint64_t> wake_at{kNobody};  // the lowest value that a sleeper waits for
  std::atomic<std::uint32_t> epoch{0};          // the futex of those sleepers
  std::atomic<std::uint32_t> references{0};     // the handle, and every record that waits for or signals this
  std::atomic<bool> failed{false};
  std::atomic<bool> has_parked{false};
  std::atomic<QueueState*> queue{
      nullptr};  // the last one that signals this; perhaps reused by now, so a hint

  SpinLock lock;  // guards `parked` and the making of `error`
  QueueState* parked = nullptr;
  std::optional<Error> error;  // written once, before `failed`
};

// A command with everything resolved to host addresses.
struct Step {
  enum class Kind : std::uint8_t { copy, fill, dispatch, timestamp };
  Kind kind = Kind::timestamp;
  std::uint32_t pattern = 0;
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::uint64_t size = 0;
  std::uint64_t* slot = nullptr;
  KernelState* kernel = nullptr;
  std::array<std::uint32_t, 3> groups{};
  std::array<std::uint64_t, 3> extent{};
  std::size_t first_buffer = 0;    // in Record::buffers and Record::sizes
  std::size_t first_constant = 0;  // in Record::constants
};

struct TimelinePoint {
  TimelineState* timeline = nullptr;
  std::uint64_t value = 0;
};

// One submission. Reused by its queue, so that its vectors allocate only while they grow.
struct Record {
  Record* next = nullptr;
  TimelinePoint signal;
  std::vector<TimelinePoint> waits;
  std::size_t waits_met = 0;
  std::vector<Step> steps;
  std::size_t steps_done = 0;
  std::vector<std::byte*> buffers;
  std::vector<std::uint64_t> sizes;
  std::vector<std::byte> constants;  // every block starts at a multiple of 16
  std::optional<Error> error;        // why it failed
};

// A step that several threads share. Its fields are stable for whoever has joined.
class Job {
 public:
  // The opener is the first participant. [first, total) are the parts, taken `chunk` at a time.
  void open(Record& record, const Step& step, std::uint64_t first, std::uint64_t total, std::uint64_t chunk);
  // False where it is shut, or where `limit` threads are in it.
  bool join(std::uint32_t limit);
  // Shuts it. True for the last one out, who then goes on with the queue.
  bool leave();
  // Leaves parts undone for whoever joins next; false where it is shut and leave() is due.
  bool leave_early();
  // For participants: how many more could find something to do.
  std::uint32_t room(std::uint32_t limit) const;

  // The first failure stops the parts that nobody took yet.
  void fail(Error error);

  // The next part, or false where none is left.
  bool take(std::uint64_t& begin, std::uint64_t& end);

  Record* record = nullptr;
  const Step* step = nullptr;
  std::optional<Error> error;  // of the participant that set `failed_`; read by the last one out

 private:
  static constexpr std::uint32_t kOpen = 0x80000000u;

  std::uint64_t total_ = 0;
  std::uint64_t chunk_ = 1;
  std::atomic<bool> failed_{false};
  alignas(kCacheLine) std::atomic<std::uint32_t> gate_{0};  // kOpen and the number of participants
  alignas(kCacheLine) std::atomic<std::uint64_t> next_{0};
};

// A queue. Never freed before its device (see Shelf): a waiter or the ready list may still point to it.
//
// Records form one chain: free ones from `first` up to but without `head`, then the last one done (`head`),
// then the pending ones up to `tail`. The submitter owns `first`, `tail` and the free ones; whoever holds
// `claimed` owns the rest.
struct alignas(kCacheLine) QueueState {
  QueueState() = default;
  QueueState(const QueueState&) = delete;
  QueueState& operator=(const QueueState&) = delete;
  ~QueueState();

  Record* first = nullptr;
  Record* tail = nullptr;

  alignas(kCacheLine) std::atomic<std::uint32_t> pending{0};
  std::atomic<bool> claimed{true};   // by the thread that runs it, or by a timeline that it is parked on
  std::atomic<bool> listed{false};   // on the ready list
  std::atomic<bool> retired{false};  // destroyed by the core; shelved as soon as nothing is pending

  alignas(kCacheLine) std::atomic<Record*> head{nullptr};
  QueueState* next_ready = nullptr;   // guarded by the pool's lock
  QueueState* next_parked = nullptr;  // these two by the timeline's lock
  std::uint64_t parked_for = 0;
  Job job;
};

}  // namespace collet::backend::cpu
