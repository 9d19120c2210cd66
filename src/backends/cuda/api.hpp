// Entry points of CUDA's driver, looked up in a library that was found at run time.
#pragma once

#include <string>

#include "backends/cuda/abi.hpp"
#include "collet/result.hpp"
#include "platform/platform.hpp"

namespace collet::backend::cuda {

// The member, and the name of the function: some have a version behind their name, whose arguments these are.
// clang-format off
#define COLLET_CUDA_REQUIRED(X) \
  X(Init, "cuInit", unsigned) \
  X(DriverGetVersion, "cuDriverGetVersion", int*) \
  X(DeviceGetCount, "cuDeviceGetCount", int*) \
  X(DeviceGet, "cuDeviceGet", Ordinal*, int) \
  X(DeviceGetName, "cuDeviceGetName", char*, int, Ordinal) \
  X(DeviceGetUuid, "cuDeviceGetUuid", Uuid*, Ordinal) \
  X(DeviceGetAttribute, "cuDeviceGetAttribute", int*, int, Ordinal) \
  X(DeviceTotalMem, "cuDeviceTotalMem_v2", std::size_t*, Ordinal) \
  X(PrimaryCtxRetain, "cuDevicePrimaryCtxRetain", Context*, Ordinal) \
  X(PrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", Ordinal) \
  X(CtxPushCurrent, "cuCtxPushCurrent_v2", Context) \
  X(CtxPopCurrent, "cuCtxPopCurrent_v2", Context*) \
  X(MemGetInfo, "cuMemGetInfo_v2", std::size_t*, std::size_t*) \
  X(MemAlloc, "cuMemAlloc_v2", Address*, std::size_t) \
  X(MemFree, "cuMemFree_v2", Address) \
  X(MemHostAlloc, "cuMemHostAlloc", void**, std::size_t, unsigned) \
  X(MemFreeHost, "cuMemFreeHost", void*) \
  X(MemHostGetDevicePointer, "cuMemHostGetDevicePointer_v2", Address*, void*, unsigned) \
  X(MemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", Address, Address, std::size_t, Stream) \
  X(MemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", Address, const void*, std::size_t, Stream) \
  X(MemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", void*, Address, std::size_t, Stream) \
  X(MemsetD32Async, "cuMemsetD32Async", Address, unsigned, std::size_t, Stream) \
  X(StreamCreate, "cuStreamCreate", Stream*, unsigned) \
  X(StreamDestroy, "cuStreamDestroy_v2", Stream) \
  X(StreamSynchronize, "cuStreamSynchronize", Stream) \
  X(StreamWaitEvent, "cuStreamWaitEvent", Stream, NativeEvent, unsigned) \
  X(EventCreate, "cuEventCreate", NativeEvent*, unsigned) \
  X(EventDestroy, "cuEventDestroy_v2", NativeEvent) \
  X(EventRecord, "cuEventRecord", NativeEvent, Stream) \
  X(EventQuery, "cuEventQuery", NativeEvent) \
  X(EventSynchronize, "cuEventSynchronize", NativeEvent) \
  X(EventElapsedTime, "cuEventElapsedTime", float*, NativeEvent, NativeEvent) \
  X(ModuleLoadDataEx, "cuModuleLoadDataEx", Module*, const void*, unsigned, int*, void**) \
  X(ModuleUnload, "cuModuleUnload", Module) \
  X(ModuleGetFunction, "cuModuleGetFunction", Function*, Module, const char*) \
  X(FuncGetAttribute, "cuFuncGetAttribute", int*, int, Function) \
  X(OccupancyOfKernel, "cuOccupancyMaxActiveBlocksPerMultiprocessor", int*, Function, int, std::size_t) \
  X(LaunchKernel, "cuLaunchKernel", Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
    Stream, void**, void**)
// clang-format on

// Threads: immutable once loaded.
struct Api {
#define COLLET_CUDA_MEMBER(name, symbol, ...) Status (*name)(__VA_ARGS__) = nullptr;
  COLLET_CUDA_REQUIRED(COLLET_CUDA_MEMBER)
#undef COLLET_CUDA_MEMBER
  std::string path;  // of the library
  int version = 0;   // 13000 for CUDA 13.0
};

// The driver is loaded once and initialised; the address is good until the process ends. One that was not
// found is looked for again at each call.
Result<const Api*> load_api();

}  // namespace collet::backend::cuda
