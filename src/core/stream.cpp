// The life of a stream's batches: gather, submit, retire, wait.

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/log.hpp"
#include "core/buffer_state.hpp"
#include "core/scratch_state.hpp"
#include "core/stream_state.hpp"
#include "kernel/emit/shadow.hpp"

namespace collet::detail {
namespace {

// How often a stream that nobody waits on looks for what is done.
constexpr std::size_t kRetireEvery = 64;
// So many batches a stream makes before it looks for one that is done.
constexpr std::size_t kFew = 8;
constexpr std::size_t kRememberedFailures = 4096;
constexpr auto kHeldBack = std::chrono::milliseconds(1);
// For the marks of a launch's buffers in checked mode.
constexpr std::uint64_t kMostShadowBytes = 1u << 30;

}  // namespace

StreamState::StreamState(Ref<DeviceState> owner, StreamOptions asked)
    : device(std::move(owner)),
      options(std::move(asked)),
      upload_(*device, backend::Placement::upload),
      readback_(*device, backend::Placement::readback) {
  if (auto usable = device->usable(); !usable) {
    failure_ = usable.error();
    lost_ = true;
    return;
  }
  if (auto opened = open_queue(); !opened) fail_locked(opened.error().during("creating " + name()));
  device->add_stream(this);  // last: from here on other threads may see it
}

Result<void> StreamState::open_queue() {
  const auto kind = options.transfer_only ? backend::QueueKind::transfer : backend::QueueKind::compute;
  COLLET_TRY(timeline, device->native->create_timeline());
  timeline_ = timeline;
  COLLET_TRY(queue, device->native->create_queue(kind, options.label));
  queue_ = queue;
  batch_ = new_batch_locked();
  return {};
}

Ref<ScratchState> StreamState::scratch() {
  const Lock lock(mutex_);
  if (!scratch_) scratch_ = Ref(new ScratchState(device));
  return scratch_;
}

StreamState::~StreamState() {
  device->remove_stream(this);
  batches_.clear();
  if (queue_.id != 0) device->native->destroy_queue(queue_);
  if (timeline_.id != 0) device->native->destroy_timeline(timeline_);
  for (const backend::Timeline dead : broken_) device->native->destroy_timeline(dead);
}

void StreamState::dispose() noexcept {
  if (!device->is_abandoned() || device->is_moved_from()) delete this;
}

std::string StreamState::name() const {
  return options.label.empty() ? "[Stream]" : "[Stream \"" + options.label + "\"]";
}

void StreamState::fail_locked(const Error& error) {
  if (!failure_) failure_ = error;
  if (error.code() == ErrorCode::device_lost) lost_ = true;
}

void StreamState::refuse(const Error& error) {
  if (device->is_abandoned()) return;
  const Lock lock(mutex_);
  fail_locked(error);
}

void StreamState::break_locked(const Error& error) {
  fail_locked(error);
  skipping_ = true;
}

core::Batch* StreamState::new_batch_locked() {
  if (spare_.empty()) [[unlikely]] {
    batches_.push_back(std::make_unique<core::Batch>());
    batches_.back()->commands.reserve(device->caps.gather + 1);
    spare_.push_back(batches_.back().get());
  }
  core::Batch* batch = spare_.back();
  spare_.pop_back();
  return batch;
}

void StreamState::recycle_locked(core::Batch* batch) {
  batch->clear();
  spare_.push_back(batch);
}

void StreamState::maybe_submit_locked() {
  if (batch_->commands.size() >= device->caps.gather) return submit_locked();
  // Asking the driver costs as much as the launch: the more has been gathered, the rarer. The service sees an
  // idle queue too.
  if (!closed_.empty() || !std::has_single_bit(batch_->commands.size())) return;
  collect_locked();
  if (in_flight_.empty() || !ask_pump_locked()) return submit_locked();
}

bool StreamState::ask_pump_locked() {
  if (!pump_asked_) pump_asked_ = device->service.pump_later(*this, submitted_).has_value();
  unattended_ = unattended_ || !pump_asked_;
  return pump_asked_;
}

void StreamState::submit_locked() {
  if (batch_ == nullptr || batch_->empty()) return;
  // Rather than make another batch; not for each, where the device is as fast as the host.
  if (spare_.empty() && in_flight_.size() >= kFew) collect_locked();
  if (!closed_.empty() || skipping_ || !batch_->blockers.empty()) [[unlikely]]
    return close_batch_locked();
  core::Batch* batch = std::exchange(batch_, new_batch_locked());
  batch->value = next_value_++;
  submit_batch_locked(batch);
}

void StreamState::close_batch_locked() {
  if (batch_ == nullptr || batch_->empty()) return;
  batch_->value = next_value_++;
  closed_.push_back(batch_);
  batch_ = new_batch_locked();
}

void StreamState::submit_batch_locked(core::Batch* batch) {
  const backend::Submission submission{
      .waits = batch->waits, .commands = batch->commands, .signal = {timeline_, batch->value}};
  if (auto submitted = device->native->submit(queue_, submission); !submitted) [[unlikely]] {
    const Error error = submitted.error().during("submitting work of " + name());
    remember_failure_locked(batch->value, batch->value, error);
    break_locked(error);
    recycle_locked(batch);
    return;
  }
  submitted_ = batch->value;
  in_flight_.push_back(batch);
  if (submitted_ % kRetireEvery == 0) {
    query_locked();
    retire_locked();
  }
}

void StreamState::pump() {
  Lock lock(mutex_);
  pump_asked_ = false;
  collect_locked();
  if (closed_.empty() && in_flight_.empty()) close_batch_locked();
  pump_locked(lock);
  // Gathered launches behind a new submission, or a closing stream: come back when that is done.
  const bool waiting = (batch_ != nullptr && !batch_->empty()) || (closing_ && !in_flight_.empty());
  if (waiting && !in_flight_.empty() && !ask_pump_locked()) submit_locked();
  lock.unlock();
  changed_.notify_all();
}

void StreamState::pump_locked(Lock& lock) {
  while (!closed_.empty() && !host_call_running_) {
    core::Batch* batch = closed_.front();
    if (skipping_) {
      remember_failure_locked(batch->value, batch->value, *failure_);
      closed_.pop_front();
      recycle_locked(batch);
      continue;
    }
    const Result<bool> ready = blockers_done(*batch, lock);
    if (!ready) {
      break_locked(ready.error().during("waiting for an event in " + name()));
      continue;
    }
    if (!*ready) return;
    if (closed_.empty() || closed_.front() != batch) continue;  // someone else was faster
    if (batch->host_call) {
      collect_locked();
      if (!in_flight_.empty()) return (void)ask_pump_locked();
      run_host_call_locked(lock, *batch);
      continue;
    }
    closed_.pop_front();
    submit_batch_locked(batch);
  }
}

void StreamState::run_host_call_locked(Lock& lock, core::Batch& batch) {
  host_call_running_ = true;
  const auto call = std::move(batch.host_call);
  lock.unlock();
  const Result<void> outcome = call();
  lock.lock();
  host_call_running_ = false;
  batch.host_call = nullptr;  // what is left of the batch is its signal
  if (!outcome) break_locked(outcome.error());
  changed_.notify_all();
}

Result<bool> StreamState::blockers_done(core::Batch& batch, Lock& lock) {
  while (!batch.blockers.empty()) {
    const Ref<EventState> event = batch.blockers.back();
    lock.unlock();  // never two streams at once
    const Result<bool> done = event->stream->done(event->value);
    lock.lock();
    if (!done) return done.error();
    if (!*done) return false;
    if (!batch.blockers.empty() && batch.blockers.back() == event) batch.blockers.pop_back();
  }
  return true;
}

void StreamState::query_locked() {
  auto value = device->native->query_timeline(timeline_);
  if (!value) return broken_locked(value.error());
  completed_ = std::max(completed_, *value);
}

void StreamState::collect_locked() {
  if (in_flight_.empty()) return;
  query_locked();
  retire_locked();
}

void StreamState::retire_locked() {
  while (!in_flight_.empty() && in_flight_.front()->value <= completed_) {
    core::Batch* batch = in_flight_.front();
    in_flight_.pop_front();
    if (!batch->reads.empty()) finish_reads_locked(*batch);
    if (!batch->watches.empty()) [[unlikely]]
      check_watches_locked(*batch);
    if (!batch->messages.empty()) [[unlikely]]
      tell_locked(*batch);
    recycle_locked(batch);
  }
}

void StreamState::finish_reads_locked(core::Batch& batch) {
  for (const core::HostRead& read : batch.reads) {
    const auto visible =
        read.from.memory.id == 0 ? Result<void>() : device->native->sync_host_range(read.from, false);
    if (!visible) {
      const Error error = visible.error().during("reading back what " + name() + " downloaded");
      remember_failure_locked(batch.value, submitted_, error);  // later work can't repair it
      return break_locked(error);
    }
    std::memcpy(read.to, read.mapped, read.size);
  }
}

Result<void> StreamState::prepare_slow_path_locked(KernelState& kernel, CompiledKernel& compiled,
                                                   const std::array<std::uint64_t, 3>& extent,
                                                   std::span<const Argument> arguments,
                                                   std::span<backend::Slice> slices) {
  device->count_work(kernel, compiled, extent);
  std::size_t next = compiled.buffers.size();
  if (!compiled.shadow_units.empty()) COLLET_CHECK(add_shadow_locked(compiled, arguments, slices[next++]));
  if (compiled.messages != nullptr) COLLET_CHECK(add_messages_locked(compiled, arguments, slices[next]));
  return compiled.watched ? watch_locked(compiled, slices.back()) : Result<void>();
}

Result<Ref<BufferState>> StreamState::make_zeros_locked(std::uint64_t bytes, backend::Slice& slice) {
  COLLET_TRY(buffer, make_scratch(rounded(bytes)));
  slice = slice_of_all(*buffer);
  use_locked(*buffer);
  add_locked(backend::Fill{.to = slice, .pattern = 0}, {&slice, 1});
  slice.access = backend::Access::read_write;
  slice.size = bytes;
  return buffer;
}

Result<void> StreamState::add_shadow_locked(const CompiledKernel& kernel, std::span<const Argument> arguments,
                                            backend::Slice& slice) {
  std::uint64_t units = 0;
  for (std::size_t i = 0; i < kernel.buffers.size(); ++i) {
    const std::uint32_t unit = kernel.shadow_units[i];
    if (unit == 0) continue;
    const Range& range = arguments[kernel.buffers[i].argument].range;
    units += range.count * range.element_size / unit;  // of memory that is there: no overflow
  }
  if (units > std::min(kMostShadowBytes, device->caps.max_binding_range) / emit::kShadowBytes) {
    base::log(LogLevel::warn, "check",
              "Races between groups of [Kernel \"" + kernel.name +
                  "\"] are not looked for in this launch: " + std::to_string(units * emit::kShadowBytes) +
                  " bytes would be needed beside its buffers, and " + std::to_string(kMostShadowBytes) +
                  " are the most.");
    units = 0;
  }
  COLLET_CHECK(make_zeros_locked(units == 0 ? emit::kShadowBytes : (units + 1) * emit::kShadowBytes, slice));
  return {};
}

Result<void> StreamState::add_messages_locked(const CompiledKernel& kernel,
                                              std::span<const Argument> arguments, backend::Slice& slice) {
  const std::uint64_t bytes = std::uint64_t{kernel.messages->words} * sizeof(std::uint32_t);
  COLLET_TRY(buffer, make_zeros_locked(bytes, slice));
  batch_->messages.push_back(
      {.messages = kernel.messages, .buffer = std::move(buffer), .bound = {}, .words = {}});
  if (!device->options.checked) return {};
  for (const CompiledKernel::BufferParameter& parameter : kernel.buffers)
    batch_->messages.back().bound.push_back(arguments[parameter.argument].range.buffer->name());
  return {};
}

Result<void> StreamState::read_messages_locked(core::MessageRead& read) {
  read.words.resize(read.messages->words);
  backend::Slice from = slice_of_all(*read.buffer);
  from.access = backend::Access::read;
  from.size = read.words.size() * sizeof(std::uint32_t);
  return read_staged_locked(*read.buffer, from, reinterpret_cast<std::byte*>(read.words.data()));
}

void StreamState::tell_locked(const core::Batch& batch) {
  for (const core::MessageRead& read : batch.messages) {
    core::Told told = core::tell(*read.messages, read.words, device->options.print_in_order, read.bound);
    if (!told.printed.lines.empty() || told.printed.lost != 0) printed_.push_back(std::move(told.printed));
    if (!told.failure) continue;
    remember_failure_locked(batch.value, submitted_, *told.failure);
    break_locked(*told.failure);
  }
}

void StreamState::deliver_printed_locked(Lock& lock) {
  const std::vector<Printed> printed = std::exchange(printed_, {});
  lock.unlock();
  for (const Printed& one : printed) core::deliver(one, device->options);
  lock.lock();
}

Result<void> StreamState::watch_locked(const CompiledKernel& kernel, backend::Slice& slice) {
  if (!device->caps.mapped) {
    COLLET_TRY(buffer, make_zeros_locked(sizeof(std::uint32_t), slice));
    batch_->watches.push_back({.slice = slice, .kernel = kernel.facts.get(), .buffer = std::move(buffer)});
    return {};
  }
  // The only driver that is watched binds slices at multiples of 16 bytes; staging is aligned to 64.
  COLLET_TRY(staged, readback_.allocate(sizeof(std::uint32_t)));
  std::memset(staged.host, 0, sizeof(std::uint32_t));
  COLLET_CHECK(device->native->sync_host_range(staged.slice, true));
  batch_->keep_alive(staged.chunk.get());
  batch_->watches.push_back({.slice = staged.slice, .mapped = staged.host, .kernel = kernel.facts.get()});
  slice = staged.slice;
  slice.access = backend::Access::read_write;
  return {};
}

Result<void> StreamState::read_watch_locked(core::LoopWatch& watch) {
  if (!watch.buffer) return {};
  backend::Slice words = slice_of_all(*watch.buffer);
  words.access = backend::Access::read;
  COLLET_TRY(staged, readback_.allocate(words.size));
  batch_->keep_alive(staged.chunk.get());
  watch.mapped = staged.host;
  add_locked(backend::Read{.from = words, .to = staged.host}, {&words, 1});
  return {};
}

void StreamState::check_watches_locked(const core::Batch& batch) {
  for (const core::LoopWatch& watch : batch.watches) {
    std::uint32_t cut = 0;
    auto visible = device->native->sync_host_range(watch.slice, false);
    if (visible) std::memcpy(&cut, watch.mapped, sizeof cut);
    if (visible && cut == 0) continue;
    const Error error =
        !visible ? visible.error().during("looking at the loops of [Kernel \"" + watch.kernel->kernel + "\"]")
                 : Error(ErrorCode::unsupported, Category::launch, Cause::other,
                         "[Kernel \"" + watch.kernel->kernel + "\"] ran more rounds of its loops than " +
                             device->facts->name + " (" + device->facts->driver +
                             ") does, which ends them then without an error (quirk " +
                             fmt::format("{}", fmt::join(watch.kernel->quirks, ", ")) +
                             "). What the kernel wrote is not right.")
                       .with_hint("Launch it in steps of fewer rounds, or use another device or driver.");
    remember_failure_locked(batch.value, submitted_, error);
    return break_locked(error);
  }
}

void StreamState::remember_failure_locked(std::uint64_t first, std::uint64_t last, const Error& error) {
  if (failed_.size() == kRememberedFailures) {
    forgotten_ = failed_.front().last;
    failed_.pop_front();
  }
  failed_.push_back({first, last, error});
}

void StreamState::broken_locked(const Error& native) {
  const Error error = native.during("running work of " + name());
  if (!in_flight_.empty()) remember_failure_locked(in_flight_.front()->value, submitted_, error);
  for (; !in_flight_.empty(); in_flight_.pop_front()) recycle_locked(in_flight_.front());
  direct_reads_.clear();
  break_locked(error);
  if (lost_) return;
  // A failed timeline stays failed; the stream goes on with a new one. Others may still look at the old one.
  auto timeline = device->native->create_timeline();
  if (!timeline) {
    lost_ = true;
    return;
  }
  broken_.push_back(timeline_);
  timeline_ = *timeline;
  completed_ = submitted_;
}

Result<void> StreamState::outcome_locked(std::uint64_t value) const {
  for (const Failed& failed : failed_) {
    if (value >= failed.first && value <= failed.last) return failed.error;
  }
  if (value != 0 && value <= forgotten_) {
    return Error(
        ErrorCode::internal, Category::synchronisation,
        name() + " has failed so often since that it is not known any more whether this work was done.");
  }
  return {};
}

bool StreamState::finished_locked(std::uint64_t value) const {
  // A value that was reached, and one that failed, is done only when nothing up to it is still to be retired.
  if (value <= completed_ || (!failed_.empty() && !outcome_locked(value))) {
    return in_flight_.empty() || in_flight_.front()->value > value;
  }
  return value < next_value_ && closed_.empty() && in_flight_.empty() && !host_call_running_;
}

Result<bool> StreamState::done(std::uint64_t value) {
  COLLET_CHECK(device->usable());
  Lock lock(mutex_);
  if (!finished_locked(value)) {
    if (value == next_value_) submit_locked();
    collect_locked();
  }
  COLLET_CHECK(outcome_locked(value));
  return finished_locked(value);
}

std::optional<backend::Point> StreamState::submitted_point(std::uint64_t value) {
  const Lock lock(mutex_);
  if (in_flight_.empty()) return std::nullopt;
  return backend::Point{timeline_, std::min(value, submitted_)};
}

Result<void> StreamState::reach_locked(Lock& lock, std::uint64_t value, Deadline deadline) {
  while (!finished_locked(value)) {
    if (!closed_.empty()) pump_locked(lock);
    if (!in_flight_.empty()) {
      const backend::Point point{timeline_, std::min(value, submitted_)};
      lock.unlock();
      const Result<void> waited =
          device->native->wait_timelines({&point, 1}, backend::WaitFor::all, deadline);
      lock.lock();
      if (!waited) {
        if (waited.error().code() == ErrorCode::timeout)
          return waited.error().during("waiting for " + name());
        if (point.timeline == timeline_) broken_locked(waited.error());
      } else if (point.timeline == timeline_) {
        completed_ = std::max(completed_, point.value);
        retire_locked();
      }
    } else if (host_call_running_ || !closed_.empty()) {
      // The service thread of the other device says when it is time; the limit is for when there is none any
      // more.
      if (deadline.passed()) {
        return Error(ErrorCode::timeout, Category::synchronisation,
                     host_call_running_ ? "A CPU function still runs in " + name() + "."
                                        : name() + " still waits for an event.");
      }
      changed_.wait_until(lock, std::min(deadline.at(), Deadline::Clock::now() + kHeldBack));
    }
  }
  return {};
}

Result<void> StreamState::wait_value(std::uint64_t value, Deadline deadline) {
  COLLET_CHECK(device->usable());
  Lock lock(mutex_);
  if (value == next_value_) submit_locked();
  COLLET_CHECK(reach_locked(lock, value, deadline));
  const Result<void> outcome = outcome_locked(value);
  if (!printed_.empty()) [[unlikely]]
    deliver_printed_locked(lock);
  return outcome;
}

void StreamState::wait_for_oldest_locked(Lock& lock) {
  query_locked();
  retire_locked();
  if (in_flight_.size() < kMostInFlight) return;
  // Half of them, so that not every call waits.
  (void)reach_locked(lock, in_flight_[kMostInFlight / 2]->value, kForever);
}

void StreamState::flush() {
  if (device->is_abandoned()) return;
  Lock lock(mutex_);
  submit_locked();
  pump_locked(lock);
}

bool StreamState::idle() {
  if (device->is_abandoned()) return true;
  Lock lock(mutex_);
  submit_locked();
  pump_locked(lock);
  collect_locked();
  if (!in_flight_.empty() || !closed_.empty() || host_call_running_) return false;
  finish_direct_reads_locked();
  if (!printed_.empty()) [[unlikely]]
    deliver_printed_locked(lock);
  return true;
}

Result<void> StreamState::wait_done(Deadline deadline) {
  COLLET_CHECK(device->usable());
  Lock lock(mutex_);
  submit_locked();
  COLLET_CHECK(drain_locked(lock, deadline));
  const std::optional<Error> error = failure_;
  if (!printed_.empty()) [[unlikely]]
    deliver_printed_locked(lock);
  if (error) return *error;
  return {};
}

Result<void> StreamState::drain_locked(Lock& lock, Deadline deadline) {
  if (!closed_.empty()) pump_locked(lock);
  COLLET_CHECK(reach_locked(lock, next_value_ - 1, deadline));
  if (!direct_reads_.empty()) finish_direct_reads_locked();
  return {};
}

Result<Receipt> StreamState::wait(Deadline deadline) {
  COLLET_CHECK(device->usable());
  Lock lock(mutex_);
  submit_locked();
  Receipt receipt;
  receipt.launches.reserve(kept_launches_locked());  // while the device works
  COLLET_CHECK(drain_locked(lock, deadline));
  take_receipt_locked(receipt);
  if (!failure_ && printed_.empty()) [[likely]]
    return receipt;
  const std::optional<Error> error = failure_;
  if (error && !lost_ && batch_ != nullptr) {
    failure_.reset();
    skipping_ = false;
    batch_->clear();
  }
  deliver_printed_locked(lock);
  if (error) return *error;
  return receipt;
}

void StreamState::quiesce(Deadline deadline) {
  // Otherwise a thread that keeps adding work could hold the lock, and the queue would never drain.
  quiescing_.store(true, std::memory_order_relaxed);
  Lock lock(mutex_);
  submit_locked();
  (void)drain_locked(lock, deadline);
  lock.release()->halt();  // nobody enters the driver any more
}

void StreamState::close() {
  if (device->is_abandoned()) return;
  bool borrows = false;
  {
    const Lock lock(mutex_);
    if (scratch_) scratch_->close();
    borrows = !direct_reads_.empty() || (batch_ != nullptr && batch_->borrows);
    for (std::size_t i = 0; i < in_flight_.size(); ++i) borrows = borrows || in_flight_[i]->borrows;
    for (std::size_t i = 0; i < closed_.size(); ++i) borrows = borrows || closed_[i]->borrows;
  }
  if (borrows) {
    (void)wait(kForever);
    return;
  }
  {
    const Lock lock(mutex_);
    closing_ = true;
  }
  flush();
  pump();
  bool unattended = false;
  {
    const Lock lock(mutex_);
    unattended = unattended_;
  }
  if (unattended) (void)wait(kForever);
}

}  // namespace collet::detail
