// Which call into a driver fails: the nth of one function. Shared by the tables of functions that stand
// before a driver's.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

namespace collet::test {

// Threads: thread-safe; a plan is made while nothing calls.
class FailingCalls {
 public:
  static constexpr std::size_t kMost = 128;  // functions of one API

  // Function `index` fails at its nth call from now on, once; 0: never.
  void fail(std::size_t index, std::uint64_t nth, int code) {
    for (auto& count : counts_) count = 0;
    index_ = index;
    nth_ = nth;
    code_ = code;
    failed_ = false;
  }

  // Counts a call; whether it is the one.
  bool fails(std::size_t index) {
    const std::uint64_t number = ++counts_[index];
    if (index != index_ || number != nth_) return false;
    failed_ = true;
    return true;
  }

  int code() const { return code_; }
  bool failed() const { return failed_; }
  std::uint64_t count(std::size_t index) const { return counts_[index]; }

  // Objects of the driver that were made and not given back.
  std::atomic<std::int64_t> live{0};

 private:
  std::array<std::atomic<std::uint64_t>, kMost> counts_{};
  std::size_t index_ = 0;
  std::uint64_t nth_ = 0;
  int code_ = 0;
  std::atomic<bool> failed_{false};
};

inline FailingCalls calls;  // APIs give their functions no place for a pointer

}  // namespace collet::test
