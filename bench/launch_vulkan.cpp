// The launch work on bare Vulkan.

#include "launch.hpp"

#include <collet_backends.hpp>

#if COLLET_HAS_VULKAN

#include <algorithm>
#include <memory>

#include "bare_vulkan.hpp"

namespace collet::bench {
namespace bare_vulkan {

// Binds too: what a command buffer that stands alone needs.
void Program::begin(VkCommandBuffer commands, VkCommandBufferUsageFlags flags) {
  auto info = structure<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  info.flags = flags;
  check(vk_.vkBeginCommandBuffer(commands, &info));
  vk_.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
  vk_.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_, 0, nullptr);
}

void Program::dispatch(VkCommandBuffer commands, std::uint32_t step, std::uint32_t tag) {
  const std::array<std::uint32_t, 2> constants{step, tag};
  vk_.vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof constants,
                         constants.data());
  vk_.vkCmdDispatch(commands, 1, 1, 1);
}

void Program::barrier(VkCommandBuffer commands, VkPipelineStageFlags to, VkAccessFlags access) {
  auto memory = structure<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
  memory.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  memory.dstAccessMask = access;
  vk_.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, to, 0, 1, &memory, 0, nullptr, 0,
                           nullptr);
}

VkCommandBuffer Program::recorded(bool readable) {
  begin(commands_[0], VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  dispatch(commands_[0], 1, tally_.next_tag());
  if (readable) barrier(commands_[0], VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
  check(vk_.vkEndCommandBuffer(commands_[0]));
  return commands_[0];
}

// Each dispatch sees what the one before wrote; the first, what the command buffer before did.
VkCommandBuffer Program::batch(VkCommandBuffer commands, std::uint32_t count) {
  begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  for (std::uint32_t i = 0; i < count; ++i) {
    barrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    dispatch(commands, 1, tally_.next_tag());
  }
  check(vk_.vkEndCommandBuffer(commands));
  return commands;
}

// The device begins while the rest is still being recorded.
void Program::batch_in_parts() {
  std::uint32_t left = kBatch;
  for (VkCommandBuffer commands : commands_) {
    const std::uint32_t part = std::min(left, kPart);
    submit_timeline(batch(commands, part));
    left -= part;
  }
  wait_timeline();
}

void Program::submit_fence(VkCommandBuffer commands) {
  auto info = structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  check(vk_.vkQueueSubmit(queue_, 1, &info, fence_));
}

void Program::wait_fence() {
  check(vk_.vkWaitForFences(device_, 1, &fence_, VK_TRUE, UINT64_MAX));
  check(vk_.vkResetFences(device_, 1, &fence_));
}

void Program::record_fence_spin() {
  submit_fence(recorded(false));
  while (vk_.vkGetFenceStatus(device_, fence_) == VK_NOT_READY) {
  }
  check(vk_.vkResetFences(device_, 1, &fence_));
}

void Program::submit_timeline(VkCommandBuffer commands) {
  ++value_;
  auto values = structure<VkTimelineSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
  values.signalSemaphoreValueCount = 1;
  values.pSignalSemaphoreValues = &value_;
  auto info = structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  info.pNext = &values;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &timeline_;
  check(vk_.vkQueueSubmit(queue_, 1, &info, VK_NULL_HANDLE));
}

void Program::wait_timeline() {
  auto info = structure<VkSemaphoreWaitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
  info.semaphoreCount = 1;
  info.pSemaphores = &timeline_;
  info.pValues = &value_;
  check(vk_.vkWaitSemaphores(device_, &info, UINT64_MAX));
}

void Program::check_results(Report& report) {
  record_fence();  // the last one has a tag
  begin(commands_[0], VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  barrier(commands_[0], VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
  check(vk_.vkEndCommandBuffer(commands_[0]));
  submit_fence(commands_[0]);
  wait_fence();
  check_tally("Bare Vulkan", tally_, {y_[0] - fixed_.launches, y_[1]}, report);
}

}  // namespace bare_vulkan

void launch_vulkan(const DeviceInfo& info, const Settings& settings, Report& report) {
  const auto open = [&] {
    const auto bare = std::make_shared<bare_vulkan::Program>(info);
    return Bare{
        .single = {{"record + host barrier + fence", [=] { bare->readable_fence(); }},
                   {"record + host barrier + timeline", [=] { bare->readable_timeline(); }}},
        .single_information = {{"record + fence", [=] { bare->record_fence(); }},
                               {"record + fence, spinning", [=] { bare->record_fence_spin(); }},
                               {"prerecorded + fence", [=] { bare->prerecorded_fence(); }},
                               {"prerecorded + timeline", [=] { bare->prerecorded_timeline(); }}},
        .batch = {{"one command buffer + fence", [=] { bare->batch_fence(); }},
                  {"one command buffer + timeline", [=] { bare->batch_timeline(); }},
                  {"command buffers of 64", [=] { bare->batch_in_parts(); }}},
        .check = [=](Report& to) { bare->check_results(to); },
    };
  };
  compare_launches(info, settings, open, report);
}

}  // namespace collet::bench

#else

namespace collet::bench {

void launch_vulkan(const DeviceInfo&, const Settings&, Report&) {}

}  // namespace collet::bench

#endif
