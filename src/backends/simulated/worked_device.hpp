// A device whose submissions a worker makes, as those of WebGPU and OpenGL are made.
#pragma once

#include "backends/common/worked.hpp"
#include "layers/forwarding.hpp"

namespace collet::backend::simulated {

// Threads: thread-safe. The worker ends before the device inside.
class WorkedDevice final : public common::Worked<layers::ForwardingDevice> {
 public:
  static Result<std::unique_ptr<Device>> open(std::unique_ptr<Device> inside);

 private:
  using Worked::Worked;
};

}  // namespace collet::backend::simulated
