// What each command of a submission is in calls of OpenGL.
#pragma once

#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "backends/opengl/device.hpp"

namespace collet::backend::opengl {

// What was given to the driver, until it has ended.
struct InFlight {
  gl::Sync fence = nullptr;
  std::vector<std::pair<std::uint64_t*, gl::Uint>> stamps;  // where each time goes, and its query
};

// Threads: the worker's only, with its context current.
class Commands {
 public:
  explicit Commands(const Native& native) : native_(native), gl_(native.gl) {}

  // Once, before the first submission, and after the last.
  Result<void> prepare();
  void give_back();

  // Gives all commands to the driver, and a fence behind them. On an error nothing of them runs any more.
  Result<void> give(std::span<const Command> commands, InFlight& flight);
  // Whether it has ended; then its times are where they belong.
  Result<bool> ended(InFlight& flight);

 private:
  void give_one(const Copy& copy);
  void give_one(const Write& write);
  void give_one(const Timestamp& timestamp);
  Result<void> give_one(const Fill& fill);
  Result<void> give_one(const Read& read);
  Result<void> give_one(const Dispatch& dispatch);

  Result<void> give_all(std::span<const Command> commands);
  void bind_constants(std::span<const std::byte> constants, std::uint32_t size);
  Result<const KernelState*> fill_kernel();
  Result<void> look_for_reset();
  void delete_discarded();

  const Native& native_;
  const Gl& gl_;
  gl::Uint ring_ = 0;  // of constants
  std::uint64_t ring_used_ = 0;
  KernelState fill_;
  std::vector<gl::Uint> queries_;  // that nobody uses

  // Of the submission under way.
  InFlight* flight_ = nullptr;
  std::uint32_t bound_ = 0;        // the most buffers that a launch had
  bool unordered_writes_ = false;  // by kernels, that what follows may not see yet
};

}  // namespace collet::backend::opengl
