// OpenCL: the loader's search for drivers, followed on disk.

#include "backends/opencl/files.hpp"

#include <filesystem>

#include "backends/common/driver_files.hpp"
#include "platform/platform.hpp"

namespace collet::backend::opencl {
namespace {

constexpr const char* kUsualFolder = "/etc/OpenCL/vendors";

// A manifest holds one line: the driver's path or plain name.
void add_manifest(const std::string& path, std::vector<DriverFile>& files) {
  std::string problem;
  std::string text = common::read_manifest(path, problem);
  text.resize(std::min(text.find_first_of("\r\n"), text.size()));
  while (text.ends_with(' ') || text.ends_with('\t')) text.pop_back();
  if (problem.empty() && text.empty()) problem = "not understood: it names no library";
  common::add_driver(path, text, problem, files);
}

// A folder of manifests, one manifest, or the driver itself: ocl-icd takes all three.
void add_vendors(const std::string& where, std::vector<DriverFile>& files) {
  std::error_code none;
  if (std::filesystem::is_directory(where, none)) {
    for (const std::string& path : common::files_in(where, ".icd")) add_manifest(path, files);
  } else if (where.ends_with(".icd")) {
    const bool plain = where.find('/') == std::string::npos;
    add_manifest(plain ? std::string(kUsualFolder) + "/" + where : where, files);
  } else {
    files.push_back(common::find_driver(where));
  }
}

}  // namespace

std::vector<DriverFile> driver_files() {
  std::vector<DriverFile> files{common::find_loader("opencl")};
  std::string where = kUsualFolder;
  for (const char* variable : {"OPENCL_VENDOR_PATH", "OCL_ICD_VENDORS"}) {
    if (const auto chosen = platform::environment(variable); chosen && !chosen->empty()) where = *chosen;
  }
  add_vendors(where, files);
  for (const std::string& name : common::split_paths(platform::environment("OCL_ICD_FILENAMES").value_or("")))
    files.push_back(common::find_driver(name));
  return files;
}

std::vector<std::string> driver_variables() {
  return {"OCL_ICD_VENDORS",        "OCL_ICD_FILENAMES",
          "OPENCL_VENDOR_PATH",     "OPENCL_LAYERS",
          "OPENCL_LAYER_PATH",      "OCL_ICD_DEFAULT_PLATFORM",
          "OCL_ICD_PLATFORM_SORT",  "OCL_ICD_ASSUME_ICD_EXTENSION",
          "POCL_DEVICES",           "POCL_MAX_PTHREAD_COUNT",
          "POCL_MEMORY_LIMIT",      "POCL_BUILDING",
          "POCL_PATH_PREFIX",       "POCL_LLVM_CPU",
          "RUSTICL_ENABLE",         "RUSTICL_DEVICE_TYPE",
          "CL_CONFIG_DEVICES",      "CL_CONFIG_CPU_TARGET_ARCH",
          "ONEAPI_DEVICE_SELECTOR", "ZE_AFFINITY_MASK",
          "NEOReadDebugKeys",       "CUDA_VISIBLE_DEVICES",
          "GPU_DEVICE_ORDINAL",     "ROCR_VISIBLE_DEVICES",
          "LD_LIBRARY_PATH",        "LD_PRELOAD"};
}

}  // namespace collet::backend::opencl
