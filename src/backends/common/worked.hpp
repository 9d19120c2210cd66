// The part of a device that its worker does.
#pragma once

#include <memory>

#include "backends/common/worker.hpp"

namespace collet::backend::common {

// Timelines and queues of a device whose submissions a worker makes: all queues are the same one. Who derives
// sets `worker` before the device is used, and takes it away before what the worker uses is gone.
//
// Threads: thread-safe; a queue may be used by several threads at once.
template <class Base>
class Worked : public Base {
 public:
  using Base::Base;

  Result<Timeline> create_timeline() final { return worker->create_timeline(); }
  void destroy_timeline(Timeline timeline) final { worker->destroy_timeline(timeline); }
  Result<std::uint64_t> query_timeline(Timeline timeline) final { return worker->query_timeline(timeline); }
  Result<void> wait_timelines(std::span<const Point> points, WaitFor mode, Deadline deadline) final {
    return worker->wait_timelines(points, mode, deadline);
  }

  Result<Queue> create_queue(QueueKind, std::string_view) final { return Queue{1}; }
  void destroy_queue(Queue) final {}
  Result<void> submit(Queue, const Submission& submission) final { return worker->submit(submission); }

 protected:
  std::unique_ptr<Worker> worker;
};

}  // namespace collet::backend::common
