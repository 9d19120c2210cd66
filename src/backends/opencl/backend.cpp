// OpenCL: the loader, every platform behind it, and opening a device.

#include "backends/opencl/backend.hpp"

#include "backends/common/listing.hpp"
#include "backends/opencl/device.hpp"
#include "backends/opencl/files.hpp"
#include "base/log.hpp"

namespace collet::backend::opencl {
namespace {

struct Loaded {
  Api cl;
  std::string path;
  std::string version;
};

class OpenClBackend final : public Backend {
 public:
  std::string_view id() const override { return "opencl"; }
  std::vector<DriverFile> files() const override { return driver_files(); }
  std::vector<std::string> variables() const override { return driver_variables(); }
  ProbeResult probe() override;
  Result<std::unique_ptr<Device>> open(std::uint32_t index, const OpenOptions& options) override;

 private:
  // The address is good until the process ends. A loader that was not found is looked for again at each call.
  Result<const Loaded*> load();

  std::mutex mutex_;
  std::unique_ptr<const Loaded> loaded_;  // guarded by mutex_; set once
};

Result<const Loaded*> OpenClBackend::load() {
  const std::lock_guard lock(mutex_);
  if (loaded_ == nullptr) {
    COLLET_TRY(library, platform::open_library("opencl"));
    COLLET_TRY(cl, load_api(library));
    loaded_ = std::make_unique<const Loaded>(Loaded{cl, library.path(), loader_version(library)});
  }
  return loaded_.get();
}

ProbeResult OpenClBackend::probe() {
  const auto loaded = load();
  if (!loaded) return common::not_loaded(loaded.error(), loaded.error().cause() == Cause::symbol_missing);

  ProbeResult result{.rung = Rung::loaded,
                     .message = {},
                     .library = (*loaded)->path,
                     .version = (*loaded)->version,
                     .devices = {}};
  const auto candidates = enumerate((*loaded)->cl);
  if (!candidates) {
    result.message = candidates.error().message();
    return result;
  }
  common::list_candidates(*candidates, result);
  if (candidates->empty()) result.message = "The OpenCL loader knows no device.";
  return result;
}

Result<std::unique_ptr<Device>> OpenClBackend::open(std::uint32_t index, const OpenOptions& options) {
  if (options.validation)
    base::log(LogLevel::warn, "opencl", "Validation was asked for, and OpenCL has no checking layer.");
  COLLET_TRY(loaded, load());
  COLLET_TRY(candidates, enumerate(loaded->cl));
  if (index >= candidates.size()) return common::no_device("opencl", index, "OpenCL", candidates.size());
  return OpenClDevice::open(loaded->cl, candidates[index], options);
}

}  // namespace

std::unique_ptr<Backend> make_backend() { return std::make_unique<OpenClBackend>(); }

}  // namespace collet::backend::opencl
