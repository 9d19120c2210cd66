// Vulkan: a buffer with memory of its own. Pooling and alignment live in the core.

#include <algorithm>

#include "backends/vulkan/device.hpp"

namespace collet::backend::vulkan {
namespace {

constexpr VkMemoryPropertyFlags kDevice = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kVisible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
constexpr VkMemoryPropertyFlags kCoherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

struct Wish {
  const char* name;
  VkMemoryPropertyFlags required, preferred, avoided;
};

Wish wish(Placement placement) {
  switch (placement) {
    case Placement::device: return {"device", kDevice, kVisible | kCoherent, 0};
    case Placement::upload: return {"upload", kVisible | kCoherent, 0, kCached | kDevice};
    case Placement::readback: return {"readback", kVisible, kCached | kCoherent, kDevice};
    case Placement::shared: break;
  }
  return {"shared", kVisible | kCoherent, kDevice | kCached, 0};
}

int count_bits(VkMemoryPropertyFlags flags) {
  int bits = 0;
  for (; flags != 0; flags &= flags - 1) ++bits;
  return bits;
}

}  // namespace

Result<MemoryInfo> VulkanDevice::memory_info() {
  auto budget = structure<VkPhysicalDeviceMemoryBudgetPropertiesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
  auto memory =
      structure<VkPhysicalDeviceMemoryProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2);
  if (physical_.budget) memory.pNext = &budget;
  vkGetPhysicalDeviceMemoryProperties2(physical_.handle, &memory);
  MemoryInfo out;
  for (std::uint32_t i = 0; i < memory.memoryProperties.memoryHeapCount; ++i) {
    const VkMemoryHeap& heap = memory.memoryProperties.memoryHeaps[i];
    if ((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) == 0) continue;
    out.total += heap.size;
    if (budget.heapBudget[i] > budget.heapUsage[i])
      out.available += budget.heapBudget[i] - budget.heapUsage[i];
  }
  return out;
}

Result<std::uint32_t> memory_type(const VkPhysicalDeviceMemoryProperties& memory, std::uint32_t allowed,
                                  Placement placement, const std::string& device) {
  const Wish wanted = wish(placement);
  std::uint32_t best = memory.memoryTypeCount;
  int best_score = -100;
  for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    const VkMemoryPropertyFlags has = memory.memoryTypes[i].propertyFlags;
    // Lazily allocated and protected memory, and AMD's uncached kind, serve other purposes.
    constexpr VkMemoryPropertyFlags kPlain = kDevice | kVisible | kCoherent | kCached;
    if ((allowed >> i & 1) == 0 || (has & ~kPlain) != 0 || (has & wanted.required) != wanted.required)
      continue;
    // A small window of device memory that the host can see is not worth running out of.
    const bool small = placement == Placement::device && (has & kVisible) != 0 &&
                       memory.memoryHeaps[memory.memoryTypes[i].heapIndex].size <= (std::uint64_t{256} << 20);
    const int score =
        2 * count_bits(has & wanted.preferred) - 2 * count_bits(has & wanted.avoided) - (small ? 50 : 0);
    if (score > best_score) {
      best = i;
      best_score = score;
    }
  }
  if (best < memory.memoryTypeCount) return best;
  return Error(ErrorCode::unsupported, Category::memory, Cause::memory_type_not_found,
               std::string("None of the ") + std::to_string(memory.memoryTypeCount) + " memory types of " +
                   device + " serves the placement " + wanted.name + ".");
}

Result<Allocation> VulkanDevice::create_memory(const MemoryDesc& desc) {
  Block made;
  made.size = desc.size;
  const std::array<std::uint32_t, 2> families{physical_.compute.index, physical_.transfer.index};
  auto info = structure<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = desc.size;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
  if (features_.device_address.bufferDeviceAddress != VK_FALSE)
    info.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  if (!transfer_.empty()) {  // concurrent use of buffers costs nothing and saves every ownership transfer
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = 2;
    info.pQueueFamilyIndices = families.data();
  }
  const auto doing = [&] { return "allocating " + std::to_string(desc.size) + " bytes"; };
  if (auto done = check(vk_.vkCreateBuffer(device_, &info, nullptr, &made.buffer), kAllocate); !done)
    return done.error().during(doing());

  VkMemoryRequirements needs{};
  vk_.vkGetBufferMemoryRequirements(device_, made.buffer, &needs);
  auto type = memory_type(physical_.memory, needs.memoryTypeBits, desc.placement, physical_.info.name);
  Result<void> done = type ? Result<void>() : Result<void>(type.error());
  if (done) {
    auto flags = structure<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    auto allocate = structure<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    if ((info.usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0) allocate.pNext = &flags;
    allocate.allocationSize = needs.size;
    allocate.memoryTypeIndex = *type;
    done = check(vk_.vkAllocateMemory(device_, &allocate, nullptr, &made.memory), kAllocate);
  }
  if (done) done = map(made, desc.placement, *type);
  if (!done) {
    vk_.vkDestroyBuffer(device_, made.buffer, nullptr);
    vk_.vkFreeMemory(device_, made.memory, nullptr);
    return done.error().during(doing());
  }
  name(VK_OBJECT_TYPE_BUFFER, number(made.buffer), desc.label);
  return Allocation{.memory = Memory{reinterpret_cast<std::uintptr_t>(new Block(made))}, .host = made.host};
}

// Binds the memory, and maps it for good where the host can see it. Device memory that is not coherent stays
// unmapped: nobody would synchronise it.
Result<void> VulkanDevice::map(Block& made, Placement placement, std::uint32_t type) {
  COLLET_CHECK(check(vk_.vkBindBufferMemory(device_, made.buffer, made.memory, 0), kAllocate));
  const VkMemoryPropertyFlags has = physical_.memory.memoryTypes[type].propertyFlags;
  made.coherent = (has & kCoherent) != 0;
  if ((has & kVisible) == 0 || (placement == Placement::device && !made.coherent)) return {};
  void* host = nullptr;
  COLLET_CHECK(check(vk_.vkMapMemory(device_, made.memory, 0, VK_WHOLE_SIZE, 0, &host), kAllocate));
  made.host = static_cast<std::byte*>(host);
  return {};
}

void VulkanDevice::destroy_memory(Memory memory) {
  Block* gone = &block(memory);
  vk_.vkDestroyBuffer(device_, gone->buffer, nullptr);
  vk_.vkFreeMemory(device_, gone->memory, nullptr);
  delete gone;
}

VkMappedMemoryRange mapped_range(const Block& where, const Slice& slice, std::uint64_t atom) {
  atom = std::max<std::uint64_t>(atom, 1);
  const std::uint64_t end = slice.offset + slice.size;
  auto range = structure<VkMappedMemoryRange>(VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE);
  range.memory = where.memory;
  range.offset = slice.offset / atom * atom;
  // A range that ends inside the last atom must reach to the end of the mapping.
  const std::uint64_t rounded = (end + atom - 1) / atom * atom;
  range.size = rounded > where.size ? VK_WHOLE_SIZE : rounded - range.offset;
  return range;
}

Result<void> VulkanDevice::sync_host_range(const Slice& slice, bool to_device) {
  const Block& where = block(slice.memory);
  if (where.coherent || where.host == nullptr || slice.size == 0) return {};
  const VkMappedMemoryRange range =
      mapped_range(where, slice, physical_.properties.limits.nonCoherentAtomSize);
  return check(to_device ? vk_.vkFlushMappedMemoryRanges(device_, 1, &range)
                         : vk_.vkInvalidateMappedMemoryRanges(device_, 1, &range),
               kSyncMemory);
}

}  // namespace collet::backend::vulkan
