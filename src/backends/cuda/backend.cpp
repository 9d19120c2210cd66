// CUDA: the driver, its devices, and opening one.

#include "backends/cuda/backend.hpp"

#include "backends/common/listing.hpp"
#include "backends/cuda/device.hpp"
#include "backends/cuda/files.hpp"

namespace collet::backend::cuda {
namespace {

class CudaBackend final : public Backend {
 public:
  std::string_view id() const override { return "cuda"; }
  std::vector<DriverFile> files() const override { return driver_files(); }
  std::vector<std::string> variables() const override { return driver_variables(); }
  ProbeResult probe() override;
  Result<std::unique_ptr<Device>> open(std::uint32_t index, const OpenOptions& options) override;
};

ProbeResult CudaBackend::probe() {
  const auto cuda = load_api();
  if (!cuda) {
    const bool opened = cuda.error().cause() != Cause::library_not_found;
    return common::not_loaded(cuda.error(), opened);
  }
  ProbeResult result{.rung = Rung::loaded,
                     .message = {},
                     .library = (*cuda)->path,
                     .version = "CUDA " + version_text((*cuda)->version),
                     .devices = {}};
  const auto candidates = enumerate(**cuda);
  if (!candidates) {
    result.message = candidates.error().message();
    return result;
  }
  common::list_candidates(*candidates, result);
  if (candidates->empty()) result.message = "The CUDA driver finds no device.";
  return result;
}

Result<std::unique_ptr<Device>> CudaBackend::open(std::uint32_t index, const OpenOptions& options) {
  COLLET_TRY(cuda, load_api());
  COLLET_TRY(candidates, enumerate(*cuda));
  if (index >= candidates.size()) return common::no_device("cuda", index, "CUDA", candidates.size());
  return CudaDevice::open(*cuda, candidates[index], options);
}

}  // namespace

std::unique_ptr<Backend> make_backend() { return std::make_unique<CudaBackend>(); }

}  // namespace collet::backend::cuda
