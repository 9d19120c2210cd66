// A device with made-up limits.

#include "layers/limited.hpp"

#include <algorithm>

#include "layers/rules.hpp"

namespace collet::layers {
namespace {

void lower(backend::Caps& caps, const Limits& asked) {
  caps.max_bindings = std::min(caps.max_bindings, asked.buffers);
  caps.max_constants_size = std::min(caps.max_constants_size, asked.constants);
  caps.max_group_items = std::min(caps.max_group_items, asked.group_items);
  caps.max_shared_bytes = std::min(caps.max_shared_bytes, asked.shared);
  caps.max_allocation = std::min(caps.max_allocation, asked.memory);
  caps.max_binding_range = std::min({caps.max_binding_range, asked.memory, asked.profile.binding_range});
  caps.copy_alignment = asked.profile.copy_alignment;
  caps.offset_alignment = asked.profile.offset_alignment;
  caps.shared_blocks = asked.profile.shared_blocks;
  caps.mixed_access = asked.profile.mixed_access;
  caps.mapped = asked.profile.mapped;
  caps.concurrent = caps.concurrent && caps.mapped;
  caps.host_commands = asked.profile.host_commands;
  caps.transfer_queue = asked.profile.transfer_queue;
  for (std::uint32_t& most : caps.max_groups) most = std::min(most, asked.groups);
  for (std::uint32_t& most : caps.max_group_size) most = std::min(most, caps.max_group_items);
}

}  // namespace

void describe_limits(DeviceInfo& info, const Limits& asked) {
  const auto lowered = [](auto& value, auto most) { value = std::min(value.value_or(most), most); };
  const std::uint64_t shared = asked.shared;
  lowered(info.memory_total, asked.memory);
  lowered(info.max_allocation, asked.memory);
  lowered(info.max_binding_range, std::min(asked.memory, asked.profile.binding_range));
  if (!asked.profile.wide_types) {
    info.i64 = info.i64_atomics = info.f32_atomics = info.subgroup_i64 = info.f64 = info.f16 = false;
  }
  lowered(info.shared_memory_per_group, shared);
  lowered(info.max_group_items, asked.group_items);
  if (info.max_groups) {
    for (std::uint32_t& most : *info.max_groups) most = std::min(most, asked.groups);
  }
  if (info.max_group_size) {
    for (std::uint32_t& most : *info.max_group_size) most = std::min(most, asked.group_items);
  }
}

LimitedDevice::LimitedDevice(std::unique_ptr<backend::Device> inside, DeviceInfo info, const Limits& asked)
    : ForwardingDevice(std::move(inside)),
      info_(std::move(info)),
      profile_(asked.profile),
      total_(asked.memory) {
  describe_limits(info_, asked);
  lower(limits, asked);
}

Result<backend::MemoryInfo> LimitedDevice::memory_info() {
  const std::lock_guard lock(mutex_);
  return backend::MemoryInfo{.total = total_, .available = total_ - used_};
}

Result<backend::Allocation> LimitedDevice::create_memory(const backend::MemoryDesc& desc) {
  const std::lock_guard lock(mutex_);
  if (desc.size > total_ - used_) {
    return Error(ErrorCode::out_of_memory, Category::memory, Cause::allocation_failed,
                 info_.id() + " has " + std::to_string(total_) + " bytes, of which " + std::to_string(used_) +
                     " are in use; " + std::to_string(desc.size) + " more are asked for.");
  }
  COLLET_TRY(made, ForwardingDevice::create_memory(desc));
  sizes_[made.memory.id] = desc.size;
  used_ += desc.size;
  const bool mapped = desc.placement == backend::Placement::device ? profile_.mapped_device : profile_.mapped;
  if (!mapped) made.host = nullptr;
  return made;
}

void LimitedDevice::destroy_memory(backend::Memory memory) {
  const std::lock_guard lock(mutex_);
  const auto found = sizes_.find(memory.id);
  used_ -= found->second;
  sizes_.erase(found);
  ForwardingDevice::destroy_memory(memory);
}

Result<void> LimitedDevice::submit(backend::Queue queue, const backend::Submission& submission) {
  for (const backend::Command& command : submission.commands) {
    if (auto kept = check_rules(command, limits); !kept)
      return kept.error().during("submitting to " + info_.id());
  }
  return ForwardingDevice::submit(queue, submission);
}

}  // namespace collet::layers
