// Bare Vulkan: the device, the buffer, the pipeline and the signals.

#include <collet_backends.hpp>

#if COLLET_HAS_VULKAN

#include "bare_vulkan.hpp"

#include <collet_embedded/kernels.hpp>
#include <cstring>

namespace collet::bench::bare_vulkan {

Program::Program(const DeviceInfo& info)
    : library_(platform::Library::open(platform::library_names("vulkan")).value()) {
  get_ = reinterpret_cast<PFN_vkGetInstanceProcAddr>(library_.symbol("vkGetInstanceProcAddr"));
  open(info);
  load_device_functions();
  vk_.vkGetDeviceQueue(device_, family_, 0, &queue_);
  make_buffer();
  make_pipeline();
  make_commands();
  make_signals();
}

// Idle: every way waits for its work.
Program::~Program() {
  vk_.vkDestroySemaphore(device_, timeline_, nullptr);
  vk_.vkDestroyFence(device_, fence_, nullptr);
  vk_.vkDestroyCommandPool(device_, pool_, nullptr);
  vk_.vkDestroyDescriptorPool(device_, sets_, nullptr);
  vk_.vkDestroyPipeline(device_, pipeline_, nullptr);
  vk_.vkDestroyPipelineLayout(device_, layout_, nullptr);
  vk_.vkDestroyDescriptorSetLayout(device_, set_layout_, nullptr);
  vk_.vkDestroyShaderModule(device_, shader_, nullptr);
  vk_.vkDestroyBuffer(device_, buffer_, nullptr);
  vk_.vkFreeMemory(device_, memory_, nullptr);
  vk_.vkDestroyDevice(device_, nullptr);
  vk_.vkDestroyInstance(instance_, nullptr);
}

void Program::open(const DeviceInfo& info) {
  auto application = structure<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
  application.apiVersion = VK_API_VERSION_1_2;
  auto create = structure<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  create.pApplicationInfo = &application;
  const auto create_instance = reinterpret_cast<PFN_vkCreateInstance>(get_(nullptr, "vkCreateInstance"));
  check(create_instance(&create, nullptr, &instance_));
#define BENCH_VK_LOAD(name) vk_.name = reinterpret_cast<PFN_##name>(get_(instance_, #name));
  BENCH_VK_INSTANCE(BENCH_VK_LOAD)
#undef BENCH_VK_LOAD

  physical_ = find(info);
  std::uint32_t count = 0;
  vk_.vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vk_.vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, families.data());
  while (family_ < count && (families[family_].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) ++family_;

  const float priority = 1;
  auto queue = structure<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueFamilyIndex = family_;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  auto features =
      structure<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  features.timelineSemaphore = VK_TRUE;
  auto device = structure<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
  device.pNext = &features;
  device.queueCreateInfoCount = 1;
  device.pQueueCreateInfos = &queue;
  check(vk_.vkCreateDevice(physical_, &device, nullptr, &device_));
}

// Collet numbers Vulkan's devices as the loader does.
VkPhysicalDevice Program::find(const DeviceInfo& info) {
  std::uint32_t count = 0;
  check(vk_.vkEnumeratePhysicalDevices(instance_, &count, nullptr));
  std::vector<VkPhysicalDevice> all(count);
  check(vk_.vkEnumeratePhysicalDevices(instance_, &count, all.data()));
  VkPhysicalDeviceProperties properties{};
  if (info.index < count) vk_.vkGetPhysicalDeviceProperties(all[info.index], &properties);
  if (info.index >= count || info.name != properties.deviceName)
    throw std::runtime_error("The bare Vulkan program does not find " + info.id() + " (" + info.name + ").");
  return all[info.index];
}

void Program::load_device_functions(){
#define BENCH_VK_LOAD(name) vk_.name = reinterpret_cast<PFN_##name>(vk_.vkGetDeviceProcAddr(device_, #name));
    BENCH_VK_DEVICE(BENCH_VK_LOAD)
#undef BENCH_VK_LOAD
}

std::uint32_t Program::memory_type(std::uint32_t allowed) {
  VkPhysicalDeviceMemoryProperties memory{};
  vk_.vkGetPhysicalDeviceMemoryProperties(physical_, &memory);
  const VkMemoryPropertyFlags host =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  for (const VkMemoryPropertyFlags wanted : {host | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, host}) {
    for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
      const bool fits = (memory.memoryTypes[i].propertyFlags & wanted) == wanted;
      if (fits && (allowed >> i & 1) != 0) return i;
    }
  }
  throw std::runtime_error("The bare Vulkan program finds no memory that the host can see.");
}

void Program::make_buffer() {
  auto info = structure<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = 4096;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  check(vk_.vkCreateBuffer(device_, &info, nullptr, &buffer_));
  VkMemoryRequirements needs{};
  vk_.vkGetBufferMemoryRequirements(device_, buffer_, &needs);
  auto allocate = structure<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex = memory_type(needs.memoryTypeBits);
  check(vk_.vkAllocateMemory(device_, &allocate, nullptr, &memory_));
  check(vk_.vkBindBufferMemory(device_, buffer_, memory_, 0));
  void* mapped = nullptr;
  check(vk_.vkMapMemory(device_, memory_, 0, VK_WHOLE_SIZE, 0, &mapped));
  std::memset(mapped, 0, info.size);
  y_ = static_cast<const std::uint32_t*>(mapped);
}

void Program::make_pipeline() {
  auto module = structure<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  module.codeSize = collet_embedded::count_spv.size();
  module.pCode = reinterpret_cast<const std::uint32_t*>(collet_embedded::count_spv.data());
  check(vk_.vkCreateShaderModule(device_, &module, nullptr, &shader_));

  const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                             VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  auto bindings =
      structure<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
  bindings.bindingCount = 1;
  bindings.pBindings = &binding;
  check(vk_.vkCreateDescriptorSetLayout(device_, &bindings, nullptr, &set_layout_));
  const VkPushConstantRange constants{VK_SHADER_STAGE_COMPUTE_BIT, 0, 8};
  auto layout = structure<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  layout.setLayoutCount = 1;
  layout.pSetLayouts = &set_layout_;
  layout.pushConstantRangeCount = 1;
  layout.pPushConstantRanges = &constants;
  check(vk_.vkCreatePipelineLayout(device_, &layout, nullptr, &layout_));

  auto pipeline = structure<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  pipeline.stage =
      structure<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
  pipeline.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  pipeline.stage.module = shader_;
  pipeline.stage.pName = "main";
  pipeline.layout = layout_;
  check(vk_.vkCreateComputePipelines(device_, VK_NULL_HANDLE, 1, &pipeline, nullptr, &pipeline_));
  make_set();
}

void Program::make_set() {
  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
  auto create = structure<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
  create.maxSets = 1;
  create.poolSizeCount = 1;
  create.pPoolSizes = &size;
  check(vk_.vkCreateDescriptorPool(device_, &create, nullptr, &sets_));
  auto allocate = structure<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
  allocate.descriptorPool = sets_;
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &set_layout_;
  check(vk_.vkAllocateDescriptorSets(device_, &allocate, &set_));
  const VkDescriptorBufferInfo whole{buffer_, 0, VK_WHOLE_SIZE};
  auto write = structure<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
  write.dstSet = set_;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = &whole;
  vk_.vkUpdateDescriptorSets(device_, 1, &write, 0, nullptr);
}

void Program::make_commands() {
  auto pool = structure<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = family_;
  check(vk_.vkCreateCommandPool(device_, &pool, nullptr, &pool_));
  auto allocate = structure<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
  allocate.commandPool = pool_;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = kParts;
  check(vk_.vkAllocateCommandBuffers(device_, &allocate, commands_.data()));
  allocate.commandBufferCount = 1;
  check(vk_.vkAllocateCommandBuffers(device_, &allocate, &prerecorded_));
  begin(prerecorded_, 0);
  dispatch(prerecorded_, 1, 0);
  check(vk_.vkEndCommandBuffer(prerecorded_));
}

void Program::make_signals() {
  const auto fence = structure<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
  check(vk_.vkCreateFence(device_, &fence, nullptr, &fence_));
  auto type = structure<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  auto semaphore = structure<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
  semaphore.pNext = &type;
  check(vk_.vkCreateSemaphore(device_, &semaphore, nullptr, &timeline_));
}

}  // namespace collet::bench::bare_vulkan

#endif
