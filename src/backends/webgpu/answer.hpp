// Questions that the library answers by calling back, such as for a device.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "backends/common/backoff.hpp"
#include "backends/webgpu/errors.hpp"

namespace collet::backend::webgpu {

inline constexpr std::chrono::seconds kLongestAnswer{30};

template <class T>
struct Pending {
  std::atomic<bool> done{false};
  T value;
};

// In a callback: `to` is what ask() gave to its question.
template <class T>
void answer(void* to, T value) {
  auto& pending = *static_cast<Pending<T>*>(to);
  pending.value = std::move(value);
  pending.done.store(true, std::memory_order_release);
}

// Calls `question` with the pointer for its callback, and lets the library call back until it has answered.
// Blocks, but for no longer than kLongestAnswer.
template <class T, class Question>
Result<T> ask(const Api& wgpu, abi::Instance instance, const Doing& doing, const Question& question) {
  auto pending = std::make_unique<Pending<T>>();
  question(pending.get());
  for (common::Backoff backoff{Deadline::in(kLongestAnswer)};
       !pending->done.load(std::memory_order_acquire);) {
    wgpu.InstanceProcessEvents(instance);
    if (pending->done.load(std::memory_order_acquire) || backoff.pause()) continue;
    [[maybe_unused]] const auto* kept = pending.release();  // the library may still answer
    return Error(ErrorCode::timeout, doing.category, doing.cause,
                 "WebGPU did not answer for " + std::to_string(kLongestAnswer.count()) + " s while " +
                     std::string(doing.what) + ".");
  }
  return std::move(pending->value);
}

}  // namespace collet::backend::webgpu
