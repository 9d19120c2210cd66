// Vulkan: finds the loader and makes the instances.

#include "backends/vulkan/instance.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "backends/vulkan/list.hpp"
#include "backends/vulkan/validation.hpp"
#include "platform/platform.hpp"

namespace collet::backend::vulkan {
namespace {

constexpr std::uint32_t kMostDevices = 256;

Result<std::vector<const char*>> wanted_extensions(bool& debug_names, bool& portability) {
  COLLET_TRY(all, list<VkExtensionProperties>(kMostEntries, [](auto* count, auto* entries) {
               return vkEnumerateInstanceExtensionProperties(nullptr, count, entries);
             }));
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
  COLLET_TRY(library, platform::open_library("vulkan"));
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
  COLLET_CHECK(check(vkEnumerateInstanceVersion(&version), kMakeInstance));
  made.version = version_text(version);
  return {};
}

// With the loader loaded.
Result<void> create(Instance& made, std::span<const char* const> layers) {
  auto application = structure<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
  application.pEngineName = "Collet";
  application.apiVersion =
      VK_API_VERSION_1_3;  // the newest that we use; older loaders and devices take it too
  bool portability = false;
  COLLET_TRY(extensions, wanted_extensions(made.debug_names, portability));
  auto info = structure<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  info.pApplicationInfo = &application;
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  info.enabledLayerCount = static_cast<std::uint32_t>(layers.size());
  info.ppEnabledLayerNames = layers.data();
  if (portability) info.flags |= VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
  COLLET_CHECK(check(vkCreateInstance(&info, nullptr, &made.handle), kMakeInstance));
  made.rung = Rung::initialised;
  return {};
}

Result<void> make_plain(Instance& made) {
  COLLET_CHECK(load(made));
  COLLET_CHECK(create(made, {}));
  volkLoadInstanceOnly(made.handle);
  return {};
}

// It uses the plain instance's function pointers: the loader's serve every instance, and loading them again
// would change them under other threads.
Result<void> make_validated(Instance& made) {
  made.library = instance().library;
  constexpr const char* kLayers[] = {kValidationLayer};
  COLLET_CHECK(create(made, kLayers));
  COLLET_CHECK(log_messages_of(made.handle));
  made.validated = true;
  return {};
}

}  // namespace

const Instance& instance() {
  // Leaked on purpose: drivers run threads until the process ends.
  static const Instance* const the = [] {
    auto* made = new Instance;
    if (auto result = make_plain(*made); !result) made->error = result.error();
    return made;
  }();
  return *the;
}

const Instance& validated_instance() {
  static const Instance* const the = [] {
    if (instance().error || !has_validation_layer()) return &instance();
    auto* made = new Instance;
    if (auto result = make_validated(*made); !result) made->error = result.error();
    return static_cast<const Instance*>(made);
  }();
  return *the;
}

Result<std::vector<VkPhysicalDevice>> physical_devices(const Instance& vulkan) {
  if (vulkan.error) return *vulkan.error;
  COLLET_TRY(devices, list<VkPhysicalDevice>(kMostDevices + 1, [&](auto* count, auto* entries) {
               return vkEnumeratePhysicalDevices(vulkan.handle, count, entries);
             }));
  if (devices.size() > kMostDevices) {
    return Error(ErrorCode::internal, Category::driver, Cause::no_device,
                 "A Vulkan driver says that it has more than " + std::to_string(kMostDevices) +
                     " devices, which is not believed.");
  }
  return devices;
}

}  // namespace collet::backend::vulkan
