// A bare Vulkan program for the launch work, as someone writes it who knows the API: one command pool, one
// descriptor set, device functions without the loader's trampolines.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan.h>

#include <array>
#include <stdexcept>

#include "launch.hpp"
#include "platform/platform.hpp"

namespace collet::bench::bare_vulkan {

// clang-format off
#define BENCH_VK_INSTANCE(X) \
  X(vkEnumeratePhysicalDevices) X(vkGetPhysicalDeviceProperties) X(vkGetDeviceProcAddr) \
  X(vkGetPhysicalDeviceQueueFamilyProperties) X(vkGetPhysicalDeviceMemoryProperties) \
  X(vkCreateDevice) X(vkDestroyInstance)
#define BENCH_VK_DEVICE(X) \
  X(vkGetDeviceQueue) X(vkCreateBuffer) X(vkGetBufferMemoryRequirements) X(vkAllocateMemory) \
  X(vkBindBufferMemory) X(vkMapMemory) X(vkCreateShaderModule) X(vkCreateDescriptorSetLayout) \
  X(vkCreatePipelineLayout) X(vkCreateComputePipelines) X(vkCreateDescriptorPool) \
  X(vkAllocateDescriptorSets) X(vkUpdateDescriptorSets) X(vkCreateCommandPool) \
  X(vkAllocateCommandBuffers) X(vkBeginCommandBuffer) X(vkEndCommandBuffer) X(vkCmdBindPipeline) \
  X(vkCmdBindDescriptorSets) X(vkCmdPushConstants) X(vkCmdDispatch) X(vkCmdPipelineBarrier) \
  X(vkCreateFence) X(vkWaitForFences) X(vkResetFences) X(vkGetFenceStatus) X(vkCreateSemaphore) \
  X(vkWaitSemaphores) X(vkQueueSubmit) X(vkDestroyDevice) X(vkDestroyBuffer) X(vkFreeMemory) \
  X(vkDestroyShaderModule) X(vkDestroyDescriptorSetLayout) X(vkDestroyPipelineLayout) \
  X(vkDestroyPipeline) X(vkDestroyDescriptorPool) X(vkDestroyCommandPool) X(vkDestroyFence) \
  X(vkDestroySemaphore)
// clang-format on

// Threads: immutable once loaded.
struct Api {
#define BENCH_VK_MEMBER(name) PFN_##name name = nullptr;
  BENCH_VK_INSTANCE(BENCH_VK_MEMBER)
  BENCH_VK_DEVICE(BENCH_VK_MEMBER)
#undef BENCH_VK_MEMBER
};

inline void check(VkResult result) {
  if (result != VK_SUCCESS)
    throw std::runtime_error("The bare Vulkan program got VkResult " + std::to_string(result) + ".");
}

template <class T>
T structure(VkStructureType type) {
  T made{};
  made.sType = type;
  return made;
}

// Threads: one at a time.
class Program {
 public:
  explicit Program(const DeviceInfo& info);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // The host may read the result after these two, as after our wait().
  void readable_fence() { submit_fence(recorded(true)), wait_fence(); }
  void readable_timeline() { submit_timeline(recorded(true)), wait_timeline(); }
  void record_fence() { submit_fence(recorded(false)), wait_fence(); }
  void record_fence_spin();
  void prerecorded_timeline() { submit_timeline(prerecorded_), wait_timeline(), ++fixed_.launches; }
  void prerecorded_fence() { submit_fence(prerecorded_), wait_fence(), ++fixed_.launches; }
  void batch_fence() { submit_fence(batch(commands_[0], kBatch)), wait_fence(); }
  void batch_timeline() { submit_timeline(batch(commands_[0], kBatch)), wait_timeline(); }
  void batch_in_parts();

  void check_results(Report& report);

 private:
  static constexpr std::uint32_t kPart = 64;
  static constexpr std::size_t kParts = (kBatch + kPart - 1) / kPart;

  void open(const DeviceInfo& info);
  VkPhysicalDevice find(const DeviceInfo& info);
  void load_device_functions();
  void make_buffer();
  std::uint32_t memory_type(std::uint32_t allowed);
  void make_pipeline();
  void make_set();
  void make_commands();
  void make_signals();

  void begin(VkCommandBuffer commands, VkCommandBufferUsageFlags flags);
  void dispatch(VkCommandBuffer commands, std::uint32_t step, std::uint32_t tag);
  void barrier(VkCommandBuffer commands, VkPipelineStageFlags to, VkAccessFlags access);
  VkCommandBuffer recorded(bool readable);
  VkCommandBuffer batch(VkCommandBuffer commands, std::uint32_t count);

  void submit_fence(VkCommandBuffer commands);
  void wait_fence();
  void submit_timeline(VkCommandBuffer commands);
  void wait_timeline();

  platform::Library library_;
  PFN_vkGetInstanceProcAddr get_ = nullptr;
  Api vk_;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  std::uint32_t family_ = 0;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  const std::uint32_t* y_ = nullptr;
  VkShaderModule shader_ = VK_NULL_HANDLE;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
  VkDescriptorPool sets_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  std::array<VkCommandBuffer, kParts> commands_{};
  VkCommandBuffer prerecorded_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
  VkSemaphore timeline_ = VK_NULL_HANDLE;
  std::uint64_t value_ = 0;
  Tally tally_;
  Tally fixed_;  // launches of the prerecorded command buffer, whose tag is always 0
};

}  // namespace collet::bench::bare_vulkan
