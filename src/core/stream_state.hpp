// A stream: gathers work into batches, submits them in order, and finishes what is done.
//
// The life of a batch: open (gathering) → closed, where something must happen first (an event of another
// device, a host call) → in flight → retired (host reads done, references dropped) → recycled.
//
// Threads: every function takes the lock itself, unless its name ends in _locked. Locks are taken in the
// order stream, service; never two streams at once.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

#include "collet/stream.hpp"
#include "core/batch.hpp"
#include "core/buffer_state.hpp"
#include "core/device_state.hpp"
#include "core/fifo.hpp"
#include "core/halting_mutex.hpp"
#include "core/hazards.hpp"
#include "core/staging.hpp"

namespace collet::detail {

// A launch before anything of it is added to a stream.
struct Launch {
  CompiledKernel* kernel;
  std::array<std::uint32_t, 3> groups;
  std::array<std::uint64_t, 3> extent;  // items that exist
  bool beyond = false;                  // more groups than the device runs at once
};

class StreamState final : public Counted {
 public:
  StreamState(Ref<DeviceState> owner, StreamOptions asked);
  ~StreamState() override;

  // The public operations. Failures go to failure_.
  void upload(const void* host, std::uint64_t size, const Range& to, bool borrowed, Deadline deadline);
  void download(const Range& from, void* host, std::uint64_t size);
  void copy(const Range& from, const Range& to);
  void fill(const Range& to, const void* value);
  void launch(KernelState& kernel, const Grid& grid, std::span<const Argument> arguments);
  // A call that is wrong before it adds anything: kept like a failure of work.
  void refuse(const Error& error);
  void wait_for(const Ref<EventState>& event);
  Ref<EventState> record(const EventOptions& options);
  void flush();
  bool idle();
  Result<Receipt> wait(Deadline deadline);
  Ref<ScratchState> scratch();
  // Like wait(), but leaves the failure and the receipt for it.
  Result<void> wait_done(Deadline deadline);

  // The user's handle is gone; waits only where the caller's memory is borrowed.
  void close();

  // For exit: waits until `deadline` for what is in flight, and keeps everybody else out for good.
  void quiesce(Deadline deadline);

  // Submits what can be submitted, retires what is done. Called by the service and by waiters.
  void pump();
  // Whether `value` is done: true, false, or the error that it failed with. Submits and retires what it can
  // without looking at other streams.
  Result<bool> done(std::uint64_t value);
  Result<void> wait_value(std::uint64_t value, Deadline deadline);
  // The native point of `value` where it was submitted; nothing otherwise.
  std::optional<backend::Point> submitted_point(std::uint64_t value);

  const Ref<DeviceState> device;
  const StreamOptions options;

  // `[Stream "x"]`
  std::string name() const;

  // For the next receipt.
  void count_failed_callback() { failed_callbacks_.fetch_add(1, std::memory_order_relaxed); }

 private:
  using Lock = std::unique_lock<core::HaltingMutex>;
  void dispose() noexcept override;

  // For the constructor.
  Result<void> open_queue();
  // True where a call has nothing to do any more: after a fork, and while the process exits.
  bool is_over() const { return device->is_abandoned() || quiescing_.load(std::memory_order_relaxed); }
  // True where work may be added; keeps the reason otherwise.
  bool open_locked() const { return !failure_ && batch_ != nullptr; }
  bool is_open() const {
    const Lock lock(mutex_);
    return open_locked();
  }
  void fail_locked(const Error& error);
  // What was added and not submitted yet comes after the failure and is skipped too.
  void break_locked(const Error& error);

  // Whether a range lies inside its buffer, and that on this device.
  bool inside(const Range& range) const {
    return range.buffer->device.get() == device.get() &&
           base::range_fits(range.first, range.count, range.element_size, range.buffer->bytes);
  }
  Error outside_error(const Range& range) const;
  Result<backend::Slice> slice_of(const Range& range, backend::Access access) const;
  // The open batch uses `buffer`: keeps it alive, and waits until it is initialised.
  [[gnu::always_inline]] void use_locked(const BufferState& buffer) {
    batch_->keep_alive(&buffer);
    if (!device->initialiser.known_reached(buffer.ready)) [[unlikely]]
      wait_ready_locked(buffer);
  }
  void wait_ready_locked(const BufferState& buffer);
  // Adds a command that touches `slices`.
  template <class Op>
  [[gnu::always_inline]] inline void add_locked(const Op& op, std::span<const backend::Slice> slices);
  // Submits the open batch if the queue is idle or the batch is full.
  void maybe_submit_locked();
  // The service will call pump() when what was submitted up to now is done. False where it has no thread.
  bool ask_pump_locked();
  void submit_locked();
  void close_batch_locked();
  void pump_locked(Lock& lock);
  void submit_batch_locked(core::Batch* batch);
  // Both release the lock while they run.
  void run_host_call_locked(Lock& lock, core::Batch& batch);
  Result<bool> blockers_done(core::Batch& batch, Lock& lock);

  // Asks the driver what is done, and retires it.
  void collect_locked();
  void query_locked();
  void retire_locked();
  void finish_reads_locked(core::Batch& batch);
  // For launches of kernels with CompiledKernel::needs_slow_path.
  Result<void> prepare_slow_path_locked(KernelState& kernel, CompiledKernel& compiled,
                                        const std::array<std::uint64_t, 3>& extent,
                                        std::span<const Argument> arguments,
                                        std::span<backend::Slice> slices);
  // The word in which such a launch says that a loop was cut, and what became of it.
  Result<void> watch_locked(const CompiledKernel& kernel, backend::Slice& slice);
  void check_watches_locked(const core::Batch& batch);
  // The buffer in which such a launch says something, and what it said.
  // A hidden buffer of a launch, as a slice that it may read and write.
  Result<Ref<BufferState>> make_zeros_locked(std::uint64_t bytes, backend::Slice& slice);
  Result<void> add_shadow_locked(const CompiledKernel& kernel, std::span<const Argument> arguments,
                                 backend::Slice& slice);
  Result<void> add_messages_locked(const CompiledKernel& kernel, std::span<const Argument> arguments,
                                   backend::Slice& slice);
  // Where the host can't reach the word itself.
  Result<void> read_watch_locked(core::LoopWatch& watch);
  Result<void> read_messages_locked(core::MessageRead& read);
  void tell_locked(const core::Batch& batch);
  // Releases the lock while the program's own function runs.
  void deliver_printed_locked(Lock& lock);
  void finish_direct_reads_locked();
  void remember_failure_locked(std::uint64_t first, std::uint64_t last, const Error& error);
  // The timeline has failed: everything in flight on it has.
  void broken_locked(const Error& error);
  // Beyond this many submissions in flight, adding work waits for the oldest: memory stays bounded.
  static constexpr std::size_t kMostInFlight = 1024;
  void throttle_locked(Lock& lock) {
    if (in_flight_.size() >= kMostInFlight) [[unlikely]]
      wait_for_oldest_locked(lock);
  }
  void wait_for_oldest_locked(Lock& lock);
  // Blocks until `value` is done or failed; lets go of the lock while it does.
  Result<void> reach_locked(Lock& lock, std::uint64_t value, Deadline deadline);
  bool finished_locked(std::uint64_t value) const;
  Result<void> drain_locked(Lock& lock, Deadline deadline);
  core::Batch* new_batch_locked();
  void recycle_locked(core::Batch* batch);
  Result<void> outcome_locked(std::uint64_t value) const;

  // transfer.cpp
  // Calls add(lock) where work may be added, and keeps what went wrong.
  template <class Add>
  void add_transfer(const Add& add, std::string_view doing, const BufferState& buffer, bool ragged);
  // Whether the device's own copies may not take the range.
  bool is_ragged(const Range& range) const;
  bool write_direct_locked(const BufferState& buffer, std::uint64_t offset, const void* host,
                           std::uint64_t size);
  Result<void> write_staged_locked(Lock& lock, const BufferState& buffer, const backend::Slice& to,
                                   const std::byte* host, Deadline deadline);
  Result<void> read_staged_locked(const BufferState& buffer, const backend::Slice& from, std::byte* host);
  Result<void> fill_pattern_locked(Lock& lock, const BufferState& buffer, const backend::Slice& to,
                                   const std::byte* value, std::uint32_t size);
  // Up to what the device's copies ask for.
  std::uint64_t rounded(std::uint64_t bytes) const;
  // Whether the device's own copies take the slice, rounded up into the `room` behind it.
  bool is_copyable(const backend::Slice& slice, std::uint64_t room) const;
  // Bytes behind the slice that belong to its buffer's memory and to none of its elements.
  static std::uint64_t room_behind(const BufferState& buffer, const backend::Slice& slice);
  Result<void> deliver_locked(Lock& lock, const core::Staged& staged, const BufferState& buffer,
                              backend::Slice to);
  Result<Ref<BufferState>> make_scratch(std::uint64_t bytes);
  static backend::Slice slice_of_all(const BufferState& buffer);
  // Builds what copy_bytes_locked() launches.
  Result<void> prepare_byte_copies();
  // By a kernel: for parts that the device's own copies do not take.
  Result<void> copy_bytes_locked(const BufferState& from, std::uint64_t from_offset, const BufferState& to,
                                 std::uint64_t to_offset, std::uint64_t size);
  void settle_reads_locked(std::span<const backend::Slice> written);
  void settle_all_reads_locked();
  void count_copy_locked(std::uint64_t bytes);

  // launch.cpp
  // Builds what is not built yet, and finds how many groups run.
  [[gnu::always_inline]] inline Result<void> prepare(KernelState& kernel, const Grid& grid,
                                                     std::span<const Argument> arguments, Launch& launch);
  // Fills in `slices`, every argument checked.
  [[gnu::always_inline]] inline Result<void> bind_buffers_locked(const CompiledKernel& kernel,
                                                                 std::span<const Argument> arguments,
                                                                 std::span<backend::Slice> slices);
  [[gnu::always_inline]] inline Result<void> dispatch_locked(Lock& lock, KernelState& kernel,
                                                             const Launch& whole,
                                                             std::span<const Argument> arguments);
  Result<void> stand_in_locked(Lock& lock, const Ref<CompiledKernel>& kernel,
                               const backend::Dispatch& dispatch, std::span<const Argument> arguments);
  inline void receipt_locked(const CompiledKernel& kernel, const std::array<std::uint32_t, 3>& groups);
  std::uint64_t kept_launches_locked() const;
  void take_receipt_locked(Receipt& receipt);

  Ref<ScratchState> scratch_;              // made when it is first asked for
  std::atomic<bool> copies_bytes_{false};  // the kernel for it is built
  std::atomic<bool> quiescing_{false};     // the process exits: no more work is taken
  mutable core::HaltingMutex mutex_;
  std::condition_variable_any changed_;  // pumped, or a host call has ended
  backend::Queue queue_;
  backend::Timeline timeline_;
  std::optional<Error> failure_;  // of the first thing that went wrong since the last wait()
  bool lost_ = false;
  bool skipping_ = false;  // what is closed but not submitted is dropped

  core::Batch* batch_ = nullptr;    // open
  core::Fifo<core::Batch> closed_;  // not submitted yet
  core::Fifo<core::Batch> in_flight_;
  std::vector<core::Batch*> spare_;
  std::vector<std::unique_ptr<core::Batch>> batches_;  // owns them all
  std::uint64_t next_value_ = 1;                       // of the open batch
  std::uint64_t submitted_ = 0;
  std::uint64_t completed_ = 0;
  bool pump_asked_ = false;  // the service will call pump()
  bool unattended_ = false;  // it had no thread once: work goes on in wait() and the like, and close() waits
  bool host_call_running_ = false;
  bool closing_ = false;  // the user's handle is gone
  std::vector<backend::Timeline> broken_;

  // Values that failed, with the reason; the last few.
  struct Failed {
    std::uint64_t first, last;
    Error error;
  };
  std::deque<Failed> failed_;
  std::uint64_t forgotten_ = 0;  // up to here, failures may be missing from the list

  core::Hazards hazards_;
  core::Staging upload_;
  core::Staging readback_;

  // Downloads from mapped memory that nothing has had to copy aside yet.
  struct DirectRead {
    Ref<const BufferState> buffer;
    backend::Slice from;
    std::byte* to;
  };
  std::vector<DirectRead> direct_reads_;

  std::vector<Printed> printed_;  // and not delivered yet

  std::array<LaunchRecord, kReceiptLaunches> launches_;
  std::uint64_t launch_count_ = 0;
  std::uint64_t copy_count_ = 0;
  std::uint64_t copied_bytes_ = 0;
  std::atomic<std::uint64_t> failed_callbacks_{0};
};

template <class Op>
inline void StreamState::add_locked(const Op& op, std::span<const backend::Slice> slices) {
  if (!direct_reads_.empty()) [[unlikely]]
    settle_reads_locked(slices);
  // Barriers do not reach across submissions by themselves, so the first command of a batch is ordered.
  bool ordered = true;
  if (device->caps.overlaps) {
    if (batch_->commands.empty()) hazards_.order_next();
    ordered = hazards_.order(slices);
  }
  batch_->commands.emplace_back(op, ordered);
}

// Calls `call`. What it throws is logged, and counted where there is a stream.
void call_back(const std::function<void(const Result<void>&)>& call, const Result<void>& outcome,
               StreamState* stream);

// Threads: thread-safe.
class EventState final : public Counted {
 public:
  // No owner only for moved_from(), which has failed.
  EventState(Ref<StreamState> owner, std::uint64_t at) : stream(std::move(owner)), value(at) {}

  const Ref<StreamState> stream;
  const std::uint64_t value;
  std::optional<Error> failure;  // the stream had failed before
  bool timed = false;
  std::uint64_t timestamp = 0;  // written by the backend before `value` is done
};

}  // namespace collet::detail
