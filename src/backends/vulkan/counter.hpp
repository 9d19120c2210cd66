// A timeline: a semaphore, what is known of it, and the timestamps that its signals bring.
#pragma once

#include <atomic>
#include <mutex>

#include "backends/vulkan/device.hpp"

namespace collet::backend::vulkan {

// The timestamps of one submission. Belongs to a slot of a queue, which keeps it until they were collected.
struct Stamps {
  VkQueryPool pool = VK_NULL_HANDLE;
  std::uint32_t capacity = 0;
  std::vector<std::uint64_t*> targets;  // the callers', in the order of the queries
  std::vector<std::uint64_t> ticks;     // scratch
  std::uint64_t value = 0;              // of the signal that they wait for
};

// What Timeline points at; lanes hold references too, so that they may ask about signals of a timeline that
// its owner has destroyed.
//
// Threads: thread-safe.
class Counter {
 public:
  // The semaphore may have served before: its value `base` is our 0.
  Counter(VkSemaphore semaphore, std::uint64_t base) : semaphore_(semaphore), base_(base) {}

  VkSemaphore semaphore() const { return semaphore_; }
  // Our value in the semaphore's own count.
  std::uint64_t native(std::uint64_t value) const { return base_ + value; }
  // The highest value that any thread has seen; the device may be further.
  std::uint64_t seen() const { return seen_.load(std::memory_order_acquire); }

  // Asks the driver, and collects the timestamps that have arrived. A destroyed timeline has reached
  // everything.
  Result<std::uint64_t> ask(VulkanDevice& device);
  // Notes that `value` was reached, and collects.
  Result<void> reach(VulkanDevice& device, std::uint64_t value);

  void expect(Stamps& stamps);  // before the submission
  void forget(Stamps& stamps);  // where the submission failed
  bool collects() const { return pending_.load(std::memory_order_acquire) != 0; }

  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  // Gives the semaphore to the device for another timeline, and the owner's reference back.
  void destroy(VulkanDevice& device);

 private:
  ~Counter() = default;

  VkSemaphore semaphore_;
  const std::uint64_t base_;
  std::atomic<std::uint64_t> seen_{0};
  std::atomic<std::uint32_t> references_{1};
  std::atomic<std::uint32_t> pending_{0};
  std::mutex mutex_;  // guards stamps_ and the end of semaphore_
  std::vector<Stamps*> stamps_;
};

inline Counter& counter(Timeline timeline) { return *reinterpret_cast<Counter*>(timeline.id); }

}  // namespace collet::backend::vulkan
