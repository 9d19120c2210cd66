// OpenGL: the search of libglvnd, which most systems have as their EGL, for the libraries of vendors.

#include "backends/opengl/files.hpp"

#include "backends/common/driver_files.hpp"
#include "platform/platform.hpp"

namespace collet::backend::opengl {
namespace {

std::vector<std::string> manifests() {
  const auto named = [](const char* variable) {
    return common::split_paths(platform::environment(variable).value_or(""));
  };
  if (auto chosen = named("__EGL_VENDOR_LIBRARY_FILENAMES"); !chosen.empty()) return chosen;
  std::vector<std::string> folders = named("__EGL_VENDOR_LIBRARY_DIRS");
  if (folders.empty()) folders = {"/etc/glvnd/egl_vendor.d", "/usr/share/glvnd/egl_vendor.d"};
  std::vector<std::string> found;
  for (const std::string& folder : folders) {
    for (std::string& one : common::files_in(folder, ".json")) found.push_back(std::move(one));
  }
  return found;
}

}  // namespace

std::vector<DriverFile> driver_files() {
  std::vector<DriverFile> files{common::find_loader("egl")};
  for (const std::string& manifest : manifests()) common::add_json_manifest(manifest, files);
  return files;
}

std::vector<std::string> driver_variables() {
  return {"__EGL_VENDOR_LIBRARY_FILENAMES",
          "__EGL_VENDOR_LIBRARY_DIRS",
          "EGL_PLATFORM",
          "LIBGL_ALWAYS_SOFTWARE",
          "LIBGL_DRIVERS_PATH",
          "GALLIUM_DRIVER",
          "MESA_LOADER_DRIVER_OVERRIDE",
          "MESA_GL_VERSION_OVERRIDE",
          "MESA_GLES_VERSION_OVERRIDE",
          "MESA_GLSL_VERSION_OVERRIDE",
          "MESA_EXTENSION_OVERRIDE",
          "DRI_PRIME",
          "LP_NUM_THREADS",
          "CUDA_VISIBLE_DEVICES",
          "LD_LIBRARY_PATH",
          "LD_PRELOAD"};
}

}  // namespace collet::backend::opengl
