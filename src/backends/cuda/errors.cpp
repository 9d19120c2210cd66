// CUDA: what each code is called and means.

#include "backends/cuda/errors.hpp"

namespace collet::backend::cuda {

std::string_view Codes::name_of(Type code) {
  switch (code) {
    case kSuccess: return "CUDA_SUCCESS";
    case kInvalidValue: return "CUDA_ERROR_INVALID_VALUE";
    case kOutOfMemory: return "CUDA_ERROR_OUT_OF_MEMORY";
    case kNotInitialized: return "CUDA_ERROR_NOT_INITIALIZED";
    case kDeinitialized: return "CUDA_ERROR_DEINITIALIZED";
    case kStubLibrary: return "CUDA_ERROR_STUB_LIBRARY";
    case kDeviceUnavailable: return "CUDA_ERROR_DEVICE_UNAVAILABLE";
    case kNoDevice: return "CUDA_ERROR_NO_DEVICE";
    case kInvalidDevice: return "CUDA_ERROR_INVALID_DEVICE";
    case kInvalidImage: return "CUDA_ERROR_INVALID_IMAGE";
    case kInvalidContext: return "CUDA_ERROR_INVALID_CONTEXT";
    case kNoBinaryForGpu: return "CUDA_ERROR_NO_BINARY_FOR_GPU";
    case kEccUncorrectable: return "CUDA_ERROR_ECC_UNCORRECTABLE";
    case kInvalidPtx: return "CUDA_ERROR_INVALID_PTX";
    case kNvlinkUncorrectable: return "CUDA_ERROR_NVLINK_UNCORRECTABLE";
    case kJitCompilerNotFound: return "CUDA_ERROR_JIT_COMPILER_NOT_FOUND";
    case kUnsupportedPtxVersion: return "CUDA_ERROR_UNSUPPORTED_PTX_VERSION";
    case kInvalidSource: return "CUDA_ERROR_INVALID_SOURCE";
    case kFileNotFound: return "CUDA_ERROR_FILE_NOT_FOUND";
    case kInvalidHandle: return "CUDA_ERROR_INVALID_HANDLE";
    case kNotFound: return "CUDA_ERROR_NOT_FOUND";
    case kNotReady: return "CUDA_ERROR_NOT_READY";
    case kIllegalAddress: return "CUDA_ERROR_ILLEGAL_ADDRESS";
    case kLaunchOutOfResources: return "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES";
    case kLaunchTimeout: return "CUDA_ERROR_LAUNCH_TIMEOUT";
    case kContextIsDestroyed: return "CUDA_ERROR_CONTEXT_IS_DESTROYED";
    case kAssert: return "CUDA_ERROR_ASSERT";
    case kHardwareStackError: return "CUDA_ERROR_HARDWARE_STACK_ERROR";
    case kIllegalInstruction: return "CUDA_ERROR_ILLEGAL_INSTRUCTION";
    case kMisalignedAddress: return "CUDA_ERROR_MISALIGNED_ADDRESS";
    case kInvalidAddressSpace: return "CUDA_ERROR_INVALID_ADDRESS_SPACE";
    case kInvalidPc: return "CUDA_ERROR_INVALID_PC";
    case kLaunchFailed: return "CUDA_ERROR_LAUNCH_FAILED";
    case kNotPermitted: return "CUDA_ERROR_NOT_PERMITTED";
    case kNotSupported: return "CUDA_ERROR_NOT_SUPPORTED";
    case kSystemDriverMismatch: return "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH";
    case kUnknown: return "CUDA_ERROR_UNKNOWN";
    default: return "a code that Collet does not know";
  }
}

common::Meaning Codes::meaning_of(Type code) {
  switch (code) {
    case kOutOfMemory: return {ErrorCode::out_of_memory, Cause::allocation_failed};
    case kLaunchOutOfResources: return {ErrorCode::unsupported, Cause::other};
    case kInvalidPtx:
    case kInvalidImage:
    case kInvalidSource: return {ErrorCode::build_failed, Cause::module_failed};
    case kNoBinaryForGpu:
    case kUnsupportedPtxVersion:
    case kJitCompilerNotFound: return {ErrorCode::unsupported, Cause::module_failed};
    case kNotFound: return {ErrorCode::build_failed, Cause::kernel_not_found};
    case kNoDevice:
    case kStubLibrary:
    case kSystemDriverMismatch:
    case kDeviceUnavailable: return {ErrorCode::unavailable, Cause::other};
    case kNotSupported: return {ErrorCode::unsupported, Cause::other};
    // These stay with the context: every later call fails in the same way.
    case kEccUncorrectable:
    case kNvlinkUncorrectable:
    case kIllegalAddress:
    case kLaunchTimeout:
    case kContextIsDestroyed:
    case kAssert:
    case kHardwareStackError:
    case kIllegalInstruction:
    case kMisalignedAddress:
    case kInvalidAddressSpace:
    case kInvalidPc:
    case kLaunchFailed:
    case kDeinitialized:
    case kUnknown: return {ErrorCode::device_lost, Cause::other};
    default: return {};
  }
}

}  // namespace collet::backend::cuda
