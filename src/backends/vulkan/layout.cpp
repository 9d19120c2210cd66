// Vulkan: pipeline layouts, shared by all kernels of one shape.

#include "backends/vulkan/device.hpp"

namespace collet::backend::vulkan {

Result<const Layout*> VulkanDevice::layout(std::uint32_t buffers, std::uint32_t constants) {
  const std::lock_guard lock(layouts_mutex_);
  const auto [at, added] = layouts_.try_emplace({buffers, constants});
  Layout& made = at->second;
  if (!added) return &made;
  made.buffers = buffers;
  made.constants = constants;
  made.push = buffers <= physical_.max_push_descriptors;
  if (auto done = create_layout(made); !done) {
    destroy_layout(made);
    layouts_.erase(at);
    return done.error();
  }
  return &made;
}

Result<void> VulkanDevice::create_layout(Layout& made) {
  std::array<VkDescriptorSetLayoutBinding, kMaxBindings> bindings{};
  for (std::uint32_t i = 0; i < made.buffers; ++i)
    bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  auto set = structure<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
  set.bindingCount = made.buffers;
  set.pBindings = bindings.data();
  if (made.push) set.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
  COLLET_CHECK(check(vk_.vkCreateDescriptorSetLayout(device_, &set, nullptr, &made.set), kMakePipeline));

  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, made.constants};
  auto pipeline = structure<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  pipeline.setLayoutCount = 1;
  pipeline.pSetLayouts = &made.set;
  pipeline.pushConstantRangeCount = made.constants != 0 ? 1 : 0;
  pipeline.pPushConstantRanges = &range;
  return check(vk_.vkCreatePipelineLayout(device_, &pipeline, nullptr, &made.pipeline), kMakePipeline);
}

void VulkanDevice::destroy_layout(const Layout& made) {
  vk_.vkDestroyPipelineLayout(device_, made.pipeline, nullptr);
  vk_.vkDestroyDescriptorSetLayout(device_, made.set, nullptr);
}

}  // namespace collet::backend::vulkan
