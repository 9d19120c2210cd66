// Android: what differs from other Linux systems. Never built or run yet.

#include <dlfcn.h>
#include <sys/types.h>

#include "platform/platform.hpp"
#include "platform/posix.hpp"

namespace collet::platform {

std::string loaded_path(void* /*handle*/) { return {}; }  // its loader tells no paths of handles

std::span<const char* const> library_names(std::string_view api) {
  static constexpr const char* kVulkan[] = {"libvulkan.so"};
  static constexpr const char* kOpenCl[] = {"libOpenCL.so",
                                            "libOpenCL-pixel.so"};  // where the app may see one
  static constexpr const char* kEgl[] = {"libEGL.so"};
  static constexpr const char* kWebGpu[] = {"libwgpu_native.so", "libwebgpu_dawn.so"};
  if (api == "vulkan") return kVulkan;
  if (api == "opencl") return kOpenCl;
  if (api == "egl") return kEgl;
  if (api == "webgpu") return kWebGpu;
  return {};
}

std::string own_path() {
  Dl_info facts{};
  if (dladdr(reinterpret_cast<const void*>(&own_path), &facts) == 0 || facts.dli_fname == nullptr) return {};
  return facts.dli_fname;
}

// An app's folders are known to its Java side only, which sets TMPDIR to the one for caches.
std::string cache_directory() {
  std::string folder = environment("TMPDIR").value_or("");
  while (folder.ends_with('/')) folder.pop_back();
  return folder;
}

std::vector<DeviceNode> device_nodes() { return {}; }  // apps may not look at /dev

// An app may only start programs that came with its package, and the helper does not.
Result<Ended> run_child(const std::string& program, std::span<const std::string>,
                        std::span<const std::pair<std::string, std::string>>, Deadline, std::size_t) {
  return Error(ErrorCode::unsupported, Category::runtime,
               "Collet starts no child processes on Android, so (" + program + ") was not started.");
}

// There is no helper program here that could end.
void explain_ends() {}
void disarm_ends() {}

}  // namespace collet::platform
