// What Collet uses of CUDA's driver and of NVRTC: types and constants. Declared here, so that no CUDA toolkit
// is needed to build; tests/unit/backends/cuda/abi_test.cpp holds them against cuda.h and nvrtc.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace collet::backend::cuda {

using Status = int;   // CUresult
using Ordinal = int;  // CUdevice
using Address = unsigned long long;
using Context = struct ContextObject*;
using Stream = struct StreamObject*;
using NativeEvent = struct EventObject*;
using Module = struct ModuleObject*;
using Function = struct FunctionObject*;
struct Uuid {
  unsigned char bytes[16];
};

inline constexpr Status kSuccess = 0, kInvalidValue = 1, kOutOfMemory = 2, kNotInitialized = 3,
                        kDeinitialized = 4;
inline constexpr Status kStubLibrary = 34, kDeviceUnavailable = 46, kNoDevice = 100, kInvalidDevice = 101;
inline constexpr Status kInvalidImage = 200, kInvalidContext = 201, kNoBinaryForGpu = 209,
                        kEccUncorrectable = 214;
inline constexpr Status kInvalidPtx = 218, kNvlinkUncorrectable = 220, kJitCompilerNotFound = 221;
inline constexpr Status kUnsupportedPtxVersion = 222, kInvalidSource = 300, kFileNotFound = 301;
inline constexpr Status kInvalidHandle = 400, kNotFound = 500, kNotReady = 600, kIllegalAddress = 700;
inline constexpr Status kLaunchOutOfResources = 701, kLaunchTimeout = 702, kContextIsDestroyed = 709;
inline constexpr Status kAssert = 710, kHardwareStackError = 714, kIllegalInstruction = 715;
inline constexpr Status kMisalignedAddress = 716, kInvalidAddressSpace = 717, kInvalidPc = 718;
inline constexpr Status kLaunchFailed = 719, kNotPermitted = 800, kNotSupported = 801;
inline constexpr Status kSystemDriverMismatch = 803, kUnknown = 999;

// CUdevice_attribute
enum class Attribute : int {
  max_group_items = 1,
  max_group_x = 2,
  max_group_y = 3,
  max_group_z = 4,
  max_grid_x = 5,
  max_grid_y = 6,
  max_grid_z = 7,
  shared_bytes = 8,
  constant_bytes = 9,
  warp_size = 10,
  max_pitch = 11,
  registers_per_group = 12,
  clock_khz = 13,
  texture_alignment = 14,
  multiprocessors = 16,
  run_time_limit = 17,
  integrated = 18,
  can_map_host = 19,
  compute_mode = 20,
  concurrent_kernels = 31,
  ecc = 32,
  pci_bus = 33,
  pci_device = 34,
  tcc_driver = 35,
  memory_clock_khz = 36,
  memory_bus_bits = 37,
  l2_bytes = 38,
  items_per_multiprocessor = 39,
  copy_engines = 40,
  unified_addressing = 41,
  pci_domain = 50,
  capability_major = 75,
  capability_minor = 76,
  stream_priorities = 78,
  shared_bytes_per_multiprocessor = 81,
  registers_per_multiprocessor = 82,
  managed_memory = 83,
  multi_gpu_board = 84,
  native_host_atomics = 86,
  single_to_double_ratio = 87,
  pageable_memory = 88,
  concurrent_managed = 89,
  cooperative_launch = 95,
  shared_bytes_opt_in = 97,
};

// CUfunction_attribute
enum class FunctionAttribute : int { max_items = 0, shared_bytes = 1, private_bytes = 3, registers = 4 };

inline constexpr unsigned kHostPortable = 1, kHostDeviceMap = 2, kHostWriteCombined = 4;
inline constexpr unsigned kStreamNonBlocking = 1;
inline constexpr unsigned kEventDisableTiming = 2;

// CUjit_option
enum class JitOption : int {
  max_registers = 0,
  info_log = 3,
  info_log_bytes = 4,
  error_log = 5,
  error_log_bytes = 6,
  optimisation = 7,
};

using CompilerStatus = int;  // nvrtcResult
using CompilerProgram = struct CompilerProgramObject*;
inline constexpr CompilerStatus kCompiled = 0, kCompilerOutOfMemory = 1, kCompilerInvalidOption = 5,
                                kCompileError = 6;

}  // namespace collet::backend::cuda
