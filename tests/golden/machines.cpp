// Made-up machines.

#include "machines.hpp"

#include <utility>

namespace collet::golden {
namespace {

constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kGiB = kKiB * kKiB * kKiB;

DeviceInfo device(std::string backend, std::uint32_t index, std::string name, DeviceType type,
                  std::string driver, std::string api_version, std::optional<std::uint64_t> memory) {
  DeviceInfo info;
  info.backend = std::move(backend);
  info.index = index;
  info.name = std::move(name);
  info.type = type;
  info.driver = std::move(driver);
  info.api_version = std::move(api_version);
  info.rung = Rung::verified;
  info.memory_total = memory;
  return info;
}

DeviceInfo processor() {
  DeviceInfo info = device("cpu", 0, "AMD Ryzen Threadripper PRO 5995WX 64-Cores", DeviceType::cpu,
                           "Collet's own thread pool", "", 125 * kGiB + 410 * kKiB * kKiB);
  info.vendor = "AMD";
  info.max_group_items = 1024;
  info.compute_units = 128;
  info.l2_cache = 512 * kKiB;
  info.unified_memory = true;
  info.f64 = true;
  return info;
}

DeviceInfo big_gpu(std::string backend, std::string driver, std::string api_version) {
  DeviceInfo info = device(std::move(backend), 0, "NVIDIA GeForce RTX 4090", DeviceType::discrete,
                           std::move(driver), std::move(api_version), 24 * kGiB);
  info.vendor = "NVIDIA";
  info.shared_memory_per_group = 48 * kKiB;
  info.subgroup_size = 32;
  info.max_group_items = 1024;
  info.max_group_size = {{1024, 1024, 64}};
  info.max_groups = {{2147483647, 65535, 65535}};
  info.max_allocation = 6 * kGiB;
  info.max_binding_range = 4 * kGiB - 1;
  info.compute_units = 128;
  info.clock_mhz = 2520;
  info.l2_cache = 72 * kKiB * kKiB;
  info.compute_capability = "8.9";
  info.ecc = false;
  info.integrated = false;
  info.unified_memory = false;
  info.concurrent_kernels = true;
  info.timestamps = true;
  info.f16 = info.f64 = info.i64 = info.i64_atomics = info.f32_atomics = true;
  info.storage8 = info.storage16 = info.exact_fma = info.device_fences = true;
  info.subgroups = info.subgroup_arithmetic = info.subgroup_vote = true;
  info.subgroup_broadcast = info.subgroup_shuffle = info.subgroup_i64 = true;
  info.uuid = "8f3c2a6e9d1b4c7fa05e6d7c8b9a0f1e";
  info.pci_address = "0000:41:00.0";
  return info;
}

BackendInfo backend(std::string id, Rung rung, std::string message = {}, std::uint32_t devices = 0) {
  BackendInfo info;
  info.id = std::move(id);
  info.rung = rung;
  info.message = std::move(message);
  info.device_count = devices;
  return info;
}

// Those that no machine has yet.
void add_unwritten(Machine& machine) {
  for (const char* id : {"cuda", "hip", "level_zero", "metal", "webgpu", "opengl", "opengles"})
    machine.backends.push_back(backend(id, Rung::not_built, "not written yet"));
  machine.backends.push_back(backend("webgl2", Rung::not_built, "WebGL 2 has no compute shaders"));
  machine.backends.push_back(
      backend("simulated", Rung::initialised, "COLLET_FAKE=1 asks for a simulated device."));
}

Candidate candidate(const DeviceInfo& info, std::vector<ScorePart> parts) {
  Candidate out{.device = info, .score = 0, .parts = std::move(parts), .refused = {}, .same_as = {}};
  out.score = out.parts[0].points;  // that of the type
  return out;
}

Candidate refused(const DeviceInfo& info, std::string reason) {
  return {.device = info, .score = 0, .parts = {}, .refused = std::move(reason), .same_as = {}};
}

std::vector<Variable> variables() {
  return {{.name = "COLLET_BACKEND",
           .value = {},
           .meaning = "the backend that open_best() takes its device from"},
          {.name = "COLLET_DEVICE",
           .value = {},
           .meaning = "the device that open_best() opens: an index, an id or another selector"}};
}

}  // namespace

Diagnosis workstation() {
  Diagnosis out;
  DeviceInfo integrated = device("vulkan", 1, "AMD Radeon Graphics (RADV RAPHAEL_MENDOCINO)",
                                 DeviceType::integrated, "radv Mesa 24.2.8", "1.3.289", 15 * kGiB + kGiB / 3);
  integrated.vendor = "AMD";
  const DeviceInfo software = device("vulkan", 2, "llvmpipe (LLVM 15.0.6, 256 bits)", DeviceType::software,
                                     "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)", "1.3.230", 125 * kGiB);
  const DeviceInfo by_vulkan = big_gpu("vulkan", "NVIDIA 550.120", "1.3.277");
  const DeviceInfo by_opencl = big_gpu("opencl", "NVIDIA CUDA 550.120", "3.0");

  BackendInfo vulkan = backend("vulkan", Rung::verified, {}, 3);
  vulkan.library = "/usr/lib/x86_64-linux-gnu/libvulkan.so.1";
  vulkan.version = "1.3.283";
  vulkan.isolated = vulkan.cached = true;
  vulkan.probe_ms = 183;
  vulkan.files = {{DriverFile::Kind::loader, "/usr/lib/x86_64-linux-gnu/libvulkan.so.1", ""},
                  {DriverFile::Kind::manifest, "/usr/share/vulkan/icd.d/nvidia_icd.json", ""}};
  BackendInfo opencl = backend("opencl", Rung::verified, {}, 1);
  opencl.library = "/usr/lib/x86_64-linux-gnu/libOpenCL.so.1";
  opencl.version = "OpenCL 3.0";
  opencl.isolated = true;
  opencl.probe_ms = 96;
  out.machine.backends = {backend("cpu", Rung::verified, {}, 1), vulkan, opencl};
  add_unwritten(out.machine);
  out.machine.devices = {processor(), by_vulkan, integrated, software, by_opencl};

  out.choice.requested = "auto";
  out.choice.candidates = {
      candidate(by_opencl, {{"type", 1000, "discrete"}, {"memory", 24, "24 GiB"}, {"order", 0, "OpenCL 3"}}),
      candidate(integrated, {{"type", 500, "integrated"}, {"memory", 15, "15 GiB"}}),
      candidate(processor(), {{"type", 50, "the CPU"}}),
      candidate(software, {{"type", 20, "software"}}),
      candidate(by_vulkan, {{"type", 1000, "discrete"}, {"memory", 24, "24 GiB"}}),
  };
  out.choice.candidates.back().same_as = "opencl:0";
  out.choice.selected = 0;
  out.choice.reason = "It is the best of 4 devices, of type discrete and verified.";
  out.findings = {
      {Finding::Severity::good, "vulkan", "It has 3 devices, and computes what the CPU computes.", ""},
      {Finding::Severity::good, "/dev/dri/renderD128", "This user may open it.", ""}};
  out.variables = variables();
  return out;
}

Diagnosis bare() {
  Diagnosis out;
  BackendInfo vulkan = backend("vulkan", Rung::compiled_in,
                               "libvulkan.so.1: cannot open shared object file: No such file or directory; "
                               "libvulkan.so: cannot open shared "
                               "object file: No such file or directory");
  vulkan.fix = "Install it; on Debian: apt install libvulkan1 mesa-vulkan-drivers.";
  BackendInfo opencl = backend("opencl", Rung::loaded, "The OpenCL loader knows no device.");
  opencl.library = "/usr/lib/x86_64-linux-gnu/libOpenCL.so.1";
  opencl.fix =
      "Install the driver of your device; on Debian one that runs on the CPU: apt install pocl-opencl-icd.";
  out.machine.backends = {backend("cpu", Rung::verified, {}, 1), vulkan, opencl};
  add_unwritten(out.machine);
  out.machine.devices = {processor()};
  out.machine.notes = {
      "Drivers are probed in this process: the program collet-probe was not found. COLLET_PROBE can name "
      "it."};

  out.choice.requested = "auto";
  out.choice.candidates = {candidate(processor(), {{"type", 50, "the CPU"}})};
  out.choice.selected = 0;
  out.choice.reason = "It is the only device.";
  out.findings = {{Finding::Severity::note, "vulkan", vulkan.message + ".", vulkan.fix},
                  {Finding::Severity::note, "opencl", opencl.message, opencl.fix}};
  out.variables = variables();
  return out;
}

Diagnosis broken() {
  Diagnosis out;
  BackendInfo vulkan = backend("vulkan", Rung::loaded);
  vulkan.library = "/usr/lib/x86_64-linux-gnu/libvulkan.so.1";
  vulkan.fault =
      "crashed with SIGSEGV in "
      "/opt/vendor/with/a/rather/long/path/to/its/libraries/libvulkan_vendor.so.2.7.1 while "
      "enumerating devices";
  vulkan.message = "The probe " + vulkan.fault + ".";
  vulkan.isolated = true;
  vulkan.probe_ms = 41;
  vulkan.files = {{DriverFile::Kind::manifest, "/etc/vulkan/icd.d/gone.json",
                   "it names a library that is not there (libgone.so)"}};
  BackendInfo opencl = backend("opencl", Rung::executed, {}, 1);
  opencl.library = "/usr/lib/x86_64-linux-gnu/libOpenCL.so.1";
  DeviceInfo wrong = device("opencl", 0, "Evil\x1b[31m GPU\r\n\xff \xc2\xae\xe2\x84\xa2",
                            DeviceType::discrete, "Evil driver \x07", "3.0", std::nullopt);
  wrong.rung = Rung::executed;
  wrong.refused = "Its canary computed a wrong answer: element 17 is 5, the CPU says 9.";
  // Without the CPU backend there is nothing left to choose.
  BackendInfo cpu = backend("cpu", Rung::not_built, "switched off in this build");
  cpu.fix = "Build Collet with -DCOLLET_CPU=ON.";
  out.machine.backends = {cpu, vulkan, opencl};
  add_unwritten(out.machine);
  out.machine.devices = {wrong};

  out.choice.requested = "gpu";
  out.choice.candidates = {refused(wrong, wrong.refused)};
  out.choice.reason = "Of 1 device none may be chosen.";
  out.choice.error = Error(ErrorCode::unavailable, Category::initialisation, Cause::no_device,
                           "No device may be chosen for \"gpu\": 1 was found and refused.")
                         .with_hint("collet doctor says why.");
  out.findings = {
      {Finding::Severity::note, "cpu", "It is not in this build: switched off in this build.", cpu.fix},
      {Finding::Severity::problem, "vulkan", vulkan.message, "Update or remove that driver."},
      {Finding::Severity::problem, "opencl:0", "Evil\x1b[31m GPU is never chosen: " + wrong.refused,
       "Update its driver."},
      {Finding::Severity::problem, "/etc/vulkan/icd.d/gone.json",
       "Of vulkan: it names a library that is not there (libgone.so).",
       "Install the package that it belongs to again, or remove it."},
      {Finding::Severity::problem, "/dev/dri/renderD128",
       "This user may not open it, being no member of the group render.",
       "As root: usermod -aG render USER; then log in again."},
      {Finding::Severity::problem, "COLLET_DEVCE", "Collet knows no such variable.",
       "Did you mean COLLET_DEVICE?"},
  };
  out.variables = variables();
  out.variables[0].value = "gpu";
  out.variables[0].set = true;
  out.variables.push_back(
      {.name = "COLLET_DEVCE", .value = "1", .set = true, .known = false, .meaning = "unknown to Collet"});
  out.driver_variables = {
      {.name = "VK_ICD_FILENAMES",
       .value = "/opt/vendor/share/vulkan/icd.d/vendor_icd.x86_64.json:/etc/vulkan/icd.d/gone.json",
       .set = true,
       .meaning = "changes what is found by vulkan"}};
  return out;
}

}  // namespace collet::golden
