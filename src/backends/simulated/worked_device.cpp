#include "backends/simulated/worked_device.hpp"

#include <utility>

namespace collet::backend::simulated {
namespace {

// Waits for each submission, as a driver does that runs kernels inside the call.
class InTurn final : public common::Executor {
 public:
  explicit InTurn(Device& device) : device_(device) {}

  Result<void> begin() override {
    COLLET_TRY(timeline, device_.create_timeline());
    auto queue = device_.create_queue(QueueKind::compute, "worker");
    if (!queue) {
      device_.destroy_timeline(timeline);
      return queue.error();
    }
    timeline_ = timeline;
    queue_ = *queue;
    return {};
  }

  void end() override {
    if (queue_.id == 0) return;
    device_.destroy_queue(std::exchange(queue_, {}));
    device_.destroy_timeline(timeline_);
  }

  Result<void> issue(std::span<const Command> commands) override {
    if (queue_.id == 0) COLLET_CHECK(begin());
    const Point signal{timeline_, ++submitted_};
    COLLET_CHECK(device_.submit(queue_, {.waits = {}, .commands = commands, .signal = signal}));
    auto done = device_.wait_timelines({&signal, 1}, WaitFor::all, kForever);
    if (done) {
      ++ended_;
      return {};
    }
    // A timeline that failed stays so: the next submission makes another one.
    end();
    submitted_ = 0;
    return done.error();
  }

  Result<std::uint64_t> ended() override { return ended_; }

 private:
  Device& device_;
  Timeline timeline_;
  Queue queue_;
  std::uint64_t submitted_ = 0;  // on timeline_
  std::uint64_t ended_ = 0;
};

}  // namespace

Result<std::unique_ptr<Device>> WorkedDevice::open(std::unique_ptr<Device> inside) {
  std::unique_ptr<WorkedDevice> made(new WorkedDevice(std::move(inside)));
  COLLET_TRY(worker, common::Worker::start("collet-worker", std::make_unique<InTurn>(*made->inner)));
  made->worker = std::move(worker);
  return std::unique_ptr<Device>(std::move(made));
}

}  // namespace collet::backend::simulated
