// Vulkan's functions of a device around a real driver's: each counts its calls, and fails where test::calls
// says so. They are found by vkGetDeviceProcAddr, so by every device that is opened while FailingVulkan
// lives.
#pragma once

#include <tuple>
#include <type_traits>

#include "backends/vulkan/api.hpp"
#include "doubles/failing_calls.hpp"

namespace collet::test {

// clang-format off
#define COLLET_VK_FUNCTIONS(X) \
  X(vkAllocateMemory) X(vkFreeMemory) X(vkCreateBuffer) X(vkDestroyBuffer) X(vkBindBufferMemory) X(vkMapMemory) \
  X(vkFlushMappedMemoryRanges) X(vkInvalidateMappedMemoryRanges) X(vkCreateShaderModule) X(vkDestroyShaderModule) \
  X(vkCreateDescriptorSetLayout) X(vkDestroyDescriptorSetLayout) X(vkCreatePipelineLayout) X(vkDestroyPipelineLayout) \
  X(vkCreateComputePipelines) X(vkDestroyPipeline) X(vkCreateDescriptorPool) X(vkDestroyDescriptorPool) \
  X(vkAllocateDescriptorSets) X(vkResetDescriptorPool) X(vkCreateCommandPool) X(vkDestroyCommandPool) \
  X(vkAllocateCommandBuffers) X(vkResetCommandBuffer) X(vkBeginCommandBuffer) X(vkEndCommandBuffer) X(vkQueueSubmit) \
  X(vkCreateQueryPool) X(vkDestroyQueryPool) X(vkGetQueryPoolResults) X(vkCreateSemaphore) X(vkDestroySemaphore) \
  X(vkWaitSemaphores) X(vkGetSemaphoreCounterValue) X(vkGetCalibratedTimestampsEXT) X(vkDeviceWaitIdle)
// clang-format on

#define COLLET_VK_TEXT(name) #name,
inline constexpr std::string_view kVulkanFunctions[] = {COLLET_VK_FUNCTIONS(COLLET_VK_TEXT)};
#undef COLLET_VK_TEXT

struct FailingVulkanDevice {
  static inline VkDevice handle = VK_NULL_HANDLE;
  static inline PFN_vkDeviceWaitIdle wait = nullptr;  // the driver's own
};

// A device that is lost runs nothing any more, and says so at every call.
inline bool is_lost() { return calls.failed() && calls.code() == VK_ERROR_DEVICE_LOST; }
inline VkResult fail() {
  if (is_lost()) FailingVulkanDevice::wait(FailingVulkanDevice::handle);
  return static_cast<VkResult>(calls.code());
}

template <std::size_t kIndex, class R, class... A>
struct VulkanCall {
  static inline R(VKAPI_CALL* real)(A...) = nullptr;

  static constexpr std::string_view kName = kVulkanFunctions[kIndex];

  static R VKAPI_CALL call(A... arguments) {
    if constexpr (std::is_void_v<R>) {
      if (std::get<1>(std::tie(arguments...)) != VK_NULL_HANDLE) --calls.live;
      real(arguments...);
    } else {
      if (calls.fails(kIndex) || is_lost()) return fail();
      const R result = real(arguments...);
      if (result == VK_SUCCESS && (kName.starts_with("vkCreate") || kName == "vkAllocateMemory"))
        ++calls.live;
      return result;
    }
  }
};

// Threads: one at a time, and one in a process, with one device; made after the instance.
class FailingVulkan {
 public:
  FailingVulkan() {
    before = vkGetDeviceProcAddr;
    vkGetDeviceProcAddr = &find;
  }
  ~FailingVulkan() { vkGetDeviceProcAddr = before; }
  FailingVulkan(const FailingVulkan&) = delete;
  FailingVulkan& operator=(const FailingVulkan&) = delete;

 private:
  static inline PFN_vkGetDeviceProcAddr before = nullptr;

  template <std::size_t kIndex, class R, class... A>
  static PFN_vkVoidFunction put_before(R(VKAPI_CALL* function)(A...)) {
    if (function == nullptr) return nullptr;
    VulkanCall<kIndex, R, A...>::real = function;
    return reinterpret_cast<PFN_vkVoidFunction>(&VulkanCall<kIndex, R, A...>::call);
  }

  static PFN_vkVoidFunction VKAPI_CALL find(VkDevice device, const char* name) {
    const PFN_vkVoidFunction found = before(device, name);
    FailingVulkanDevice::handle = device;
    if (std::string_view(name) == "vkDeviceWaitIdle")
      FailingVulkanDevice::wait = reinterpret_cast<PFN_vkDeviceWaitIdle>(found);
    constexpr std::size_t kFirst = __COUNTER__ + 1;
#define COLLET_VK_FAILING(function)        \
  if (std::string_view(name) == #function) \
    return put_before<__COUNTER__ - kFirst>(reinterpret_cast<PFN_##function>(found));
    COLLET_VK_FUNCTIONS(COLLET_VK_FAILING)
#undef COLLET_VK_FAILING
    return found;
  }
};

}  // namespace collet::test
