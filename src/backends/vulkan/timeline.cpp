// Vulkan: timelines are timeline semaphores.

#include <algorithm>
#include <thread>

#include "backends/vulkan/counter.hpp"

namespace collet::backend::vulkan {
namespace {

// How long an adaptive wait looks before it sleeps.
constexpr auto kSpin = std::chrono::microseconds(50);

void raise(std::atomic<std::uint64_t>& seen, std::uint64_t value) {
  std::uint64_t before = seen.load(std::memory_order_relaxed);
  while (before < value && !seen.compare_exchange_weak(before, value, std::memory_order_release)) {
  }
}

Result<void> read_stamps(VulkanDevice& device, Stamps& stamps) {
  const auto count = static_cast<std::uint32_t>(stamps.targets.size());
  stamps.ticks.resize(count);
  COLLET_CHECK(device.check(
      device.vk().vkGetQueryPoolResults(device.handle(), stamps.pool, 0, count, count * sizeof(std::uint64_t),
                                        stamps.ticks.data(), sizeof(std::uint64_t), VK_QUERY_RESULT_64_BIT),
      kWait));
  for (std::uint32_t i = 0; i < count; ++i) *stamps.targets[i] = device.nanoseconds(stamps.ticks[i]);
  return {};
}

std::uint64_t nanoseconds_left(Deadline deadline) {
  if (deadline.forever()) return UINT64_MAX;
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(deadline.left()).count());
}

}  // namespace

Result<std::uint64_t> Counter::ask(VulkanDevice& device) {
  std::uint64_t value = 0;
  {
    const std::lock_guard lock(mutex_);
    if (semaphore_ == VK_NULL_HANDLE) return seen();
    COLLET_CHECK(
        device.check(device.vk().vkGetSemaphoreCounterValue(device.handle(), semaphore_, &value), kWait));
    value -= base_;
  }
  COLLET_CHECK(reach(device, value));
  return value;
}

Result<void> Counter::reach(VulkanDevice& device, std::uint64_t value) {
  // Stamps are collected before `seen_` rises: who sees the value, sees the stamps.
  if (collects()) {
    const std::lock_guard lock(mutex_);
    Result<void> first;
    const auto arrived = [&](Stamps* stamps) {
      if (stamps->value > value) return false;
      if (auto read = read_stamps(device, *stamps); !read && first) first = read;
      return true;
    };
    stamps_.erase(std::remove_if(stamps_.begin(), stamps_.end(), arrived), stamps_.end());
    pending_.store(static_cast<std::uint32_t>(stamps_.size()), std::memory_order_release);
    COLLET_CHECK(first);
  }
  raise(seen_, value);
  return {};
}

void Counter::expect(Stamps& stamps) {
  const std::lock_guard lock(mutex_);
  stamps_.push_back(&stamps);
  pending_.store(static_cast<std::uint32_t>(stamps_.size()), std::memory_order_release);
}

void Counter::forget(Stamps& stamps) {
  const std::lock_guard lock(mutex_);
  stamps_.erase(std::remove(stamps_.begin(), stamps_.end(), &stamps), stamps_.end());
  pending_.store(static_cast<std::uint32_t>(stamps_.size()), std::memory_order_release);
}

void Counter::destroy(VulkanDevice& device) {
  {
    const std::lock_guard lock(mutex_);
    std::uint64_t value = 0;
    if (device.vk().vkGetSemaphoreCounterValue(device.handle(), semaphore_, &value) == VK_SUCCESS)
      device.recycle_semaphore(semaphore_, value);
    else
      device.retire_semaphore(semaphore_);
    semaphore_ = VK_NULL_HANDLE;
    stamps_.clear();
    pending_.store(0, std::memory_order_release);
    raise(seen_, UINT64_MAX);
  }
  release();
}

// Semaphores live as long as the device: lavapipe touches those that a submission waited for after the signal
// of that submission is seen, so that none can be destroyed in time.
void VulkanDevice::recycle_semaphore(VkSemaphore semaphore, std::uint64_t value) {
  const std::lock_guard lock(semaphores_mutex_);
  spare_semaphores_.push_back({semaphore, value});
}

void VulkanDevice::retire_semaphore(VkSemaphore semaphore) {
  const std::lock_guard lock(semaphores_mutex_);
  retired_semaphores_.push_back(semaphore);
}

Result<Timeline> VulkanDevice::create_timeline() {
  {
    const std::lock_guard lock(semaphores_mutex_);
    if (!spare_semaphores_.empty()) {
      const auto [spare, value] = spare_semaphores_.back();
      spare_semaphores_.pop_back();
      return Timeline{reinterpret_cast<std::uintptr_t>(new Counter(spare, value))};
    }
  }
  auto type = structure<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  auto info = structure<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
  info.pNext = &type;
  VkSemaphore semaphore = VK_NULL_HANDLE;
  COLLET_CHECK(check(vk_.vkCreateSemaphore(device_, &info, nullptr, &semaphore), kWait));
  return Timeline{reinterpret_cast<std::uintptr_t>(new Counter(semaphore, 0))};
}

void VulkanDevice::destroy_timeline(Timeline timeline) { counter(timeline).destroy(*this); }

Result<std::uint64_t> VulkanDevice::query_timeline(Timeline timeline) {
  COLLET_CHECK(health());
  auto value = counter(timeline).ask(*this);
  if (!value) return settled(value.error());
  return value;
}

// A driver may fail to say how far it is, for want of memory, while it goes on. A lost device runs nothing,
// and its driver may wait for ever.
Error VulkanDevice::settled(Error error) {
  if (error.code() == ErrorCode::timeout || error.code() == ErrorCode::device_lost) return error;
  std::vector<std::unique_lock<std::mutex>> locks;  // waiting for the device counts as a use of its queues
  for (const auto* queues : {&compute_, &transfer_}) {
    for (const auto& queue : *queues) locks.emplace_back(queue->mutex);
  }
  // Where this fails too, nobody knows what still runs.
  if (!check(vk_.vkDeviceWaitIdle(device_), kWait)) (void)check(VK_ERROR_DEVICE_LOST, kWait);
  return error;
}

bool VulkanDevice::spin(const VkSemaphoreWaitInfo& info) {
  const Deadline end = Deadline::in(kSpin);
  do {
    if (vk_.vkWaitSemaphores(device_, &info, 0) == VK_SUCCESS) return true;
    std::this_thread::yield();  // SwiftShader signals under a lock that would else hardly ever be free
  } while (!end.passed());
  return false;
}

Result<void> VulkanDevice::wait_timelines(std::span<const Point> points, WaitFor mode, Deadline deadline) {
  COLLET_CHECK(health());
  auto waited = wait_for(points, mode, deadline);
  if (!waited) return settled(waited.error());
  return waited;
}

Result<void> VulkanDevice::wait_for(std::span<const Point> points, WaitFor mode, Deadline deadline) {
  constexpr std::size_t kFew = 16;
  std::array<VkSemaphore, kFew> few_semaphores;
  std::array<std::uint64_t, kFew> few_values;
  std::vector<VkSemaphore> many_semaphores;
  std::vector<std::uint64_t> many_values;
  VkSemaphore* semaphores = few_semaphores.data();
  std::uint64_t* values = few_values.data();
  if (points.size() > kFew) {
    many_semaphores.resize(points.size());
    many_values.resize(points.size());
    semaphores = many_semaphores.data();
    values = many_values.data();
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    semaphores[i] = counter(points[i].timeline).semaphore();
    values[i] = counter(points[i].timeline).native(points[i].value);
  }
  auto info = structure<VkSemaphoreWaitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
  if (mode == WaitFor::any) info.flags = VK_SEMAPHORE_WAIT_ANY_BIT;
  info.semaphoreCount = static_cast<std::uint32_t>(points.size());
  info.pSemaphores = semaphores;
  info.pValues = values;
  if (!adaptive_ || !spin(info)) {
    COLLET_CHECK(check(vk_.vkWaitSemaphores(device_, &info, nanoseconds_left(deadline)), kWait));
  }
  for (const Point& point : points) {
    Counter& reached = counter(point.timeline);
    if (mode == WaitFor::all) {
      COLLET_CHECK(reached.reach(*this, point.value));
    } else if (reached.seen() < point.value) {
      COLLET_TRY(value, reached.ask(*this));
      static_cast<void>(value);
    }
  }
  return {};
}

std::uint64_t VulkanDevice::nanoseconds(std::uint64_t ticks) const {
  const float period = physical_.properties.limits.timestampPeriod;
  if (period == 1.0F) return ticks;
  return static_cast<std::uint64_t>(static_cast<long double>(ticks) * static_cast<long double>(period));
}

Result<ClockSample> VulkanDevice::sample_clock() {
  if (!physical_.clock) {
    return Error(ErrorCode::unsupported, Category::runtime,
                 physical_.info.name + " can't read its clock together with the host's.");
  }
  std::array<VkCalibratedTimestampInfoEXT, 2> asked{};
  for (auto& one : asked) one.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT;
  asked[0].timeDomain = VK_TIME_DOMAIN_DEVICE_EXT;
  asked[1].timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;  // std::chrono::steady_clock
  std::array<std::uint64_t, 2> times{};
  std::uint64_t deviation = 0;
  COLLET_CHECK(check(vk_.vkGetCalibratedTimestampsEXT(device_, 2, asked.data(), times.data(), &deviation),
                     kSampleClock));
  return ClockSample{.device_ns = nanoseconds(times[0]), .host_ns = times[1]};
}

}  // namespace collet::backend::vulkan
