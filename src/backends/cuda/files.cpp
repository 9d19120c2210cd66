// CUDA: the driver's library, and the variables that it reads.

#include "backends/cuda/files.hpp"

#include <utility>

#include "backends/common/driver_files.hpp"

namespace collet::backend::cuda {

// Nothing is wrong with a machine that has no NVIDIA GPU.
std::vector<DriverFile> driver_files() {
  DriverFile library = common::find_loader("cuda");
  if (!library.problem.empty()) return {};
  return {std::move(library)};
}

std::vector<std::string> driver_variables() {
  return {"CUDA_VISIBLE_DEVICES",    "CUDA_DEVICE_ORDER",
          "CUDA_MODULE_LOADING",     "CUDA_CACHE_DISABLE",
          "CUDA_FORCE_PTX_JIT",      "CUDA_LAUNCH_BLOCKING",
          "CUDA_MPS_PIPE_DIRECTORY", "NVIDIA_VISIBLE_DEVICES",
          "LD_LIBRARY_PATH",         "LD_PRELOAD"};
}

}  // namespace collet::backend::cuda
