// An OpenCL driver that misbehaves when its platforms are listed (crash, jump, hang, exit, leave, abort),
// when it is loaded (load), by what it answers (garbage, counts), or by what it lacks (symbols).

#include <CL/cl_icd.h>

#include <cstring>

#include "misbehave.hpp"

struct _cl_platform_id {
  const cl_icd_dispatch* dispatch;
};
struct _cl_device_id {
  const cl_icd_dispatch* dispatch;
};

namespace {

cl_int CL_API_CALL list_devices(cl_platform_id platform, cl_device_type type, cl_uint room,
                                cl_device_id* devices, cl_uint* count);

// A size that no machine has, and text without an end.
cl_int answer(std::size_t size, void* value, std::size_t* needed) {
  if (value != nullptr) std::memset(value, 0xff, size);
  if (needed != nullptr) *needed = size != 0 ? size : std::size_t{1} << 60;
  return CL_SUCCESS;
}
cl_int CL_API_CALL device_info(cl_device_id /*device*/, cl_device_info /*what*/, std::size_t size,
                               void* value, std::size_t* needed) {
  return answer(size, value, needed);
}
cl_int CL_API_CALL platform_info(cl_platform_id /*platform*/, cl_platform_info what, std::size_t size,
                                 void* value, std::size_t* needed) {
  // The loader itself reads these, and drops a platform that has them wrong.
  const char* text = what == CL_PLATFORM_ICD_SUFFIX_KHR ? "BAD"
                     : what == CL_PLATFORM_EXTENSIONS   ? "cl_khr_icd"
                                                        : nullptr;
  if (text == nullptr) return answer(size, value, needed);
  if (value != nullptr) std::memcpy(value, text, std::strlen(text) + 1);
  if (needed != nullptr) *needed = std::strlen(text) + 1;
  return CL_SUCCESS;
}

cl_icd_dispatch make_table() {
  cl_icd_dispatch table{};
  table.clGetPlatformInfo = platform_info;
  table.clGetDeviceIDs = list_devices;
  table.clGetDeviceInfo = device_info;
  return table;
}
const cl_icd_dispatch table = make_table();
_cl_platform_id the_platform{&table};
_cl_device_id the_device{&table};

cl_int CL_API_CALL list_devices(cl_platform_id /*platform*/, cl_device_type /*type*/, cl_uint room,
                                cl_device_id* devices, cl_uint* count) {
#ifdef FAULT_COUNTS
  if (count != nullptr) *count = 0x7fffffff;
  (void)room;
  (void)devices;
#else
  if (devices != nullptr && room != 0) devices[0] = &the_device;
  if (count != nullptr) *count = 1;
#endif
  return CL_SUCCESS;
}

}  // namespace

#ifndef FAULT_SYMBOLS
DRIVER_EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id* platforms,
                                                        cl_uint* count) {
  misbehave();
  if (platforms != nullptr && room != 0) platforms[0] = &the_platform;
  if (count != nullptr) *count = 1;
  return CL_SUCCESS;
}
#endif

DRIVER_EXPORT cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info what,
                                                   std::size_t size, void* value, std::size_t* needed) {
  return platform_info(platform, what, size, value, needed);
}

DRIVER_EXPORT void* CL_API_CALL clGetExtensionFunctionAddress(const char* name) {
#ifndef FAULT_SYMBOLS
  if (std::strcmp(name, "clIcdGetPlatformIDsKHR") == 0)
    return reinterpret_cast<void*>(clIcdGetPlatformIDsKHR);
#endif
  (void)name;
  return nullptr;
}
