// Vulkan: reads a physical device into DeviceInfo and Caps.

#include "backends/vulkan/physical.hpp"

#include <algorithm>
#include <cstdio>

#include "backends/common/alignment.hpp"
#include "backends/common/identity.hpp"
#include "backends/vulkan/features.hpp"
#include "backends/vulkan/list.hpp"

namespace collet::backend::vulkan {
namespace {

constexpr std::uint32_t kNvidia = 0x10DE;

// Text in an array that its driver may have left without an end.
template <std::size_t kSize>
std::string text_of(const char (&array)[kSize]) {
  return {array, std::find(array, array + kSize, '\0')};
}

Result<std::set<std::string, std::less<>>> extensions_of(VkPhysicalDevice handle) {
  COLLET_TRY(all, list<VkExtensionProperties>(kMostEntries, [&](auto* count, auto* entries) {
               return vkEnumerateDeviceExtensionProperties(handle, nullptr, count, entries);
             }));
  std::set<std::string, std::less<>> names;
  for (const VkExtensionProperties& one : all) names.insert(text_of(one.extensionName));
  return names;
}

DeviceType type_of(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return DeviceType::discrete;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return DeviceType::integrated;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return DeviceType::virtual_gpu;
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return DeviceType::software;
    default: return DeviceType::other;
  }
}

std::string vendor_of(std::uint32_t id) {
  switch (id) {
    case 0x1002: return "AMD";
    case 0x1010: return "Imagination Technologies";
    case 0x106B: return "Apple";
    case kNvidia: return "NVIDIA";
    case 0x13B5: return "Arm";
    case 0x14E4: return "Broadcom";
    case 0x1AE0: return "Google";
    case 0x5143: return "Qualcomm";
    case 0x8086: return "Intel";
    case VK_VENDOR_ID_MESA: return "Mesa";
    default: break;
  }
  char text[32];
  std::snprintf(text, sizeof text, "vendor 0x%04x", id);
  return text;
}

// NVIDIA packs its numbers in its own way, others as Vulkan does its versions.
std::string driver_version(const VkPhysicalDeviceProperties& device) {
  const std::uint32_t packed = device.driverVersion;
  if (device.vendorID != kNvidia) return version_text(packed);
  return std::to_string(packed >> 22) + "." + std::to_string(packed >> 14 & 0xff) + "." +
         std::to_string(packed >> 6 & 0xff);
}

// Every properties structure that we ask for, and the chain through them.
struct Asked {
  VkPhysicalDeviceProperties2 core =
      structure<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
  VkPhysicalDeviceIDProperties id{};
  VkPhysicalDeviceMaintenance3Properties maintenance3{};
  VkPhysicalDeviceMaintenance4Properties maintenance4{};
  VkPhysicalDeviceDriverProperties driver{};
  VkPhysicalDevicePCIBusInfoPropertiesEXT pci{};
  VkPhysicalDevicePushDescriptorPropertiesKHR push{};
  VkPhysicalDeviceShaderSMBuiltinsPropertiesNV sm{};
  VkPhysicalDeviceShaderCoreProperties2AMD cores{};

  template <class T>
  void add(bool there, T& part, VkStructureType type) {
    if (!there) return;
    part.sType = type;
    part.pNext = core.pNext;
    core.pNext = &part;
  }
};

void ask(Physical& out, Asked& asked) {
  asked.add(true, asked.id, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
  asked.add(true, asked.maintenance3, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES);
  asked.add(true, out.subgroup, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
  asked.add(out.has(VK_API_VERSION_1_2, VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME), asked.driver,
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
  asked.add(out.has(VK_API_VERSION_1_3, VK_KHR_MAINTENANCE_4_EXTENSION_NAME), asked.maintenance4,
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES);
  asked.add(out.has(VK_API_VERSION_1_2, VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME), out.float_controls,
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES);
  asked.add(out.has(VK_EXT_PCI_BUS_INFO_EXTENSION_NAME), asked.pci,
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT);
  asked.add(out.has(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME), asked.push,
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PUSH_DESCRIPTOR_PROPERTIES_KHR);
  asked.add(out.has(VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME), asked.sm,
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV);
  asked.add(out.has(VK_AMD_SHADER_CORE_PROPERTIES_2_EXTENSION_NAME), asked.cores,
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_2_AMD);
  vkGetPhysicalDeviceProperties2(out.handle, &asked.core);
  vkGetPhysicalDeviceMemoryProperties(out.handle, &out.memory);
  out.memory.memoryHeapCount = std::min(out.memory.memoryHeapCount, VK_MAX_MEMORY_HEAPS);
  out.memory.memoryTypeCount = std::min(out.memory.memoryTypeCount, VK_MAX_MEMORY_TYPES);
  out.max_push_descriptors = asked.push.maxPushDescriptors;
}

// A family that only computes leaves the display's queue alone; the transfer family must be a transfer
// engine.
void choose_families(Physical& out, bool host_query_reset) {
  std::uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(out.handle, &count, nullptr);
  count = std::min(count, kMostEntries);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(out.handle, &count, families.data());
  bool with_graphics = false;
  for (std::uint32_t i = 0; i < count && i < families.size(); ++i) {
    const VkQueueFamilyProperties& family = families[i];
    const Family found{i, family.queueCount, family.timestampValidBits};
    const bool graphics = (family.queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0;
    if ((family.queueFlags & VK_QUEUE_COMPUTE_BIT) != 0) {
      if (out.compute.queues == 0 || (with_graphics && !graphics)) {
        out.compute = found;
        with_graphics = graphics;
      }
    } else if ((family.queueFlags & VK_QUEUE_TRANSFER_BIT) != 0 && !graphics && out.transfer.queues == 0) {
      out.transfer = found;
    }
  }
  // Timestamps must work on every queue or on none, and a transfer queue can't reset its queries itself.
  if (out.compute.timestamp_bits != 0 && (out.transfer.timestamp_bits == 0 || !host_query_reset))
    out.transfer = {};
}

bool can_sample_clocks(const Physical& physical) {
  if (!physical.has(VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME) || physical.compute.timestamp_bits == 0)
    return false;
  if (vkGetPhysicalDeviceCalibrateableTimeDomainsEXT == nullptr) return false;
  const auto domains = list<VkTimeDomainEXT>(kMostEntries, [&](auto* count, auto* entries) {
    return vkGetPhysicalDeviceCalibrateableTimeDomainsEXT(physical.handle, count, entries);
  });
  const auto has = [&](VkTimeDomainEXT domain) {
    return std::find(domains->begin(), domains->end(), domain) != domains->end();
  };
  return domains && has(VK_TIME_DOMAIN_DEVICE_EXT) && has(VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT);
}

void fill_caps(Physical& out, const Asked& asked) {
  const VkPhysicalDeviceLimits& limits = out.properties.limits;
  Caps& caps = out.caps;
  caps.formats = {Format::spirv_shader};
  caps.max_bindings =
      std::min({limits.maxPerStageDescriptorStorageBuffers, limits.maxDescriptorSetStorageBuffers,
                limits.maxPerStageResources, kMaxBindings});
  caps.max_binding_range = limits.maxStorageBufferRange;
  caps.max_constants_size = limits.maxPushConstantsSize;
  caps.offset_alignment = common::alignment(limits.minStorageBufferOffsetAlignment);
  caps.copy_alignment = 1;
  std::copy_n(limits.maxComputeWorkGroupCount, 3, caps.max_groups.begin());
  std::copy_n(limits.maxComputeWorkGroupSize, 3, caps.max_group_size.begin());
  caps.max_group_items = limits.maxComputeWorkGroupInvocations;
  caps.max_shared_bytes = limits.maxComputeSharedMemorySize;
  caps.max_allocation = asked.maintenance3.maxMemoryAllocationSize;
  if (asked.maintenance4.maxBufferSize != 0)
    caps.max_allocation = std::min(caps.max_allocation, asked.maintenance4.maxBufferSize);
  caps.max_allocations = limits.maxMemoryAllocationCount;
  caps.mapped = true;
  caps.concurrent = true;  // memory that both use is coherent
  caps.exclusive = out.compute.queues == 1;
  caps.transfer_queue = out.transfer.queues != 0;
  caps.timestamps = out.compute.timestamp_bits != 0;
  caps.overlaps = true;
  caps.gather = 64;
}

void fill_identity(Physical& out, const Asked& asked) {
  const VkPhysicalDeviceProperties& p = out.properties;
  DeviceInfo& info = out.info;
  info.name = text_of(p.deviceName);
  info.type = type_of(p.deviceType);
  info.vendor = vendor_of(p.vendorID);
  info.api_version = version_text(p.apiVersion);
  info.driver = text_of(asked.driver.driverName);
  const std::string words = text_of(asked.driver.driverInfo);
  if (!info.driver.empty()) info.driver += " ";
  info.driver += words.empty() ? driver_version(p) : words;
  info.uuid = common::hexadecimal(asked.id.deviceUUID);
  if (asked.pci.sType != 0) {
    info.pci_address = common::pci_address(asked.pci.pciDomain, asked.pci.pciBus, asked.pci.pciDevice,
                                           asked.pci.pciFunction);
  }
}

void fill_subgroups(const VkPhysicalDeviceSubgroupProperties& subgroup, DeviceInfo& info) {
  const bool compute = (subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
  const auto has = [&](VkSubgroupFeatureFlags bit) {
    return compute && (subgroup.supportedOperations & bit) != 0;
  };
  info.subgroups = has(VK_SUBGROUP_FEATURE_BASIC_BIT);
  info.subgroup_arithmetic = has(VK_SUBGROUP_FEATURE_ARITHMETIC_BIT);
  info.subgroup_vote = has(VK_SUBGROUP_FEATURE_VOTE_BIT);
  info.subgroup_broadcast = has(VK_SUBGROUP_FEATURE_BALLOT_BIT);
  info.subgroup_shuffle = has(VK_SUBGROUP_FEATURE_SHUFFLE_BIT);
}

void fill_figures(Physical& out, const Asked& asked, const Features& features) {
  const VkPhysicalDeviceMemoryProperties& memory = out.memory;
  DeviceInfo& info = out.info;
  const Caps& caps = out.caps;
  std::uint64_t total = 0;
  bool unified = true;  // every heap is the device's own
  for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
    const bool local = (memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
    if (local) total += memory.memoryHeaps[i].size;
    unified = unified && local;
  }
  info.memory_total = total;
  info.shared_memory_per_group = caps.max_shared_bytes;
  info.subgroup_size = out.subgroup.subgroupSize;
  info.max_group_items = caps.max_group_items;
  info.max_group_size = caps.max_group_size;
  info.max_groups = caps.max_groups;
  info.max_allocation = caps.max_allocation;
  info.max_binding_range = caps.max_binding_range;
  if (asked.sm.shaderSMCount != 0) info.compute_units = asked.sm.shaderSMCount;
  if (asked.cores.activeComputeUnitCount != 0) info.compute_units = asked.cores.activeComputeUnitCount;
  info.integrated = info.type == DeviceType::integrated;
  info.unified_memory = unified;
  info.timestamps = caps.timestamps;
  info.f16 = features.float16_int8.shaderFloat16 != VK_FALSE;
  info.f64 = features.core.features.shaderFloat64 != VK_FALSE;
  info.i64 = features.core.features.shaderInt64 != VK_FALSE;
  info.i64_atomics = features.atomic64.shaderBufferInt64Atomics != VK_FALSE &&
                     features.atomic64.shaderSharedInt64Atomics != VK_FALSE;
  info.f32_atomics = features.atomic_float.shaderBufferFloat32AtomicAdd != VK_FALSE &&
                     features.atomic_float.shaderSharedFloat32AtomicAdd != VK_FALSE;
  info.storage8 = features.storage8.storageBuffer8BitAccess != VK_FALSE;
  info.storage16 = features.storage16.storageBuffer16BitAccess != VK_FALSE;
  info.device_fences = true;  // a memory barrier has any scope
  fill_subgroups(out.subgroup, info);
  info.subgroup_i64 = *info.i64 && features.subgroup_types.shaderSubgroupExtendedTypes != VK_FALSE;
}

std::string refusal_of(const Physical& physical, const Features& features) {
  const std::string who = physical.info.id() + " (" + physical.info.name + ")";
  if (physical.version < VK_API_VERSION_1_1)
    return who + " offers Vulkan " + version_text(physical.version) + "; Collet needs 1.1.";
  if (features.timeline.timelineSemaphore == VK_FALSE)
    return who + " has no timeline semaphores, which Collet needs (Vulkan 1.2 or VK_KHR_timeline_semaphore).";
  if (physical.compute.queues == 0) return who + " has no queue that computes.";
  return {};
}

}  // namespace

Physical describe(VkPhysicalDevice handle, std::uint32_t index, Features& features) {
  Physical out;
  out.handle = handle;
  out.info.backend = "vulkan";
  out.info.index = index;
  const auto extensions = extensions_of(handle);
  if (extensions) out.extensions = *extensions;
  vkGetPhysicalDeviceProperties(handle, &out.properties);
  out.version = out.properties.apiVersion;
  Asked asked;
  if (out.version >= VK_API_VERSION_1_1) {
    query_features(out, features);
    ask(out, asked);
  }
  choose_families(out, features.host_query_reset.hostQueryReset != VK_FALSE);
  out.clock = can_sample_clocks(out);
  out.budget = out.has(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
  fill_caps(out, asked);
  fill_identity(out, asked);
  if (out.version >= VK_API_VERSION_1_1) fill_figures(out, asked, features);
  out.refusal = extensions ? refusal_of(out, features) : extensions.error().message();
  return out;
}

}  // namespace collet::backend::vulkan
