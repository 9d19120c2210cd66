// Vulkan: finds the loader and makes the instance.

#include "backends/vulkan/instance.hpp"

#include <algorithm>
#include <cstring>

#include "backends/vulkan/errors.hpp"
#include "platform/platform.hpp"

namespace collet::backend::vulkan {
namespace {

constexpr std::uint32_t kMostDevices = 256;

std::vector<const char*> wanted_extensions(bool& debug_names, bool& portability) {
  std::uint32_t count = 0;
  vkEnumerateInstanceExtensionProperties(nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> all(count);
  vkEnumerateInstanceExtensionProperties(nullptr, &count, all.data());
  all.resize(count);
  const auto has = [&](const char* name) {
    return std::any_of(all.begin(), all.end(),
                       [&](const auto& e) { return std::strcmp(e.extensionName, name) == 0; });
  };
  std::vector<const char*> names;
  debug_names = has(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  if (debug_names) names.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  portability = has(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
  if (portability) names.push_back(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
  return names;
}

Result<void> load(Instance& made) {
  COLLET_TRY(library, platform::Library::open(platform::library_names("vulkan")));
  made.rung = Rung::loaded;
  made.library = library.path();
  auto* entry = reinterpret_cast<PFN_vkGetInstanceProcAddr>(library.symbol("vkGetInstanceProcAddr"));
  if (entry == nullptr) {
    return Error(ErrorCode::unavailable, Category::initialisation, Cause::symbol_missing,
                 "The library " + library.path() + " has no function vkGetInstanceProcAddr.");
  }
  volkInitializeCustom(entry);
  if (vkEnumerateInstanceVersion == nullptr) {
    return Error(ErrorCode::unsupported, Category::initialisation, Cause::version_unsupported,
                 "The Vulkan loader " + library.path() + " is of version 1.0; Collet needs 1.1.");
  }
  std::uint32_t version = 0;
  if (vkEnumerateInstanceVersion(&version) == VK_SUCCESS) made.version = version_text(version);
  return {};
}

Result<void> create(Instance& made) {
  COLLET_CHECK(load(made));
  auto application = structure<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
  application.pEngineName = "Collet";
  application.apiVersion =
      VK_API_VERSION_1_3;  // the newest that we use; older loaders and devices take it too
  bool portability = false;
  const auto extensions = wanted_extensions(made.debug_names, portability);
  auto info = structure<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  info.pApplicationInfo = &application;
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  if (portability) info.flags |= VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
  VkInstance handle = VK_NULL_HANDLE;
  COLLET_CHECK(check(vkCreateInstance(&info, nullptr, &handle), kMakeInstance));
  volkLoadInstanceOnly(handle);
  made.handle = handle;
  made.rung = Rung::initialised;
  return {};
}

}  // namespace

const Instance& instance() {
  // Leaked on purpose: drivers run threads until the process ends.
  static const Instance* const the = [] {
    auto* made = new Instance;
    if (auto result = create(*made); !result) made->error = result.error();
    return made;
  }();
  return *the;
}

Result<std::vector<VkPhysicalDevice>> physical_devices() {
  const Instance& vulkan = instance();
  if (vulkan.error) return *vulkan.error;
  std::uint32_t count = 0;
  COLLET_CHECK(check(vkEnumeratePhysicalDevices(vulkan.handle, &count, nullptr), kEnumerate));
  if (count > kMostDevices) {
    return Error(ErrorCode::internal, Category::driver, Cause::no_device,
                 "A Vulkan driver says that it has " + std::to_string(count) + " devices; more than " +
                     std::to_string(kMostDevices) + " are not believed.");
  }
  std::vector<VkPhysicalDevice> devices(count);
  COLLET_CHECK(check(vkEnumeratePhysicalDevices(vulkan.handle, &count, devices.data()), kEnumerate));
  devices.resize(count);
  return devices;
}

}  // namespace collet::backend::vulkan
