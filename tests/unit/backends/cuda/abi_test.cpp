// What Collet declares of CUDA's driver and of NVRTC, against cuda.h and nvrtc.h where this machine has a
// CUDA toolkit.

#include <gtest/gtest.h>

#include "backends/cuda/api.hpp"

#if __has_include(<cuda.h>)
#include <cuda.h>
#include <nvrtc.h>

#include <type_traits>

namespace collet::backend::cuda {
namespace {

#define SAME_VALUE(ours, theirs) static_assert(static_cast<long long>(ours) == static_cast<long long>(theirs))

SAME_VALUE(kSuccess, CUDA_SUCCESS);
SAME_VALUE(kInvalidValue, CUDA_ERROR_INVALID_VALUE);
SAME_VALUE(kOutOfMemory, CUDA_ERROR_OUT_OF_MEMORY);
SAME_VALUE(kNotInitialized, CUDA_ERROR_NOT_INITIALIZED);
SAME_VALUE(kDeinitialized, CUDA_ERROR_DEINITIALIZED);
SAME_VALUE(kStubLibrary, CUDA_ERROR_STUB_LIBRARY);
SAME_VALUE(kDeviceUnavailable, CUDA_ERROR_DEVICE_UNAVAILABLE);
SAME_VALUE(kNoDevice, CUDA_ERROR_NO_DEVICE);
SAME_VALUE(kInvalidDevice, CUDA_ERROR_INVALID_DEVICE);
SAME_VALUE(kInvalidImage, CUDA_ERROR_INVALID_IMAGE);
SAME_VALUE(kInvalidContext, CUDA_ERROR_INVALID_CONTEXT);
SAME_VALUE(kNoBinaryForGpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
SAME_VALUE(kEccUncorrectable, CUDA_ERROR_ECC_UNCORRECTABLE);
SAME_VALUE(kInvalidPtx, CUDA_ERROR_INVALID_PTX);
SAME_VALUE(kNvlinkUncorrectable, CUDA_ERROR_NVLINK_UNCORRECTABLE);
SAME_VALUE(kJitCompilerNotFound, CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
SAME_VALUE(kUnsupportedPtxVersion, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
SAME_VALUE(kInvalidSource, CUDA_ERROR_INVALID_SOURCE);
SAME_VALUE(kFileNotFound, CUDA_ERROR_FILE_NOT_FOUND);
SAME_VALUE(kInvalidHandle, CUDA_ERROR_INVALID_HANDLE);
SAME_VALUE(kNotFound, CUDA_ERROR_NOT_FOUND);
SAME_VALUE(kNotReady, CUDA_ERROR_NOT_READY);
SAME_VALUE(kIllegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS);
SAME_VALUE(kLaunchOutOfResources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
SAME_VALUE(kLaunchTimeout, CUDA_ERROR_LAUNCH_TIMEOUT);
SAME_VALUE(kContextIsDestroyed, CUDA_ERROR_CONTEXT_IS_DESTROYED);
SAME_VALUE(kAssert, CUDA_ERROR_ASSERT);
SAME_VALUE(kHardwareStackError, CUDA_ERROR_HARDWARE_STACK_ERROR);
SAME_VALUE(kIllegalInstruction, CUDA_ERROR_ILLEGAL_INSTRUCTION);
SAME_VALUE(kMisalignedAddress, CUDA_ERROR_MISALIGNED_ADDRESS);
SAME_VALUE(kInvalidAddressSpace, CUDA_ERROR_INVALID_ADDRESS_SPACE);
SAME_VALUE(kInvalidPc, CUDA_ERROR_INVALID_PC);
SAME_VALUE(kLaunchFailed, CUDA_ERROR_LAUNCH_FAILED);
SAME_VALUE(kNotPermitted, CUDA_ERROR_NOT_PERMITTED);
SAME_VALUE(kNotSupported, CUDA_ERROR_NOT_SUPPORTED);
SAME_VALUE(kSystemDriverMismatch, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);
SAME_VALUE(kUnknown, CUDA_ERROR_UNKNOWN);

SAME_VALUE(Attribute::max_group_items, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME_VALUE(Attribute::max_group_x, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
SAME_VALUE(Attribute::max_group_y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
SAME_VALUE(Attribute::max_group_z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
SAME_VALUE(Attribute::max_grid_x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
SAME_VALUE(Attribute::max_grid_y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
SAME_VALUE(Attribute::max_grid_z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
SAME_VALUE(Attribute::shared_bytes, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
SAME_VALUE(Attribute::constant_bytes, CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
SAME_VALUE(Attribute::warp_size, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
SAME_VALUE(Attribute::max_pitch, CU_DEVICE_ATTRIBUTE_MAX_PITCH);
SAME_VALUE(Attribute::registers_per_group, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
SAME_VALUE(Attribute::clock_khz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
SAME_VALUE(Attribute::texture_alignment, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
SAME_VALUE(Attribute::multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME_VALUE(Attribute::run_time_limit, CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT);
SAME_VALUE(Attribute::integrated, CU_DEVICE_ATTRIBUTE_INTEGRATED);
SAME_VALUE(Attribute::can_map_host, CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY);
SAME_VALUE(Attribute::compute_mode, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE);
SAME_VALUE(Attribute::concurrent_kernels, CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS);
SAME_VALUE(Attribute::ecc, CU_DEVICE_ATTRIBUTE_ECC_ENABLED);
SAME_VALUE(Attribute::pci_bus, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID);
SAME_VALUE(Attribute::pci_device, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID);
SAME_VALUE(Attribute::tcc_driver, CU_DEVICE_ATTRIBUTE_TCC_DRIVER);
SAME_VALUE(Attribute::memory_clock_khz, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
SAME_VALUE(Attribute::memory_bus_bits, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
SAME_VALUE(Attribute::l2_bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
SAME_VALUE(Attribute::items_per_multiprocessor, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
SAME_VALUE(Attribute::copy_engines, CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT);
SAME_VALUE(Attribute::unified_addressing, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING);
SAME_VALUE(Attribute::pci_domain, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID);
SAME_VALUE(Attribute::capability_major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME_VALUE(Attribute::capability_minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME_VALUE(Attribute::stream_priorities, CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED);
SAME_VALUE(Attribute::shared_bytes_per_multiprocessor,
           CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
SAME_VALUE(Attribute::registers_per_multiprocessor, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
SAME_VALUE(Attribute::managed_memory, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY);
SAME_VALUE(Attribute::multi_gpu_board, CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD);
SAME_VALUE(Attribute::native_host_atomics, CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED);
SAME_VALUE(Attribute::single_to_double_ratio, CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO);
SAME_VALUE(Attribute::pageable_memory, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS);
SAME_VALUE(Attribute::concurrent_managed, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS);
SAME_VALUE(Attribute::cooperative_launch, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH);
SAME_VALUE(Attribute::shared_bytes_opt_in, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);

SAME_VALUE(FunctionAttribute::max_items, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME_VALUE(FunctionAttribute::shared_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME_VALUE(FunctionAttribute::private_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME_VALUE(FunctionAttribute::registers, CU_FUNC_ATTRIBUTE_NUM_REGS);
SAME_VALUE(kHostPortable, CU_MEMHOSTALLOC_PORTABLE);
SAME_VALUE(kHostDeviceMap, CU_MEMHOSTALLOC_DEVICEMAP);
SAME_VALUE(kHostWriteCombined, CU_MEMHOSTALLOC_WRITECOMBINED);
SAME_VALUE(kStreamNonBlocking, CU_STREAM_NON_BLOCKING);
SAME_VALUE(kEventDisableTiming, CU_EVENT_DISABLE_TIMING);
SAME_VALUE(JitOption::max_registers, CU_JIT_MAX_REGISTERS);
SAME_VALUE(JitOption::info_log, CU_JIT_INFO_LOG_BUFFER);
SAME_VALUE(JitOption::info_log_bytes, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES);
SAME_VALUE(JitOption::error_log, CU_JIT_ERROR_LOG_BUFFER);
SAME_VALUE(JitOption::error_log_bytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
SAME_VALUE(JitOption::optimisation, CU_JIT_OPTIMIZATION_LEVEL);
SAME_VALUE(kCompiled, NVRTC_SUCCESS);
SAME_VALUE(kCompilerOutOfMemory, NVRTC_ERROR_OUT_OF_MEMORY);
SAME_VALUE(kCompilerInvalidOption, NVRTC_ERROR_INVALID_OPTION);
SAME_VALUE(kCompileError, NVRTC_ERROR_COMPILATION);
static_assert(sizeof(Status) == sizeof(CUresult) && sizeof(Ordinal) == sizeof(CUdevice));
static_assert(sizeof(Address) == sizeof(CUdeviceptr) && sizeof(Uuid) == sizeof(CUuuid));

// The header's enumerations are numbers to us, and pointers are pointers.
template <class Ours, class Theirs>
constexpr bool is_same_type() {
  if constexpr (std::is_pointer_v<Ours>)
    return std::is_pointer_v<Theirs>;
  else
    return !std::is_pointer_v<Theirs> && sizeof(Ours) == sizeof(Theirs);
}

template <class Ours, class Theirs>
struct SameFunction : std::false_type {};
template <class... A, class S, class... B>
struct SameFunction<Status (*)(A...), S (*)(B...)> {
  static constexpr bool value = [] {
    if constexpr (sizeof...(A) == sizeof...(B))
      return sizeof(S) == sizeof(Status) && (is_same_type<A, B>() && ...);
    else
      return false;
  }();
};
#define SAME_FUNCTION(name, theirs) static_assert(SameFunction<decltype(Api::name), decltype(&theirs)>::value)

SAME_FUNCTION(Init, cuInit);
SAME_FUNCTION(DriverGetVersion, cuDriverGetVersion);
SAME_FUNCTION(DeviceGetCount, cuDeviceGetCount);
SAME_FUNCTION(DeviceGet, cuDeviceGet);
SAME_FUNCTION(DeviceGetName, cuDeviceGetName);
SAME_FUNCTION(DeviceGetUuid, cuDeviceGetUuid);
SAME_FUNCTION(DeviceGetAttribute, cuDeviceGetAttribute);
SAME_FUNCTION(DeviceTotalMem, cuDeviceTotalMem);
SAME_FUNCTION(PrimaryCtxRetain, cuDevicePrimaryCtxRetain);
SAME_FUNCTION(PrimaryCtxRelease, cuDevicePrimaryCtxRelease);
SAME_FUNCTION(CtxPushCurrent, cuCtxPushCurrent);
SAME_FUNCTION(CtxPopCurrent, cuCtxPopCurrent);
SAME_FUNCTION(MemGetInfo, cuMemGetInfo);
SAME_FUNCTION(MemAlloc, cuMemAlloc);
SAME_FUNCTION(MemFree, cuMemFree);
SAME_FUNCTION(MemHostAlloc, cuMemHostAlloc);
SAME_FUNCTION(MemFreeHost, cuMemFreeHost);
SAME_FUNCTION(MemHostGetDevicePointer, cuMemHostGetDevicePointer);
SAME_FUNCTION(MemcpyDtoDAsync, cuMemcpyDtoDAsync);
SAME_FUNCTION(MemcpyHtoDAsync, cuMemcpyHtoDAsync);
SAME_FUNCTION(MemcpyDtoHAsync, cuMemcpyDtoHAsync);
SAME_FUNCTION(MemsetD32Async, cuMemsetD32Async);
SAME_FUNCTION(StreamCreate, cuStreamCreate);
SAME_FUNCTION(StreamDestroy, cuStreamDestroy);
SAME_FUNCTION(StreamSynchronize, cuStreamSynchronize);
SAME_FUNCTION(StreamWaitEvent, cuStreamWaitEvent);
SAME_FUNCTION(EventCreate, cuEventCreate);
SAME_FUNCTION(EventDestroy, cuEventDestroy);
SAME_FUNCTION(EventRecord, cuEventRecord);
SAME_FUNCTION(EventQuery, cuEventQuery);
SAME_FUNCTION(EventSynchronize, cuEventSynchronize);
SAME_FUNCTION(EventElapsedTime, cuEventElapsedTime);
SAME_FUNCTION(ModuleLoadDataEx, cuModuleLoadDataEx);
SAME_FUNCTION(ModuleUnload, cuModuleUnload);
SAME_FUNCTION(ModuleGetFunction, cuModuleGetFunction);
SAME_FUNCTION(FuncGetAttribute, cuFuncGetAttribute);
SAME_FUNCTION(OccupancyOfKernel, cuOccupancyMaxActiveBlocksPerMultiprocessor);
SAME_FUNCTION(LaunchKernel, cuLaunchKernel);

TEST(CudaAbi, IsThatOfTheHeaders) { SUCCEED() << "static_assert said so."; }

}  // namespace
}  // namespace collet::backend::cuda

#else
TEST(CudaAbi, IsThatOfTheHeaders) { GTEST_SKIP() << "This machine has no CUDA toolkit."; }
#endif
