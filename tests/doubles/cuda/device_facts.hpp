// The numbers of the devices that the double shows.
#pragma once

#include "numbers.hpp"

namespace collet::cuda_double {

inline constexpr int kDevices = 2;
inline constexpr int kDriverVersion = 13000;
inline constexpr int kMajor = 7, kMinor = 5;
inline constexpr u32 kMostThreads = 1024;
inline constexpr u32 kProcessors = 4;
inline constexpr u32 kBlocksPerProcessor = 8;
inline constexpr u32 kThreadsPerProcessor = 1024;
inline constexpr u32 kSharedPerBlock = 48 * 1024;
inline constexpr u32 kSharedPerBlockOptin = 64 * 1024;
inline constexpr u32 kSharedPerProcessor = 64 * 1024;
inline constexpr u64 kDeviceMemory = u64{2} << 30;

}  // namespace collet::cuda_double
