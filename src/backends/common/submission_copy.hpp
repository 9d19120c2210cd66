// A submission with everything that its spans point at, to be done after the call that brought it.
#pragma once

#include <string>
#include <vector>

#include "collet/backend.hpp"

namespace collet::backend::common {

// The host memory of Write and Read is not copied: it stays valid until the signal.
//
// Threads: one at a time.
class SubmissionCopy {
 public:
  SubmissionCopy() = default;
  SubmissionCopy(const SubmissionCopy&) = delete;
  SubmissionCopy& operator=(const SubmissionCopy&) = delete;

  // Takes another submission, in the memory of the one before.
  void assign(const Submission& submission);

  std::span<const Command> commands() const { return commands_; }
  Point signal() const { return signal_; }

  std::vector<Point> waits;

 private:
  std::vector<Command> commands_;
  std::vector<Slice> slices_;
  std::vector<std::byte> constants_;
  std::string labels_;
  Point signal_;
};

}  // namespace collet::backend::common
