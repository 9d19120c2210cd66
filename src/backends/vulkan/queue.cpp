// Vulkan: submits, and uses a submission's command buffer again when its signal was reached.

#include <algorithm>

#include "backends/vulkan/queue.hpp"

namespace collet::backend::vulkan {

Result<Queue> VulkanDevice::create_queue(QueueKind kind, std::string_view label) {
  const bool computes = kind == QueueKind::compute || transfer_.empty();
  const auto& queues = computes ? compute_ : transfer_;
  NativeQueue& idlest = **std::min_element(queues.begin(), queues.end(), [](const auto& a, const auto& b) {
    return a->users.load(std::memory_order_relaxed) < b->users.load(std::memory_order_relaxed);
  });
  COLLET_TRY(state, QueueState::create(*this, idlest, computes, label));
  return Queue{reinterpret_cast<std::uintptr_t>(state.release())};
}

void VulkanDevice::destroy_queue(Queue queue) { delete reinterpret_cast<QueueState*>(queue.id); }

Result<void> VulkanDevice::submit(Queue queue, const Submission& submission) {
  return reinterpret_cast<QueueState*>(queue.id)->submit(submission);
}

QueueState::QueueState(VulkanDevice& device, NativeQueue& queue, bool computes)
    : device_(device),
      vk_(device.vk()),
      queue_(queue),
      stages_(computes ? kCompute | kTransfer : kTransfer),
      constants_(device.caps().max_constants_size) {
  queue_.users.fetch_add(1, std::memory_order_relaxed);
}

Result<std::unique_ptr<QueueState>> QueueState::create(VulkanDevice& device, NativeQueue& queue,
                                                       bool computes, std::string_view label) {
  std::unique_ptr<QueueState> state(new QueueState(device, queue, computes));
  auto info = structure<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
  info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT | VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
  info.queueFamilyIndex = queue.family;
  COLLET_CHECK(device.check(state->vk_.vkCreateCommandPool(device.handle(), &info, nullptr, &state->pool_),
                            kMakeQueue));
  device.name(VK_OBJECT_TYPE_COMMAND_POOL, number(state->pool_), label);
  return state;
}

QueueState::~QueueState() {
  for (const auto& slot : slots_) {
    for (VkDescriptorPool pool : slot->pools) vk_.vkDestroyDescriptorPool(device_.handle(), pool, nullptr);
    if (slot->counter != nullptr) {
      slot->counter->forget(slot->stamps);
      slot->counter->release();
    }
    vk_.vkDestroyQueryPool(device_.handle(), slot->stamps.pool, nullptr);
  }
  vk_.vkDestroyCommandPool(device_.handle(), pool_, nullptr);
  queue_.users.fetch_sub(1, std::memory_order_relaxed);
}

Result<void> QueueState::submit(const Submission& submission) {
  if (submission.commands.empty()) return enqueue(VK_NULL_HANDLE, submission);
  COLLET_TRY(slot, acquire());
  Counter& signals = counter(submission.signal.timeline);
  auto done = record(*slot, submission.commands);
  if (done) {
    slot->stamps.value = submission.signal.value;
    if (!slot->stamps.targets.empty()) signals.expect(slot->stamps);
    done = enqueue(slot->commands, submission);
    if (!done) signals.forget(slot->stamps);
  }
  if (!done) {  // nothing ran: the slot is free again, and it orders nothing
    unordered_ = used_ != 0;
    vk_.vkResetCommandBuffer(slot->commands, 0);  // unchecked: the next vkBeginCommandBuffer says so
    slot->next = oldest_;
    oldest_ = slot;
    if (newest_ == nullptr) newest_ = slot;
    return done;
  }
  signals.retain();
  slot->counter = &signals;
  slot->value = submission.signal.value;
  slot->next = nullptr;
  (newest_ != nullptr ? newest_->next : oldest_) = slot;
  newest_ = slot;
  return done;
}

// Signals arrive in the order of submission, so only the oldest slot can be the next free one.
Result<Slot*> QueueState::acquire() {
  Slot* slot = oldest_;
  if (slot == nullptr) return create_slot();
  COLLET_TRY(idle, free(*slot));
  if (!idle) return create_slot();
  COLLET_CHECK(recycle(*slot));
  oldest_ = slot->next;
  if (oldest_ == nullptr) newest_ = nullptr;
  return slot;
}

Result<bool> QueueState::free(Slot& slot) {
  if (slot.counter == nullptr || slot.counter->seen() >= slot.value) return true;
  COLLET_TRY(reached, slot.counter->ask(device_));
  return reached >= slot.value;
}

Result<Slot*> QueueState::create_slot() {
  auto slot = std::make_unique<Slot>();
  auto info = structure<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
  info.commandPool = pool_;
  info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  info.commandBufferCount = 1;
  COLLET_CHECK(
      device_.check(vk_.vkAllocateCommandBuffers(device_.handle(), &info, &slot->commands), kRecord));
  slots_.push_back(std::move(slot));
  return slots_.back().get();
}

Result<void> QueueState::recycle(Slot& slot) {
  if (slot.counter != nullptr) slot.counter->release();
  slot.counter = nullptr;
  slot.stamps.targets.clear();
  for (std::size_t i = 0; i < slot.pools_used; ++i)
    COLLET_CHECK(device_.check(vk_.vkResetDescriptorPool(device_.handle(), slot.pools[i], 0), kRecord));
  slot.pools_used = 0;
  return {};
}

Result<void> QueueState::record(Slot& slot, std::span<const Command> commands) {
  slot_ = &slot;
  commands_ = slot.commands;
  pipeline_ = VK_NULL_HANDLE;
  layout_ = constants_layout_ = nullptr;
  host_write_ = false;
  auto begin = structure<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  COLLET_CHECK(device_.check(vk_.vkBeginCommandBuffer(commands_, &begin), kRecord));
  COLLET_CHECK(prepare_stamps(slot, commands));
  for (const Command& command : commands) COLLET_CHECK(add(command));
  publish();
  return device_.check(vk_.vkEndCommandBuffer(commands_), kRecord);
}

Result<void> QueueState::prepare_stamps(Slot& slot, std::span<const Command> commands) {
  const auto stamped = [](const Command& command) { return std::holds_alternative<Timestamp>(command.what); };
  const auto count = static_cast<std::uint32_t>(std::count_if(commands.begin(), commands.end(), stamped));
  if (count == 0) return {};
  Stamps& stamps = slot.stamps;
  if (stamps.capacity < count) {
    vk_.vkDestroyQueryPool(device_.handle(), stamps.pool, nullptr);
    stamps.pool = VK_NULL_HANDLE;
    stamps.capacity = 0;
    auto info = structure<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = std::max(count, 16u);
    COLLET_CHECK(
        device_.check(vk_.vkCreateQueryPool(device_.handle(), &info, nullptr, &stamps.pool), kRecord));
    stamps.capacity = info.queryCount;
  }
  if (device_.features().host_query_reset.hostQueryReset != VK_FALSE)
    vk_.vkResetQueryPool(device_.handle(), stamps.pool, 0, count);
  else
    vk_.vkCmdResetQueryPool(commands_, stamps.pool, 0, count);
  return {};
}

Result<void> QueueState::enqueue(VkCommandBuffer commands, const Submission& submission) {
  const std::size_t waits = submission.waits.size();
  wait_semaphores_.resize(waits);
  wait_values_.resize(waits);
  wait_stages_.assign(waits, stages_);
  for (std::size_t i = 0; i < waits; ++i) {
    wait_semaphores_[i] = counter(submission.waits[i].timeline).semaphore();
    wait_values_[i] = counter(submission.waits[i].timeline).native(submission.waits[i].value);
  }
  const Counter& signals = counter(submission.signal.timeline);
  const VkSemaphore signal = signals.semaphore();
  const std::uint64_t value = signals.native(submission.signal.value);
  auto values = structure<VkTimelineSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
  values.waitSemaphoreValueCount = static_cast<std::uint32_t>(waits);
  values.pWaitSemaphoreValues = wait_values_.data();
  values.signalSemaphoreValueCount = 1;
  values.pSignalSemaphoreValues = &value;
  auto info = structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  info.pNext = &values;
  info.waitSemaphoreCount = static_cast<std::uint32_t>(waits);
  info.pWaitSemaphores = wait_semaphores_.data();
  info.pWaitDstStageMask = wait_stages_.data();
  info.commandBufferCount = commands != VK_NULL_HANDLE ? 1 : 0;
  info.pCommandBuffers = &commands;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &signal;
  const std::lock_guard lock(queue_.mutex);
  return device_.check(vk_.vkQueueSubmit(queue_.handle, 1, &info, VK_NULL_HANDLE), kSubmit);
}

}  // namespace collet::backend::vulkan
