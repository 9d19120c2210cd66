// OpenCL: what devices there are, what they say of themselves, and which limits follow.

#include <algorithm>

#include "backends/common/alignment.hpp"
#include "backends/common/identity.hpp"
#include "backends/opencl/device.hpp"

namespace collet::backend::opencl {
namespace {

constexpr std::uint32_t kOldest = 120;
constexpr std::uint32_t kNewestC = 300;
constexpr cl_uint kMostDevices = 256;  // of one platform; one that counts more is not believed

std::uint32_t clipped(std::uint64_t figure) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(figure, 0xffffffffu));
}

std::string version_text(std::uint32_t version) {
  return std::to_string(version / 100) + "." + std::to_string(version / 10 % 10);
}

DeviceType device_type(const Api& cl, cl_device_id device) {
  const cl_device_type type = device_value<cl_device_type>(cl, device, CL_DEVICE_TYPE).value_or(0);
  if ((type & CL_DEVICE_TYPE_CPU) != 0) return DeviceType::software;
  if ((type & CL_DEVICE_TYPE_GPU) == 0) return DeviceType::other;
  const bool unified =
      device_value<cl_bool>(cl, device, CL_DEVICE_HOST_UNIFIED_MEMORY).value_or(CL_FALSE) != CL_FALSE;
  return unified ? DeviceType::integrated : DeviceType::discrete;
}

std::uint32_t highest_c_version(const Api& cl, const Candidate& candidate) {
  std::uint32_t best = parse_version(device_text(cl, candidate.device, CL_DEVICE_OPENCL_C_VERSION));
  if (candidate.version < 300) return std::min(best, kNewestC);
  const auto all = device_values<cl_name_version>(cl, candidate.device, CL_DEVICE_OPENCL_C_ALL_VERSIONS);
  for (const cl_name_version& one : all) {
    const std::uint32_t version = CL_VERSION_MAJOR(one.version) * 100 + CL_VERSION_MINOR(one.version) * 10;
    if (version <= kNewestC) best = std::max(best, version);
  }
  return std::min(best, kNewestC);
}

std::optional<std::uint32_t> subgroup_size(const Api& cl, cl_device_id device, std::string_view extensions) {
  if (has_extension(extensions, "cl_nv_device_attribute_query")) {
    return device_value<cl_uint>(cl, device, CL_DEVICE_WARP_SIZE_NV);
  }
  if (has_extension(extensions, "cl_amd_device_attribute_query")) {
    return device_value<cl_uint>(cl, device, CL_DEVICE_WAVEFRONT_WIDTH_AMD);
  }
  if (has_extension(extensions, "cl_intel_required_subgroup_size")) {
    const auto sizes = device_values<std::size_t>(cl, device, CL_DEVICE_SUB_GROUP_SIZES_INTEL);
    if (!sizes.empty()) return static_cast<std::uint32_t>(*std::max_element(sizes.begin(), sizes.end()));
  }
  return std::nullopt;
}

void fill_identity(const Api& cl, cl_device_id device, std::string_view extensions, DeviceInfo& info) {
  if (has_extension(extensions, "cl_khr_device_uuid")) {
    const auto uuid = device_value<std::array<cl_uchar, CL_UUID_SIZE_KHR>>(cl, device, CL_DEVICE_UUID_KHR);
    if (uuid) info.uuid = common::hexadecimal(*uuid);
  }
  if (has_extension(extensions, "cl_khr_pci_bus_info")) {
    const auto pci = device_value<cl_device_pci_bus_info_khr>(cl, device, CL_DEVICE_PCI_BUS_INFO_KHR);
    if (pci) {
      info.pci_address =
          common::pci_address(pci->pci_domain, pci->pci_bus, pci->pci_device, pci->pci_function);
    }
  }
}

void fill_nvidia(const Api& cl, cl_device_id device, std::string_view extensions, DeviceInfo& info) {
  if (!has_extension(extensions, "cl_nv_device_attribute_query")) return;
  info.registers_per_group = device_value<cl_uint>(cl, device, CL_DEVICE_REGISTERS_PER_BLOCK_NV);
  const auto major = device_value<cl_uint>(cl, device, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV);
  const auto minor = device_value<cl_uint>(cl, device, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV);
  if (major && minor) info.compute_capability = std::to_string(*major) + "." + std::to_string(*minor);
}

void fill_types(const Api& cl, cl_device_id device, std::string_view extensions, DeviceInfo& info) {
  info.f16 = has_extension(extensions, "cl_khr_fp16");
  const auto doubles = device_value<cl_device_fp_config>(cl, device, CL_DEVICE_DOUBLE_FP_CONFIG);
  info.f64 = doubles.value_or(0) != 0 || has_extension(extensions, "cl_khr_fp64");
  const bool full = device_text(cl, device, CL_DEVICE_PROFILE) == "FULL_PROFILE";
  info.i64 = full || has_extension(extensions, "cles_khr_int64");
  info.i64_atomics = has_extension(extensions, "cl_khr_int64_base_atomics") &&
                     has_extension(extensions, "cl_khr_int64_extended_atomics");
  // OpenCL C has had both since 1.1, and its fma() rounds once on every device.
  info.storage8 = info.storage16 = true;
  info.exact_fma = true;
}

// OpenCL C 1.2 has fences of a group only; from 3.0 on, those of the device are a feature.
bool has_device_fences(const Api& cl, const Candidate& candidate) {
  if (candidate.c_version < 200) return false;
  if (candidate.c_version < 300) return true;
  constexpr cl_device_atomic_capabilities kNeeded =
      CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_SCOPE_DEVICE;
  const auto found =
      device_value<cl_device_atomic_capabilities>(cl, candidate.device, CL_DEVICE_ATOMIC_FENCE_CAPABILITIES);
  return (found.value_or(0) & kNeeded) == kNeeded;
}

// OpenCL C's own subgroups can do all but shuffle.
void fill_subgroups(const Api& cl, const Candidate& candidate, std::string_view extensions,
                    DeviceInfo& info) {
  const auto most = device_value<cl_uint>(cl, candidate.device, CL_DEVICE_MAX_NUM_SUB_GROUPS);
  const bool core = candidate.version >= 300 && candidate.c_version >= 300 && most.value_or(0) != 0;
  info.subgroups = core || has_extension(extensions, "cl_khr_subgroups");
  info.subgroup_arithmetic = info.subgroup_vote = info.subgroup_broadcast = info.subgroups;
  info.subgroup_i64 = *info.subgroups && *info.i64;
  info.subgroup_shuffle = *info.subgroups && has_extension(extensions, "cl_khr_subgroup_shuffle");
}

std::optional<bool> flag(const Api& cl, cl_device_id device, cl_device_info what) {
  const auto value = device_value<cl_bool>(cl, device, what);
  if (!value) return std::nullopt;
  return *value != CL_FALSE;
}

std::optional<std::array<std::uint32_t, 3>> item_sizes(const Api& cl, cl_device_id device) {
  const auto sizes = device_values<std::size_t>(cl, device, CL_DEVICE_MAX_WORK_ITEM_SIZES);
  if (sizes.size() < 3) return std::nullopt;
  std::array<std::uint32_t, 3> result{};
  for (std::size_t i = 0; i < 3; ++i) {
    result[i] = clipped(sizes[i]);
  }
  return result;
}

DeviceInfo describe(const Api& cl, const Candidate& candidate, std::string_view extensions) {
  const cl_device_id device = candidate.device;
  DeviceInfo info;
  info.backend = "opencl";
  info.name = device_text(cl, device, CL_DEVICE_NAME);
  info.type = device_type(cl, device);
  info.vendor = device_text(cl, device, CL_DEVICE_VENDOR);
  info.driver = platform_text(cl, candidate.platform, CL_PLATFORM_NAME) + " " +
                device_text(cl, device, CL_DRIVER_VERSION);
  info.api_version = version_text(candidate.version);

  info.memory_total = device_value<cl_ulong>(cl, device, CL_DEVICE_GLOBAL_MEM_SIZE);
  info.shared_memory_per_group = device_value<cl_ulong>(cl, device, CL_DEVICE_LOCAL_MEM_SIZE);
  info.subgroup_size = subgroup_size(cl, device, extensions);
  if (const auto items = device_value<std::size_t>(cl, device, CL_DEVICE_MAX_WORK_GROUP_SIZE)) {
    info.max_group_items = clipped(*items);
  }
  info.max_group_size = item_sizes(cl, device);
  info.max_allocation = device_value<cl_ulong>(cl, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  info.max_binding_range = info.max_allocation;
  info.compute_units = device_value<cl_uint>(cl, device, CL_DEVICE_MAX_COMPUTE_UNITS);
  info.clock_mhz = device_value<cl_uint>(cl, device, CL_DEVICE_MAX_CLOCK_FREQUENCY);
  info.l2_cache = device_value<cl_ulong>(cl, device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  info.ecc = flag(cl, device, CL_DEVICE_ERROR_CORRECTION_SUPPORT);
  info.unified_memory = flag(cl, device, CL_DEVICE_HOST_UNIFIED_MEMORY);
  info.integrated = info.type == DeviceType::integrated;
  const auto queue = device_value<cl_command_queue_properties>(cl, device, CL_DEVICE_QUEUE_PROPERTIES);
  if (queue) info.timestamps = (*queue & CL_QUEUE_PROFILING_ENABLE) != 0;
  fill_types(cl, device, extensions, info);
  info.device_fences = has_device_fences(cl, candidate);
  fill_subgroups(cl, candidate, extensions, info);
  fill_nvidia(cl, device, extensions, info);
  fill_identity(cl, device, extensions, info);
  return info;
}

std::string refusal(const Api& cl, const Candidate& candidate) {
  if (candidate.version < kOldest) {
    return "it has OpenCL " + version_text(candidate.version) + " (\"" +
           device_text(cl, candidate.device, CL_DEVICE_VERSION) + "\"), and 1.2 is the oldest accepted";
  }
  if (!candidate.has_compiler && !candidate.has_il) return "it has neither a compiler nor takes SPIR-V";
  return {};
}

Candidate examine(const Api& cl, cl_platform_id platform, cl_device_id device) {
  Candidate candidate;
  candidate.platform = platform;
  candidate.device = device;
  candidate.version = parse_version(device_text(cl, device, CL_DEVICE_VERSION));
  candidate.c_version = highest_c_version(cl, candidate);
  candidate.has_compiler = flag(cl, device, CL_DEVICE_COMPILER_AVAILABLE).value_or(false);
  const std::string extensions = device_text(cl, device, CL_DEVICE_EXTENSIONS);
  const bool may_have_il = candidate.version >= 210 || has_extension(extensions, "cl_khr_il_program");
  candidate.has_il =
      may_have_il && device_text(cl, device, CL_DEVICE_IL_VERSION).find("SPIR-V") != std::string::npos;
  candidate.info = describe(cl, candidate, extensions);
  candidate.refusal = refusal(cl, candidate);
  if (!candidate.refusal.empty()) candidate.info.rung = Rung::loaded;
  return candidate;
}

}  // namespace

Result<std::vector<Candidate>> enumerate(const Api& cl) {
  cl_uint count = 0;
  COLLET_CHECK(check(cl.clGetPlatformIDs(0, nullptr, &count), kEnumerate));
  std::vector<cl_platform_id> platforms(count);
  if (count != 0) COLLET_CHECK(check(cl.clGetPlatformIDs(count, platforms.data(), nullptr), kEnumerate));

  std::vector<Candidate> candidates;
  for (const cl_platform_id platform : platforms) {
    // A platform without devices, or one that fails, must not hide the others.
    cl_uint devices = 0;
    if (cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &devices) != CL_SUCCESS || devices == 0 ||
        devices > kMostDevices)
      continue;
    std::vector<cl_device_id> ids(devices);
    if (cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, devices, ids.data(), nullptr) != CL_SUCCESS) continue;
    for (const cl_device_id id : ids) {
      candidates.push_back(examine(cl, platform, id));
      candidates.back().info.index = static_cast<std::uint32_t>(candidates.size() - 1);
    }
  }
  return candidates;
}

Caps device_caps(const Api& cl, const Candidate& candidate) {
  const cl_device_id device = candidate.device;
  const DeviceInfo& info = candidate.info;
  Caps caps;
  if (candidate.has_compiler) caps.formats.push_back(Format::opencl_c);
  if (candidate.has_il) caps.formats.push_back(Format::spirv_kernel);

  // Pointers and constants share one budget; half of it goes to each, so that no kernel can overrun it.
  const std::size_t budget =
      device_value<std::size_t>(cl, device, CL_DEVICE_MAX_PARAMETER_SIZE).value_or(256);
  const bool wide = device_value<cl_uint>(cl, device, CL_DEVICE_ADDRESS_BITS).value_or(64) != 32;
  const std::size_t pointer = wide ? 8 : 4;
  caps.max_bindings = static_cast<std::uint32_t>(std::min<std::size_t>(64, budget / 2 / pointer));
  caps.max_constants_size = clipped(budget - caps.max_bindings * pointer) & ~3u;

  caps.max_allocation = info.max_allocation.value_or(0);
  caps.max_binding_range = caps.max_allocation;
  caps.max_allocations = ~std::uint64_t{0};
  caps.offset_alignment =
      common::alignment(device_value<cl_uint>(cl, device, CL_DEVICE_MEM_BASE_ADDR_ALIGN).value_or(1024) / 8);
  caps.max_group_items = info.max_group_items.value_or(1);
  caps.max_group_size = info.max_group_size.value_or(std::array<std::uint32_t, 3>{1, 1, 1});
  caps.max_shared_bytes = clipped(info.shared_memory_per_group.value_or(0));
  // Items, not groups, are counted in the device's address size.
  const std::uint32_t groups = wide ? 0xffffffffu : 0xffffffffu / std::max(1u, caps.max_group_items);
  caps.max_groups = {groups, groups, groups};

  caps.shared_blocks = false;
  caps.mapped = false;
  // Memory whose bytes host and kernels reach at the same time.
  const auto shared = device_value<cl_device_svm_capabilities>(cl, device, CL_DEVICE_SVM_CAPABILITIES);
  caps.concurrent = cl.clSVMAlloc != nullptr && cl.clSVMFree != nullptr &&
                    (shared.value_or(0) & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
  caps.host_commands = true;
  caps.timestamps = info.timestamps.value_or(false);
  caps.gather = 64;  // an event and a flush for each launch cost PoCL a fifth of it
  return caps;
}

}  // namespace collet::backend::opencl
