// WebGPU: the library, its adapters, and opening a device.

#include "backends/webgpu/backend.hpp"

#include <deque>

#include "backends/common/listing.hpp"
#include "backends/webgpu/device.hpp"
#include "backends/webgpu/files.hpp"
#include "base/log.hpp"

namespace collet::backend::webgpu {
namespace {

struct Loaded {
  Api wgpu;
  std::string path;
  std::string version;
  abi::Instance instance = nullptr;
};

class WebGpuBackend final : public Backend {
 public:
  std::string_view id() const override { return "webgpu"; }
  std::vector<DriverFile> files() const override { return driver_files(); }
  std::vector<std::string> variables() const override { return driver_variables(); }
  ProbeResult probe() override;
  Result<std::unique_ptr<Device>> open(std::uint32_t index, const OpenOptions& options) override;

 private:
  // The address is good until the process ends. A library that was not found is looked for again at each
  // call.
  Result<const Loaded*> load();
  Reports& new_reports();

  std::mutex mutex_;
  std::unique_ptr<const Loaded> loaded_;  // guarded by mutex_; set once
  std::deque<Reports> reports_;           // guarded by mutex_; of every device that was ever opened
};

Result<const Loaded*> WebGpuBackend::load() {
  const std::lock_guard lock(mutex_);
  if (loaded_ == nullptr) {
    COLLET_TRY(library, platform::open_library("webgpu"));
    COLLET_TRY(wgpu, load_api(library));
    const abi::InstanceDescriptor desc;
    const abi::Instance instance = wgpu.CreateInstance(&desc);
    if (instance == nullptr) {
      return Error(ErrorCode::unavailable, Category::initialisation, Cause::instance_failed,
                   "The WebGPU library " + library.path() + " gives no instance.");
    }
    loaded_ = std::make_unique<const Loaded>(Loaded{wgpu, library.path(), library_name(wgpu), instance});
  }
  return loaded_.get();
}

Reports& WebGpuBackend::new_reports() {
  const std::lock_guard lock(mutex_);
  return reports_.emplace_back();
}

ProbeResult WebGpuBackend::probe() {
  const auto loaded = load();
  if (!loaded) {
    const Cause cause = loaded.error().cause();
    const bool opened = cause == Cause::symbol_missing || cause == Cause::instance_failed;
    return common::not_loaded(loaded.error(), opened);
  }
  ProbeResult result{.rung = Rung::loaded,
                     .message = {},
                     .library = (*loaded)->path,
                     .version = (*loaded)->version,
                     .devices = {}};
  const auto candidates = Candidates::enumerate((*loaded)->wgpu, (*loaded)->instance);
  if (!candidates) {
    result.message = candidates.error().message();
    return result;
  }
  common::list_candidates(candidates->all(), result);
  if (candidates->all().empty())
    result.message =
        "The WebGPU library finds no adapter. WGPU_BACKEND names the API below it: vulkan, gl, metal or "
        "dx12.";
  return result;
}

Result<std::unique_ptr<Device>> WebGpuBackend::open(std::uint32_t index, const OpenOptions& options) {
  if (options.validation)
    base::log(LogLevel::info, "webgpu", "Validation was asked for; WebGPU always validates.");
  COLLET_TRY(loaded, load());
  COLLET_TRY(candidates, Candidates::enumerate(loaded->wgpu, loaded->instance));
  if (index >= candidates.all().size())
    return common::no_device("webgpu", index, "WebGPU", candidates.all().size(), "adapters");
  return WebGpuDevice::open(loaded->wgpu, loaded->instance, new_reports(), candidates.all()[index],
                            options.wait);
}

}  // namespace

std::unique_ptr<Backend> make_backend() { return std::make_unique<WebGpuBackend>(); }

}  // namespace collet::backend::webgpu
