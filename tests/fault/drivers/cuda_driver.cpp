// A CUDA driver that misbehaves when it is initialised (crash, jump, hang, exit, leave, abort), when it is
// loaded (load), by what it answers (garbage, counts), or by what it lacks (symbols).

#include <cstddef>
#include <cstring>

#include "misbehave.hpp"

DRIVER_EXPORT int cuInit(unsigned /*flags*/) {
  misbehave();
  return 0;
}
DRIVER_EXPORT int cuDriverGetVersion(int* version) {
  *version = 0x7fffffff;
  return 0;
}
#ifndef FAULT_SYMBOLS
DRIVER_EXPORT int cuDeviceGetCount(int* count) {
#ifdef FAULT_COUNTS
  *count = 0x7fffffff;
#else
  *count = 1;
#endif
  return 0;
}
#endif
// No text has an end and no figure makes sense.
DRIVER_EXPORT int cuDeviceGetName(char* name, int size, int /*device*/) {
  std::memset(name, 0xff, static_cast<std::size_t>(size));
  return 0;
}
DRIVER_EXPORT int cuDeviceGetAttribute(int* value, int /*attribute*/, int /*device*/) {
  *value = -1;
  return 0;
}
DRIVER_EXPORT int cuDeviceTotalMem_v2(std::size_t* bytes, int /*device*/) {
  *bytes = ~std::size_t{0};
  return 0;
}

// The others succeed and do nothing.
#define NOTHING(name) \
  DRIVER_EXPORT int name() { return 0; }
NOTHING(cuDeviceGet)
NOTHING(cuDeviceGetUuid)
NOTHING(cuDevicePrimaryCtxRetain)
NOTHING(cuDevicePrimaryCtxRelease_v2)
NOTHING(cuCtxPushCurrent_v2)
NOTHING(cuCtxPopCurrent_v2)
NOTHING(cuMemGetInfo_v2)
NOTHING(cuMemAlloc_v2)
NOTHING(cuMemFree_v2)
NOTHING(cuMemHostAlloc)
NOTHING(cuMemFreeHost)
NOTHING(cuMemHostGetDevicePointer_v2)
NOTHING(cuMemcpyDtoDAsync_v2)
NOTHING(cuMemcpyHtoDAsync_v2)
NOTHING(cuMemcpyDtoHAsync_v2)
NOTHING(cuMemsetD32Async)
NOTHING(cuStreamCreate)
NOTHING(cuStreamDestroy_v2)
NOTHING(cuStreamSynchronize)
NOTHING(cuStreamWaitEvent)
NOTHING(cuEventCreate)
NOTHING(cuEventDestroy_v2)
NOTHING(cuEventRecord)
NOTHING(cuEventQuery)
NOTHING(cuEventSynchronize)
NOTHING(cuEventElapsedTime)
NOTHING(cuModuleLoadDataEx)
NOTHING(cuModuleUnload)
NOTHING(cuModuleGetFunction)
NOTHING(cuFuncGetAttribute)
NOTHING(cuOccupancyMaxActiveBlocksPerMultiprocessor)
NOTHING(cuLaunchKernel)
