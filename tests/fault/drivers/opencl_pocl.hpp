// PoCL's own library behind a driver of ours: its one table of functions, changed before anybody uses it.
#pragma once

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

namespace pocl {

inline cl_icd_dispatch real;  // as it was

// Puts other functions in; each driver says which.
void spoil(cl_icd_dispatch& table);

// All of PoCL's objects point to one table.
inline void change(cl_icd_dispatch* table) {
  if (real.clEnqueueReadBuffer != nullptr) return;
  std::memcpy(&real, table, sizeof real);
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(table) / page * page;
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(table + 1);
  mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE);
  spoil(*table);
}

// One of PoCL's own functions; PoCL exports only the one that finds the others.
inline void* function(const char* name) {
  using Find = void*(CL_API_CALL*)(const char* name);
  static void* const library = dlopen("libpocl.so.2", RTLD_NOW | RTLD_LOCAL);
  static auto* const find =
      library == nullptr ? nullptr : reinterpret_cast<Find>(dlsym(library, "clGetExtensionFunctionAddress"));
  return find == nullptr ? nullptr : find(name);
}

}  // namespace pocl

DRIVER_EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id* platforms,
                                                        cl_uint* count) {
  auto* const list =
      reinterpret_cast<decltype(&clIcdGetPlatformIDsKHR)>(pocl::function("clIcdGetPlatformIDsKHR"));
  if (list == nullptr) return CL_PLATFORM_NOT_FOUND_KHR;
  const cl_int status = list(room, platforms, count);
  if (status == CL_SUCCESS && platforms != nullptr && room != 0) pocl::change(platforms[0]->dispatch);
  return status;
}

DRIVER_EXPORT cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info what,
                                                   std::size_t size, void* value, std::size_t* needed) {
  return platform->dispatch->clGetPlatformInfo(platform, what, size, value, needed);
}

DRIVER_EXPORT void* CL_API_CALL clGetExtensionFunctionAddress(const char* name) {
  if (std::strcmp(name, "clIcdGetPlatformIDsKHR") == 0)
    return reinterpret_cast<void*>(clIcdGetPlatformIDsKHR);
  return pocl::function(name);
}
