// What is known about a device and about a backend. Absent optionals mean "not reported by the API".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collet/export.hpp"

namespace collet {

enum class DeviceType : std::uint8_t { discrete, integrated, virtual_gpu, cpu, software, simulated, other };

// How far a backend or a device has come. Each rung is claimed only when it was reached.
enum class Rung : std::uint8_t {
  not_built,    // not in this build, or not written yet
  compiled_in,  // in this build; its library was not found
  loaded,       // the library was loaded
  initialised,  // the API answered
  executed,     // a kernel ran
  verified,     // and its result equals the CPU's
};

COLLET_API std::string_view to_string(DeviceType type);
COLLET_API std::string_view to_string(Rung rung);

struct DeviceInfo {
  std::string backend;  // "vulkan"
  std::uint32_t index = 0;
  std::string name;
  DeviceType type = DeviceType::other;
  std::string vendor;
  std::string driver;       // name and version in the driver's own words
  std::string api_version;  // "1.3.230"
  Rung rung = Rung::initialised;
  std::string
      refused;  // why it is never chosen: a wrong answer, a crash; "" where there is nothing against it

  std::optional<std::uint64_t> memory_total;
  std::optional<std::uint64_t> shared_memory_per_group;
  std::optional<std::uint32_t> registers_per_group;
  std::optional<std::uint32_t> subgroup_size;
  std::optional<std::uint32_t> max_group_items;
  std::optional<std::array<std::uint32_t, 3>> max_group_size;
  std::optional<std::array<std::uint32_t, 3>> max_groups;
  std::optional<std::uint64_t> max_allocation;
  std::optional<std::uint64_t> max_binding_range;
  std::optional<std::uint32_t> compute_units;
  std::optional<std::uint32_t> clock_mhz;
  std::optional<std::uint64_t> l2_cache;
  std::optional<std::string> compute_capability;
  std::optional<bool> ecc;
  std::optional<bool> integrated;
  std::optional<bool> unified_memory;
  std::optional<bool> concurrent_kernels;
  std::optional<bool> timestamps;
  std::optional<bool> f16, f64, i64;
  std::optional<bool> i64_atomics;          // on buffers and on workgroup memory
  std::optional<bool> f32_atomics;          // sums of f32 on both, by the device itself
  std::optional<bool> storage8, storage16;  // buffers of 8- and 16-bit elements, reached as such
  std::optional<bool> exact_fma;            // a fused multiply-add that rounds once
  std::optional<bool> device_fences;        // fences that order accesses for items of other groups
  // Lanes of a subgroup: whether they know of each other, and what they can do together.
  std::optional<bool> subgroups;
  std::optional<bool> subgroup_arithmetic, subgroup_vote, subgroup_broadcast, subgroup_shuffle;
  std::optional<bool> subgroup_i64;        // all of these with 64-bit integers
  std::optional<std::string> uuid;         // 32 hexadecimal digits
  std::optional<std::string> pci_address;  // "0000:01:00.0"

  // "vulkan:0", what Device::open() takes.
  std::string id() const { return backend + ":" + std::to_string(index); }
};

// A file that decides what a backend finds: its loader, a manifest, the driver that the manifest names.
struct DriverFile {
  enum class Kind : std::uint8_t { loader, manifest, driver };
  Kind kind = Kind::manifest;
  std::string path;     // as the manifest or the search found it
  std::string problem;  // "" or what is wrong with it: missing, unreadable, not understood
};

struct BackendInfo {
  std::string id;
  Rung rung = Rung::not_built;
  std::string message;  // the loader's exact words where something is missing
  std::string fix;      // what to do about it, or ""
  std::string library;  // the library's name or path, where one was loaded
  std::string version;  // of the loader or API, in its own words; "" where it does not say
  std::uint32_t device_count = 0;
  std::vector<DriverFile> files;

  // How the answer was got.
  bool isolated = false;       // by a process of its own
  bool cached = false;         // by an earlier probe
  std::uint32_t probe_ms = 0;  // of that probe
  std::string fault;           // "" or how the probe ended: "crashed with SIGSEGV in …", "hung for 10 s in …"
};

// discover().backends and discover().devices, from discovery.hpp.
COLLET_API std::vector<BackendInfo> backends();
COLLET_API std::vector<DeviceInfo> devices();

}  // namespace collet
