// What Vulkan's physical devices say of themselves, and what is made of it. The devices are described: no
// such driver runs here.

#include <gtest/gtest.h>

#include <spirv/unified1/spirv.hpp>

#include "backends/vulkan/features.hpp"
#include "backends/vulkan/physical.hpp"
#include "doubles/described_vulkan.hpp"

namespace collet::backend::vulkan {
namespace {

using test::DescribedVulkan;

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr VkQueueFlags kAll = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
constexpr VkQueueFlags kComputes = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;

VkQueueFamilyProperties family(VkQueueFlags flags, std::uint32_t queues, std::uint32_t bits = 64) {
  return {.queueFlags = flags,
          .queueCount = queues,
          .timestampValidBits = bits,
          .minImageTransferGranularity = {}};
}

class VulkanPhysical : public testing::Test {
 protected:
  VulkanPhysical() {
    device.properties.apiVersion = VK_API_VERSION_1_3;
    device.families = {family(kComputes, 1)};
    allow_timelines();
  }

  void allow_timelines() {
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline{};
    timeline.timelineSemaphore = VK_TRUE;
    device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES, timeline);
  }

  void reset_queries_on_the_host() {
    VkPhysicalDeviceHostQueryResetFeatures reset{};
    reset.hostQueryReset = VK_TRUE;
    device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES, reset);
  }

  const Physical& read() {
    device.asked.clear();
    features.emplace();
    physical = describe(VK_NULL_HANDLE, 2, *features);
    return physical;
  }

  DescribedVulkan device;
  std::optional<Features> features;
  Physical physical;
};

TEST_F(VulkanPhysical, NamesAndPlace) {
  device.extensions = {VK_EXT_PCI_BUS_INFO_EXTENSION_NAME};
  device.properties.vendorID = 0x10DE;
  device.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  device.properties.driverVersion = 535u << 22 | 183u << 14 | 1u << 6;
  std::strcpy(device.properties.deviceName, "NVIDIA GeForce RTX 3060");
  VkPhysicalDevicePCIBusInfoPropertiesEXT pci{};
  pci.pciBus = 0x65;
  pci.pciDevice = 0x1a;
  pci.pciFunction = 3;
  device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT, pci);
  VkPhysicalDeviceIDProperties id{};
  id.deviceUUID[0] = 0xfe;
  id.deviceUUID[15] = 0x07;
  device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES, id);
  EXPECT_EQ(read().info.id(), "vulkan:2");
  EXPECT_EQ(physical.refusal, "");
  EXPECT_EQ(physical.info.name, "NVIDIA GeForce RTX 3060");
  EXPECT_EQ(physical.info.vendor, "NVIDIA");
  EXPECT_EQ(physical.info.type, DeviceType::discrete);
  EXPECT_EQ(physical.info.integrated, false);
  EXPECT_EQ(physical.info.api_version, "1.3.0");
  EXPECT_EQ(physical.info.driver, "535.183.1") << "the number, where there are no words";
  EXPECT_EQ(physical.info.uuid, "fe000000000000000000000000000007");
  EXPECT_EQ(physical.info.pci_address, "0000:65:1a.3");

  VkPhysicalDeviceDriverProperties driver{};
  std::strcpy(driver.driverName, "NVIDIA");
  device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES, driver);
  EXPECT_EQ(read().info.driver, "NVIDIA 535.183.1");
  std::strcpy(driver.driverInfo, "535.183.01");
  device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES, driver);
  EXPECT_EQ(read().info.driver, "NVIDIA 535.183.01");

  device.extensions.clear();
  EXPECT_EQ(read().info.pci_address, std::nullopt);
  std::memset(driver.driverInfo, 0, sizeof driver.driverInfo);
  device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES, driver);
  device.properties.vendorID = 0x1002;
  device.properties.driverVersion = VK_MAKE_API_VERSION(0, 22, 3, 6);
  EXPECT_EQ(read().info.driver, "NVIDIA 22.3.6") << "as Vulkan packs versions";
}

TEST_F(VulkanPhysical, ANameWithoutAnEndIsCut) {
  std::memset(device.properties.deviceName, 'x', sizeof device.properties.deviceName);
  EXPECT_EQ(read().info.name, std::string(VK_MAX_PHYSICAL_DEVICE_NAME_SIZE, 'x'));
}

TEST_F(VulkanPhysical, TypesAndVendors) {
  const auto type = [&](VkPhysicalDeviceType said) {
    device.properties.deviceType = said;
    return read().info.type;
  };
  EXPECT_EQ(type(VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU), DeviceType::integrated);
  EXPECT_EQ(physical.info.integrated, true);
  EXPECT_EQ(type(VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU), DeviceType::virtual_gpu);
  EXPECT_EQ(type(VK_PHYSICAL_DEVICE_TYPE_CPU), DeviceType::software);
  EXPECT_EQ(type(VK_PHYSICAL_DEVICE_TYPE_OTHER), DeviceType::other);
  const auto vendor = [&](std::uint32_t id) {
    device.properties.vendorID = id;
    return read().info.vendor;
  };
  EXPECT_EQ(vendor(0x1002), "AMD");
  EXPECT_EQ(vendor(0x8086), "Intel");
  EXPECT_EQ(vendor(0x13B5), "Arm");
  EXPECT_EQ(vendor(VK_VENDOR_ID_MESA), "Mesa");
  EXPECT_EQ(vendor(0xabc), "vendor 0x0abc");
}

TEST_F(VulkanPhysical, WhatCanNotBeUsedSaysWhy) {
  std::strcpy(device.properties.deviceName, "Old");
  device.properties.apiVersion = VK_API_VERSION_1_0;
  EXPECT_EQ(read().refusal, "vulkan:2 (Old) offers Vulkan 1.0.0; Collet needs 1.1.");
  EXPECT_TRUE(device.asked.empty()) << "1.0 has no such questions";
  device.properties.apiVersion = VK_API_VERSION_1_1;
  EXPECT_EQ(read().refusal,
            "vulkan:2 (Old) has no timeline semaphores, which Collet needs (Vulkan 1.2 or "
            "VK_KHR_timeline_semaphore).");
  device.extensions = {VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME};
  EXPECT_EQ(read().refusal, "");
  ASSERT_EQ(features->extensions.size(), 1u);
  EXPECT_STREQ(features->extensions[0], VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME);
  device.families = {family(VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_TRANSFER_BIT, 1)};
  EXPECT_EQ(read().refusal, "vulkan:2 (Old) has no queue that computes.");
}

// By the specification, a device may not be asked about what it does not know.
TEST_F(VulkanPhysical, OnlyWhatTheDeviceKnowsIsAsked) {
  device.properties.apiVersion = VK_API_VERSION_1_1;
  read();
  EXPECT_EQ(device.asked,
            (std::set<VkStructureType>{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES,
                                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES,
                                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
                                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
                                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES}));
  EXPECT_TRUE(features->extensions.empty());
  device.extensions = {VK_KHR_MAINTENANCE_4_EXTENSION_NAME, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME};
  read();
  EXPECT_TRUE(device.asked.contains(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES));
  EXPECT_TRUE(device.asked.contains(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES));
  EXPECT_TRUE(device.asked.contains(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT));
  EXPECT_EQ(features->extensions.size(), 2u);
  device.properties.apiVersion = VK_API_VERSION_1_3;
  read();
  EXPECT_EQ(features->extensions.size(), 1u)
      << "maintenance4 is in the core of 1.3, float atomics are in no core";
  EXPECT_EQ(device.asked.size(), 20u);
}

TEST_F(VulkanPhysical, AFamilyThatOnlyComputesLeavesTheDisplayAlone) {
  device.families = {family(kAll, 16), family(VK_QUEUE_TRANSFER_BIT, 2), family(kComputes, 8),
                     family(kComputes, 4)};
  reset_queries_on_the_host();
  EXPECT_EQ(read().compute.index, 2u);
  EXPECT_EQ(physical.compute.queues, 8u);
  EXPECT_EQ(physical.compute.timestamp_bits, 64u);
  EXPECT_EQ(physical.transfer.index, 1u);
  EXPECT_EQ(physical.transfer.queues, 2u);
  EXPECT_TRUE(physical.caps.transfer_queue);

  device.families = {family(VK_QUEUE_TRANSFER_BIT, 2), family(VK_QUEUE_TRANSFER_BIT, 3), family(kAll, 1),
                     family(kAll, 2)};
  EXPECT_EQ(read().compute.index, 2u) << "the first, where all draw";
  EXPECT_EQ(physical.transfer.index, 0u);

  device.families = {family(kAll, 1), family(VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_TRANSFER_BIT, 1)};
  EXPECT_EQ(read().transfer.queues, 0u) << "one that draws is no transfer engine";
  EXPECT_FALSE(physical.caps.transfer_queue);
}

TEST_F(VulkanPhysical, TimestampsWorkOnEveryQueueOrOnNone) {
  const auto transfers = [&](std::uint32_t compute, std::uint32_t transfer) {
    device.families = {family(kComputes, 1, compute), family(VK_QUEUE_TRANSFER_BIT, 1, transfer)};
    return read().transfer.queues;
  };
  EXPECT_EQ(transfers(64, 64), 0u) << "a transfer queue can't reset its queries";
  EXPECT_TRUE(physical.caps.timestamps);
  EXPECT_EQ(transfers(0, 0), 1u);
  EXPECT_FALSE(physical.caps.timestamps);
  EXPECT_EQ(physical.info.timestamps, false);
  reset_queries_on_the_host();
  EXPECT_EQ(transfers(64, 64), 1u);
  EXPECT_EQ(transfers(64, 0), 0u);
  EXPECT_EQ(transfers(0, 64), 1u);
}

TEST_F(VulkanPhysical, ClocksAreReadTogetherWhereBothCanBe) {
  const std::vector<VkTimeDomainEXT> both{VK_TIME_DOMAIN_DEVICE_EXT, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT};
  device.clocks = both;
  EXPECT_FALSE(read().clock) << "without the extension";
  device.extensions = {VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME};
  EXPECT_TRUE(read().clock);
  EXPECT_TRUE(physical.budget);
  device.clocks = {VK_TIME_DOMAIN_DEVICE_EXT};
  EXPECT_FALSE(read().clock);
  device.clocks = {VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT};
  EXPECT_FALSE(read().clock);
  device.clocks = both;
  device.families = {family(kComputes, 1, 0)};
  EXPECT_FALSE(read().clock) << "without timestamps";
}

TEST_F(VulkanPhysical, LimitsAreTheDevices) {
  VkPhysicalDeviceLimits& limits = device.properties.limits;
  limits.maxPerStageDescriptorStorageBuffers = 40;
  limits.maxDescriptorSetStorageBuffers = 50;
  limits.maxPerStageResources = 60;
  limits.maxStorageBufferRange = 1u << 27;
  limits.maxPushConstantsSize = 128;
  limits.minStorageBufferOffsetAlignment = 256;
  limits.maxComputeSharedMemorySize = 32768;
  limits.maxComputeWorkGroupInvocations = 512;
  limits.maxMemoryAllocationCount = 4096;
  for (std::uint32_t i = 0; i < 3; ++i) {
    limits.maxComputeWorkGroupCount[i] = 65535 - i;
    limits.maxComputeWorkGroupSize[i] = 512 - i;
  }
  VkPhysicalDeviceMaintenance3Properties maintenance3{};
  maintenance3.maxMemoryAllocationSize = 3 * kGiB;
  device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES, maintenance3);
  const Caps& caps = read().caps;
  EXPECT_EQ(caps.formats, std::vector{Format::spirv_shader});
  EXPECT_EQ(caps.max_bindings, 40u);
  EXPECT_EQ(caps.max_binding_range, 1u << 27);
  EXPECT_EQ(caps.max_constants_size, 128u);
  EXPECT_EQ(caps.offset_alignment, 256u);
  EXPECT_EQ(caps.copy_alignment, 1u);
  EXPECT_EQ(caps.max_shared_bytes, 32768u);
  EXPECT_EQ(caps.max_group_items, 512u);
  EXPECT_EQ(caps.max_groups, (std::array<std::uint32_t, 3>{65535, 65534, 65533}));
  EXPECT_EQ(caps.max_group_size, (std::array<std::uint32_t, 3>{512, 511, 510}));
  EXPECT_EQ(caps.max_allocation, 3 * kGiB);
  EXPECT_EQ(caps.max_allocations, 4096u);
  EXPECT_TRUE(caps.mapped);
  EXPECT_EQ(physical.info.max_group_items, 512u);
  EXPECT_EQ(physical.info.max_group_size, caps.max_group_size);
  EXPECT_EQ(physical.info.max_groups, caps.max_groups);
  EXPECT_EQ(physical.info.max_allocation, 3 * kGiB);
  EXPECT_EQ(physical.info.max_binding_range, 1u << 27);
  EXPECT_EQ(physical.info.shared_memory_per_group, 32768u);

  VkPhysicalDeviceMaintenance4Properties maintenance4{};
  maintenance4.maxBufferSize = 2 * kGiB;
  device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES, maintenance4);
  EXPECT_EQ(read().caps.max_allocation, 2 * kGiB);
  limits.maxDescriptorSetStorageBuffers = 30;
  EXPECT_EQ(read().caps.max_bindings, 30u);
  limits.maxPerStageResources = 20;
  EXPECT_EQ(read().caps.max_bindings, 20u);
}

TEST_F(VulkanPhysical, FiguresThatCanNotBeTrueDoNoHarm) {
  VkPhysicalDeviceLimits& limits = device.properties.limits;
  limits.maxPerStageDescriptorStorageBuffers = limits.maxDescriptorSetStorageBuffers =
      limits.maxPerStageResources = ~0u;
  EXPECT_EQ(read().caps.max_bindings, kMaxBindings);
  EXPECT_EQ(physical.caps.offset_alignment, 4u);
  limits.minStorageBufferOffsetAlignment = ~VkDeviceSize{0};
  EXPECT_EQ(read().caps.offset_alignment, 1u << 30);
  limits.minStorageBufferOffsetAlignment = 48;
  EXPECT_EQ(read().caps.offset_alignment, 64u);
  device.memory.memoryHeapCount = device.memory.memoryTypeCount = ~0u;
  EXPECT_EQ(read().memory.memoryHeapCount, VK_MAX_MEMORY_HEAPS);
  EXPECT_EQ(physical.memory.memoryTypeCount, VK_MAX_MEMORY_TYPES);
}

TEST_F(VulkanPhysical, MemoryIsThatOfTheDevice) {
  device.memory.memoryHeapCount = 3;
  device.memory.memoryHeaps[0] = {.size = 8 * kGiB, .flags = VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  device.memory.memoryHeaps[1] = {.size = 32 * kGiB, .flags = 0};
  device.memory.memoryHeaps[2] = {.size = kGiB, .flags = VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  EXPECT_EQ(read().info.memory_total, 9 * kGiB);
  EXPECT_EQ(physical.info.unified_memory, false);
  device.memory.memoryHeaps[1].flags = VK_MEMORY_HEAP_DEVICE_LOCAL_BIT;
  EXPECT_EQ(read().info.memory_total, 41 * kGiB);
  EXPECT_EQ(physical.info.unified_memory, true);
}

TEST_F(VulkanPhysical, ComputeUnitsInTheVendorsWords) {
  EXPECT_EQ(read().info.compute_units, std::nullopt);
  VkPhysicalDeviceShaderSMBuiltinsPropertiesNV nvidia{};
  nvidia.shaderSMCount = 28;
  device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV, nvidia);
  VkPhysicalDeviceShaderCoreProperties2AMD amd{};
  amd.activeComputeUnitCount = 40;
  device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_2_AMD, amd);
  EXPECT_EQ(read().info.compute_units, std::nullopt) << "without the extensions";
  device.extensions = {VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME};
  EXPECT_EQ(read().info.compute_units, 28u);
  device.extensions = {VK_AMD_SHADER_CORE_PROPERTIES_2_EXTENSION_NAME};
  EXPECT_EQ(read().info.compute_units, 40u);
}

TEST_F(VulkanPhysical, TypesAreThoseOfTheFeatures) {
  const DeviceInfo none = read().info;
  EXPECT_FALSE(*none.f16 || *none.f64 || *none.i64 || *none.i64_atomics || *none.storage8 || *none.storage16);
  device.features.shaderFloat64 = VK_TRUE;
  EXPECT_TRUE(*read().info.f64 && !*physical.info.i64);
  device.features.shaderInt64 = VK_TRUE;
  device.features.shaderFloat64 = VK_FALSE;
  device.features.robustBufferAccess = VK_TRUE;
  EXPECT_TRUE(*read().info.i64 && !*physical.info.f64 && !*physical.info.subgroup_i64);
  EXPECT_FALSE(features->core.features.robustBufferAccess) << "enabled although no kernel needs it";
  VkPhysicalDeviceShaderFloat16Int8Features half{};
  half.shaderFloat16 = VK_TRUE;
  device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES, half);
  VkPhysicalDevice8BitStorageFeatures storage8{};
  storage8.storageBuffer8BitAccess = VK_TRUE;
  device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES, storage8);
  EXPECT_TRUE(*read().info.f16 && *physical.info.storage8 && !*physical.info.storage16);
  VkPhysicalDevice16BitStorageFeatures storage16{};
  storage16.storageBuffer16BitAccess = VK_TRUE;
  device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES, storage16);
  EXPECT_TRUE(*read().info.storage16);

  VkPhysicalDeviceShaderAtomicInt64Features atomics{};
  atomics.shaderBufferInt64Atomics = VK_TRUE;
  device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES, atomics);
  EXPECT_FALSE(*read().info.i64_atomics) << "on buffers only";
  atomics.shaderSharedInt64Atomics = VK_TRUE;
  device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES, atomics);
  EXPECT_TRUE(*read().info.i64_atomics);
  device.extensions = {VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME};
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT floats{};
  floats.shaderBufferFloat32AtomicAdd = VK_TRUE;
  device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT, floats);
  EXPECT_FALSE(*read().info.f32_atomics) << "on buffers only";
  floats.shaderSharedFloat32AtomicAdd = VK_TRUE;
  device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT, floats);
  EXPECT_TRUE(*read().info.f32_atomics);
  VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures types{};
  types.shaderSubgroupExtendedTypes = VK_TRUE;
  device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES, types);
  EXPECT_TRUE(*read().info.subgroup_i64);
  device.features.shaderInt64 = VK_FALSE;
  EXPECT_FALSE(*read().info.subgroup_i64);
}

TEST_F(VulkanPhysical, AddressesAreNotMadeForCaptureTools) {
  VkPhysicalDeviceBufferDeviceAddressFeatures address{};
  address.bufferDeviceAddress = address.bufferDeviceAddressCaptureReplay =
      address.bufferDeviceAddressMultiDevice = VK_TRUE;
  device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES, address);
  read();
  EXPECT_TRUE(features->device_address.bufferDeviceAddress);
  EXPECT_FALSE(features->device_address.bufferDeviceAddressCaptureReplay);
  EXPECT_FALSE(features->device_address.bufferDeviceAddressMultiDevice);
}

TEST_F(VulkanPhysical, SubgroupsAreThoseOfKernels) {
  const auto operations = [&](VkSubgroupFeatureFlags bits,
                              VkShaderStageFlags stages = VK_SHADER_STAGE_COMPUTE_BIT) {
    VkPhysicalDeviceSubgroupProperties subgroup{};
    subgroup.subgroupSize = 16;
    subgroup.supportedStages = stages;
    subgroup.supportedOperations = bits;
    device.says(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, subgroup);
    const DeviceInfo& info = read().info;
    return std::string(*info.subgroups ? "basic " : "") + (*info.subgroup_arithmetic ? "arithmetic " : "") +
           (*info.subgroup_vote ? "vote " : "") + (*info.subgroup_broadcast ? "broadcast " : "") +
           (*info.subgroup_shuffle ? "shuffle " : "");
  };
  EXPECT_EQ(operations(VK_SUBGROUP_FEATURE_BASIC_BIT), "basic ");
  EXPECT_EQ(physical.info.subgroup_size, 16u);
  EXPECT_EQ(operations(VK_SUBGROUP_FEATURE_ARITHMETIC_BIT), "arithmetic ");
  EXPECT_EQ(operations(VK_SUBGROUP_FEATURE_VOTE_BIT), "vote ");
  EXPECT_EQ(operations(VK_SUBGROUP_FEATURE_BALLOT_BIT), "broadcast ");
  EXPECT_EQ(operations(VK_SUBGROUP_FEATURE_SHUFFLE_BIT), "shuffle ");
  EXPECT_EQ(operations(~0u), "basic arithmetic vote broadcast shuffle ");
  EXPECT_EQ(operations(~0u, VK_SHADER_STAGE_FRAGMENT_BIT), "");
  EXPECT_STREQ(missing_capability(physical, *features, spv::CapabilityGroupNonUniform), "GroupNonUniform");
}

// Each capability is there with its own feature, and with no other.
TEST(VulkanFeatures, EachCapabilityNeedsItsFeature) {
  Physical physical;
  Features features;
  physical.subgroup.supportedStages = VK_SHADER_STAGE_COMPUTE_BIT;
  VkSubgroupFeatureFlags& operations = physical.subgroup.supportedOperations;
  const std::vector<std::pair<spv::Capability, VkBool32*>> needs{
      {spv::CapabilityFloat64, &features.core.features.shaderFloat64},
      {spv::CapabilityInt64, &features.core.features.shaderInt64},
      {spv::CapabilityInt16, &features.core.features.shaderInt16},
      {spv::CapabilityFloat16, &features.float16_int8.shaderFloat16},
      {spv::CapabilityInt8, &features.float16_int8.shaderInt8},
      {spv::CapabilityInt64Atomics, &features.atomic64.shaderBufferInt64Atomics},
      {spv::CapabilityStorageBuffer16BitAccess, &features.storage16.storageBuffer16BitAccess},
      {spv::CapabilityUniformAndStorageBuffer16BitAccess,
       &features.storage16.uniformAndStorageBuffer16BitAccess},
      {spv::CapabilityStoragePushConstant16, &features.storage16.storagePushConstant16},
      {spv::CapabilityStorageBuffer8BitAccess, &features.storage8.storageBuffer8BitAccess},
      {spv::CapabilityUniformAndStorageBuffer8BitAccess,
       &features.storage8.uniformAndStorageBuffer8BitAccess},
      {spv::CapabilityStoragePushConstant8, &features.storage8.storagePushConstant8},
      {spv::CapabilityVariablePointersStorageBuffer,
       &features.variable_pointers.variablePointersStorageBuffer},
      {spv::CapabilityVariablePointers, &features.variable_pointers.variablePointers},
      {spv::CapabilityVulkanMemoryModel, &features.memory_model.vulkanMemoryModel},
      {spv::CapabilityVulkanMemoryModelDeviceScope, &features.memory_model.vulkanMemoryModelDeviceScope},
      {spv::CapabilityPhysicalStorageBufferAddresses, &features.device_address.bufferDeviceAddress},
      {spv::CapabilityAtomicFloat32AddEXT, &features.atomic_float.shaderBufferFloat32AtomicAdd},
      {spv::CapabilityAtomicFloat64AddEXT, &features.atomic_float.shaderBufferFloat64AtomicAdd},
      {spv::CapabilitySignedZeroInfNanPreserve,
       &physical.float_controls.shaderSignedZeroInfNanPreserveFloat32},
      {spv::CapabilityDenormPreserve, &physical.float_controls.shaderDenormPreserveFloat32},
      {spv::CapabilityDenormFlushToZero, &physical.float_controls.shaderDenormFlushToZeroFloat32},
      {spv::CapabilityRoundingModeRTE, &physical.float_controls.shaderRoundingModeRTEFloat32},
      {spv::CapabilityRoundingModeRTZ, &physical.float_controls.shaderRoundingModeRTZFloat32},
      {spv::CapabilityDotProduct, &features.dot_product.shaderIntegerDotProduct},
      {spv::CapabilityDotProductInput4x8BitPacked, &features.dot_product.shaderIntegerDotProduct},
  };
  const auto lacks = [&](spv::Capability capability) {
    return missing_capability(physical, features, capability) != nullptr;
  };
  for (const auto& [capability, feature] : needs) {
    EXPECT_TRUE(lacks(capability)) << capability;
    *feature = VK_TRUE;
    for (const auto& [other, its] : needs)
      EXPECT_EQ(lacks(other), its != feature) << capability << " " << other;
    *feature = VK_FALSE;
  }
  const std::vector<std::pair<spv::Capability, VkSubgroupFeatureFlagBits>> subgroups{
      {spv::CapabilityGroupNonUniform, VK_SUBGROUP_FEATURE_BASIC_BIT},
      {spv::CapabilityGroupNonUniformVote, VK_SUBGROUP_FEATURE_VOTE_BIT},
      {spv::CapabilityGroupNonUniformArithmetic, VK_SUBGROUP_FEATURE_ARITHMETIC_BIT},
      {spv::CapabilityGroupNonUniformBallot, VK_SUBGROUP_FEATURE_BALLOT_BIT},
      {spv::CapabilityGroupNonUniformShuffle, VK_SUBGROUP_FEATURE_SHUFFLE_BIT},
      {spv::CapabilityGroupNonUniformShuffleRelative, VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT},
      {spv::CapabilityGroupNonUniformClustered, VK_SUBGROUP_FEATURE_CLUSTERED_BIT},
      {spv::CapabilityGroupNonUniformQuad, VK_SUBGROUP_FEATURE_QUAD_BIT},
  };
  for (const auto& [capability, bit] : subgroups) {
    operations = bit;
    for (const auto& [other, its] : subgroups)
      EXPECT_EQ(lacks(other), its != bit) << capability << " " << other;
  }
  EXPECT_FALSE(lacks(spv::CapabilityShader) || lacks(spv::CapabilityMatrix) ||
               lacks(spv::CapabilityImageQuery));
  EXPECT_STREQ(missing_capability(physical, features, spv::CapabilityGeometry),
               "that Collet does not enable");
}

}  // namespace
}  // namespace collet::backend::vulkan
