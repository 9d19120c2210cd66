// OpenCL's entry points, looked up in a loader that was found at run time.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS  // clCreateCommandQueue is the one that every version has
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "collet/result.hpp"
#include "platform/platform.hpp"

namespace collet::backend::opencl {

// OpenCL 1.2: a loader without one of these is refused.
// clang-format off
#define COLLET_CL_REQUIRED(X) \
  X(clGetPlatformIDs) X(clGetPlatformInfo) X(clGetDeviceIDs) X(clGetDeviceInfo) \
  X(clGetExtensionFunctionAddressForPlatform) X(clCreateContext) X(clReleaseContext) \
  X(clCreateCommandQueue) X(clReleaseCommandQueue) X(clCreateBuffer) X(clCreateSubBuffer) \
  X(clRetainMemObject) X(clReleaseMemObject) X(clCreateProgramWithSource) \
  X(clBuildProgram) X(clGetProgramInfo) X(clGetProgramBuildInfo) X(clReleaseProgram) X(clCreateKernel) \
  X(clReleaseKernel) X(clSetKernelArg) X(clGetKernelInfo) X(clGetKernelArgInfo) \
  X(clGetKernelWorkGroupInfo) X(clEnqueueNDRangeKernel) X(clEnqueueCopyBuffer) X(clEnqueueFillBuffer) \
  X(clEnqueueWriteBuffer) X(clEnqueueReadBuffer) X(clEnqueueMarkerWithWaitList) X(clFlush) X(clFinish) \
  X(clWaitForEvents) X(clGetEventInfo) X(clGetEventProfilingInfo) X(clRetainEvent) X(clReleaseEvent)
// clang-format on

// Later versions. A loader may have these although the driver behind it does not: ask the device's version
// first.
#define COLLET_CL_OPTIONAL(X) X(clCreateProgramWithIL) X(clGetDeviceAndHostTimer) X(clSVMAlloc) X(clSVMFree)

// Threads: immutable once loaded.
struct Api {
#define COLLET_CL_MEMBER(name) decltype(&::name) name = nullptr;
  COLLET_CL_REQUIRED(COLLET_CL_MEMBER)
  COLLET_CL_OPTIONAL(COLLET_CL_MEMBER)
#undef COLLET_CL_MEMBER
};

Result<Api> load_api(const platform::Library& library);

// "OpenCL 3.0 PoCL …" and "OpenCL C 1.2 …" as 300 and 120; 0 where the text is neither.
std::uint32_t parse_version(std::string_view text);

// Absent where the device does not know the question.
template <class T>
std::optional<T> device_value(const Api& cl, cl_device_id device, cl_device_info what) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value{};
  if (cl.clGetDeviceInfo(device, what, sizeof value, &value, nullptr) != CL_SUCCESS) return std::nullopt;
  return value;
}

// An answer that is said to be longer is not believed.
inline constexpr std::size_t kMostBytes = 1 << 24;

template <class T>
std::vector<T> device_values(const Api& cl, cl_device_id device, cl_device_info what) {
  std::size_t bytes = 0;
  if (cl.clGetDeviceInfo(device, what, 0, nullptr, &bytes) != CL_SUCCESS || bytes > kMostBytes) return {};
  std::vector<T> values(bytes / sizeof(T));
  if (values.empty()) return {};
  if (cl.clGetDeviceInfo(device, what, values.size() * sizeof(T), values.data(), nullptr) != CL_SUCCESS)
    return {};
  return values;
}

// Without the terminators and blanks that drivers pad with.
std::string trimmed(std::string text);

// `ask` takes a size, where to write, and where the size that is needed goes. "" where the driver does not
// know the question.
template <class Ask>
std::string text_of(const Ask& ask) {
  std::size_t size = 0;
  if (ask(0, nullptr, &size) != CL_SUCCESS || size == 0 || size > kMostBytes) return {};
  std::string text(size, '\0');
  if (ask(size, text.data(), nullptr) != CL_SUCCESS) return {};
  return trimmed(std::move(text));
}

std::string device_text(const Api& cl, cl_device_id device, cl_device_info what);
std::string platform_text(const Api& cl, cl_platform_id platform, cl_platform_info what);

// The loader's own name and version; "" where it does not say.
std::string loader_version(const platform::Library& library);

// Whether a space-separated list of extensions has this one, whole.
bool has_extension(std::string_view list, std::string_view name);

}  // namespace collet::backend::opencl
