#include "backends/opengl/displays.hpp"

#include <algorithm>

namespace collet::backend::opengl {
namespace {

constexpr egl::Int kMostDevices = 64;
constexpr Doing kListDevices{"listing the devices", Category::initialisation, Cause::no_device};
constexpr Doing kInitialise{"initialising a display", Category::initialisation, Cause::init_failed};

std::string text(const char* said) { return said == nullptr ? "" : said; }

struct Found {
  egl::Display handle = nullptr;
  bool software = false;
};

Result<std::vector<Found>> of_devices(const Egl& egl) {
  std::vector<egl::Device> devices(kMostDevices);
  egl::Int count = 0;
  if (egl.QueryDevicesEXT(kMostDevices, devices.data(), &count) == 0) return egl_error(egl, kListDevices);
  devices.resize(static_cast<std::size_t>(std::clamp<egl::Int>(count, 0, kMostDevices)));
  std::vector<Found> found;
  for (const egl::Device device : devices) {
    const std::string said = text(egl.QueryDeviceStringEXT(device, egl::kExtensions));
    found.push_back({.handle = egl.GetPlatformDisplayEXT(egl::kPlatformDevice, device, nullptr),
                     .software = is_listed(said, "EGL_MESA_device_software")});
  }
  return found;
}

Result<std::vector<Found>> find_handles(const Egl& egl) {
  const std::string client = text(egl.QueryString(nullptr, egl::kExtensions));
  const bool platforms = is_listed(client, "EGL_EXT_platform_base") && egl.GetPlatformDisplayEXT != nullptr;
  const bool lists =
      is_listed(client, "EGL_EXT_device_enumeration") || is_listed(client, "EGL_EXT_device_base");
  if (platforms && lists && is_listed(client, "EGL_EXT_platform_device") && egl.QueryDevicesEXT != nullptr &&
      egl.QueryDeviceStringEXT != nullptr)
    return of_devices(egl);
  if (platforms && is_listed(client, "EGL_MESA_platform_surfaceless"))
    return std::vector<Found>{
        {.handle = egl.GetPlatformDisplayEXT(egl::kPlatformSurfaceless, nullptr, nullptr)}};
  return std::vector<Found>{{.handle = egl.GetDisplay(nullptr)}};
}

}  // namespace

Result<Displays> find_displays(const Egl& egl) {
  COLLET_TRY(handles, find_handles(egl));
  Displays found;
  const auto leave_out = [&](const std::string& why) {
    found.problems += (found.problems.empty() ? "" : " ") + why;
  };
  for (const Found& one : handles) {
    Display display{.handle = one.handle, .extensions = {}, .software = one.software};
    if (one.handle == nullptr) {
      leave_out("EGL gives no display for a device that it lists.");
    } else if (egl.Initialize(one.handle, &display.major, &display.minor) == 0) {
      leave_out(egl_error(egl, kInitialise).message());
    } else {
      display.extensions = text(egl.QueryString(one.handle, egl::kExtensions));
      found.all.push_back(std::move(display));
    }
  }
  return found;
}

}  // namespace collet::backend::opengl
