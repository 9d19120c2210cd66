// A device whose submissions a worker makes, as those of WebGPU and OpenGL are made.
#pragma once

#include "backends/common/worker.hpp"
#include "layers/forwarding.hpp"

namespace collet::backend::simulated {

// Threads: thread-safe; a queue may be used by several threads at once, for all are the same one.
class WorkedDevice final : public layers::ForwardingDevice {
 public:
  static Result<std::unique_ptr<Device>> open(std::unique_ptr<Device> inside);

  Result<Timeline> create_timeline() override { return worker_->create_timeline(); }
  void destroy_timeline(Timeline timeline) override { worker_->destroy_timeline(timeline); }
  Result<std::uint64_t> query_timeline(Timeline timeline) override {
    return worker_->query_timeline(timeline);
  }
  Result<void> wait_timelines(std::span<const Point> points, WaitFor mode, Deadline deadline) override {
    return worker_->wait_timelines(points, mode, deadline);
  }

  Result<Queue> create_queue(QueueKind, std::string_view) override { return Queue{1}; }
  void destroy_queue(Queue) override {}
  Result<void> submit(Queue, const Submission& submission) override { return worker_->submit(submission); }

 private:
  explicit WorkedDevice(std::unique_ptr<Device> inside) : ForwardingDevice(std::move(inside)) {}

  std::unique_ptr<common::Worker> worker_;  // ends before the device inside
};

}  // namespace collet::backend::simulated
