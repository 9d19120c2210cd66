// CPU: queues, and the hand-over of submissions to the pool.

#include <new>

#include "backends/cpu/device.hpp"
#include "backends/cpu/errors.hpp"
#include "backends/cpu/run.hpp"

namespace collet::backend::cpu {
namespace {

QueueState& state(Queue queue) { return *reinterpret_cast<QueueState*>(queue.id); }

// Copies commands into a record, since their spans end with submit().
struct Copier {
  Record& record;

  void operator()(const Copy& copy) const { add_copy(address(copy.to), address(copy.from), copy.to.size); }
  void operator()(const Write& write) const { add_copy(address(write.to), write.from, write.to.size); }
  void operator()(const Read& read) const { add_copy(read.to, address(read.from), read.from.size); }
  void operator()(const Fill& fill) const {
    Step& step = add(Step::Kind::fill);
    step.to = address(fill.to);
    step.size = fill.to.size;
    step.pattern = fill.pattern;
  }
  void operator()(const Timestamp& timestamp) const { add(Step::Kind::timestamp).slot = timestamp.slot; }
  void operator()(const Dispatch& dispatch) const {
    Step& step = add(Step::Kind::dispatch);
    step.kernel = reinterpret_cast<KernelState*>(dispatch.kernel.id);
    step.groups = dispatch.groups;
    step.extent = dispatch.extent;
    step.first_buffer = record.buffers.size();
    for (const Slice& slice : dispatch.slices) {
      record.buffers.push_back(address(slice));
      record.sizes.push_back(slice.size);
    }
    step.first_constant = record.constants.size();
    record.constants.insert(record.constants.end(), dispatch.constants.begin(), dispatch.constants.end());
    record.constants.resize((record.constants.size() + 15) & ~std::size_t{15});
  }

  Step& add(Step::Kind kind) const {
    Step& step = record.steps.emplace_back();
    step.kind = kind;
    return step;
  }
  void add_copy(std::byte* to, const std::byte* from, std::uint64_t size) const {
    Step& step = add(Step::Kind::copy);
    step.to = to;
    step.from = from;
    step.size = size;
  }
};

// A free record, still on the chain where it is reused; take_off() comes when it is filled.
Record* free_record(QueueState& queue) {
  if (queue.first != queue.head.load(std::memory_order_acquire)) return queue.first;
  auto* record = new Record;  // throws
  record->next = queue.first;
  queue.first = record;
  return record;
}

// Throws std::bad_alloc.
void fill_record(Record& record, const Submission& submission) {
  record.waits.clear();
  record.waits_met = 0;
  record.steps.clear();
  record.steps_done = 0;
  record.buffers.clear();
  record.sizes.clear();
  record.constants.clear();
  record.error.reset();
  record.signal = {reinterpret_cast<TimelineState*>(submission.signal.timeline.id), submission.signal.value};
  for (const Point& wait : submission.waits) {
    auto* timeline = reinterpret_cast<TimelineState*>(wait.timeline.id);
    if (!reached(*timeline, wait.value)) record.waits.push_back({timeline, wait.value});
  }
  for (const Command& command : submission.commands) std::visit(Copier{record}, command.what);
}

}  // namespace

QueueState::~QueueState() {
  while (first != nullptr) {
    Record* record = first;
    first = record->next;
    delete record;
  }
}

Result<Queue> CpuDevice::create_queue(QueueKind, std::string_view) {
  QueueState* queue = nullptr;
  try {
    queue = pool_.queues.take();
    if (queue->tail == nullptr) {
      queue->first = queue->tail = new Record;
      queue->head.store(queue->tail);
    }
  } catch (const std::bad_alloc&) {
    if (queue != nullptr) pool_.queues.put(queue);
    return no_memory(sizeof(QueueState), "a queue");
  }
  queue->retired.store(false);
  queue->claimed.store(false);
  return Queue{reinterpret_cast<std::uintptr_t>(queue)};
}

// What is left in a queue whose timeline failed is skipped by a worker, and the queue shelved after that.
void CpuDevice::destroy_queue(Queue queue) {
  QueueState& its = state(queue);
  its.retired.store(true);
  if (!its.claimed.exchange(true)) release(pool_, its);
}

Result<void> CpuDevice::submit(Queue handle, const Submission& submission) {
  QueueState& queue = state(handle);
  Record* record = nullptr;
  try {
    record = free_record(queue);
    fill_record(*record, submission);
  } catch (const std::bad_alloc&) {
    return no_memory(sizeof(Record) + submission.commands.size() * sizeof(Step), "a submission");
  }
  queue.first = record->next;
  record->next = nullptr;
  for (const TimelinePoint& wait : record->waits)
    wait.timeline->references.fetch_add(1, std::memory_order_relaxed);
  TimelineState& timeline = *record->signal.timeline;
  timeline.references.fetch_add(1, std::memory_order_relaxed);
  if (timeline.queue.load(std::memory_order_relaxed) != &queue) timeline.queue.store(&queue);

  queue.tail->next = record;
  queue.tail = record;
  queue.pending.fetch_add(1);
  if (!queue.claimed.load()) pool_.list(queue);
  return {};
}

Result<ClockSample> CpuDevice::sample_clock() {
  const std::uint64_t now = now_ns();
  return ClockSample{.device_ns = now, .host_ns = now};
}

}  // namespace collet::backend::cpu
