// Vulkan: from commands to a command buffer, with the fewest calls that do it.

#include <cassert>
#include <cstring>

#include "backends/vulkan/queue.hpp"

namespace collet::backend::vulkan {
namespace {

VkAccessFlags writes(VkPipelineStageFlags stages) {
  VkAccessFlags access = 0;
  if ((stages & kCompute) != 0) access |= VK_ACCESS_SHADER_WRITE_BIT;
  if ((stages & kTransfer) != 0) access |= VK_ACCESS_TRANSFER_WRITE_BIT;
  return access;
}

VkAccessFlags reads(VkPipelineStageFlags stages) {
  VkAccessFlags access = 0;
  if ((stages & kCompute) != 0) access |= VK_ACCESS_SHADER_READ_BIT;
  if ((stages & kTransfer) != 0) access |= VK_ACCESS_TRANSFER_READ_BIT;
  return access;
}

bool same(const VkDescriptorBufferInfo& a, const VkDescriptorBufferInfo& b) {
  return a.buffer == b.buffer && a.offset == b.offset && a.range == b.range;
}

}  // namespace

// Makes this command and all that follow see what ran before it in this queue: the core counts on that when
// it leaves later commands unordered. Earlier submissions count: a barrier's first half covers all that was
// submitted to the VkQueue before it.
void QueueState::order(bool ordered, VkPipelineStageFlags stage) {
  if (ordered && unordered_) {
    auto barrier = structure<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
    barrier.srcAccessMask = writes(used_);
    barrier.dstAccessMask = reads(stages_) | writes(stages_);
    vk_.vkCmdPipelineBarrier(commands_, used_, stages_, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  }
  used_ |= stage;
  unordered_ = true;
}

// Ends a submission that wrote memory which the host can see. The same barrier orders the next submission's
// commands, which saves them theirs.
void QueueState::publish() {
  if (!host_write_) return;
  auto barrier = structure<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
  barrier.srcAccessMask = writes(used_);
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT | reads(stages_) | writes(stages_);
  vk_.vkCmdPipelineBarrier(commands_, used_, VK_PIPELINE_STAGE_HOST_BIT | stages_, 0, 1, &barrier, 0, nullptr,
                           0, nullptr);
  unordered_ = false;
}

void QueueState::note_write(const Slice& slice) {
  host_write_ = host_write_ || block(slice.memory).host != nullptr;
}

Result<void> QueueState::add(const Command& command) {
  if (const auto* dispatch = std::get_if<Dispatch>(&command.what)) {
    order(command.ordered, kCompute);
    return add_dispatch(*dispatch);
  }
  if (const auto* timestamp = std::get_if<Timestamp>(&command.what)) {
    add_timestamp(*timestamp);
    return {};
  }
  order(command.ordered, kTransfer);
  if (const auto* copy = std::get_if<Copy>(&command.what))
    add_copy(*copy);
  else if (const auto* fill = std::get_if<Fill>(&command.what))
    add_fill(*fill);
  else
    assert(false && "Write and Read are not in our Caps");
  return {};
}

Result<void> QueueState::add_dispatch(const Dispatch& dispatch) {
  const auto& kernel = *reinterpret_cast<const Pipeline*>(dispatch.kernel.id);
  const Layout& layout = *kernel.layout;
  if (pipeline_ != kernel.handle) {
    vk_.vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.handle);
    pipeline_ = kernel.handle;
  }
  if (!dispatch.slices.empty()) COLLET_CHECK(bind(layout, dispatch.slices));
  const std::size_t size = dispatch.constants.size();
  if (size != 0 && (constants_layout_ != &layout ||
                    std::memcmp(constants_.data(), dispatch.constants.data(), size) != 0)) {
    vk_.vkCmdPushConstants(commands_, layout.pipeline, VK_SHADER_STAGE_COMPUTE_BIT, 0, layout.constants,
                           dispatch.constants.data());
    std::memcpy(constants_.data(), dispatch.constants.data(), size);
    constants_layout_ = &layout;
  }
  vk_.vkCmdDispatch(commands_, dispatch.groups[0], dispatch.groups[1], dispatch.groups[2]);
  return {};
}

Result<void> QueueState::bind(const Layout& layout, std::span<const Slice> slices) {
  bool changed = layout_ != &layout;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const Slice& slice = slices[i];
    const Block& memory = block(slice.memory);
    // Whole words: blocks are padded to 16 bytes, and kernels reach sub-word elements through their word.
    const VkDescriptorBufferInfo info{memory.buffer, slice.offset, (slice.size + 3) & ~std::uint64_t{3}};
    if (!same(info, buffers_[i])) {
      buffers_[i] = info;
      changed = true;
    }
    if (slice.access != Access::read) host_write_ = host_write_ || memory.host != nullptr;
  }
  if (!changed) return {};
  layout_ = nullptr;  // until it is bound
  auto write = structure<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
  write.descriptorCount = layout.buffers;  // runs on from binding 0 into the following ones
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = buffers_.data();
  if (layout.push) {
    vk_.vkCmdPushDescriptorSetKHR(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, layout.pipeline, 0, 1, &write);
  } else {
    COLLET_TRY(set, allocate_set(layout));
    write.dstSet = set;
    vk_.vkUpdateDescriptorSets(device_.handle(), 1, &write, 0, nullptr);
    vk_.vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, layout.pipeline, 0, 1, &set, 0,
                                nullptr);
  }
  layout_ = &layout;
  return {};
}

Result<VkDescriptorSet> QueueState::allocate_set(const Layout& layout) {
  constexpr std::uint32_t kSets = 256;
  auto info = structure<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
  info.descriptorSetCount = 1;
  info.pSetLayouts = &layout.set;
  VkDescriptorSet set = VK_NULL_HANDLE;
  if (slot_->pools_used != 0) {
    info.descriptorPool = slot_->pools[slot_->pools_used - 1];
    const VkResult result = vk_.vkAllocateDescriptorSets(device_.handle(), &info, &set);
    if (result == VK_SUCCESS) return set;
    if (result != VK_ERROR_OUT_OF_POOL_MEMORY && result != VK_ERROR_FRAGMENTED_POOL)
      COLLET_CHECK(device_.check(result, kRecord));
  }
  if (slot_->pools_used == slot_->pools.size()) {
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kSets * 4};
    auto create = structure<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
    create.maxSets = kSets;
    create.poolSizeCount = 1;
    create.pPoolSizes = &size;
    VkDescriptorPool pool = VK_NULL_HANDLE;
    COLLET_CHECK(
        device_.check(vk_.vkCreateDescriptorPool(device_.handle(), &create, nullptr, &pool), kRecord));
    slot_->pools.push_back(pool);
  }
  info.descriptorPool = slot_->pools[slot_->pools_used++];
  COLLET_CHECK(device_.check(vk_.vkAllocateDescriptorSets(device_.handle(), &info, &set), kRecord));
  return set;
}

void QueueState::add_copy(const Copy& copy) {
  const VkBufferCopy region{copy.from.offset, copy.to.offset, copy.to.size};
  vk_.vkCmdCopyBuffer(commands_, block(copy.from.memory).buffer, block(copy.to.memory).buffer, 1, &region);
  note_write(copy.to);
}

void QueueState::add_fill(const Fill& fill) {
  vk_.vkCmdFillBuffer(commands_, block(fill.to.memory).buffer, fill.to.offset, fill.to.size, fill.pattern);
  note_write(fill.to);
}

// Written when everything before it is done, so it needs no barrier.
void QueueState::add_timestamp(const Timestamp& timestamp) {
  Stamps& stamps = slot_->stamps;
  vk_.vkCmdWriteTimestamp(commands_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, stamps.pool,
                          static_cast<std::uint32_t>(stamps.targets.size()));
  stamps.targets.push_back(timestamp.slot);
}

}  // namespace collet::backend::vulkan
