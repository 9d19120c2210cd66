// Planted drivers: each is contained, named, remembered, and takes no other backend with it.
//
//   collet-fault-driver_test            every case
//   collet-fault-driver_test spoiled    only the drivers that work and compute one thing wrongly
//   collet-fault-driver_test figures    what discovery costs, as a table
//   collet-fault-driver_test own        one probe of Vulkan in this process, for the figures: prints its time

#include <algorithm>
#include <collet_backends.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include "discovery/canary.hpp"
#include "fault/fault.hpp"
#include "platform/platform.hpp"

namespace {

using namespace collet;
namespace fs = std::filesystem;

const std::string kDrivers = COLLET_FAULT_DRIVERS;

// A folder of this run's own, gone at its end.
struct Folder {
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "collet-drivers-XXXXXX").string();
    path = mkdtemp(pattern.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code none;
    fs::remove_all(path, none);
  }
  std::string path;
};

void set(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }

// A driver's name is its manifest's: "vulkan_driver-crash".
std::string library_of(const std::string& driver) { return kDrivers + "/lib" + driver + ".so"; }

// Where the loader looks first, from the beginning: what it is told is a part of every answer's key.
std::string planted_loaders() { return platform::environment("LD_LIBRARY_PATH").value_or(""); }

// A driver as the library of its API.
[[maybe_unused]] std::string put_loader(const std::string& driver, const std::string& name) {
  const std::string path = planted_loaders() + "/" + name;
  fs::remove(path);
  fs::copy_file(library_of(driver), path);
  return path;
}

// The Vulkan manifest of one driver.
std::string vulkan_manifest(const Folder& folder, const std::string& driver) {
  const std::string path = folder.path + "/" + driver + ".json";
  std::ofstream(path) << R"({"file_format_version": "1.0.0", "ICD": {"library_path": ")" << library_of(driver)
                      << R"(", "api_version": "1.3.0"}})" << "\n";
  return path;
}

// A folder with the OpenCL manifest of one driver.
[[maybe_unused]] std::string opencl_manifest(const Folder& folder, const std::string& driver) {
  const std::string path = folder.path + "/" + driver;
  fs::create_directories(path);
  std::ofstream(path + "/driver.icd") << library_of(driver) << "\n";
  return path;
}

const BackendInfo& backend_of(const Machine& machine, const std::string& id) {
  const auto found = std::ranges::find(machine.backends, id, &BackendInfo::id);
  if (found == machine.backends.end()) std::abort();
  return *found;
}

std::vector<DeviceInfo> devices_of(const Machine& machine, const std::string& id) {
  std::vector<DeviceInfo> devices;
  std::ranges::copy_if(machine.devices, std::back_inserter(devices),
                       [&](const DeviceInfo& one) { return one.backend == id; });
  return devices;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Where nothing hangs, a busy machine is given its time.
const DiscoverOptions kPatient{.limit = std::chrono::seconds(60)};

// Whether `other` uses the drivers of `id`, too.
bool shares_drivers(const std::string& id, const std::string& other) {
  if (id == "vulkan") return other == "webgpu";
  return id.starts_with("opengl") && other.starts_with("opengl");
}

// What every planted driver must leave: the other backends, and an answer in the cache.
Machine contained(const std::string& id, const std::string& driver,
                  const DiscoverOptions& options = kPatient) {
  const Machine machine = discover(options);
  const BackendInfo& backend = backend_of(machine, id);
  FAULT_CHECK(machine.notes.empty(), driver + ": " + (machine.notes.empty() ? "" : machine.notes.front()));
  FAULT_CHECK(backend.isolated && !backend.cached, driver);
  for (const BackendInfo& other : machine.backends) {
    if (other.id == id || other.id == "simulated" || other.rung == Rung::not_built) continue;
    if (shares_drivers(id, other.id)) continue;
    const bool may_miss = other.id == "webgpu" || other.id == "cuda";  // its library is not here
    if (may_miss && other.rung == Rung::compiled_in) continue;
    FAULT_CHECK(other.rung == Rung::verified, driver + " and " + other.id + ": " + other.message);
  }
  const Machine again = discover(options);
  const BackendInfo& kept = backend_of(again, id);
  FAULT_CHECK(kept.cached, driver);
  FAULT_CHECK(kept.fault == backend.fault && kept.rung == backend.rung && kept.message == backend.message,
              driver + ": " + kept.fault);
  FAULT_CHECK(again.devices.size() == machine.devices.size(), driver);
  std::string story = backend.fault.empty() ? backend.message : backend.fault;
  for (const std::string& place : {kDrivers, planted_loaders()}) {
    if (const std::size_t at = story.find(place); at != std::string::npos)
      story.erase(at, place.size() + 1);  // it is of no interest where this was built and put
  }
  std::printf("%-26s %5u ms  %s\n", driver.c_str(), backend.probe_ms, story.c_str());
  return machine;
}

// Those that end the process. `library` is the driver's file.
void ends(const std::string& id, const std::string& driver, const std::string& library,
          const std::string& how, const DiscoverOptions& options = kPatient) {
  const Machine machine = contained(id, driver, options);
  const BackendInfo& backend = backend_of(machine, id);
  FAULT_CHECK(backend.fault.starts_with(how), driver + ": " + backend.fault);
  // The library of some APIs is the driver itself; the others find their drivers when they are asked for
  // devices.
  const bool loading = contains(backend.fault, " while loading its library");
  FAULT_CHECK(loading ? driver.ends_with("-load") : contains(backend.fault, " while listing devices"),
              driver + ": " + backend.fault);
  // _exit() leaves nobody to ask.
  const bool named = how != "ended early";
  FAULT_CHECK(contains(backend.fault, library) == named, driver + ": " + backend.fault);
  FAULT_CHECK(contains(backend.fix, library) == named, driver + ": " + backend.fix);
  FAULT_CHECK(backend.rung == (loading ? Rung::compiled_in : Rung::loaded), driver);
  FAULT_CHECK(devices_of(machine, id).empty(), driver);
}

// Those whose answers make no sense: whatever comes of it, no device of theirs may be chosen.
void talks_nonsense(const std::string& id, const std::string& driver) {
  const Machine machine = contained(id, driver);
  for (const DeviceInfo& device : devices_of(machine, id))
    FAULT_CHECK(!device.refused.empty() && device.rung < Rung::executed, driver + ": " + device.name);
  const BackendInfo& backend = backend_of(machine, id);
  FAULT_CHECK(!backend.fault.empty() || !backend.message.empty() || backend.device_count != 0, driver);
}

// Puts a driver in the place of the real ones; gives the path that it is loaded from.
using Plant = std::function<std::string(const std::string& driver)>;

[[maybe_unused]] void try_drivers(const std::string& id, const std::string& kind, const Plant& plant) {
  const auto try_one = [&](const std::string& behaviour, const std::string& how,
                           const DiscoverOptions& options = kPatient) {
    const std::string driver = kind + "-" + behaviour;
    ends(id, driver, plant(driver), how, options);
  };
  try_one("crash", "crashed with SIGSEGV in ");
  try_one("load", "crashed with SIGSEGV in ");
  try_one("jump", "crashed with SIGSEGV in ");
  try_one("abort", "crashed with SIGABRT in ");
  try_one("exit", "called exit(0) in ");
  try_one("leave", "ended early");
  // The others are in the cache by now, and need none of this limit.
  try_one("hang", "hung for 1500 ms in ", {.limit = std::chrono::milliseconds(1500)});
  for (const std::string behaviour : {"garbage", "counts", "symbols"}) {
    const std::string driver = kind + "-" + behaviour;
    plant(driver);
    talks_nonsense(id, driver);
  }
}

// A driver that works and spoils one thing, for each canary: that one catches it.
[[maybe_unused]] void try_spoiled(const std::string& id, const std::string& driver) {
  const DiscoverOptions fresh{.cached = false, .limit = kPatient.limit, .backends = {id}};
  for (const std::string_view name : discovery::canary_names()) {
    const std::string canary(name);
    set("COLLET_TEST_SPOIL", canary);
    const auto devices = devices_of(discover(fresh), id);
    FAULT_CHECK(devices.size() == 1,
                driver + ", " + canary + ": " + std::to_string(devices.size()) + " devices");
    for (const DeviceInfo& device : devices) {
      std::printf("%-14s %-14s %s\n", driver.c_str(), canary.c_str(), device.refused.c_str());
      FAULT_CHECK(device.rung == Rung::executed, driver + ", " + canary + ": " + device.refused);
      FAULT_CHECK(contains(device.refused, "in the canary \"" + canary + "\" element "),
                  driver + ", " + canary + ": " + device.refused);
    }
  }
  // Unspoiled, the same driver is verified: it is the fault that is caught, not the stranger.
  unsetenv("COLLET_TEST_SPOIL");
  for (const DeviceInfo& device : devices_of(discover(fresh), id))
    FAULT_CHECK(device.rung == Rung::verified, driver + ": " + device.refused);
}

#if COLLET_HAS_VULKAN
void try_spoiled_vulkan(const Folder& folder) {
  set("VK_ICD_FILENAMES", vulkan_manifest(folder, "vulkan_spoil-asked"));
  try_spoiled("vulkan", "vulkan_spoil");
}

void try_vulkan(const Folder& folder) {
  const std::string good = platform::environment("VK_ICD_FILENAMES").value_or("");
  try_drivers("vulkan", "vulkan_driver", [&](const std::string& driver) {
    set("VK_ICD_FILENAMES", vulkan_manifest(folder, driver));
    return library_of(driver);
  });
  try_spoiled_vulkan(folder);
  if (good.empty()) {
    unsetenv("VK_ICD_FILENAMES");
  } else {
    set("VK_ICD_FILENAMES", good);
  }
}
#endif

#if COLLET_HAS_OPENCL
// The one OpenCL device computes wrong results.
void try_never_chosen() {
  const auto best = Device::open_best();
  FAULT_CHECK(best.has_value() && best->info().backend != "opencl",
              "a device that computes wrongly was chosen");
  for (const char* variable : {"COLLET_BACKEND", "COLLET_DEVICE"}) {
    set(variable, "opencl");
    const auto asked = Device::open_best();
    FAULT_CHECK(!asked, std::string(variable) + "=opencl opened a device that computes wrongly");
    if (!asked) {
      FAULT_CHECK(contains(asked.error().describe(), "element 17 is "), asked.error().describe());
      std::printf("%s=opencl: %s\n", variable, asked.error().describe().c_str());
    }
    unsetenv(variable);
  }
}

void try_wrong_answers(const Folder& folder) {
  set("OCL_ICD_VENDORS", opencl_manifest(folder, "opencl_shim-wrong"));
  const Machine machine = contained("opencl", "opencl_shim-wrong");
  FAULT_CHECK(backend_of(machine, "opencl").fault.empty(), backend_of(machine, "opencl").fault);
  FAULT_CHECK(backend_of(machine, "opencl").rung == Rung::executed, "a wrong answer verifies nothing");
  const auto devices = devices_of(machine, "opencl");
  FAULT_CHECK(devices.size() == 1, std::to_string(devices.size()));
  for (const DeviceInfo& device : devices) {
    FAULT_CHECK(device.rung == Rung::executed, device.refused);
    FAULT_CHECK(contains(device.refused, "element 17 is "), device.refused);
    std::printf("%s: %s\n", device.name.c_str(), device.refused.c_str());
  }
  try_never_chosen();
}

// The second of three devices is bad.
void try_second_device(const Folder& folder, const std::string& behaviour, const std::string& how,
                       const DiscoverOptions& options) {
  const std::string driver = "opencl_shim-" + behaviour;
  set("OCL_ICD_VENDORS", opencl_manifest(folder, driver));
  set("POCL_DEVICES", "basic pthread basic");
  const Machine machine = contained("opencl", driver, options);
  const auto devices = devices_of(machine, "opencl");
  FAULT_CHECK(devices.size() == 3, std::to_string(devices.size()));
  for (const DeviceInfo& device : devices) {
    const bool bad = device.index == 1;
    FAULT_CHECK((device.rung == Rung::verified) == !bad, driver + " " + device.id() + " " + device.refused);
    FAULT_CHECK(contains(device.refused, bad ? how + library_of(driver) : ""), device.refused);
    FAULT_CHECK(device.refused.empty() == !bad, device.refused);
    FAULT_CHECK(!bad || contains(device.refused, "while running a kernel on opencl:1"), device.refused);
  }
  unsetenv("POCL_DEVICES");
}

void try_spoiled_opencl(const Folder& folder) {
  set("OCL_ICD_VENDORS", opencl_manifest(folder, "opencl_spoil-asked"));
  try_spoiled("opencl", "opencl_spoil");
}

void try_opencl(const Folder& folder) {
  try_drivers("opencl", "opencl_driver", [&](const std::string& driver) {
    set("OCL_ICD_VENDORS", opencl_manifest(folder, driver));
    return library_of(driver);
  });
  try_wrong_answers(folder);
  try_spoiled_opencl(folder);
  try_second_device(folder, "second_crash", "crashed with SIGSEGV in ", kPatient);
  try_second_device(folder, "second_hang", "hung for 10 s in ", {.limit = std::chrono::seconds(10)});
  unsetenv("OCL_ICD_VENDORS");
}
#endif

// Libraries that their API is looked for in by name.
[[maybe_unused]] void try_named(const std::string& id, const std::string& kind, const std::string& name) {
  try_drivers(id, kind, [&](const std::string& driver) { return put_loader(driver, name); });
  fs::remove(planted_loaders() + "/" + name);
}

#if COLLET_HAS_WEBGPU
void try_webgpu() {
  const auto good = platform::environment("COLLET_WEBGPU");
  try_drivers("webgpu", "webgpu_driver", [](const std::string& driver) {
    set("COLLET_WEBGPU", library_of(driver));
    return library_of(driver);
  });
  if (good) {
    set("COLLET_WEBGPU", *good);
  } else {
    unsetenv("COLLET_WEBGPU");
  }
}
#endif

// Eight programs that start at once share one cache and agree.
void try_eight_at_once(const std::string& self) {
  std::vector<std::thread> threads;
  std::vector<std::string> answers(8);
  for (std::string& answer : answers) {
    threads.emplace_back([&answer, &self] {
      const std::vector<std::string> arguments{"list"};
      const auto ended =
          platform::run_child(self, arguments, {}, Deadline::in(std::chrono::seconds(60)), 1 << 16);
      if (ended) answer = ended->output;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& answer : answers)
    FAULT_CHECK(!answer.empty() && answer == answers.front(), answer + " is not " + answers.front());
}

int list() {
  for (const DeviceInfo& device : discover(kPatient).devices)
    std::printf("%s %s %s\n", device.id().c_str(), to_string(device.rung).data(), device.refused.c_str());
  return 0;
}

// --- Figures --------------------------------------------------------------------------------------------

double milliseconds(const std::function<void()>& body) {
  const auto begin = fault::Clock::now();
  body();
  return std::chrono::duration<double, std::milli>(fault::Clock::now() - begin).count();
}

double median(int rounds, const std::function<double()>& once) {
  std::vector<double> all;
  for (int i = 0; i < rounds; ++i) all.push_back(once());
  std::ranges::sort(all);
  return all[all.size() / 2];
}

int probe_here() {
  const DiscoverOptions options{.isolated = false, .cached = false, .backends = {"vulkan"}};
  std::printf("%.3f\n", milliseconds([&] { (void)discover(options); }));
  std::fflush(stdout);
  std::_Exit(0);
}

// In a process of its own each time: a driver is loaded once.
double driver_alone(const std::string& self) {
  const std::vector<std::string> arguments{"own"};
  const auto ended =
      platform::run_child(self, arguments, {}, Deadline::in(std::chrono::seconds(60)), 1 << 16);
  return ended ? std::atof(ended->output.c_str()) : 0;
}

int figures(const std::string& self, const Folder& folder, int rounds) {
  const std::string good = platform::environment("VK_ICD_FILENAMES").value_or("");
  const DiscoverOptions fresh{.cached = false, .backends = {"vulkan"}};
  const DiscoverOptions remembered{.backends = {"vulkan"}};
  const double own = median(rounds, [&] { return driver_alone(self); });
  const double apart = median(rounds, [&] { return milliseconds([&] { (void)discover(fresh); }); });
  (void)discover(remembered);
  const double kept = median(rounds, [&] { return milliseconds([&] { (void)discover(remembered); }); });
  const double everything = median(rounds, [&] { return milliseconds([&] { (void)discover(); }); });
  set("VK_ICD_FILENAMES", vulkan_manifest(folder, "vulkan_driver-crash") + ":" + good);
  const double beside = median(rounds, [&] { return milliseconds([&] { (void)discover(fresh); }); });
  (void)discover(remembered);
  const double bad_kept = median(rounds, [&] { return milliseconds([&] { (void)discover(remembered); }); });

  std::printf("| discover(), Vulkan, median of %d | ms | beyond the driver's own, ms |\n|---|---|---|\n",
              rounds);
  std::printf("| the good drivers in this process: the drivers' own time | %.1f | |\n", own);
  std::printf("| the good drivers in the helper | %.1f | %.1f |\n", apart, apart - own);
  std::printf("| with a driver beside them that crashes: the good ones are not reached | %.1f | |\n", beside);
  std::printf("| from the cache | %.1f | |\n", kept);
  std::printf("| from the cache, the crash | %.1f | |\n", bad_kept);
  std::printf("| every backend, from the cache | %.1f | |\n", everything);
  const double worst = std::max(apart, beside) - own;
  std::printf("\nBeyond the driver's own: at most %.1f ms (allowed: 250 ms).\n", worst);
  FAULT_CHECK(worst <= 250, std::to_string(worst) + " ms");
  return fault::failures() == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string self = platform::executable_path();
  const std::string what = count > 1 ? arguments[1] : "";
  if (what == "own") return probe_here();
  if (what == "list") return list();
  const Folder folder;
  set("COLLET_CACHE_DIR", folder.path + "/cache");
  fs::create_directory(folder.path + "/loaders");
  set("LD_LIBRARY_PATH", folder.path + "/loaders");
  if (what == "figures") return figures(self, folder, 21);
  if (what == "spoiled") {
#if COLLET_HAS_VULKAN
    try_spoiled_vulkan(folder);
#endif
#if COLLET_HAS_OPENCL
    try_spoiled_opencl(folder);
#endif
    return fault::failures() == 0 ? 0 : 1;
  }
#if COLLET_HAS_VULKAN
  try_vulkan(folder);
#endif
#if COLLET_HAS_OPENCL
  try_opencl(folder);
#endif
#if COLLET_HAS_CUDA
  try_named("cuda", "cuda_driver", "libcuda.so.1");
#endif
#if COLLET_HAS_OPENGL
  try_named("opengl", "egl_driver", "libEGL.so.1");
#endif
#if COLLET_HAS_WEBGPU
  try_webgpu();
#endif
  set("COLLET_CACHE_DIR", folder.path + "/shared");
  try_eight_at_once(self);
  std::printf("%d failures\n", fault::failures());
  return fault::failures() == 0 ? 0 : 1;
}
