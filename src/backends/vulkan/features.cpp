// Vulkan: which features a device has, and which extensions they need.

#include "backends/vulkan/features.hpp"

#include <spirv/unified1/spirv.hpp>

namespace collet::backend::vulkan {
namespace {

constexpr std::uint32_t kNeverCore = ~0u;

// Asks about one structure where the device knows it: by version, or by extension, which is then enabled too.
class Chain {
 public:
  Chain(const Physical& physical, Features& features) : physical_(physical), features_(features) {
    features_.core = structure<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  }

  template <class T>
  void add(T& asked, VkStructureType type, std::uint32_t core_version, const char* extension) {
    if (physical_.version < core_version) {
      if (!physical_.has(extension)) return;
      features_.extensions.push_back(extension);
    }
    asked.sType = type;
    asked.pNext = features_.core.pNext;
    features_.core.pNext = &asked;
  }

 private:
  const Physical& physical_;
  Features& features_;
};

}  // namespace

void query_features(const Physical& physical, Features& features) {
  Chain chain(physical, features);
  chain.add(features.storage16, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES, VK_API_VERSION_1_1,
            VK_KHR_16BIT_STORAGE_EXTENSION_NAME);
  chain.add(features.variable_pointers, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES,
            VK_API_VERSION_1_1, VK_KHR_VARIABLE_POINTERS_EXTENSION_NAME);
  chain.add(features.storage8, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES, VK_API_VERSION_1_2,
            VK_KHR_8BIT_STORAGE_EXTENSION_NAME);
  chain.add(features.float16_int8, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
            VK_API_VERSION_1_2, VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME);
  chain.add(features.atomic64, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
            VK_API_VERSION_1_2, VK_KHR_SHADER_ATOMIC_INT64_EXTENSION_NAME);
  chain.add(features.memory_model, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES,
            VK_API_VERSION_1_2, VK_KHR_VULKAN_MEMORY_MODEL_EXTENSION_NAME);
  chain.add(features.scalar_layout, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES,
            VK_API_VERSION_1_2, VK_EXT_SCALAR_BLOCK_LAYOUT_EXTENSION_NAME);
  chain.add(features.subgroup_types,
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES, VK_API_VERSION_1_2,
            VK_KHR_SHADER_SUBGROUP_EXTENDED_TYPES_EXTENSION_NAME);
  chain.add(features.device_address, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
            VK_API_VERSION_1_2, VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME);
  chain.add(features.timeline, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
            VK_API_VERSION_1_2, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME);
  chain.add(features.host_query_reset, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES,
            VK_API_VERSION_1_2, VK_EXT_HOST_QUERY_RESET_EXTENSION_NAME);
  chain.add(features.dot_product, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES,
            VK_API_VERSION_1_3, VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME);
  chain.add(features.maintenance4, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES,
            VK_API_VERSION_1_3, VK_KHR_MAINTENANCE_4_EXTENSION_NAME);
  chain.add(features.atomic_float, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT,
            kNeverCore, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME);
  vkGetPhysicalDeviceFeatures2(physical.handle, &features.core);

  const VkPhysicalDeviceFeatures all = features.core.features;
  features.core.features = {};
  features.core.features.shaderInt64 = all.shaderInt64;
  features.core.features.shaderFloat64 = all.shaderFloat64;
  features.core.features.shaderInt16 = all.shaderInt16;
  // Replaying addresses is for capture tools; it can cost memory.
  features.device_address.bufferDeviceAddressCaptureReplay = VK_FALSE;
  features.device_address.bufferDeviceAddressMultiDevice = VK_FALSE;
}

const char* missing_capability(const Physical& physical, const Features& features, std::uint32_t capability) {
  const VkSubgroupFeatureFlags operations = physical.subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT
                                                ? physical.subgroup.supportedOperations
                                                : 0;
  const VkPhysicalDeviceFloatControlsProperties& floats = physical.float_controls;
  const auto needs = [](bool there, const char* name) -> const char* { return there ? nullptr : name; };
  switch (capability) {
#define COLLET_NEEDS(name, there) \
  case spv::Capability##name: return needs(there, #name)
    COLLET_NEEDS(Matrix, true);
    COLLET_NEEDS(Shader, true);
    COLLET_NEEDS(ImageQuery, true);
    COLLET_NEEDS(DeviceGroup, true);
    COLLET_NEEDS(Float64, features.core.features.shaderFloat64);
    COLLET_NEEDS(Int64, features.core.features.shaderInt64);
    COLLET_NEEDS(Int16, features.core.features.shaderInt16);
    COLLET_NEEDS(Float16, features.float16_int8.shaderFloat16);
    COLLET_NEEDS(Int8, features.float16_int8.shaderInt8);
    COLLET_NEEDS(Int64Atomics, features.atomic64.shaderBufferInt64Atomics);
    COLLET_NEEDS(StorageBuffer16BitAccess, features.storage16.storageBuffer16BitAccess);
    COLLET_NEEDS(UniformAndStorageBuffer16BitAccess, features.storage16.uniformAndStorageBuffer16BitAccess);
    COLLET_NEEDS(StoragePushConstant16, features.storage16.storagePushConstant16);
    COLLET_NEEDS(StorageBuffer8BitAccess, features.storage8.storageBuffer8BitAccess);
    COLLET_NEEDS(UniformAndStorageBuffer8BitAccess, features.storage8.uniformAndStorageBuffer8BitAccess);
    COLLET_NEEDS(StoragePushConstant8, features.storage8.storagePushConstant8);
    COLLET_NEEDS(VariablePointersStorageBuffer, features.variable_pointers.variablePointersStorageBuffer);
    COLLET_NEEDS(VariablePointers, features.variable_pointers.variablePointers);
    COLLET_NEEDS(VulkanMemoryModel, features.memory_model.vulkanMemoryModel);
    COLLET_NEEDS(VulkanMemoryModelDeviceScope, features.memory_model.vulkanMemoryModelDeviceScope);
    COLLET_NEEDS(PhysicalStorageBufferAddresses, features.device_address.bufferDeviceAddress);
    COLLET_NEEDS(AtomicFloat32AddEXT, features.atomic_float.shaderBufferFloat32AtomicAdd);
    COLLET_NEEDS(AtomicFloat64AddEXT, features.atomic_float.shaderBufferFloat64AtomicAdd);
    COLLET_NEEDS(SignedZeroInfNanPreserve, floats.shaderSignedZeroInfNanPreserveFloat32);
    COLLET_NEEDS(DenormPreserve, floats.shaderDenormPreserveFloat32);
    COLLET_NEEDS(DenormFlushToZero, floats.shaderDenormFlushToZeroFloat32);
    COLLET_NEEDS(RoundingModeRTE, floats.shaderRoundingModeRTEFloat32);
    COLLET_NEEDS(RoundingModeRTZ, floats.shaderRoundingModeRTZFloat32);
    COLLET_NEEDS(DotProduct, features.dot_product.shaderIntegerDotProduct);
    COLLET_NEEDS(DotProductInputAll, features.dot_product.shaderIntegerDotProduct);
    COLLET_NEEDS(DotProductInput4x8Bit, features.dot_product.shaderIntegerDotProduct);
    COLLET_NEEDS(DotProductInput4x8BitPacked, features.dot_product.shaderIntegerDotProduct);
    COLLET_NEEDS(GroupNonUniform, operations & VK_SUBGROUP_FEATURE_BASIC_BIT);
    COLLET_NEEDS(GroupNonUniformVote, operations & VK_SUBGROUP_FEATURE_VOTE_BIT);
    COLLET_NEEDS(GroupNonUniformArithmetic, operations & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT);
    COLLET_NEEDS(GroupNonUniformBallot, operations & VK_SUBGROUP_FEATURE_BALLOT_BIT);
    COLLET_NEEDS(GroupNonUniformShuffle, operations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT);
    COLLET_NEEDS(GroupNonUniformShuffleRelative, operations & VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT);
    COLLET_NEEDS(GroupNonUniformClustered, operations & VK_SUBGROUP_FEATURE_CLUSTERED_BIT);
    COLLET_NEEDS(GroupNonUniformQuad, operations & VK_SUBGROUP_FEATURE_QUAD_BIT);
#undef COLLET_NEEDS
    default: return "that Collet does not enable";
  }
}

}  // namespace collet::backend::vulkan
