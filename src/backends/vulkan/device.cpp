// Vulkan: opens a device with every feature that kernels may need.

#include "backends/vulkan/device.hpp"

#include <algorithm>

#include "backends/vulkan/instance.hpp"

namespace collet::backend::vulkan {
namespace {

constexpr std::uint32_t kMaxQueues = 8;  // of one family; more of ours share them

std::vector<const char*> wanted_extensions(const Physical& physical, const Features& features) {
  std::vector<const char*> names = features.extensions;
  if (physical.max_push_descriptors != 0) names.push_back(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
  if (physical.clock) names.push_back(VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
  if (physical.budget) names.push_back(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
  if (physical.has("VK_KHR_portability_subset")) names.push_back("VK_KHR_portability_subset");
  if (physical.version < VK_API_VERSION_1_2) {
    for (const char* name : {VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME, VK_KHR_SPIRV_1_4_EXTENSION_NAME}) {
      if (physical.has(name)) names.push_back(name);
    }
  }
  return names;
}

}  // namespace

Result<std::unique_ptr<Device>> VulkanDevice::open(const Instance& vulkan, VkPhysicalDevice handle,
                                                   std::uint32_t index, const OpenOptions& options) {
  auto device = std::make_unique<VulkanDevice>(vulkan);
  device->physical_ = describe(handle, index, device->features_);
  if (!device->physical_.refusal.empty()) {
    return Error(ErrorCode::unsupported, Category::device, Cause::version_unsupported,
                 device->physical_.refusal);
  }
  COLLET_CHECK(device->create(options));
  return std::unique_ptr<Device>(std::move(device));
}

Result<void> VulkanDevice::create(const OpenOptions& options) {
  adaptive_ = options.wait == WaitMode::adaptive;
  const std::array<float, kMaxQueues> priorities{1, 1, 1, 1, 1, 1, 1, 1};
  std::vector<VkDeviceQueueCreateInfo> queues;
  for (const Family& family : {physical_.compute, physical_.transfer}) {
    if (family.queues == 0) continue;
    auto& queue =
        queues.emplace_back(structure<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO));
    queue.queueFamilyIndex = family.index;
    queue.queueCount = std::min(family.queues, kMaxQueues);
    queue.pQueuePriorities = priorities.data();
  }
  const auto extensions = wanted_extensions(physical_, features_);
  auto info = structure<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
  info.pNext = &features_.core;
  info.queueCreateInfoCount = static_cast<std::uint32_t>(queues.size());
  info.pQueueCreateInfos = queues.data();
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  COLLET_CHECK(check(vkCreateDevice(physical_.handle, &info, nullptr, &device_), kOpenDevice));
  volkLoadDeviceTable(&vk_, device_);
  // A device of version 1.1 has these under their extensions' names only.
  if (vk_.vkWaitSemaphores == nullptr) {
    vk_.vkWaitSemaphores = vk_.vkWaitSemaphoresKHR;
    vk_.vkGetSemaphoreCounterValue = vk_.vkGetSemaphoreCounterValueKHR;
  }
  if (vk_.vkResetQueryPool == nullptr) vk_.vkResetQueryPool = vk_.vkResetQueryPoolEXT;
  scalar_layout_ = features_.scalar_layout.scalarBlockLayout != VK_FALSE;
  take_queues();
  name(VK_OBJECT_TYPE_DEVICE, number(device_), options.label);
  return {};
}

void VulkanDevice::take_queues() {
  const auto take = [&](const Family& family, std::vector<std::unique_ptr<NativeQueue>>& into) {
    for (std::uint32_t i = 0; i < std::min(family.queues, kMaxQueues); ++i) {
      auto& queue = *into.emplace_back(std::make_unique<NativeQueue>());
      queue.family = family.index;
      vk_.vkGetDeviceQueue(device_, family.index, i, &queue.handle);
    }
  };
  take(physical_.compute, compute_);
  take(physical_.transfer, transfer_);
}

VulkanDevice::~VulkanDevice() {
  if (device_ == VK_NULL_HANDLE) return;
  // The driver's threads may still be leaving what is done. unchecked: it is closed either way
  vk_.vkDeviceWaitIdle(device_);
  for (const auto& [semaphore, value] : spare_semaphores_)
    vk_.vkDestroySemaphore(device_, semaphore, nullptr);
  for (const VkSemaphore semaphore : retired_semaphores_) vk_.vkDestroySemaphore(device_, semaphore, nullptr);
  for (const auto& [key, made] : layouts_) destroy_layout(made);
  vk_.vkDestroyDevice(device_, nullptr);
}

Result<void> VulkanDevice::health() { return health_.check(); }

void* VulkanDevice::extension(std::string_view name) {
  if (name == "vulkan.device") return device_;
  if (name == "vulkan.physical_device") return physical_.handle;
  if (name == "vulkan.instance") return instance_.handle;
  return nullptr;
}

void VulkanDevice::name(VkObjectType type, std::uint64_t object, std::string_view label) const {
  if (label.empty() || !instance_.debug_names || vkSetDebugUtilsObjectNameEXT == nullptr) return;
  const std::string text(label);
  auto info = structure<VkDebugUtilsObjectNameInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT);
  info.objectType = type;
  info.objectHandle = object;
  info.pObjectName = text.c_str();
  vkSetDebugUtilsObjectNameEXT(device_, &info);  // unchecked: a name that does not arrive is no failure
}

}  // namespace collet::backend::vulkan
