// CUDA: which devices there are, what they say of themselves, and which limits follow.

#include <algorithm>
#include <array>

#include "backends/common/identity.hpp"
#include "backends/cuda/device.hpp"

namespace collet::backend::cuda {
namespace {

constexpr int kMostDevices = 1024;
constexpr std::uint32_t kOldestMajor = 3;  // of a compute capability; CUDA 11 knows none below

struct Property {
  std::string_view name;
  Attribute attribute;
};

constexpr Property kProperties[] = {
    {"max_group_items", Attribute::max_group_items},
    {"max_group_x", Attribute::max_group_x},
    {"max_group_y", Attribute::max_group_y},
    {"max_group_z", Attribute::max_group_z},
    {"max_grid_x", Attribute::max_grid_x},
    {"max_grid_y", Attribute::max_grid_y},
    {"max_grid_z", Attribute::max_grid_z},
    {"shared_bytes", Attribute::shared_bytes},
    {"shared_bytes_opt_in", Attribute::shared_bytes_opt_in},
    {"shared_bytes_per_multiprocessor", Attribute::shared_bytes_per_multiprocessor},
    {"constant_bytes", Attribute::constant_bytes},
    {"warp_size", Attribute::warp_size},
    {"max_pitch", Attribute::max_pitch},
    {"registers_per_group", Attribute::registers_per_group},
    {"registers_per_multiprocessor", Attribute::registers_per_multiprocessor},
    {"clock_khz", Attribute::clock_khz},
    {"memory_clock_khz", Attribute::memory_clock_khz},
    {"memory_bus_bits", Attribute::memory_bus_bits},
    {"texture_alignment", Attribute::texture_alignment},
    {"multiprocessors", Attribute::multiprocessors},
    {"items_per_multiprocessor", Attribute::items_per_multiprocessor},
    {"run_time_limit", Attribute::run_time_limit},
    {"integrated", Attribute::integrated},
    {"can_map_host", Attribute::can_map_host},
    {"compute_mode", Attribute::compute_mode},
    {"concurrent_kernels", Attribute::concurrent_kernels},
    {"ecc", Attribute::ecc},
    {"tcc_driver", Attribute::tcc_driver},
    {"l2_bytes", Attribute::l2_bytes},
    {"copy_engines", Attribute::copy_engines},
    {"unified_addressing", Attribute::unified_addressing},
    {"managed_memory", Attribute::managed_memory},
    {"concurrent_managed", Attribute::concurrent_managed},
    {"pageable_memory", Attribute::pageable_memory},
    {"native_host_atomics", Attribute::native_host_atomics},
    {"single_to_double_ratio", Attribute::single_to_double_ratio},
    {"stream_priorities", Attribute::stream_priorities},
    {"multi_gpu_board", Attribute::multi_gpu_board},
    {"cooperative_launch", Attribute::cooperative_launch},
    {"capability_major", Attribute::capability_major},
    {"capability_minor", Attribute::capability_minor},
    {"pci_domain", Attribute::pci_domain},
    {"pci_bus", Attribute::pci_bus},
    {"pci_device", Attribute::pci_device},
};

// 0 where the driver does not know it: it may be older than the attribute.
std::uint32_t value_of(const Api& cuda, Ordinal ordinal, Attribute attribute) {
  int value = 0;
  const Status status = cuda.DeviceGetAttribute(&value, static_cast<int>(attribute), ordinal);
  return status == kSuccess ? static_cast<std::uint32_t>(std::max(value, 0)) : 0;
}

Result<Candidate> examine(const Api& cuda, int index) {
  Candidate candidate;
  COLLET_CHECK(check(cuda.DeviceGet(&candidate.ordinal, index), kAskDevice));
  const auto value = [&](Attribute attribute) { return value_of(cuda, candidate.ordinal, attribute); };
  const auto flag = [&](Attribute attribute) { return value(attribute) != 0; };
  std::array<char, 256> name{};
  std::size_t bytes = 0;
  COLLET_CHECK(check(cuda.DeviceGetName(name.data(), static_cast<int>(name.size()) - 1, candidate.ordinal),
                     kAskDevice));
  COLLET_CHECK(check(cuda.DeviceTotalMem(&bytes, candidate.ordinal), kAskDevice));

  DeviceInfo& info = candidate.info;
  info.backend = "cuda";
  info.index = static_cast<std::uint32_t>(index);
  info.name = name.data();
  info.vendor = "NVIDIA";
  info.driver = "CUDA driver " + version_text(cuda.version);
  info.api_version = version_text(cuda.version);
  const std::uint32_t major = value(Attribute::capability_major);
  const std::uint32_t minor = value(Attribute::capability_minor);
  candidate.capability = static_cast<int>(major * 10 + minor);
  info.compute_capability = std::to_string(major) + "." + std::to_string(minor);
  const bool integrated = flag(Attribute::integrated);
  info.integrated = info.unified_memory = integrated;
  info.type = integrated ? DeviceType::integrated : DeviceType::discrete;
  info.memory_total = bytes;
  info.max_allocation = bytes;
  info.shared_memory_per_group = value(Attribute::shared_bytes);
  info.registers_per_group = value(Attribute::registers_per_group);
  info.subgroup_size = value(Attribute::warp_size);
  info.max_group_items = value(Attribute::max_group_items);
  info.max_group_size = {value(Attribute::max_group_x), value(Attribute::max_group_y),
                         value(Attribute::max_group_z)};
  info.max_groups = {value(Attribute::max_grid_x), value(Attribute::max_grid_y),
                     value(Attribute::max_grid_z)};
  info.compute_units = value(Attribute::multiprocessors);
  info.clock_mhz = value(Attribute::clock_khz) / 1000;
  info.l2_cache = value(Attribute::l2_bytes);
  info.ecc = flag(Attribute::ecc);
  info.concurrent_kernels = flag(Attribute::concurrent_kernels);
  info.timestamps = true;
  info.f16 = false;  // computed as f32 and rounded
  info.f64 = info.i64 = info.i64_atomics = info.f32_atomics = true;
  info.storage8 = info.storage16 = info.exact_fma = info.device_fences = true;
  info.subgroups = info.subgroup_arithmetic = info.subgroup_vote = true;
  info.subgroup_broadcast = info.subgroup_shuffle = info.subgroup_i64 = true;
  Uuid uuid{};
  if (cuda.DeviceGetUuid(&uuid, candidate.ordinal) == kSuccess) info.uuid = common::hexadecimal(uuid.bytes);
  info.pci_address = common::pci_address(value(Attribute::pci_domain), value(Attribute::pci_bus),
                                         value(Attribute::pci_device), 0);
  if (major < kOldestMajor || value(Attribute::max_group_items) == 0)
    candidate.refusal = "its compute capability is " + *info.compute_capability +
                        ", and its groups have up to " + std::to_string(*info.max_group_items) + " items";
  if (!candidate.refusal.empty()) info.rung = Rung::loaded;
  return candidate;
}

}  // namespace

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Result<std::vector<Candidate>> enumerate(const Api& cuda) {
  int count = 0;
  COLLET_CHECK(check(cuda.DeviceGetCount(&count), kListDevices));
  if (count < 0 || count > kMostDevices) {
    return Error(ErrorCode::unavailable, Category::initialisation, Cause::no_device,
                 "The CUDA driver lists " + std::to_string(count) + " devices; more than " +
                     std::to_string(kMostDevices) + " are not believed.");
  }
  std::vector<Candidate> all;
  for (int i = 0; i < count; ++i) {
    COLLET_TRY(one, examine(cuda, i));
    all.push_back(std::move(one));
  }
  return all;
}

std::string properties_json(const Api& cuda, const Candidate& candidate) {
  std::string text = "{";
  for (const Property& one : kProperties) {
    text += text.size() == 1 ? "\"" : ", \"";
    text += one.name;
    text += "\": " + std::to_string(value_of(cuda, candidate.ordinal, one.attribute));
  }
  return text + "}";
}

Caps device_caps(const Api& cuda, const Candidate& candidate, bool has_compiler) {
  const DeviceInfo& info = candidate.info;
  Caps caps;
  if (has_compiler) caps.formats.push_back(Format::cuda);
  caps.formats.push_back(Format::ptx);
  caps.formats.push_back(Format::cubin);
  caps.architecture = "sm_" + std::to_string(candidate.capability);
  caps.max_bindings = 64;
  caps.max_binding_range = *info.memory_total & ~std::uint64_t{15};
  caps.max_constants_size = 3584;  // of the 4,096 bytes that a launch's arguments may have, pointers beside
  caps.offset_alignment = 16;
  caps.max_groups = *info.max_groups;
  caps.max_group_size = *info.max_group_size;
  caps.max_group_items = *info.max_group_items;
  caps.max_shared_bytes = static_cast<std::uint32_t>(*info.shared_memory_per_group);
  caps.max_allocation = *info.memory_total & ~std::uint64_t{15};
  caps.mapped = value_of(cuda, candidate.ordinal, Attribute::can_map_host) != 0;
  caps.host_commands = !caps.mapped;
  caps.concurrent = caps.mapped;
  caps.timestamps = true;
  caps.gather = 8;  // an event for each launch would cost the host half as much again
  return caps;
}

}  // namespace collet::backend::cuda
