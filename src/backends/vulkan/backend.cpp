// Vulkan: what is there, and the door to it.

#include "backends/vulkan/backend.hpp"

#include "backends/common/vulkan_files.hpp"
#include "backends/vulkan/device.hpp"
#include "backends/vulkan/instance.hpp"

namespace collet::backend::vulkan {
namespace {

class VulkanBackend final : public Backend {
 public:
  std::string_view id() const override { return "vulkan"; }

  std::vector<DriverFile> files() const override { return common::vulkan_files(); }
  std::vector<std::string> variables() const override { return common::vulkan_variables(); }

  ProbeResult probe() override {
    const Instance& vulkan = instance();
    ProbeResult out{.rung = vulkan.rung,
                    .message = {},
                    .library = vulkan.library,
                    .version = vulkan.version,
                    .devices = {}};
    const auto handles = physical_devices(vulkan);
    if (!handles) {
      out.message = handles.error().message();
      return out;
    }
    for (std::uint32_t i = 0; i < handles->size(); ++i) {
      Features features;
      const Physical physical = describe((*handles)[i], i, features);
      if (!physical.refusal.empty()) out.message += (out.message.empty() ? "" : " ") + physical.refusal;
      out.devices.push_back(physical.info);
    }
    if (out.devices.empty()) out.message = "Vulkan is installed and lists no device.";
    return out;
  }

  Result<std::unique_ptr<Device>> open(std::uint32_t index, const OpenOptions& options) override {
    const Instance& vulkan = options.validation ? validated_instance() : instance();
    COLLET_TRY(handles, physical_devices(vulkan));
    if (index >= handles.size()) {
      return Error(ErrorCode::unavailable, Category::device, Cause::no_device,
                   "There is no device vulkan:" + std::to_string(index) + "; Vulkan lists " +
                       std::to_string(handles.size()) + ".");
    }
    return VulkanDevice::open(vulkan, handles[index], index, options);
  }
};

}  // namespace

std::unique_ptr<Backend> make_backend() { return std::make_unique<VulkanBackend>(); }

}  // namespace collet::backend::vulkan
