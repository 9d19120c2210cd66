// A device that runs generated kernels, by one way from IR to its code.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collet/device.hpp"
#include "fuzz/work.hpp"
#include "kernel/emit/emit.hpp"

namespace collet::fuzz {

// What kernels of a device printed, as text in one order whatever that of the items was. Where lines were
// lost, only how many there were.
//
// Threads: one at a time.
class Heard {
 public:
  // For OpenOptions::print of the device.
  static std::function<void(const Printed&)> by(std::shared_ptr<Heard> heard);
  // Since the last call.
  Bytes take();

 private:
  std::vector<std::string> lines_;
  std::uint64_t lost_ = 0;
};

// Threads: one at a time.
class Target {
 public:
  // What became of one kernel: its buffers afterwards and behind them, where it can print, its lines; or why
  // not. ErrorCode::unsupported is a refusal, anything else a failure.
  using Outcome = Result<std::vector<Bytes>>;

  // As the library itself would compile kernels; `how` is added to its name.
  explicit Target(Device device, std::string how = {}) : device_(std::move(device)), how_(std::move(how)) {}
  // By one format that the device takes, `together` kernels in one program where it is OpenCL C.
  Target(Device device, Format format, std::size_t together)
      : device_(std::move(device)), format_(format), together_(together) {}
  // The same, each kernel alone, without one of the workarounds that the driver needs.
  Target(Device device, Format format, emit::Workaround without)
      : device_(std::move(device)), format_(format), without_(without) {}

  // Where what the device prints is heard. Needed by kernels that print.
  void hear(std::shared_ptr<Heard> heard) { heard_ = std::move(heard); }

  std::string name() const;
  std::vector<Outcome> run(std::span<const Work> works);

 private:
  std::vector<Outcome> run_programs(std::span<const Work> works);
  std::vector<Outcome> run_together(std::span<const Work> works);

  emit::Target emission() const;

  Outcome run_talking(const Work& work);

  Device device_;
  std::shared_ptr<Heard> heard_;
  std::string how_;
  std::optional<Format> format_;
  std::size_t together_ = 1;
  emit::Workaround without_ = emit::Workaround::none;
};

}  // namespace collet::fuzz
