// Null: what it is and what it can hold.

#include "backends/null/backend.hpp"

#include "backends/null/device.hpp"
#include "platform/platform.hpp"

namespace collet::backend::null {

NullDevice::NullDevice() {
  info_.backend = "null";
  info_.name = "null (runs no kernels)";
  info_.driver = "none";
  info_.rung = Rung::initialised;

  caps_.formats = {Format::host_function, Format::spirv_shader, Format::opencl_c};
  caps_.max_bindings = 64;
  caps_.max_binding_range = std::uint64_t{1} << 40;
  caps_.max_constants_size = 4096;
  caps_.max_groups = {0xffffffffu, 65535, 65535};
  caps_.max_group_size = {1024, 1024, 64};
  caps_.max_group_items = 1024;
  caps_.max_shared_bytes = 48 << 10;
  caps_.max_allocation = platform::physical_memory();
  caps_.mapped = true;
  caps_.host_commands = true;
  caps_.executes = false;
}

namespace {

class NullBackend final : public Backend {
 public:
  std::string_view id() const override { return "null"; }

  ProbeResult probe() override {
    return {.rung = Rung::initialised,
            .message = "runs no kernels",
            .library = {},
            .devices = {NullDevice().info()}};
  }

  Result<std::unique_ptr<Device>> open(std::uint32_t, const OpenOptions&) override {
    return std::unique_ptr<Device>(std::make_unique<NullDevice>());
  }
};

}  // namespace

std::unique_ptr<Backend> make_backend() { return std::make_unique<NullBackend>(); }

}  // namespace collet::backend::null
