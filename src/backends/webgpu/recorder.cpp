// WebGPU: what each command is recorded as.

#include "backends/webgpu/recorder.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "backends/common/backoff.hpp"
#include "backends/common/fill.hpp"

namespace collet::backend::webgpu {
namespace {

constexpr std::uint64_t kConstantsBytes = 256 << 10;  // of one command buffer
constexpr std::uint64_t kBounceBytes = 4 << 20;
constexpr std::uint32_t kMostStamps = 4096;  // of one submission: what a query set may have

// WebGPU itself fills with zeros only.
constexpr std::string_view kFillCode = R"(
@group(0) @binding(0) var<storage, read_write> words: array<u32>;
struct Constants { first: u32, count: u32, pattern: u32, unused: u32 }
@group(0) @binding(1) var<uniform> constants: Constants;

@compute @workgroup_size(64)
fn fill(@builtin(global_invocation_id) item: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  for (var i = item.x; i < constants.count; i += groups.x * 64u) {
    words[constants.first + i] = constants.pattern;
  }
}
)";

MemoryState& state(Memory memory) { return *reinterpret_cast<MemoryState*>(memory.id); }

constexpr std::uint64_t aligned(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

void on_done(abi::QueueWorkDoneStatus status, abi::StringView, void* to, void*) {
  auto& flight = *static_cast<InFlight*>(to);
  flight.failed = status != abi::QueueWorkDoneStatus::success;
  flight.done.store(true, std::memory_order_release);
}

}  // namespace

bool InFlight::ended() const {
  return done.load(std::memory_order_acquire) && std::ranges::all_of(readbacks, [](const auto& one) {
           return one->answered.load(std::memory_order_acquire);
         });
}

Recorder::Recorder(const Native& native) : native_(native), wgpu_(native.wgpu), readbacks_(native) {}

Recorder::~Recorder() {
  if (fill_ != nullptr) destroy_pipeline(native_, *fill_);
  if (fill_program_ != nullptr) wgpu_.ShaderModuleRelease(fill_program_->module);
  for (const abi::Buffer buffer : {constants_buffer_, bounce_, resolved_}) {
    if (buffer != nullptr) native_.release_buffer(buffer);
  }
}

Result<void> Recorder::prepare() {
  using namespace abi::buffer_usage;
  COLLET_TRY(constants,
             native_.create_buffer(kConstantsBytes, uniform | copy_dst, "collet constants", kMakeStaging));
  constants_buffer_ = constants;
  COLLET_TRY(program, create_module(native_, kFillCode, "collet fill"));
  fill_program_ = std::move(program);
  Signature signature;
  signature.group_size = {common::kFillItems, 1, 1};
  signature.parameters = {{.kind = Parameter::Kind::buffer, .access = Access::write}};
  signature.buffer_count = 1;
  signature.constants_size = sizeof(common::FillConstants);
  COLLET_TRY(fill, create_pipeline(native_, *fill_program_,
                                   {.entry = "fill", .signature = &signature, .label = "collet fill"}));
  fill_ = std::move(fill);
  return {};
}

Result<void> Recorder::submit(std::span<const Command> commands, InFlight& flight) {
  Listener listener;
  flight_ = &flight;
  submitted_ = false;
  unread_ = 0;
  for (const Command& command : commands) {
    if (const auto* read = std::get_if<Read>(&command.what)) unread_ += aligned(read->from.size, 16);
  }
  auto done = record(commands);
  if (done) done = resolve_stamps();
  if (done) done = flush();
  if (done) {
    wgpu_.QueueOnSubmittedWorkDone(native_.queue, {.callback = on_done, .first = &flight});
    for (const auto& readback : flight.readbacks) readbacks_.map(*readback);
    // It runs, and only its callbacks say when it has ended: the next look at the device finds the error.
    if (done = listener.check(kMap); !done)
      native_.reports.note(Error(ErrorCode::device_lost, Category::memory, done.error().message()));
    return {};
  }
  drop();
  if (submitted_) wait_until_idle();
  release(flight);
  return native_.reports.note(done.error());
}

Result<void> Recorder::record(std::span<const Command> commands) {
  for (const Command& command : commands)
    COLLET_CHECK(std::visit([this](const auto& what) { return record(what); }, command.what));
  return {};
}

void Recorder::begin_encoder() {
  if (encoder_ != nullptr) return;
  const abi::CommandEncoderDescriptor desc;
  encoder_ = wgpu_.DeviceCreateCommandEncoder(native_.device, &desc);
}

void Recorder::begin_pass() {
  if (pass_ != nullptr) return;
  begin_encoder();
  const abi::ComputePassDescriptor desc;
  pass_ = wgpu_.CommandEncoderBeginComputePass(encoder_, &desc);
}

void Recorder::end_pass() {
  if (pass_ == nullptr) return;
  wgpu_.ComputePassEncoderEnd(pass_);
  wgpu_.ComputePassEncoderRelease(std::exchange(pass_, nullptr));
}

void Recorder::drop() {
  end_pass();
  if (encoder_ != nullptr) wgpu_.CommandEncoderRelease(std::exchange(encoder_, nullptr));
  constants_.clear();
}

Result<void> Recorder::flush() {
  if (encoder_ == nullptr) return {};
  Listener& listener = *Listener::current();
  end_pass();
  const abi::CommandBufferDescriptor desc;
  const abi::CommandBuffer recorded = wgpu_.CommandEncoderFinish(encoder_, &desc);
  wgpu_.CommandEncoderRelease(std::exchange(encoder_, nullptr));
  // A list that is not valid ends the process when it is submitted to wgpu-native.
  auto done = listener.check(kRecord);
  if (done) {
    if (!constants_.empty())
      wgpu_.QueueWriteBuffer(native_.queue, constants_buffer_, 0, constants_.data(), constants_.size());
    wgpu_.QueueSubmit(native_.queue, 1, &recorded);
    submitted_ = true;
    done = listener.check(kSubmit);
  }
  if (recorded != nullptr) wgpu_.CommandBufferRelease(recorded);
  constants_.clear();
  return done;
}

Result<void> Recorder::record(const Copy& copy) {
  end_pass();
  begin_encoder();
  const abi::Buffer from = state(copy.from.memory).buffer;
  const abi::Buffer to = state(copy.to.memory).buffer;
  if (from != to) {
    wgpu_.CommandEncoderCopyBufferToBuffer(encoder_, from, copy.from.offset, to, copy.to.offset,
                                           copy.to.size);
    return {};
  }
  if (bounce_ == nullptr) {
    using namespace abi::buffer_usage;
    COLLET_TRY(made, native_.create_buffer(kBounceBytes, copy_src | copy_dst, "collet bounce", kMakeStaging));
    bounce_ = made;
  }
  for (std::uint64_t at = 0; at < copy.to.size; at += kBounceBytes) {
    const std::uint64_t size = std::min(kBounceBytes, copy.to.size - at);
    wgpu_.CommandEncoderCopyBufferToBuffer(encoder_, from, copy.from.offset + at, bounce_, 0, size);
    wgpu_.CommandEncoderCopyBufferToBuffer(encoder_, bounce_, 0, to, copy.to.offset + at, size);
  }
  return {};
}

Result<void> Recorder::record(const Fill& fill) {
  const MemoryState& memory = state(fill.to.memory);
  if (fill.pattern == 0) {
    end_pass();
    begin_encoder();
    wgpu_.CommandEncoderClearBuffer(encoder_, memory.buffer, fill.to.offset, fill.to.size);
    return {};
  }
  const common::FillLimits limits{.memory_size = memory.size,
                                  .max_binding = native_.limits.max_storage_binding,
                                  .alignment = native_.limits.storage_alignment,
                                  .max_groups = native_.limits.max_workgroups};
  return common::fill_by_kernel(
      fill, limits, [&](const Slice& slice, const common::FillConstants& constants, std::uint32_t groups) {
        return record(Dispatch{.kernel = Kernel{reinterpret_cast<std::uintptr_t>(fill_.get())},
                               .groups = {groups, 1, 1},
                               .slices = {&slice, 1},
                               .constants = std::as_bytes(std::span(&constants, 1)),
                               .label = {}});
      });
}

// WebGPU writes before what is submitted next, so what is recorded goes first.
Result<void> Recorder::record(const Write& write) {
  COLLET_CHECK(flush());
  wgpu_.QueueWriteBuffer(native_.queue, state(write.to.memory).buffer, write.to.offset, write.from,
                         write.to.size);
  submitted_ = true;
  return Listener::current()->check(kSubmit);
}

Result<Readback*> Recorder::room(std::uint64_t size) {
  auto& all = flight_->readbacks;
  if (all.empty() || all.back()->size - all.back()->used < size) {
    const std::uint64_t most = native_.limits.max_buffer & ~std::uint64_t{15};
    COLLET_TRY(readback, readbacks_.acquire(std::max(size, std::min(unread_, most))));
    all.push_back(std::move(readback));
  }
  return all.back().get();
}

Result<void> Recorder::record(const Read& read) {
  const std::uint64_t size = aligned(read.from.size, 16);
  COLLET_TRY(readback, room(size));
  unread_ -= size;
  end_pass();
  begin_encoder();
  wgpu_.CommandEncoderCopyBufferToBuffer(encoder_, state(read.from.memory).buffer, read.from.offset,
                                         readback->buffer, readback->used, read.from.size);
  readback->parts.push_back({.at = readback->used, .size = read.from.size, .to = read.to});
  readback->used += size;
  return {};
}

Result<std::uint32_t> Recorder::keep_constants(std::span<const std::byte> constants, std::uint32_t size) {
  std::uint64_t at = aligned(constants_.size(), native_.limits.uniform_alignment);
  if (at + size > kConstantsBytes) {
    COLLET_CHECK(flush());
    at = 0;
  }
  constants_.resize(at + size);
  std::memcpy(constants_.data() + at, constants.data(), constants.size());
  return static_cast<std::uint32_t>(at);
}

Result<abi::BindGroup> Recorder::bind(KernelState& kernel, std::span<const Slice> slices) {
  const auto bound_as = [](const Slice& slice) {
    return BoundSlice{state(slice.memory).serial, slice.offset, aligned(slice.size, 4)};
  };
  for (const KernelState::Bound& bound : kernel.bound) {
    if (bound.group != nullptr && std::ranges::equal(bound.slices, slices, {}, {}, bound_as))
      return bound.group;
  }
  std::vector<abi::BindGroupEntry> entries(slices.size());
  for (std::size_t i = 0; i < slices.size(); ++i) {
    entries[i].binding = static_cast<std::uint32_t>(i);
    entries[i].buffer = state(slices[i].memory).buffer;
    entries[i].offset = slices[i].offset;
    entries[i].size = aligned(slices[i].size, 4);
  }
  if (kernel.constants_size != 0) {
    abi::BindGroupEntry& entry = entries.emplace_back();
    entry.binding = static_cast<std::uint32_t>(slices.size());
    entry.buffer = constants_buffer_;
    entry.size = kernel.constants_size;
  }
  const abi::BindGroupDescriptor desc{
      .layout = kernel.layout, .entry_count = entries.size(), .entries = entries.data()};
  const abi::BindGroup group = wgpu_.DeviceCreateBindGroup(native_.device, &desc);
  if (auto done = Listener::current()->check(kRecord); !done) {
    if (group != nullptr) wgpu_.BindGroupRelease(group);
    return done.error();
  }
  KernelState::Bound& bound = kernel.bound[kernel.next_bound++ % kernel.bound.size()];
  if (bound.group != nullptr) wgpu_.BindGroupRelease(bound.group);  // a list that uses it keeps it
  bound.group = group;
  bound.slices.clear();
  std::ranges::transform(slices, std::back_inserter(bound.slices), bound_as);
  return group;
}

Result<void> Recorder::record(const Dispatch& dispatch) {
  auto& kernel = *reinterpret_cast<KernelState*>(dispatch.kernel.id);
  std::uint32_t offset = 0;
  if (kernel.constants_size != 0) {
    COLLET_TRY(at, keep_constants(dispatch.constants, kernel.constants_size));
    offset = at;
  }
  COLLET_TRY(group, bind(kernel, dispatch.slices));
  begin_pass();
  wgpu_.ComputePassEncoderSetPipeline(pass_, kernel.pipeline);
  wgpu_.ComputePassEncoderSetBindGroup(pass_, 0, group, kernel.constants_size != 0 ? 1 : 0, &offset);
  const auto& groups = dispatch.groups;
  wgpu_.ComputePassEncoderDispatchWorkgroups(pass_, groups[0], groups[1], groups[2]);
  return {};
}

// Times are taken where passes begin, so that one stands in an empty pass.
Result<void> Recorder::record(const Timestamp& timestamp) {
  if (flight_->stamps.size() == kMostStamps) {
    *timestamp.slot = 0;
    return {};
  }
  end_pass();
  begin_encoder();
  if (flight_->queries == nullptr) {
    const abi::QuerySetDescriptor desc{.count = kMostStamps};
    flight_->queries = wgpu_.DeviceCreateQuerySet(native_.device, &desc);
  }
  const abi::PassTimestampWrites writes{.queries = flight_->queries,
                                        .begin = static_cast<std::uint32_t>(flight_->stamps.size())};
  const abi::ComputePassDescriptor desc{.timestamps = &writes};
  pass_ = wgpu_.CommandEncoderBeginComputePass(encoder_, &desc);
  end_pass();
  flight_->stamps.push_back(timestamp.slot);
  return {};
}

Result<void> Recorder::resolve_stamps() {
  const auto count = static_cast<std::uint32_t>(flight_->stamps.size());
  if (count == 0) return {};
  end_pass();
  begin_encoder();
  if (resolved_ == nullptr) {
    using namespace abi::buffer_usage;
    COLLET_TRY(
        made, native_.create_buffer(kMostStamps * 8, query_resolve | copy_src, "collet times", kMakeStaging));
    resolved_ = made;
  }
  const std::uint64_t bytes = aligned(std::uint64_t{count} * 8, 16);
  COLLET_TRY(readback, readbacks_.acquire(bytes));
  flight_->ticks.resize(count);
  readback->parts.push_back(
      {.at = 0, .size = count * 8, .to = reinterpret_cast<std::byte*>(flight_->ticks.data())});
  readback->used = bytes;
  wgpu_.CommandEncoderResolveQuerySet(encoder_, flight_->queries, 0, count, resolved_, 0);
  wgpu_.CommandEncoderCopyBufferToBuffer(encoder_, resolved_, 0, readback->buffer, 0, count * 8);
  flight_->readbacks.push_back(std::move(readback));
  return {};
}

// After an error behind a part that runs already.
void Recorder::wait_until_idle() {
  auto last = std::make_unique<InFlight>();
  wgpu_.QueueOnSubmittedWorkDone(native_.queue, {.callback = on_done, .first = last.get()});
  for (common::Backoff backoff(kForever); !last->ended() && native_.reports.check();) {
    native_.poll();
    if (!last->ended()) backoff.pause();
  }
  if (last->ended()) return;
  [[maybe_unused]] const InFlight* kept = last.release();  // the library of a lost device may still call back
}

void Recorder::release(InFlight& flight) {
  for (auto& readback : std::exchange(flight.readbacks, {})) readbacks_.recycle(std::move(readback));
  if (flight.queries != nullptr) wgpu_.QuerySetRelease(std::exchange(flight.queries, nullptr));
}

Result<void> Recorder::finish(InFlight& flight) {
  Result<void> done;
  for (auto& readback : std::exchange(flight.readbacks, {})) {
    if (auto collected = readbacks_.collect(std::move(readback)); !collected) done = collected;
  }
  for (std::size_t i = 0; i < flight.ticks.size(); ++i)
    *flight.stamps[i] = static_cast<std::uint64_t>(static_cast<double>(flight.ticks[i]) * native_.tick_ns);
  release(flight);
  if (flight.failed) {
    return Error(ErrorCode::device_lost, Category::stream,
                 "WebGPU ended a submission with an error, and does not say which.");
  }
  return done;
}

}  // namespace collet::backend::webgpu
