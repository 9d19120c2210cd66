// Vulkan's memory: which of a device's types a placement gets, and what is flushed of memory that is not
// coherent.

#include <gtest/gtest.h>

#include "backends/vulkan/device.hpp"

namespace collet::backend::vulkan {
namespace {

constexpr VkMemoryPropertyFlags kDevice = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kVisible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
constexpr VkMemoryPropertyFlags kCoherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
constexpr std::uint64_t kMiB = 1 << 20;

struct Described {
  std::vector<VkMemoryPropertyFlags> types;
  std::uint64_t window = 256 * kMiB;  // of device memory that the host can see
  std::uint64_t others = 8192 * kMiB;
  std::uint32_t allowed = ~0u;

  std::uint32_t chosen(Placement placement) const {
    VkPhysicalDeviceMemoryProperties memory{};
    memory.memoryHeapCount = 2;
    memory.memoryHeaps[0].size = others;
    memory.memoryHeaps[1].size = window;
    for (const VkMemoryPropertyFlags flags : types) {
      const bool seen = (flags & kDevice) != 0 && (flags & kVisible) != 0;
      memory.memoryTypes[memory.memoryTypeCount++] = {.propertyFlags = flags, .heapIndex = seen ? 1u : 0u};
    }
    const auto found = memory_type(memory, allowed, placement, "D");
    return found ? *found : 99;
  }
};

TEST(VulkanMemory, OfAGraphicsCard) {
  const Described card{
      {0, kDevice, kVisible | kCoherent, kVisible | kCoherent | kCached, kDevice | kVisible | kCoherent}};
  EXPECT_EQ(card.chosen(Placement::device), 1u) << "the small window is left alone";
  EXPECT_EQ(card.chosen(Placement::upload), 2u) << "written in order: no cache is needed";
  EXPECT_EQ(card.chosen(Placement::readback), 3u) << "read: with a cache";
  EXPECT_EQ(card.chosen(Placement::shared), 3u);
}

TEST(VulkanMemory, AWindowOfTheWholeDeviceIsTaken) {
  Described card{.types = {kDevice, kDevice | kVisible | kCoherent}, .window = 256 * kMiB + 1};
  EXPECT_EQ(card.chosen(Placement::device), 1u);
  card.window = 256 * kMiB;
  EXPECT_EQ(card.chosen(Placement::device), 0u);
  card.types = {kDevice | kVisible | kCoherent};
  EXPECT_EQ(card.chosen(Placement::device), 0u) << "there is no other";
}

TEST(VulkanMemory, LittleMemoryThatTheHostDoesNotSeeIsNoWindow) {
  Described small{{0, kDevice}};
  small.others = 128 * kMiB;
  EXPECT_EQ(small.chosen(Placement::device), 1u);
}

TEST(VulkanMemory, OfADeviceWithoutItsOwn) {
  const Described all{{kDevice | kVisible | kCoherent, kDevice | kVisible | kCoherent | kCached},
                      8192 * kMiB};
  EXPECT_EQ(all.chosen(Placement::device), 0u) << "the first of equals";
  EXPECT_EQ(all.chosen(Placement::upload), 0u);
  EXPECT_EQ(all.chosen(Placement::readback), 1u);
  EXPECT_EQ(all.chosen(Placement::shared), 1u);
  const Described phone{{kDevice, kDevice | kVisible | kCached, kDevice | kVisible | kCoherent}, 8192 * kMiB};
  EXPECT_EQ(phone.chosen(Placement::device), 2u) << "kernels write where the host may read";
  EXPECT_EQ(phone.chosen(Placement::readback), 1u);
  EXPECT_EQ(phone.chosen(Placement::upload), 2u);
}

TEST(VulkanMemory, TypesForOtherPurposesAreLeftAlone) {
  Described odd{{kDevice | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT,
                 kDevice | VK_MEMORY_PROPERTY_PROTECTED_BIT,
                 kDevice | VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD, kDevice, kDevice}};
  EXPECT_EQ(odd.chosen(Placement::device), 3u);
  odd.allowed = 0b10111;
  EXPECT_EQ(odd.chosen(Placement::device), 4u) << "the buffer does not allow type 3";
  odd.allowed = 0b00111;
  EXPECT_EQ(odd.chosen(Placement::device), 99u);
  EXPECT_EQ(Described{{kVisible}}.chosen(Placement::upload), 99u) << "not coherent";
  EXPECT_EQ(Described{{kVisible}}.chosen(Placement::readback), 0u);
}

TEST(VulkanMemory, WhatIsNotCoherentIsFlushedInAtoms) {
  const Block block{.memory = VkDeviceMemory(0x70), .size = 1000};
  const auto range = [&](std::uint64_t offset, std::uint64_t size, std::uint64_t atom) {
    const VkMappedMemoryRange made =
        mapped_range(block, {.memory = {}, .offset = offset, .size = size}, atom);
    EXPECT_EQ(made.sType, VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE);
    EXPECT_EQ(made.memory, block.memory);
    return std::pair<std::uint64_t, std::uint64_t>(made.offset, made.size);
  };
  using Range = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(range(0, 64, 64), Range(0, 64));
  EXPECT_EQ(range(100, 1, 64), Range(64, 64));
  EXPECT_EQ(range(127, 2, 64), Range(64, 128));
  EXPECT_EQ(range(900, 60, 64), Range(896, 64)) << "15 whole atoms have 960 bytes";
  EXPECT_EQ(range(900, 61, 64), Range(896, VK_WHOLE_SIZE)) << "the last atom is cut short";
  EXPECT_EQ(range(10, 20, 0), Range(10, 20)) << "a driver that says nothing";
  EXPECT_EQ(range(0, 1000, 1), Range(0, 1000));
}

}  // namespace
}  // namespace collet::backend::vulkan
