// PoCL with a fault of its own: it works and answers wrongly (wrong), or crashes or hangs when its second
// device runs a kernel (second_crash, second_hang).

#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "misbehave.hpp"

struct _cl_platform_id {
  cl_icd_dispatch* dispatch;
};

namespace {

cl_icd_dispatch real;  // as it was

// Element 17 of whatever is read is off by one.
[[maybe_unused]] cl_int CL_API_CALL read_wrongly(cl_command_queue queue, cl_mem buffer, cl_bool /*blocking*/,
                                                 std::size_t offset, std::size_t size, void* to,
                                                 cl_uint wait_count, const cl_event* waits, cl_event* event) {
  const cl_int status =
      real.clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, size, to, wait_count, waits, event);
  if (status == CL_SUCCESS && size >= 18 * sizeof(std::uint32_t)) static_cast<std::uint32_t*>(to)[17] ^= 1;
  return status;
}

[[maybe_unused]] cl_int CL_API_CALL launch_badly(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                 const std::size_t* offset, const std::size_t* global,
                                                 const std::size_t* local, cl_uint wait_count,
                                                 const cl_event* waits, cl_event* event) {
  cl_device_id device = nullptr;
  real.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
  cl_platform_id platform = nullptr;
  real.clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
  cl_device_id all[8] = {};
  real.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 8, all, nullptr);
  if (device == all[1]) misbehave();
  return real.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, wait_count, waits,
                                     event);
}

// All of PoCL's objects point to one table.
void change(cl_icd_dispatch* table) {
  if (real.clEnqueueReadBuffer != nullptr) return;
  std::memcpy(&real, table, sizeof real);
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(table) / page * page;
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(table + 1);
  mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE);
#ifdef FAULT_WRONG
  table->clEnqueueReadBuffer = read_wrongly;
#else
  table->clEnqueueNDRangeKernel = launch_badly;
#endif
}

// One of PoCL's own functions; PoCL exports only the one that finds the others.
void* pocl(const char* name) {
  using Find = void*(CL_API_CALL*)(const char* name);
  static void* const library = dlopen("libpocl.so.2", RTLD_NOW | RTLD_LOCAL);
  static auto* const find =
      library == nullptr ? nullptr : reinterpret_cast<Find>(dlsym(library, "clGetExtensionFunctionAddress"));
  return find == nullptr ? nullptr : find(name);
}

}  // namespace

DRIVER_EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id* platforms,
                                                        cl_uint* count) {
  auto* const list = reinterpret_cast<decltype(&clIcdGetPlatformIDsKHR)>(pocl("clIcdGetPlatformIDsKHR"));
  if (list == nullptr) return CL_PLATFORM_NOT_FOUND_KHR;
  const cl_int status = list(room, platforms, count);
  if (status == CL_SUCCESS && platforms != nullptr && room != 0) change(platforms[0]->dispatch);
  return status;
}

DRIVER_EXPORT cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info what,
                                                   std::size_t size, void* value, std::size_t* needed) {
  return platform->dispatch->clGetPlatformInfo(platform, what, size, value, needed);
}

DRIVER_EXPORT void* CL_API_CALL clGetExtensionFunctionAddress(const char* name) {
  if (std::strcmp(name, "clIcdGetPlatformIDsKHR") == 0)
    return reinterpret_cast<void*>(clIcdGetPlatformIDsKHR);
  return pocl(name);
}
