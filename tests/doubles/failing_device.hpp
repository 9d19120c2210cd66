// A device whose n-th call of a function fails, and which counts what is left alive.
#pragma once

#include <array>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "layers/forwarding.hpp"

namespace collet::test {

using layers::ForwardingDevice;

// The functions that can fail. `lose` is a submission that is accepted, never runs, and fails its timeline.
enum class Call : std::uint8_t {
  create_memory,
  create_queue,
  create_timeline,
  submit,
  query,
  wait,
  create_program,
  create_kernel,
  sync_host_range,
  lose,
};
inline constexpr std::size_t kCalls = 10;

inline std::string_view to_string(Call call) {
  constexpr std::array<std::string_view, kCalls> kNames{
      "create_memory", "create_queue",   "create_timeline", "submit",          "query",
      "wait",          "create_program", "create_kernel",   "sync_host_range", "lose"};
  return kNames[static_cast<std::size_t>(call)];
}

// What a test sets and reads; outlives the device. Threads: thread-safe.
class FaultPlan {
 public:
  // The n-th call from now on fails, once.
  void fail(Call call, std::uint64_t nth, ErrorCode code) {
    const std::lock_guard lock(mutex_);
    call_ = call;
    left_ = nth;
    code_ = code;
  }
  std::uint64_t count(Call call) const {
    const std::lock_guard lock(mutex_);
    return counts_[static_cast<std::size_t>(call)];
  }
  void reset_counts() {
    const std::lock_guard lock(mutex_);
    counts_ = {};
  }
  bool fired() const {
    const std::lock_guard lock(mutex_);
    return left_ == 0;
  }

  std::optional<Error> enter(Call call) {
    const std::lock_guard lock(mutex_);
    ++counts_[static_cast<std::size_t>(call)];
    if (call != call_ || left_ == 0 || --left_ != 0) return std::nullopt;
    return Error(code_, Category::driver, "The fault plan failed " + std::string(to_string(call)) + ".")
        .with_native(-77, "INJECTED");
  }

  void made(int change) {
    const std::lock_guard lock(mutex_);
    live_ += change;
  }
  void gone() {
    const std::lock_guard lock(mutex_);
    gone_ = true;
    changed_.notify_all();
  }
  // Objects still alive when the device was destroyed; nothing where it is not destroyed within 2 s.
  std::optional<int> leaked() {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::seconds(2), [&] { return gone_; })) return std::nullopt;
    return live_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Call call_ = Call::submit;
  std::uint64_t left_ = 0;
  ErrorCode code_ = ErrorCode::internal;
  std::array<std::uint64_t, kCalls> counts_{};
  int live_ = 0;
  bool gone_ = false;
};

class FailingDevice final : public ForwardingDevice {
 public:
  FailingDevice(std::unique_ptr<backend::Device> inside, std::shared_ptr<FaultPlan> plan)
      : ForwardingDevice(std::move(inside)), plan_(std::move(plan)) {}
  ~FailingDevice() override { plan_->gone(); }

  bool hide_memory = false;  // no host pointers to device memory, and nothing is known to be zero

  Result<backend::Allocation> create_memory(const backend::MemoryDesc& desc) override {
    if (auto error = plan_->enter(Call::create_memory)) return *error;
    auto made = kept(ForwardingDevice::create_memory(desc));
    if (made && hide_memory) {
      if (desc.placement == backend::Placement::device) made->host = nullptr;
      made->zeroed = false;
    }
    return made;
  }
  void destroy_memory(backend::Memory memory) override {
    plan_->made(-1);
    ForwardingDevice::destroy_memory(memory);
  }
  Result<void> sync_host_range(const backend::Slice& slice, bool to_device) override {
    if (auto error = plan_->enter(Call::sync_host_range)) return *error;
    return ForwardingDevice::sync_host_range(slice, to_device);
  }

  Result<backend::BuiltProgram> create_program(const backend::ProgramDesc& desc) override {
    if (auto error = plan_->enter(Call::create_program)) return *error;
    return kept(ForwardingDevice::create_program(desc));
  }
  void destroy_program(backend::Program program) override {
    plan_->made(-1);
    ForwardingDevice::destroy_program(program);
  }
  Result<backend::Kernel> create_kernel(backend::Program program, const backend::KernelDesc& desc) override {
    if (auto error = plan_->enter(Call::create_kernel)) return *error;
    return kept(ForwardingDevice::create_kernel(program, desc));
  }
  void destroy_kernel(backend::Kernel kernel) override {
    plan_->made(-1);
    ForwardingDevice::destroy_kernel(kernel);
  }

  Result<backend::Timeline> create_timeline() override {
    if (auto error = plan_->enter(Call::create_timeline)) return *error;
    return kept(ForwardingDevice::create_timeline());
  }
  void destroy_timeline(backend::Timeline timeline) override {
    plan_->made(-1);
    {
      const std::lock_guard lock(mutex_);
      lines_.erase(timeline.id);
    }
    ForwardingDevice::destroy_timeline(timeline);
  }
  Result<std::uint64_t> query_timeline(backend::Timeline timeline) override {
    if (auto error = plan_->enter(Call::query)) fail(timeline, *error);
    if (auto error = failure(timeline)) return *error;
    return ForwardingDevice::query_timeline(timeline);
  }
  Result<void> wait_timelines(std::span<const backend::Point> points, backend::WaitFor mode,
                              Deadline deadline) override {
    if (auto error = plan_->enter(Call::wait)) fail(points.front().timeline, *error);
    for (const backend::Point& point : points) {
      if (auto error = failure(point.timeline)) return *error;
    }
    return ForwardingDevice::wait_timelines(points, mode, deadline);
  }

  Result<backend::Queue> create_queue(backend::QueueKind kind, std::string_view label) override {
    if (auto error = plan_->enter(Call::create_queue)) return *error;
    return kept(ForwardingDevice::create_queue(kind, label));
  }
  void destroy_queue(backend::Queue queue) override {
    plan_->made(-1);
    ForwardingDevice::destroy_queue(queue);
  }
  Result<void> submit(backend::Queue queue, const backend::Submission& submission) override {
    if (auto error = plan_->enter(Call::submit)) return *error;
    const backend::Timeline timeline = submission.signal.timeline;
    if (auto error = plan_->enter(Call::lose)) fail(timeline, *error);
    for (const backend::Point& wait : submission.waits) {
      if (auto error = failure(wait.timeline)) fail(timeline, *error);
    }
    const std::lock_guard lock(mutex_);
    Line& line = lines_[timeline.id];
    if (line.failing) return {};  // accepted, never run
    line.last = submission.signal.value;
    return ForwardingDevice::submit(queue, submission);
  }

 private:
  template <class T>
  Result<T> kept(Result<T> made) {
    if (made) plan_->made(1);
    return made;
  }

  struct Line {
    std::uint64_t last = 0;  // submitted
    bool failing = false;    // takes no more
    std::optional<Error> error;
  };

  // The failure is told when nothing of the timeline runs any more.
  void fail(backend::Timeline timeline, const Error& error) {
    backend::Point last{timeline, 0};
    {
      const std::lock_guard lock(mutex_);
      Line& line = lines_[timeline.id];
      if (line.failing) return;
      line.failing = true;
      last.value = line.last;
    }
    if (last.value != 0) (void)ForwardingDevice::wait_timelines({&last, 1}, backend::WaitFor::all, kForever);
    const std::lock_guard lock(mutex_);
    lines_[timeline.id].error = error;
    told_.notify_all();
  }
  // Waits where the timeline takes no more but did not tell yet: what it refused would never come.
  std::optional<Error> failure(backend::Timeline timeline) {
    std::unique_lock lock(mutex_);
    const auto found = lines_.find(timeline.id);
    if (found == lines_.end()) return std::nullopt;
    const Line& line = found->second;
    told_.wait(lock, [&] { return !line.failing || line.error; });
    return line.error;
  }

  const std::shared_ptr<FaultPlan> plan_;
  std::mutex mutex_;
  std::condition_variable told_;
  std::map<std::uintptr_t, Line> lines_;
};

}  // namespace collet::test
