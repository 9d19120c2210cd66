// Simulated devices: the CPU backend under the limits that COLLET_FAKE makes up. Kernels really run.

#include "backends/simulated/backend.hpp"

#include "backends/cpu/backend.hpp"
#include "backends/simulated/worked_device.hpp"
#include "layers/limited.hpp"
#include "platform/platform.hpp"

namespace collet::backend::simulated {
namespace {

// Read at every call, so that a test may change it.
Result<layers::Limits> asked() {
  return layers::parse_limits(platform::environment("COLLET_FAKE").value_or(""));
}

DeviceInfo named(DeviceInfo info, std::uint32_t index, const layers::Limits& limits) {
  info.backend = "simulated";
  info.index = index;
  const std::string profile(limits.profile.name);
  info.name = "Simulated " + profile + (profile.empty() ? "" : " ") + "device (runs on the CPU backend)";
  info.type = DeviceType::simulated;
  info.vendor = "Collet";
  info.integrated = std::nullopt;
  info.l2_cache = std::nullopt;
  return info;
}

class SimulatedBackend final : public Backend {
 public:
  std::string_view id() const override { return "simulated"; }

  ProbeResult probe() override {
    ProbeResult found{.rung = Rung::compiled_in, .message = {}, .library = {}, .devices = {}};
    const auto limits = asked();
    if (!limits) {
      found.message = "COLLET_FAKE is not understood: " + limits.error().message();
      return found;
    }
    found.rung = Rung::initialised;
    if (limits->devices == 0) found.message = "COLLET_FAKE=1 makes one, which runs on the cpu backend";
    for (const DeviceInfo& cpu : cpu_->probe().devices) {
      for (std::uint32_t i = 0; i < limits->devices; ++i) {
        layers::describe_limits(found.devices.emplace_back(named(cpu, i, *limits)), *limits);
      }
    }
    return found;
  }

  std::vector<std::string> variables() const override { return {"COLLET_FAKE"}; }

  Result<std::unique_ptr<Device>> open(std::uint32_t index, const OpenOptions& options) override {
    COLLET_TRY(limits, asked());
    COLLET_TRY(inside, cpu_->open(0, options));
    DeviceInfo info = named(inside->info(), index, limits);
    if (limits.profile.one_queue) {
      COLLET_TRY(worked, WorkedDevice::open(std::move(inside)));
      inside = std::move(worked);
    }
    return std::unique_ptr<Device>(
        std::make_unique<layers::LimitedDevice>(std::move(inside), std::move(info), limits));
  }

 private:
  const std::unique_ptr<Backend> cpu_ = cpu::make_backend();
};

}  // namespace

std::unique_ptr<Backend> make_backend() { return std::make_unique<SimulatedBackend>(); }

}  // namespace collet::backend::simulated
