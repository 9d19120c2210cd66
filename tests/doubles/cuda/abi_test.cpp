// Compares our own words for the driver's functions with cuda.h, where it is installed.

#if __has_include(<cuda.h>)
#define __CUDA_API_VERSION_INTERNAL  // no macro of cuda.h stands for a function
#include <cuda.h>
#define COLLET_HAS_CUDA_H 1
#endif

#include <gtest/gtest.h>

#include "abi.hpp"
#include "device_facts.hpp"

#ifdef COLLET_HAS_CUDA_H

namespace collet::cuda_double {
namespace {

// Enums of C are ints, and pointers are pointers.
template <class A, class B>
constexpr bool is_passed_alike() {
  if constexpr (std::is_pointer_v<A> || std::is_pointer_v<B>) {
    return std::is_pointer_v<A> && std::is_pointer_v<B>;
  } else {
    return sizeof(A) == sizeof(B) && std::is_floating_point_v<A> == std::is_floating_point_v<B>;
  }
}

template <class A, class B>
constexpr bool kAlike = false;
template <class R, class... A, class S, class... B>
constexpr bool kAlike<R (*)(A...), S (*)(B...)> = [] {
  if constexpr (sizeof...(A) == sizeof...(B)) {
    return is_passed_alike<R, S>() && (is_passed_alike<A, B>() && ...);
  }
  return false;
}();

#define COLLET_CUDA_DOUBLE_FUNCTION(name, ...) \
  static_assert(kAlike<Result (*)(__VA_ARGS__), decltype(&::name)>, #name);
#include "functions.inc"
#undef COLLET_CUDA_DOUBLE_FUNCTION

#define X(name, theirs, number, text) static_assert(number == static_cast<int>(::theirs), #theirs);
COLLET_CUDA_DOUBLE_RESULTS(X)
#undef X

#define X(name, number, answer) \
  static_assert(number == static_cast<int>(::CU_DEVICE_ATTRIBUTE_##name), #name);
COLLET_CUDA_DOUBLE_ATTRIBUTES(X)
#undef X

static_assert(sizeof(Uuid) == sizeof(CUuuid) && sizeof(CuDevicePtr) == sizeof(CUdeviceptr));
static_assert(kFunctionMaxThreads == int{CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK} &&
              kFunctionSharedBytes == int{CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES} &&
              kFunctionConstBytes == int{CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES} &&
              kFunctionLocalBytes == int{CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES} &&
              kFunctionRegisters == int{CU_FUNC_ATTRIBUTE_NUM_REGS} &&
              kFunctionPtxVersion == int{CU_FUNC_ATTRIBUTE_PTX_VERSION} &&
              kFunctionBinaryVersion == int{CU_FUNC_ATTRIBUTE_BINARY_VERSION} &&
              kFunctionCacheMode == int{CU_FUNC_ATTRIBUTE_CACHE_MODE_CA} &&
              kFunctionMaxDynamicShared == int{CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES} &&
              kFunctionCarveout == int{CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT});
static_assert(kJitInfoLog == int{CU_JIT_INFO_LOG_BUFFER} &&
              kJitInfoLogSize == int{CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES} &&
              kJitErrorLog == int{CU_JIT_ERROR_LOG_BUFFER} &&
              kJitErrorLogSize == int{CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES});
static_assert(kStreamNonBlocking == unsigned{CU_STREAM_NON_BLOCKING} &&
              kEventDisableTiming == unsigned{CU_EVENT_DISABLE_TIMING});

}  // namespace
}  // namespace collet::cuda_double

#endif

TEST(CudaDoubleAbi, IsThatOfCudaH) {
#ifndef COLLET_HAS_CUDA_H
  GTEST_SKIP() << "cuda.h is not installed.";
#endif
}
