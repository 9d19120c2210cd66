// An EGL that misbehaves when a display is initialised (crash, jump, hang, exit, leave, abort), when it is
// loaded (load), by what it answers (garbage, counts), or by what it lacks (symbols).

#include <cstring>

#include "misbehave.hpp"

namespace {

int somewhere = 0;  // what every handle points to

// Stands for every function of OpenGL: it writes nothing, and answers 0.
[[maybe_unused]] long do_nothing() { return 0; }

[[maybe_unused]] unsigned list_devices(int /*room*/, void** /*devices*/, int* count) {
  *count = 0x7fffffff;
  return 1;
}
[[maybe_unused]] const char* describe_device() { return nullptr; }

}  // namespace

using Function = void (*)();

DRIVER_EXPORT Function eglGetProcAddress(const char* name) {
#ifdef FAULT_COUNTS
  if (std::strcmp(name, "eglQueryDevicesEXT") == 0) return reinterpret_cast<Function>(list_devices);
  if (std::strcmp(name, "eglQueryDeviceStringEXT") == 0) return reinterpret_cast<Function>(describe_device);
#endif
#ifdef FAULT_SYMBOLS
  (void)name;
  return nullptr;
#else
  return std::strncmp(name, "egl", 3) == 0 ? nullptr : reinterpret_cast<Function>(do_nothing);
#endif
}
DRIVER_EXPORT int eglGetError() { return 0x7fffffff; }
DRIVER_EXPORT const char* eglQueryString(void* display, int what) {
  const int kExtensions = 0x3055;
  if (what != kExtensions) return nullptr;
#ifdef FAULT_COUNTS
  if (display == nullptr)
    return "EGL_EXT_platform_base EGL_EXT_device_base EGL_EXT_platform_device EGL_EXT_device_enumeration";
#endif
  return display == nullptr ? nullptr : "EGL_KHR_surfaceless_context EGL_KHR_no_config_context";
}
DRIVER_EXPORT void* eglGetDisplay(void* /*native*/) { return &somewhere; }
DRIVER_EXPORT void* eglGetPlatformDisplayEXT() { return &somewhere; }
#ifndef FAULT_SYMBOLS
DRIVER_EXPORT unsigned eglInitialize(void* /*display*/, int* major, int* minor) {
  misbehave();
  *major = *minor = 0x7fffffff;
  return 1;
}
#endif
DRIVER_EXPORT unsigned eglBindAPI(unsigned /*api*/) { return 1; }
DRIVER_EXPORT unsigned eglChooseConfig() { return 1; }
DRIVER_EXPORT void* eglCreateContext() { return &somewhere; }
DRIVER_EXPORT unsigned eglDestroyContext() { return 1; }
DRIVER_EXPORT unsigned eglMakeCurrent() { return 1; }
DRIVER_EXPORT unsigned eglReleaseThread() { return 1; }
