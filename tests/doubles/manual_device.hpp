// A device whose work is done when the test says so, and which remembers what was submitted.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>

#include "backends/null/device.hpp"
#include "layers/forwarding.hpp"

namespace collet::test {

using layers::ForwardingDevice;

// Outlives the device. Threads: thread-safe.
class ManualWork {
 public:
  struct Submitted {
    std::vector<std::uint32_t> fills;  // their patterns, in order
    std::vector<bool> ordered;         // of each command
    std::size_t commands = 0;
    std::size_t waits = 0;
    std::uint64_t value = 0;
  };

  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return submitted_.size();
  }
  Submitted at(std::size_t index) const {
    const std::lock_guard lock(mutex_);
    return submitted_.at(index);
  }
  // False where fewer than `many` submissions arrive within 10 s.
  bool arrives(std::size_t many) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(10), [&] { return submitted_.size() >= many; });
  }
  // The value that somebody waits for on a timeline, as soon as somebody does; nothing after 10 s.
  std::optional<std::uint64_t> awaited() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(10), [&] { return awaited_.has_value(); });
    return awaited_;
  }
  // All that is submitted is done.
  void complete() {
    const std::lock_guard lock(mutex_);
    for (auto& [id, timeline] : timelines_) timeline.reached = timeline.submitted;
    changed_.notify_all();
  }
  // From now on work is done when it is submitted.
  void complete_always() {
    {
      const std::lock_guard lock(mutex_);
      always_ = true;
    }
    complete();
  }

 private:
  friend class ManualDevice;
  struct Line {
    std::uint64_t submitted = 0, reached = 0;
  };
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uintptr_t, Line> timelines_;
  std::uintptr_t next_ = 1;
  std::vector<Submitted> submitted_;
  std::optional<std::uint64_t> awaited_;
  bool always_ = false;
};

class ManualDevice final : public ForwardingDevice {
 public:
  explicit ManualDevice(std::shared_ptr<ManualWork> work)
      : ForwardingDevice(std::make_unique<backend::null::NullDevice>()), work_(std::move(work)) {
    limits.gather = 64;
    limits.overlaps = true;
  }

  Result<backend::Timeline> create_timeline() override {
    const std::lock_guard lock(work_->mutex_);
    work_->timelines_[work_->next_] = {};
    return backend::Timeline{work_->next_++};
  }
  void destroy_timeline(backend::Timeline timeline) override {
    const std::lock_guard lock(work_->mutex_);
    work_->timelines_.erase(timeline.id);
  }
  Result<std::uint64_t> query_timeline(backend::Timeline timeline) override {
    const std::lock_guard lock(work_->mutex_);
    return work_->timelines_.at(timeline.id).reached;
  }
  Result<void> wait_timelines(std::span<const backend::Point> points, backend::WaitFor mode,
                              Deadline deadline) override {
    std::unique_lock lock(work_->mutex_);
    const auto ready = [&] {
      std::size_t reached = 0;
      for (const backend::Point& point : points) {
        reached += work_->timelines_.at(point.timeline.id).reached >= point.value ? 1 : 0;
      }
      return mode == backend::WaitFor::all ? reached == points.size() : reached != 0;
    };
    if (mode == backend::WaitFor::all && points.size() == 1) {
      work_->awaited_ = points[0].value;
      work_->changed_.notify_all();
    }
    if (deadline.forever()) {
      work_->changed_.wait(lock, ready);
    } else if (!work_->changed_.wait_until(lock, deadline.at(), ready)) {
      return Error(ErrorCode::timeout, Category::synchronisation, "The test has not completed it yet.");
    }
    return {};
  }

  Result<void> submit(backend::Queue, const backend::Submission& submission) override {
    ManualWork::Submitted one{.fills = {},
                              .ordered = {},
                              .commands = submission.commands.size(),
                              .waits = submission.waits.size(),
                              .value = submission.signal.value};
    for (const backend::Command& command : submission.commands) {
      one.ordered.push_back(command.ordered);
      if (const auto* fill = std::get_if<backend::Fill>(&command.what)) one.fills.push_back(fill->pattern);
    }
    const std::lock_guard lock(work_->mutex_);
    auto& timeline = work_->timelines_.at(submission.signal.timeline.id);
    timeline.submitted = submission.signal.value;
    if (work_->always_) timeline.reached = timeline.submitted;
    work_->submitted_.push_back(std::move(one));
    work_->changed_.notify_all();
    return {};
  }

 private:
  const std::shared_ptr<ManualWork> work_;
};

}  // namespace collet::test
