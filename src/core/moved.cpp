// The states that handles refer to once they were moved from: they touch no driver and answer with errors.
//
// One of each per process, made when it is first needed and never freed.

#include <memory>
#include <string>
#include <utility>

#include "core/pool_state.hpp"
#include "core/stream_state.hpp"

namespace collet::detail {
namespace {

Error moved_error(Category category, const std::string& what) {
  return Error(ErrorCode::invalid_argument, category, "The " + what + " was moved from.")
      .with_hint("Use the " + what + " that it was moved to.");
}

// What Device::native() gives then. Immutable.
class MovedDevice final : public backend::Device {
 public:
  explicit MovedDevice(Error error) : error_(std::move(error)) {}

  const DeviceInfo& info() const override { return info_; }
  const backend::Caps& caps() const override { return caps_; }
  Result<backend::MemoryInfo> memory_info() override { return error_; }
  Result<void> health() override { return error_; }
  void* extension(std::string_view) override { return nullptr; }

  Result<backend::Allocation> create_memory(const backend::MemoryDesc&) override { return error_; }
  void destroy_memory(backend::Memory) override {}
  Result<void> sync_host_range(const backend::Slice&, bool) override { return error_; }

  Result<backend::BuiltProgram> create_program(const backend::ProgramDesc&) override { return error_; }
  void destroy_program(backend::Program) override {}
  Result<backend::Kernel> create_kernel(backend::Program, const backend::KernelDesc&) override {
    return error_;
  }
  void destroy_kernel(backend::Kernel) override {}

  Result<backend::Timeline> create_timeline() override { return error_; }
  void destroy_timeline(backend::Timeline) override {}
  Result<std::uint64_t> query_timeline(backend::Timeline) override { return error_; }
  Result<void> wait_timelines(std::span<const backend::Point>, backend::WaitFor, Deadline) override {
    return error_;
  }

  Result<backend::Queue> create_queue(backend::QueueKind, std::string_view) override { return error_; }
  void destroy_queue(backend::Queue) override {}
  Result<void> submit(backend::Queue, const backend::Submission&) override { return error_; }
  Result<backend::ClockSample> sample_clock() override { return error_; }

 private:
  const Error error_;
  const DeviceInfo info_;
  const backend::Caps caps_;
};

// A reference that is never given back.
template <class T>
T* forever(T* state) {
  state->retain();
  return state;
}

DeviceState* make_device(const Error& error) {
  return new DeviceState(std::make_unique<MovedDevice>(error), {}, base::kMovedFrom);
}

}  // namespace

// Without memory for these there is nothing that a handle could answer: the process ends.
// NOLINTBEGIN(bugprone-unhandled-exception-at-new)

template <>
DeviceState* moved_from<DeviceState>() noexcept {
  static DeviceState* const state = forever(make_device(moved_error(Category::device, "Device")));
  return state;
}

template <>
StreamState* moved_from<StreamState>() noexcept {
  static StreamState* const state =
      forever(new StreamState(Ref(make_device(moved_error(Category::stream, "Stream"))), {}));
  return state;
}

template <>
BufferState* moved_from<BufferState>() noexcept {
  static BufferState* const state = forever(new BufferState({}, {}, 0, {}));
  return state;
}

template <>
PoolState* moved_from<PoolState>() noexcept {
  static PoolState* const state =
      forever(new PoolState(Ref(make_device(moved_error(Category::memory, "Pool"))), {}));
  return state;
}

template <>
KernelState* moved_from<KernelState>() noexcept {
  static KernelState* const state =
      forever(new KernelState({}, Ref(new ModuleState), {}, {}, {},
                              std::make_shared<const TracedCode>(moved_error(Category::kernel, "Kernel"))));
  return state;
}

template <>
EventState* moved_from<EventState>() noexcept {
  static EventState* const state = [] {
    auto* made = new EventState({}, 0);
    made->failure = moved_error(Category::synchronisation, "Event");
    return forever(made);
  }();
  return state;
}

// NOLINTEND(bugprone-unhandled-exception-at-new)

Error moved_buffer_error() {
  return Error(ErrorCode::invalid_argument, Category::memory,
               "The Buffer was moved from, or made without a device.")
      .with_hint("Use the Buffer that it was moved to, or one of Device::buffer() or Device::upload().");
}

}  // namespace collet::detail
