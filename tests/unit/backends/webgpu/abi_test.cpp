// What Collet declares of webgpu.h, against the header itself. scripts/wgpu-native fetches the one of the
// library that the tests run.

#include <gtest/gtest.h>

#include "backends/webgpu/api.hpp"

#if __has_include(<webgpu.h>)
#include <webgpu.h>
#include <wgpu.h>

#include <cstddef>
#include <type_traits>

namespace collet::backend::webgpu {
namespace {

#define SAME_SIZE(ours, theirs) \
  static_assert(sizeof(ours) == sizeof(theirs) && alignof(ours) == alignof(theirs))
#define SAME_PLACE(ours, our_field, theirs, their_field)                      \
  static_assert(offsetof(ours, our_field) == offsetof(theirs, their_field) && \
                sizeof(std::declval<ours>().our_field) == sizeof(std::declval<theirs>().their_field))
#define SAME_VALUE(ours, theirs) \
  static_assert(static_cast<std::uint64_t>(ours) == static_cast<std::uint64_t>(theirs))

SAME_SIZE(abi::StringView, WGPUStringView);
SAME_PLACE(abi::StringView, length, WGPUStringView, length);
SAME_SIZE(abi::ChainedStruct, WGPUChainedStruct);
SAME_PLACE(abi::ChainedStruct, type, WGPUChainedStruct, sType);
SAME_SIZE(abi::Future, WGPUFuture);
SAME_SIZE(abi::InstanceDescriptor, WGPUInstanceDescriptor);
SAME_PLACE(abi::InstanceDescriptor, feature_count, WGPUInstanceDescriptor, requiredFeatureCount);
SAME_PLACE(abi::InstanceDescriptor, limits, WGPUInstanceDescriptor, requiredLimits);

SAME_SIZE(abi::RequestAdapterOptions, WGPURequestAdapterOptions);
SAME_PLACE(abi::RequestAdapterOptions, feature_level, WGPURequestAdapterOptions, featureLevel);
SAME_PLACE(abi::RequestAdapterOptions, power_preference, WGPURequestAdapterOptions, powerPreference);
SAME_PLACE(abi::RequestAdapterOptions, force_fallback, WGPURequestAdapterOptions, forceFallbackAdapter);
SAME_PLACE(abi::RequestAdapterOptions, backend, WGPURequestAdapterOptions, backendType);
SAME_PLACE(abi::RequestAdapterOptions, surface, WGPURequestAdapterOptions, compatibleSurface);

SAME_SIZE(abi::AdapterInfo, WGPUAdapterInfo);
SAME_PLACE(abi::AdapterInfo, vendor, WGPUAdapterInfo, vendor);
SAME_PLACE(abi::AdapterInfo, architecture, WGPUAdapterInfo, architecture);
SAME_PLACE(abi::AdapterInfo, device, WGPUAdapterInfo, device);
SAME_PLACE(abi::AdapterInfo, description, WGPUAdapterInfo, description);
SAME_PLACE(abi::AdapterInfo, backend, WGPUAdapterInfo, backendType);
SAME_PLACE(abi::AdapterInfo, type, WGPUAdapterInfo, adapterType);
SAME_PLACE(abi::AdapterInfo, vendor_id, WGPUAdapterInfo, vendorID);
SAME_PLACE(abi::AdapterInfo, device_id, WGPUAdapterInfo, deviceID);
SAME_PLACE(abi::AdapterInfo, subgroup_min_size, WGPUAdapterInfo, subgroupMinSize);
SAME_PLACE(abi::AdapterInfo, subgroup_max_size, WGPUAdapterInfo, subgroupMaxSize);

SAME_SIZE(abi::Limits, WGPULimits);
SAME_PLACE(abi::Limits, textures[0], WGPULimits, maxTextureDimension1D);
SAME_PLACE(abi::Limits, textures[3], WGPULimits, maxTextureArrayLayers);
SAME_PLACE(abi::Limits, max_bind_groups, WGPULimits, maxBindGroups);
SAME_PLACE(abi::Limits, max_bind_groups_plus_vertex_buffers, WGPULimits, maxBindGroupsPlusVertexBuffers);
SAME_PLACE(abi::Limits, max_bindings_per_bind_group, WGPULimits, maxBindingsPerBindGroup);
SAME_PLACE(abi::Limits, max_dynamic_uniform_buffers, WGPULimits, maxDynamicUniformBuffersPerPipelineLayout);
SAME_PLACE(abi::Limits, max_dynamic_storage_buffers, WGPULimits, maxDynamicStorageBuffersPerPipelineLayout);
SAME_PLACE(abi::Limits, max_sampled_textures, WGPULimits, maxSampledTexturesPerShaderStage);
SAME_PLACE(abi::Limits, max_samplers, WGPULimits, maxSamplersPerShaderStage);
SAME_PLACE(abi::Limits, max_storage_buffers, WGPULimits, maxStorageBuffersPerShaderStage);
SAME_PLACE(abi::Limits, max_storage_textures, WGPULimits, maxStorageTexturesPerShaderStage);
SAME_PLACE(abi::Limits, max_uniform_buffers, WGPULimits, maxUniformBuffersPerShaderStage);
SAME_PLACE(abi::Limits, max_uniform_binding, WGPULimits, maxUniformBufferBindingSize);
SAME_PLACE(abi::Limits, max_storage_binding, WGPULimits, maxStorageBufferBindingSize);
SAME_PLACE(abi::Limits, uniform_alignment, WGPULimits, minUniformBufferOffsetAlignment);
SAME_PLACE(abi::Limits, storage_alignment, WGPULimits, minStorageBufferOffsetAlignment);
SAME_PLACE(abi::Limits, max_vertex_buffers, WGPULimits, maxVertexBuffers);
SAME_PLACE(abi::Limits, max_buffer, WGPULimits, maxBufferSize);
SAME_PLACE(abi::Limits, drawing[0], WGPULimits, maxVertexAttributes);
SAME_PLACE(abi::Limits, drawing[4], WGPULimits, maxColorAttachmentBytesPerSample);
SAME_PLACE(abi::Limits, max_workgroup_bytes, WGPULimits, maxComputeWorkgroupStorageSize);
SAME_PLACE(abi::Limits, max_workgroup_items, WGPULimits, maxComputeInvocationsPerWorkgroup);
SAME_PLACE(abi::Limits, max_workgroup_size[0], WGPULimits, maxComputeWorkgroupSizeX);
SAME_PLACE(abi::Limits, max_workgroup_size[2], WGPULimits, maxComputeWorkgroupSizeZ);
SAME_PLACE(abi::Limits, max_workgroups, WGPULimits, maxComputeWorkgroupsPerDimension);
SAME_PLACE(abi::Limits, max_immediates, WGPULimits, maxImmediateSize);

SAME_SIZE(abi::SupportedFeatures, WGPUSupportedFeatures);
SAME_PLACE(abi::SupportedFeatures, features, WGPUSupportedFeatures, features);

template <class Ours, class Theirs>
constexpr bool kSameCallbackInfo =
    sizeof(Ours) == sizeof(Theirs) && offsetof(Ours, mode) == offsetof(Theirs, mode) &&
    offsetof(Ours, callback) == offsetof(Theirs, callback) &&
    offsetof(Ours, first) == offsetof(Theirs, userdata1) &&
    offsetof(Ours, second) == offsetof(Theirs, userdata2);
static_assert(
    kSameCallbackInfo<abi::CallbackInfo<abi::RequestAdapterCallback>, WGPURequestAdapterCallbackInfo>);
static_assert(
    kSameCallbackInfo<abi::CallbackInfo<abi::RequestDeviceCallback>, WGPURequestDeviceCallbackInfo>);
static_assert(kSameCallbackInfo<abi::CallbackInfo<abi::DeviceLostCallback>, WGPUDeviceLostCallbackInfo>);
static_assert(kSameCallbackInfo<abi::CallbackInfo<abi::BufferMapCallback>, WGPUBufferMapCallbackInfo>);
static_assert(
    kSameCallbackInfo<abi::CallbackInfo<abi::QueueWorkDoneCallback>, WGPUQueueWorkDoneCallbackInfo>);
SAME_SIZE(abi::UncapturedErrorCallbackInfo, WGPUUncapturedErrorCallbackInfo);
SAME_PLACE(abi::UncapturedErrorCallbackInfo, callback, WGPUUncapturedErrorCallbackInfo, callback);
SAME_PLACE(abi::UncapturedErrorCallbackInfo, first, WGPUUncapturedErrorCallbackInfo, userdata1);

SAME_SIZE(abi::QueueDescriptor, WGPUQueueDescriptor);
SAME_SIZE(abi::DeviceDescriptor, WGPUDeviceDescriptor);
SAME_PLACE(abi::DeviceDescriptor, feature_count, WGPUDeviceDescriptor, requiredFeatureCount);
SAME_PLACE(abi::DeviceDescriptor, features, WGPUDeviceDescriptor, requiredFeatures);
SAME_PLACE(abi::DeviceDescriptor, limits, WGPUDeviceDescriptor, requiredLimits);
SAME_PLACE(abi::DeviceDescriptor, queue, WGPUDeviceDescriptor, defaultQueue);
SAME_PLACE(abi::DeviceDescriptor, lost, WGPUDeviceDescriptor, deviceLostCallbackInfo);
SAME_PLACE(abi::DeviceDescriptor, error, WGPUDeviceDescriptor, uncapturedErrorCallbackInfo);

SAME_SIZE(abi::BufferDescriptor, WGPUBufferDescriptor);
SAME_PLACE(abi::BufferDescriptor, usage, WGPUBufferDescriptor, usage);
SAME_PLACE(abi::BufferDescriptor, size, WGPUBufferDescriptor, size);
SAME_PLACE(abi::BufferDescriptor, mapped, WGPUBufferDescriptor, mappedAtCreation);
SAME_SIZE(abi::ShaderModuleDescriptor, WGPUShaderModuleDescriptor);
SAME_SIZE(abi::ShaderSourceWgsl, WGPUShaderSourceWGSL);
SAME_PLACE(abi::ShaderSourceWgsl, code, WGPUShaderSourceWGSL, code);

SAME_SIZE(abi::BufferBindingLayout, WGPUBufferBindingLayout);
SAME_PLACE(abi::BufferBindingLayout, type, WGPUBufferBindingLayout, type);
SAME_PLACE(abi::BufferBindingLayout, has_dynamic_offset, WGPUBufferBindingLayout, hasDynamicOffset);
SAME_PLACE(abi::BufferBindingLayout, min_size, WGPUBufferBindingLayout, minBindingSize);
SAME_SIZE(abi::SamplerBindingLayout, WGPUSamplerBindingLayout);
SAME_SIZE(abi::TextureBindingLayout, WGPUTextureBindingLayout);
SAME_SIZE(abi::StorageTextureBindingLayout, WGPUStorageTextureBindingLayout);
SAME_SIZE(abi::BindGroupLayoutEntry, WGPUBindGroupLayoutEntry);
SAME_PLACE(abi::BindGroupLayoutEntry, binding, WGPUBindGroupLayoutEntry, binding);
SAME_PLACE(abi::BindGroupLayoutEntry, visibility, WGPUBindGroupLayoutEntry, visibility);
SAME_PLACE(abi::BindGroupLayoutEntry, array_size, WGPUBindGroupLayoutEntry, bindingArraySize);
SAME_PLACE(abi::BindGroupLayoutEntry, buffer, WGPUBindGroupLayoutEntry, buffer);
SAME_PLACE(abi::BindGroupLayoutEntry, sampler, WGPUBindGroupLayoutEntry, sampler);
SAME_PLACE(abi::BindGroupLayoutEntry, texture, WGPUBindGroupLayoutEntry, texture);
SAME_PLACE(abi::BindGroupLayoutEntry, storage_texture, WGPUBindGroupLayoutEntry, storageTexture);
SAME_SIZE(abi::BindGroupLayoutDescriptor, WGPUBindGroupLayoutDescriptor);
SAME_PLACE(abi::BindGroupLayoutDescriptor, entry_count, WGPUBindGroupLayoutDescriptor, entryCount);
SAME_PLACE(abi::BindGroupLayoutDescriptor, entries, WGPUBindGroupLayoutDescriptor, entries);
SAME_SIZE(abi::BindGroupEntry, WGPUBindGroupEntry);
SAME_PLACE(abi::BindGroupEntry, binding, WGPUBindGroupEntry, binding);
SAME_PLACE(abi::BindGroupEntry, buffer, WGPUBindGroupEntry, buffer);
SAME_PLACE(abi::BindGroupEntry, offset, WGPUBindGroupEntry, offset);
SAME_PLACE(abi::BindGroupEntry, size, WGPUBindGroupEntry, size);
SAME_SIZE(abi::BindGroupDescriptor, WGPUBindGroupDescriptor);
SAME_PLACE(abi::BindGroupDescriptor, layout, WGPUBindGroupDescriptor, layout);
SAME_PLACE(abi::BindGroupDescriptor, entry_count, WGPUBindGroupDescriptor, entryCount);
SAME_PLACE(abi::BindGroupDescriptor, entries, WGPUBindGroupDescriptor, entries);
SAME_SIZE(abi::PipelineLayoutDescriptor, WGPUPipelineLayoutDescriptor);
SAME_PLACE(abi::PipelineLayoutDescriptor, layout_count, WGPUPipelineLayoutDescriptor, bindGroupLayoutCount);
SAME_PLACE(abi::PipelineLayoutDescriptor, layouts, WGPUPipelineLayoutDescriptor, bindGroupLayouts);
SAME_PLACE(abi::PipelineLayoutDescriptor, immediate_size, WGPUPipelineLayoutDescriptor, immediateSize);
SAME_SIZE(abi::ConstantEntry, WGPUConstantEntry);
SAME_PLACE(abi::ConstantEntry, key, WGPUConstantEntry, key);
SAME_PLACE(abi::ConstantEntry, value, WGPUConstantEntry, value);
SAME_SIZE(abi::ComputeState, WGPUComputeState);
SAME_PLACE(abi::ComputeState, module, WGPUComputeState, module);
SAME_PLACE(abi::ComputeState, entry, WGPUComputeState, entryPoint);
SAME_PLACE(abi::ComputeState, constant_count, WGPUComputeState, constantCount);
SAME_PLACE(abi::ComputeState, constants, WGPUComputeState, constants);
SAME_SIZE(abi::ComputePipelineDescriptor, WGPUComputePipelineDescriptor);
SAME_PLACE(abi::ComputePipelineDescriptor, layout, WGPUComputePipelineDescriptor, layout);
SAME_PLACE(abi::ComputePipelineDescriptor, compute, WGPUComputePipelineDescriptor, compute);
SAME_SIZE(abi::CommandEncoderDescriptor, WGPUCommandEncoderDescriptor);
SAME_SIZE(abi::CommandBufferDescriptor, WGPUCommandBufferDescriptor);
SAME_SIZE(abi::PassTimestampWrites, WGPUPassTimestampWrites);
SAME_PLACE(abi::PassTimestampWrites, queries, WGPUPassTimestampWrites, querySet);
SAME_PLACE(abi::PassTimestampWrites, begin, WGPUPassTimestampWrites, beginningOfPassWriteIndex);
SAME_PLACE(abi::PassTimestampWrites, end, WGPUPassTimestampWrites, endOfPassWriteIndex);
SAME_SIZE(abi::ComputePassDescriptor, WGPUComputePassDescriptor);
SAME_PLACE(abi::ComputePassDescriptor, timestamps, WGPUComputePassDescriptor, timestampWrites);
SAME_SIZE(abi::QuerySetDescriptor, WGPUQuerySetDescriptor);
SAME_PLACE(abi::QuerySetDescriptor, type, WGPUQuerySetDescriptor, type);
SAME_PLACE(abi::QuerySetDescriptor, count, WGPUQuerySetDescriptor, count);
SAME_SIZE(abi::EnumerateAdapterOptions, WGPUInstanceEnumerateAdapterOptions);
SAME_PLACE(abi::EnumerateAdapterOptions, backends, WGPUInstanceEnumerateAdapterOptions, backends);

SAME_VALUE(abi::SType::shader_source_wgsl, WGPUSType_ShaderSourceWGSL);
SAME_VALUE(abi::Status::success, WGPUStatus_Success);
SAME_VALUE(abi::CallbackMode::allow_process_events, WGPUCallbackMode_AllowProcessEvents);
SAME_VALUE(abi::CallbackMode::allow_spontaneous, WGPUCallbackMode_AllowSpontaneous);
SAME_VALUE(abi::ErrorType::no_error, WGPUErrorType_NoError);
SAME_VALUE(abi::ErrorType::validation, WGPUErrorType_Validation);
SAME_VALUE(abi::ErrorType::out_of_memory, WGPUErrorType_OutOfMemory);
SAME_VALUE(abi::ErrorType::internal, WGPUErrorType_Internal);
SAME_VALUE(abi::ErrorType::unknown, WGPUErrorType_Unknown);
SAME_VALUE(abi::DeviceLostReason::destroyed, WGPUDeviceLostReason_Destroyed);
SAME_VALUE(abi::DeviceLostReason::callback_cancelled, WGPUDeviceLostReason_CallbackCancelled);
SAME_VALUE(abi::RequestAdapterStatus::success, WGPURequestAdapterStatus_Success);
SAME_VALUE(abi::RequestDeviceStatus::success, WGPURequestDeviceStatus_Success);
SAME_VALUE(abi::MapAsyncStatus::success, WGPUMapAsyncStatus_Success);
SAME_VALUE(abi::QueueWorkDoneStatus::success, WGPUQueueWorkDoneStatus_Success);
SAME_VALUE(abi::FeatureLevel::core, WGPUFeatureLevel_Core);
SAME_VALUE(abi::PowerPreference::low_power, WGPUPowerPreference_LowPower);
SAME_VALUE(abi::PowerPreference::high_performance, WGPUPowerPreference_HighPerformance);
SAME_VALUE(abi::AdapterType::discrete_gpu, WGPUAdapterType_DiscreteGPU);
SAME_VALUE(abi::AdapterType::integrated_gpu, WGPUAdapterType_IntegratedGPU);
SAME_VALUE(abi::AdapterType::cpu, WGPUAdapterType_CPU);
SAME_VALUE(abi::FeatureName::timestamp_query, WGPUFeatureName_TimestampQuery);
SAME_VALUE(abi::FeatureName::shader_f16, WGPUFeatureName_ShaderF16);
SAME_VALUE(abi::FeatureName::subgroups, WGPUFeatureName_Subgroups);
SAME_VALUE(abi::QueryType::timestamp, WGPUQueryType_Timestamp);
SAME_VALUE(abi::BackendType::undefined, WGPUBackendType_Undefined);
SAME_VALUE(abi::BackendType::d3d11, WGPUBackendType_D3D11);
SAME_VALUE(abi::BackendType::d3d12, WGPUBackendType_D3D12);
SAME_VALUE(abi::BackendType::metal, WGPUBackendType_Metal);
SAME_VALUE(abi::BackendType::vulkan, WGPUBackendType_Vulkan);
SAME_VALUE(abi::BackendType::opengl, WGPUBackendType_OpenGL);
SAME_VALUE(abi::BackendType::opengles, WGPUBackendType_OpenGLES);
SAME_VALUE(abi::BufferBindingType::not_used, WGPUBufferBindingType_BindingNotUsed);
SAME_VALUE(abi::BufferBindingType::uniform, WGPUBufferBindingType_Uniform);
SAME_VALUE(abi::BufferBindingType::storage, WGPUBufferBindingType_Storage);
SAME_VALUE(abi::BufferBindingType::read_only_storage, WGPUBufferBindingType_ReadOnlyStorage);
SAME_VALUE(abi::kUntilTerminator, WGPU_STRLEN);
SAME_VALUE(abi::kNoQuery, WGPU_QUERY_SET_INDEX_UNDEFINED);
SAME_VALUE(abi::kUndefinedLimit32, WGPU_LIMIT_U32_UNDEFINED);
SAME_VALUE(abi::kUndefinedLimit64, WGPU_LIMIT_U64_UNDEFINED);

// These are variables of the header.
TEST(WebGpuAbi, FlagsHaveTheHeadersValues) {
  EXPECT_EQ(abi::buffer_usage::map_read, WGPUBufferUsage_MapRead);
  EXPECT_EQ(abi::buffer_usage::copy_src, WGPUBufferUsage_CopySrc);
  EXPECT_EQ(abi::buffer_usage::copy_dst, WGPUBufferUsage_CopyDst);
  EXPECT_EQ(abi::buffer_usage::uniform, WGPUBufferUsage_Uniform);
  EXPECT_EQ(abi::buffer_usage::storage, WGPUBufferUsage_Storage);
  EXPECT_EQ(abi::buffer_usage::query_resolve, WGPUBufferUsage_QueryResolve);
  EXPECT_EQ(abi::kMapModeRead, WGPUMapMode_Read);
  EXPECT_EQ(abi::kShaderStageCompute, WGPUShaderStage_Compute);
}

// A parameter of a function is passed in the same way where it has the same size and is of the same kind.
template <class Ours, class Theirs>
constexpr bool passed_alike() {
  if constexpr (std::is_void_v<Ours> || std::is_void_v<Theirs>)
    return std::is_void_v<Ours> && std::is_void_v<Theirs>;
  else
    return sizeof(Ours) == sizeof(Theirs) &&
           std::is_floating_point_v<Ours> == std::is_floating_point_v<Theirs> &&
           std::is_class_v<Ours> == std::is_class_v<Theirs> &&
           std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>;
}
template <class Ours, class Theirs>
struct SameCall : std::false_type {};
template <class R, class... A, class S, class... B>
  requires(sizeof...(A) == sizeof...(B))
struct SameCall<R (*)(A...), S (*)(B...)>
    : std::bool_constant<passed_alike<R, S>() && (passed_alike<A, B>() && ...)> {};

#define SAME_CALL(name, ...)                                                 \
  static_assert(SameCall<decltype(Api::name), decltype(&wgpu##name)>::value, \
                "wgpu" #name " takes other arguments");
COLLET_WGPU_REQUIRED(SAME_CALL)
COLLET_WGPU_OPTIONAL(SAME_CALL)

}  // namespace
}  // namespace collet::backend::webgpu

#else

TEST(WebGpuAbi, FlagsHaveTheHeadersValues) {
  GTEST_SKIP() << "webgpu.h is not here; scripts/wgpu-native fetches it, and CMake is to be run again";
}

#endif
