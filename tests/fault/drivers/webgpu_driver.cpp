// A WebGPU library that misbehaves when an instance is made (crash, jump, hang, exit, leave, abort), when it
// is loaded (load), by what it answers (garbage, counts), or by what it lacks (symbols).

#include <cstddef>
#include <cstdint>

#include "misbehave.hpp"

namespace {
[[maybe_unused]] int somewhere = 0;  // what every handle points to
}

#ifndef FAULT_SYMBOLS
DRIVER_EXPORT void* wgpuCreateInstance(const void* /*descriptor*/) {
  misbehave();
  return &somewhere;
}
#endif
DRIVER_EXPORT std::size_t wgpuInstanceEnumerateAdapters(void* /*instance*/, const void* /*options*/,
                                                        void** adapters) {
#ifdef FAULT_COUNTS
  (void)adapters;
  return 0x7fffffff;
#else
  if (adapters != nullptr) adapters[0] = &somewhere;
  return 1;
#endif
}
DRIVER_EXPORT std::uint32_t wgpuGetVersion() { return 0xffffffff; }

// The others answer nothing and call nobody back.
#define NOTHING(name) \
  DRIVER_EXPORT std::uint64_t wgpu##name() { return 0; }
NOTHING(InstanceRequestAdapter)
NOTHING(InstanceProcessEvents)
NOTHING(InstanceRelease)
NOTHING(AdapterGetInfo)
NOTHING(AdapterInfoFreeMembers)
NOTHING(AdapterGetLimits)
NOTHING(AdapterGetFeatures)
NOTHING(SupportedFeaturesFreeMembers)
NOTHING(AdapterRequestDevice)
NOTHING(AdapterRelease)
NOTHING(DeviceGetLimits)
NOTHING(DeviceGetQueue)
NOTHING(DeviceDestroy)
NOTHING(DeviceRelease)
NOTHING(QueueRelease)
NOTHING(DeviceCreateBuffer)
NOTHING(BufferDestroy)
NOTHING(BufferRelease)
NOTHING(BufferMapAsync)
NOTHING(BufferGetConstMappedRange)
NOTHING(BufferUnmap)
NOTHING(DeviceCreateShaderModule)
NOTHING(ShaderModuleRelease)
NOTHING(DeviceCreateBindGroupLayout)
NOTHING(BindGroupLayoutRelease)
NOTHING(DeviceCreatePipelineLayout)
NOTHING(PipelineLayoutRelease)
NOTHING(DeviceCreateComputePipeline)
NOTHING(ComputePipelineRelease)
NOTHING(DeviceCreateBindGroup)
NOTHING(BindGroupRelease)
NOTHING(DeviceCreateCommandEncoder)
NOTHING(CommandEncoderRelease)
NOTHING(CommandEncoderBeginComputePass)
NOTHING(ComputePassEncoderSetPipeline)
NOTHING(ComputePassEncoderSetBindGroup)
NOTHING(ComputePassEncoderDispatchWorkgroups)
NOTHING(ComputePassEncoderEnd)
NOTHING(ComputePassEncoderRelease)
NOTHING(CommandEncoderCopyBufferToBuffer)
NOTHING(CommandEncoderClearBuffer)
NOTHING(CommandEncoderResolveQuerySet)
NOTHING(CommandEncoderFinish)
NOTHING(CommandBufferRelease)
NOTHING(QueueSubmit)
NOTHING(QueueWriteBuffer)
NOTHING(QueueOnSubmittedWorkDone)
NOTHING(DeviceCreateQuerySet)
NOTHING(QuerySetRelease)
NOTHING(SupportedWGSLLanguageFeaturesFreeMembers)
