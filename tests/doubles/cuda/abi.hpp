// What cuda.h says of the functions that the double exports, in our own words: the library is built without
// it, and abi_test.cpp compares the two.
#pragma once

#include <cstddef>
#include <cstdint>

namespace collet::cuda_double {

using CuDevice = int;
using CuDevicePtr = unsigned long long;
struct ContextHandle;
struct ModuleHandle;
struct FunctionHandle;
struct StreamHandle;
struct EventHandle;
struct Uuid {
  char bytes[16];
};

// CUresult, and its names in errors.cpp.
#define COLLET_CUDA_DOUBLE_RESULTS(X)                                                                        \
  X(kSuccess, CUDA_SUCCESS, 0, "no error")                                                                   \
  X(kErrorInvalidValue, CUDA_ERROR_INVALID_VALUE, 1, "invalid argument")                                     \
  X(kErrorOutOfMemory, CUDA_ERROR_OUT_OF_MEMORY, 2, "out of memory")                                         \
  X(kErrorNotInitialized, CUDA_ERROR_NOT_INITIALIZED, 3, "initialization error")                             \
  X(kErrorNoDevice, CUDA_ERROR_NO_DEVICE, 100, "no CUDA-capable device is detected")                         \
  X(kErrorInvalidDevice, CUDA_ERROR_INVALID_DEVICE, 101, "invalid device ordinal")                           \
  X(kErrorInvalidImage, CUDA_ERROR_INVALID_IMAGE, 200, "device kernel image is invalid")                     \
  X(kErrorInvalidContext, CUDA_ERROR_INVALID_CONTEXT, 201, "invalid device context")                         \
  X(kErrorNoBinaryForGpu, CUDA_ERROR_NO_BINARY_FOR_GPU, 209,                                                 \
    "no kernel image is available for execution on the device")                                              \
  X(kErrorPeerAccessUnsupported, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217,                                    \
    "peer access is not supported between these two devices")                                                \
  X(kErrorInvalidPtx, CUDA_ERROR_INVALID_PTX, 218, "a PTX JIT compilation failed")                           \
  X(kErrorInvalidHandle, CUDA_ERROR_INVALID_HANDLE, 400, "invalid resource handle")                          \
  X(kErrorNotFound, CUDA_ERROR_NOT_FOUND, 500, "named symbol not found")                                     \
  X(kErrorNotReady, CUDA_ERROR_NOT_READY, 600, "device not ready")                                           \
  X(kErrorIllegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS, 700, "an illegal memory access was encountered")       \
  X(kErrorLaunchOutOfResources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701,                                     \
    "too many resources requested for launch")                                                               \
  X(kErrorPeerAccessAlreadyEnabled, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704,                             \
    "peer access is already enabled")                                                                        \
  X(kErrorContextIsDestroyed, CUDA_ERROR_CONTEXT_IS_DESTROYED, 709, "context is destroyed")                  \
  X(kErrorHostMemoryAlreadyRegistered, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712,                       \
    "part or all of the requested memory range is already mapped")                                           \
  X(kErrorHostMemoryNotRegistered, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713,                               \
    "pointer does not correspond to a registered memory region")                                             \
  X(kErrorIllegalInstruction, CUDA_ERROR_ILLEGAL_INSTRUCTION, 715, "an illegal instruction was encountered") \
  X(kErrorMisalignedAddress, CUDA_ERROR_MISALIGNED_ADDRESS, 716, "misaligned address")                       \
  X(kErrorLaunchFailed, CUDA_ERROR_LAUNCH_FAILED, 719, "unspecified launch failure")                         \
  X(kErrorNotPermitted, CUDA_ERROR_NOT_PERMITTED, 800, "operation not permitted")                            \
  X(kErrorNotSupported, CUDA_ERROR_NOT_SUPPORTED, 801, "operation not supported")                            \
  X(kErrorUnknown, CUDA_ERROR_UNKNOWN, 999, "unknown error")

#define X(name, theirs, number, text) name = number,
enum Result : int { COLLET_CUDA_DOUBLE_RESULTS(X) };
#undef X

// CUdevice_attribute, as far as the double answers: name, number, value for the devices.
#define COLLET_CUDA_DOUBLE_ATTRIBUTES(X)                           \
  X(MAX_THREADS_PER_BLOCK, 1, kMostThreads)                        \
  X(MAX_BLOCK_DIM_X, 2, 1024)                                      \
  X(MAX_BLOCK_DIM_Y, 3, 1024)                                      \
  X(MAX_BLOCK_DIM_Z, 4, 64)                                        \
  X(MAX_GRID_DIM_X, 5, 2147483647)                                 \
  X(MAX_GRID_DIM_Y, 6, 65535)                                      \
  X(MAX_GRID_DIM_Z, 7, 65535)                                      \
  X(MAX_SHARED_MEMORY_PER_BLOCK, 8, kSharedPerBlock)               \
  X(TOTAL_CONSTANT_MEMORY, 9, 65536)                               \
  X(WARP_SIZE, 10, kWarpSize)                                      \
  X(MAX_PITCH, 11, 2147483647)                                     \
  X(MAX_REGISTERS_PER_BLOCK, 12, 65536)                            \
  X(CLOCK_RATE, 13, 1000000)                                       \
  X(TEXTURE_ALIGNMENT, 14, 512)                                    \
  X(GPU_OVERLAP, 15, 1)                                            \
  X(MULTIPROCESSOR_COUNT, 16, kProcessors)                         \
  X(KERNEL_EXEC_TIMEOUT, 17, 0)                                    \
  X(INTEGRATED, 18, 0)                                             \
  X(CAN_MAP_HOST_MEMORY, 19, 1)                                    \
  X(COMPUTE_MODE, 20, 0)                                           \
  X(SURFACE_ALIGNMENT, 30, 512)                                    \
  X(CONCURRENT_KERNELS, 31, 1)                                     \
  X(ECC_ENABLED, 32, 0)                                            \
  X(PCI_BUS_ID, 33, device + 1)                                    \
  X(PCI_DEVICE_ID, 34, 0)                                          \
  X(TCC_DRIVER, 35, 0)                                             \
  X(MEMORY_CLOCK_RATE, 36, 1000000)                                \
  X(GLOBAL_MEMORY_BUS_WIDTH, 37, 128)                              \
  X(L2_CACHE_SIZE, 38, 1048576)                                    \
  X(MAX_THREADS_PER_MULTIPROCESSOR, 39, kThreadsPerProcessor)      \
  X(ASYNC_ENGINE_COUNT, 40, 2)                                     \
  X(UNIFIED_ADDRESSING, 41, 1)                                     \
  X(PCI_DOMAIN_ID, 50, 0)                                          \
  X(COMPUTE_CAPABILITY_MAJOR, 75, kMajor)                          \
  X(COMPUTE_CAPABILITY_MINOR, 76, kMinor)                          \
  X(STREAM_PRIORITIES_SUPPORTED, 78, 1)                            \
  X(GLOBAL_L1_CACHE_SUPPORTED, 79, 1)                              \
  X(LOCAL_L1_CACHE_SUPPORTED, 80, 1)                               \
  X(MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 81, kSharedPerProcessor) \
  X(MAX_REGISTERS_PER_MULTIPROCESSOR, 82, 65536)                   \
  X(MANAGED_MEMORY, 83, 0)                                         \
  X(MULTI_GPU_BOARD, 84, 0)                                        \
  X(MULTI_GPU_BOARD_GROUP_ID, 85, device)                          \
  X(HOST_NATIVE_ATOMIC_SUPPORTED, 86, 0)                           \
  X(SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 87, 32)                 \
  X(PAGEABLE_MEMORY_ACCESS, 88, 0)                                 \
  X(CONCURRENT_MANAGED_ACCESS, 89, 0)                              \
  X(COMPUTE_PREEMPTION_SUPPORTED, 90, 1)                           \
  X(CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 91, 1)                \
  X(COOPERATIVE_LAUNCH, 95, 1)                                     \
  X(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97, kSharedPerBlockOptin)   \
  X(CAN_FLUSH_REMOTE_WRITES, 98, 0)                                \
  X(HOST_REGISTER_SUPPORTED, 99, 1)                                \
  X(PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, 100, 0)          \
  X(DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, 101, 0)                   \
  X(MAX_BLOCKS_PER_MULTIPROCESSOR, 106, kBlocksPerProcessor)       \
  X(RESERVED_SHARED_MEMORY_PER_BLOCK, 111, 0)                      \
  X(READ_ONLY_HOST_REGISTER_SUPPORTED, 113, 0)                     \
  X(MEMORY_POOLS_SUPPORTED, 115, 0)

// CUfunction_attribute.
inline constexpr int kFunctionMaxThreads = 0, kFunctionSharedBytes = 1, kFunctionConstBytes = 2,
                     kFunctionLocalBytes = 3, kFunctionRegisters = 4, kFunctionPtxVersion = 5,
                     kFunctionBinaryVersion = 6, kFunctionCacheMode = 7, kFunctionMaxDynamicShared = 8,
                     kFunctionCarveout = 9;
// CUjit_option.
inline constexpr int kJitInfoLog = 3, kJitInfoLogSize = 4, kJitErrorLog = 5, kJitErrorLogSize = 6;
// Flags.
inline constexpr unsigned kStreamNonBlocking = 1, kEventDisableTiming = 2;

}  // namespace collet::cuda_double
