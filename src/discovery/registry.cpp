// The one place that names backends.

#include "discovery/registry.hpp"

#include <charconv>
#include <collet_backends.hpp>
#include <mutex>
#include <vector>

#include "backends/null/backend.hpp"
#include "discovery/sentence.hpp"
#include "platform/platform.hpp"
#if COLLET_HAS_CPU
#include "backends/cpu/backend.hpp"
#include "backends/simulated/backend.hpp"
#endif
#if COLLET_HAS_VULKAN
#include "backends/vulkan/backend.hpp"
#endif
#if COLLET_HAS_OPENCL
#include "backends/opencl/backend.hpp"
#endif
#if COLLET_HAS_CUDA
#include "backends/cuda/backend.hpp"
#endif
#if COLLET_HAS_WEBGPU
#include "backends/webgpu/backend.hpp"
#endif
#if COLLET_HAS_OPENGL
#include "backends/opengl/backend.hpp"
#endif

namespace collet::discovery {
namespace {

#if COLLET_HAS_CPU
constexpr auto kMakeCpu = backend::cpu::make_backend;
constexpr auto kMakeSimulated = backend::simulated::make_backend;
constexpr auto kCpuRemark = backend::cpu::describe_tier;
#else
constexpr Result<std::string> (*kCpuRemark)() = nullptr;
constexpr std::unique_ptr<backend::Backend> (*kMakeSimulated)() = nullptr;
constexpr std::unique_ptr<backend::Backend> (*kMakeCpu)() = nullptr;
#endif
#if COLLET_HAS_VULKAN
constexpr auto kMakeVulkan = backend::vulkan::make_backend;
#else
constexpr std::unique_ptr<backend::Backend> (*kMakeVulkan)() = nullptr;
#endif
#if COLLET_HAS_OPENCL
constexpr auto kMakeOpenCl = backend::opencl::make_backend;
#else
constexpr std::unique_ptr<backend::Backend> (*kMakeOpenCl)() = nullptr;
#endif
#if COLLET_HAS_CUDA
constexpr auto kMakeCuda = backend::cuda::make_backend;
#else
constexpr std::unique_ptr<backend::Backend> (*kMakeCuda)() = nullptr;
#endif
#if COLLET_HAS_WEBGPU
constexpr auto kMakeWebGpu = backend::webgpu::make_backend;
#else
constexpr std::unique_ptr<backend::Backend> (*kMakeWebGpu)() = nullptr;
#endif
#if COLLET_HAS_OPENGL
constexpr auto kMakeOpenGl = backend::opengl::make_desktop_backend;
constexpr auto kMakeOpenGlEs = backend::opengl::make_es_backend;
#else
constexpr std::unique_ptr<backend::Backend> (*kMakeOpenGl)() = nullptr;
constexpr std::unique_ptr<backend::Backend> (*kMakeOpenGlEs)() = nullptr;
#endif

constexpr std::string_view kSwitchedOff = "switched off in this build";
constexpr std::string_view kUnwritten = "not written yet";

constexpr Remedy kVulkanRemedy{
    .option = "-DCOLLET_VULKAN=ON", .loader = "libvulkan1", .driver = "mesa-vulkan-drivers"};
constexpr Remedy kOpenClRemedy{
    .option = "-DCOLLET_OPENCL=ON", .loader = "ocl-icd-libopencl1", .driver = "pocl-opencl-icd"};
constexpr Remedy kCudaRemedy{
    .option = "-DCOLLET_CUDA=ON",
    .library =
        "Install NVIDIA's driver, which brings libcuda along; a machine without an NVIDIA "
        "GPU has no use for it."};
constexpr Remedy kWebGpuRemedy{
    .option = "-DCOLLET_WEBGPU=ON",
    .library =
        "Programs bring a WebGPU library along: put wgpu-native's or Dawn's where the system finds it, or "
        "name it by COLLET_WEBGPU."};
constexpr Remedy kOpenGlRemedy{
    .option = "-DCOLLET_OPENGL=ON", .loader = "libegl1", .driver = "libgl1-mesa-dri"};

// The ranks are the order of APIs that lead to equal devices.
constexpr Known kKnown[] = {
    {"cpu", kMakeCpu, kSwitchedOff, {.rank = 11}, {.option = "-DCOLLET_CPU=ON"}, true, kCpuRemark},
    {"vulkan", kMakeVulkan, kSwitchedOff, {.rank = 5, .oldest = "1.1"}, kVulkanRemedy},
    {"opencl",
     kMakeOpenCl,
     kSwitchedOff,
     {.rank = 4, .oldest = "1.2", .modern = "3.0", .old_rank = 10},
     kOpenClRemedy},
    {"cuda", kMakeCuda, kSwitchedOff, {.rank = 1, .oldest = "11.0"}, kCudaRemedy},
    {"hip", nullptr, kUnwritten, {.rank = 2, .oldest = "5.0"}},
    {"level_zero", nullptr, kUnwritten, {.rank = 3, .oldest = "1.0"}},
    {"metal", nullptr, kUnwritten, {.rank = 6, .oldest = "2.0"}},
    {"webgpu", kMakeWebGpu, kSwitchedOff, {.rank = 7}, kWebGpuRemedy},
    {"opengl", kMakeOpenGl, kSwitchedOff, {.rank = 8, .oldest = "4.3"}, kOpenGlRemedy, true, nullptr, "egl"},
    {"opengles",
     kMakeOpenGlEs,
     kSwitchedOff,
     {.rank = 9, .oldest = "3.1"},
     kOpenGlRemedy,
     true,
     nullptr,
     "egl"},
    {"webgl2", nullptr, "WebGL 2 has no compute shaders"},
    {"simulated",
     kMakeSimulated,
     "the cpu backend is switched off in this build",
     {.rank = 12},
     {.option = "-DCOLLET_CPU=ON"}},
    {"null", backend::null::make_backend, {}, {}, {}, false},  // for backend authors
};

// A backend, made when it is first asked for and never destroyed: drivers do not like to be unloaded.
struct Slot {
  std::once_flag made;
  backend::Backend* backend = nullptr;
  std::uint32_t epoch = 0;
};

Slot& slot(const Known& known) {
  static auto* const slots = new Slot[std::size(kKnown)];
  Slot& one = slots[&known - kKnown];
  std::call_once(one.made, [&] {
    one.backend = known.make().release();
    one.epoch = platform::epoch.load();
  });
  return one;
}

Error unknown_backend(std::string_view name) {
  return Error(ErrorCode::invalid_argument, Category::initialisation, Cause::no_device,
               "There is no backend called \"" + std::string(name) + "\".")
      .with_hint("This build has: " + built_ids() + ".");
}

// The driver was loaded before a fork and has no threads here.
Error forked(std::string_view id) {
  return Error(ErrorCode::unavailable, Category::initialisation, Cause::init_failed,
               "The driver of " + std::string(id) +
                   " was loaded before this process was forked and can't be used here.")
      .with_hint("Open devices after fork(), or start a new program with exec().");
}

}  // namespace

std::span<const Known> known_backends() { return kKnown; }

const Known* find_backend(std::string_view id) {
  for (const Known& known : kKnown) {
    if (known.id == id) return &known;
  }
  return nullptr;
}

std::string built_ids() {
  std::string list;
  for (const Known& known : kKnown) {
    if (known.listed && known.make != nullptr) list += (list.empty() ? "" : ", ") + std::string(known.id);
  }
  return list;
}

Result<backend::Backend*> instance(const Known& known) {
  if (known.make == nullptr) {
    return Error(ErrorCode::unsupported, Category::initialisation, Cause::library_not_found,
                 "The backend " + std::string(known.id) + " is not here: " + std::string(known.missing) + ".")
        .with_hint("This build has: " + built_ids() + ".");
  }
  const Slot& one = slot(known);
  if (platform::forked_since(one.epoch)) return forked(known.id);
  return one.backend;
}

BackendInfo probe_here(const Known& known, std::vector<DeviceInfo>& devices) {
  BackendInfo info;
  info.id = known.id;
  if (known.make == nullptr) {
    info.message = known.missing;
    return info;
  }
  auto made = instance(known);
  if (!made) {
    info.rung = Rung::loaded;
    info.message = made.error().message();
    return info;
  }
  backend::ProbeResult found = (*made)->probe();
  info.rung = found.rung;
  info.message = std::move(found.message);
  info.library = std::move(found.library);
  info.version = std::move(found.version);
  info.device_count = static_cast<std::uint32_t>(found.devices.size());
  for (DeviceInfo& device : found.devices) devices.push_back(std::move(device));
  return info;
}

Result<std::unique_ptr<backend::Device>> open(std::string_view id, const OpenOptions& options) {
  const std::size_t colon = id.find(':');
  const std::string_view name = id.substr(0, colon);
  std::uint32_t index = 0;
  if (colon != std::string_view::npos) {
    const std::string_view number = id.substr(colon + 1);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
    if (error != std::errc() || end != number.data() + number.size()) {
      return Error(ErrorCode::invalid_argument, Category::initialisation, Cause::no_device,
                   std::string("\"").append(number) + "\" is no device index.")
          .with_hint("Write backend:index, such as vulkan:0.");
    }
  }
  const Known* known = find_backend(name);
  if (known == nullptr) return unknown_backend(name);
  COLLET_TRY(backend, instance(*known));
  std::vector<DeviceInfo> devices;
  const BackendInfo found = probe_here(*known, devices);
  if (devices.empty()) {
    return Error(ErrorCode::unavailable, Category::initialisation,
                 found.rung < Rung::loaded ? Cause::library_not_found : Cause::no_device,
                 "The backend " + std::string(name) + " has no device: " + sentence(found.message));
  }
  if (index >= devices.size()) {
    return Error(ErrorCode::unavailable, Category::initialisation, Cause::no_device,
                 "The backend " + std::string(name) + " has " + std::to_string(devices.size()) +
                     " devices; number " + std::to_string(index) + " is asked for, and they count from 0.");
  }
  return backend->open(index, options);
}

}  // namespace collet::discovery
