// CPU: what it is and what it can hold.

#include "backends/cpu/backend.hpp"

#include <algorithm>

#include "backends/cpu/device.hpp"
#include "base/log.hpp"
#include "platform/platform.hpp"

namespace collet::backend::cpu {
namespace {

constexpr std::uint32_t kMaxGroupItems = 1024;
constexpr std::array<std::uint32_t, 3> kMaxGroupSize = {kMaxGroupItems, kMaxGroupItems, kMaxGroupItems};
constexpr std::array<std::uint32_t, 3> kMaxGroups = {0xffffffffu, 0xffffffffu, 0xffffffffu};

Caps limits() {
  const std::uint64_t memory = platform::physical_memory();
  Caps caps;
  caps.formats = {Format::host_function, Format::ir};
  caps.max_bindings = 64;
  caps.max_binding_range = memory;
  caps.max_constants_size = 4096;
  caps.offset_alignment = 16;
  caps.copy_alignment = 1;
  caps.max_groups = kMaxGroups;
  caps.max_group_size = kMaxGroupSize;
  caps.max_group_items = kMaxGroupItems;
  caps.max_shared_bytes = kMaxSharedBytes;
  caps.max_allocation = memory;
  caps.max_allocations = std::uint64_t{1} << 32;
  caps.shared_blocks = true;
  caps.mapped = true;
  caps.concurrent = true;
  caps.host_commands = true;
  caps.timestamps = true;
  caps.gather = 1;
  return caps;
}

class CpuBackend final : public Backend {
 public:
  std::string_view id() const override { return "cpu"; }

  ProbeResult probe() override {
    return {.rung = Rung::initialised, .message = {}, .library = {}, .devices = {describe()}};
  }

  Result<std::unique_ptr<Device>> open(std::uint32_t, const OpenOptions& options) override {
    if (options.validation)
      base::log(LogLevel::warn, "cpu",
                "Validation was asked for, and the cpu backend has no checking layer.");
    auto device = std::make_unique<CpuDevice>(options);
    COLLET_CHECK(device->start(options));
    return std::unique_ptr<Device>(std::move(device));
  }
};

}  // namespace

DeviceInfo describe() {
  static const auto* const name = new std::string(platform::processor_name());  // asking is slow
  const std::uint64_t memory = platform::physical_memory();
  DeviceInfo info;
  info.backend = "cpu";
  info.name = *name;
  info.type = DeviceType::cpu;
  info.driver = "Collet's own thread pool";
  info.rung = Rung::initialised;
  info.memory_total = memory;
  info.shared_memory_per_group = kMaxSharedBytes;
  info.max_group_items = kMaxGroupItems;
  info.max_group_size = kMaxGroupSize;
  info.max_groups = kMaxGroups;
  info.max_allocation = memory;
  info.max_binding_range = memory;
  info.compute_units = platform::usable_processors();
  if (const std::uint64_t cache = platform::l2_cache(); cache != 0) info.l2_cache = cache;
  info.unified_memory = true;
  info.concurrent_kernels = true;
  info.timestamps = true;
  info.f16 = false;
  info.f64 = true;
  info.i64 = info.i64_atomics = info.f32_atomics = true;
  info.storage8 = info.storage16 = true;
  info.exact_fma = true;
  info.device_fences = true;
  info.subgroups = info.subgroup_arithmetic = info.subgroup_vote = true;
  info.subgroup_broadcast = info.subgroup_shuffle = info.subgroup_i64 = true;
  return info;
}

namespace {

std::uint32_t threads_of(const OpenOptions& options) {
  if (options.cpu_threads != 0) return options.cpu_threads;
  if (!options.cpu_processors.empty()) return static_cast<std::uint32_t>(options.cpu_processors.size());
  return platform::usable_processors();
}

}  // namespace

CpuDevice::CpuDevice(const OpenOptions& options)
    : info_(describe()),
      caps_(limits()),
      adaptive_(options.wait == WaitMode::adaptive),
      tier_(options.cpu_tier),
      pool_(threads_of(options), platform::usable_processors(), options.cpu_processors) {
  info_.compute_units = pool_.threads();
}

// A number of threads that was asked for is kept; the one that Collet chose may be less.
Result<void> CpuDevice::start(const OpenOptions& options) {
  const bool chosen = options.cpu_threads != 0 || !options.cpu_processors.empty();
  COLLET_TRY(missing, pool_.start(!chosen));
  if (!missing.empty()) base::log(LogLevel::warn, "cpu", missing);
  info_.compute_units = pool_.threads();
  return {};
}

std::unique_ptr<Backend> make_backend() { return std::make_unique<CpuBackend>(); }

}  // namespace collet::backend::cpu
