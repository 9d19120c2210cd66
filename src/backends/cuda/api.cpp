// CUDA: the table of entry points, and its one initialisation.

#include "backends/cuda/api.hpp"

#include <mutex>

#include "backends/cuda/errors.hpp"
#include "base/log.hpp"

namespace collet::backend::cuda {
namespace {

Result<Api> load(const platform::Library& library) {
  Api cuda;
  cuda.path = library.path();
  std::string missing;
#define COLLET_CUDA_LOAD(name, symbol_name, ...)                                  \
  cuda.name = reinterpret_cast<decltype(cuda.name)>(library.symbol(symbol_name)); \
  if (cuda.name == nullptr) missing += (missing.empty() ? "" : ", ") + std::string(symbol_name);
  COLLET_CUDA_REQUIRED(COLLET_CUDA_LOAD)
#undef COLLET_CUDA_LOAD
  if (!missing.empty()) {
    return Error(ErrorCode::unavailable, Category::initialisation, Cause::symbol_missing,
                 "The CUDA driver " + cuda.path + " lacks functions: " + missing + ".")
        .with_hint("It is older than CUDA 11: install a newer driver.");
  }
  COLLET_CHECK(check(cuda.Init(0), kInitialise));
  COLLET_CHECK(check(cuda.DriverGetVersion(&cuda.version), kInitialise));
  int count = 0;
  COLLET_CHECK(check(cuda.DeviceGetCount(&count), kListDevices));
  base::log(LogLevel::info, "cuda", cuda.path + " has " + std::to_string(count) + " devices.");
  return cuda;
}

}  // namespace

Result<const Api*> load_api() {
  static std::mutex mutex;
  static const Api* loaded = nullptr;  // guarded by mutex
  const std::lock_guard lock(mutex);
  if (loaded == nullptr) {
    COLLET_TRY(library, platform::open_library("cuda"));
    COLLET_TRY(cuda, load(library));
    loaded = new Api(std::move(cuda));
  }
  return loaded;
}

}  // namespace collet::backend::cuda
