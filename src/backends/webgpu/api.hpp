// WebGPU's entry points, looked up in a library that was found at run time.
#pragma once

#include <string>
#include <string_view>

#include "backends/webgpu/abi.hpp"
#include "collet/result.hpp"
#include "platform/platform.hpp"

namespace collet::backend::webgpu {

// A library without one of these is refused. The last is of the version of webgpu.h that the structures are
// of: older libraries have others behind the same names.
// clang-format off
#define COLLET_WGPU_REQUIRED(X) \
  X(CreateInstance, abi::Instance, const abi::InstanceDescriptor*) \
  X(InstanceRequestAdapter, abi::Future, abi::Instance, const abi::RequestAdapterOptions*, \
    abi::CallbackInfo<abi::RequestAdapterCallback>) \
  X(InstanceProcessEvents, void, abi::Instance) \
  X(InstanceRelease, void, abi::Instance) \
  X(AdapterGetInfo, abi::Status, abi::Adapter, abi::AdapterInfo*) \
  X(AdapterInfoFreeMembers, void, abi::AdapterInfo) \
  X(AdapterGetLimits, abi::Status, abi::Adapter, abi::Limits*) \
  X(AdapterGetFeatures, void, abi::Adapter, abi::SupportedFeatures*) \
  X(SupportedFeaturesFreeMembers, void, abi::SupportedFeatures) \
  X(AdapterRequestDevice, abi::Future, abi::Adapter, const abi::DeviceDescriptor*, \
    abi::CallbackInfo<abi::RequestDeviceCallback>) \
  X(AdapterRelease, void, abi::Adapter) \
  X(DeviceGetLimits, abi::Status, abi::Device, abi::Limits*) \
  X(DeviceGetQueue, abi::Queue, abi::Device) \
  X(DeviceDestroy, void, abi::Device) \
  X(DeviceRelease, void, abi::Device) \
  X(QueueRelease, void, abi::Queue) \
  X(DeviceCreateBuffer, abi::Buffer, abi::Device, const abi::BufferDescriptor*) \
  X(BufferDestroy, void, abi::Buffer) \
  X(BufferRelease, void, abi::Buffer) \
  X(BufferMapAsync, abi::Future, abi::Buffer, abi::Flags, std::size_t, std::size_t, \
    abi::CallbackInfo<abi::BufferMapCallback>) \
  X(BufferGetConstMappedRange, const void*, abi::Buffer, std::size_t, std::size_t) \
  X(BufferUnmap, void, abi::Buffer) \
  X(DeviceCreateShaderModule, abi::ShaderModule, abi::Device, const abi::ShaderModuleDescriptor*) \
  X(ShaderModuleRelease, void, abi::ShaderModule) \
  X(DeviceCreateBindGroupLayout, abi::BindGroupLayout, abi::Device, const abi::BindGroupLayoutDescriptor*) \
  X(BindGroupLayoutRelease, void, abi::BindGroupLayout) \
  X(DeviceCreatePipelineLayout, abi::PipelineLayout, abi::Device, const abi::PipelineLayoutDescriptor*) \
  X(PipelineLayoutRelease, void, abi::PipelineLayout) \
  X(DeviceCreateComputePipeline, abi::ComputePipeline, abi::Device, const abi::ComputePipelineDescriptor*) \
  X(ComputePipelineRelease, void, abi::ComputePipeline) \
  X(DeviceCreateBindGroup, abi::BindGroup, abi::Device, const abi::BindGroupDescriptor*) \
  X(BindGroupRelease, void, abi::BindGroup) \
  X(DeviceCreateCommandEncoder, abi::CommandEncoder, abi::Device, const abi::CommandEncoderDescriptor*) \
  X(CommandEncoderRelease, void, abi::CommandEncoder) \
  X(CommandEncoderBeginComputePass, abi::ComputePassEncoder, abi::CommandEncoder, \
    const abi::ComputePassDescriptor*) \
  X(ComputePassEncoderSetPipeline, void, abi::ComputePassEncoder, abi::ComputePipeline) \
  X(ComputePassEncoderSetBindGroup, void, abi::ComputePassEncoder, std::uint32_t, abi::BindGroup, \
    std::size_t, const std::uint32_t*) \
  X(ComputePassEncoderDispatchWorkgroups, void, abi::ComputePassEncoder, std::uint32_t, std::uint32_t, \
    std::uint32_t) \
  X(ComputePassEncoderEnd, void, abi::ComputePassEncoder) \
  X(ComputePassEncoderRelease, void, abi::ComputePassEncoder) \
  X(CommandEncoderCopyBufferToBuffer, void, abi::CommandEncoder, abi::Buffer, std::uint64_t, abi::Buffer, \
    std::uint64_t, std::uint64_t) \
  X(CommandEncoderClearBuffer, void, abi::CommandEncoder, abi::Buffer, std::uint64_t, std::uint64_t) \
  X(CommandEncoderResolveQuerySet, void, abi::CommandEncoder, abi::QuerySet, std::uint32_t, std::uint32_t, \
    abi::Buffer, std::uint64_t) \
  X(CommandEncoderFinish, abi::CommandBuffer, abi::CommandEncoder, const abi::CommandBufferDescriptor*) \
  X(CommandBufferRelease, void, abi::CommandBuffer) \
  X(QueueSubmit, void, abi::Queue, std::size_t, const abi::CommandBuffer*) \
  X(QueueWriteBuffer, void, abi::Queue, abi::Buffer, std::uint64_t, const void*, std::size_t) \
  X(QueueOnSubmittedWorkDone, abi::Future, abi::Queue, abi::CallbackInfo<abi::QueueWorkDoneCallback>) \
  X(DeviceCreateQuerySet, abi::QuerySet, abi::Device, const abi::QuerySetDescriptor*) \
  X(QuerySetRelease, void, abi::QuerySet) \
  X(SupportedWGSLLanguageFeaturesFreeMembers, void, abi::SupportedFeatures)

// Of wgpu-native alone.
#define COLLET_WGPU_OPTIONAL(X) \
  X(InstanceEnumerateAdapters, std::size_t, abi::Instance, const abi::EnumerateAdapterOptions*, abi::Adapter*) \
  X(DevicePoll, abi::Bool, abi::Device, abi::Bool, const void*) \
  X(QueueGetTimestampPeriod, float, abi::Queue) \
  X(GetVersion, std::uint32_t)

// Of Dawn alone; never called, it tells whose library this is.
#define COLLET_WGPU_DAWN(X) X(DeviceTick, void, abi::Device)
// clang-format on

// Threads: immutable once loaded.
struct Api {
#define COLLET_WGPU_MEMBER(name, result, ...) result (*name)(__VA_ARGS__) = nullptr;
  COLLET_WGPU_REQUIRED(COLLET_WGPU_MEMBER)
  COLLET_WGPU_OPTIONAL(COLLET_WGPU_MEMBER)
  COLLET_WGPU_DAWN(COLLET_WGPU_MEMBER)
#undef COLLET_WGPU_MEMBER
};

Result<Api> load_api(const platform::Library& library);

// "wgpu-native 29.0.1", "Dawn", or "a webgpu.h library" where it does not say.
std::string library_name(const Api& wgpu);

std::string text(abi::StringView view);
abi::StringView view(std::string_view text);

}  // namespace collet::backend::webgpu
