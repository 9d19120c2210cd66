// WebGPU: which adapters there are, what they say of themselves, and which limits follow.

#include <algorithm>
#include <iterator>
#include <utility>

#include "backends/common/alignment.hpp"
#include "backends/webgpu/answer.hpp"
#include "backends/webgpu/device.hpp"
#include "backends/webgpu/files.hpp"

namespace collet::backend::webgpu {
namespace {

constexpr std::size_t kMostAdapters = 64;
constexpr Doing kListAdapters{"listing the adapters", Category::initialisation, Cause::no_device};

struct Asked {
  abi::RequestAdapterStatus status{};
  abi::Adapter adapter = nullptr;
};

void on_adapter(abi::RequestAdapterStatus status, abi::Adapter adapter, abi::StringView, void* to, void*) {
  answer<Asked>(to, {.status = status, .adapter = adapter});
}

Result<std::vector<abi::Adapter>> enumerated(const Api& wgpu, abi::Instance instance, const Choice& choice) {
  const abi::EnumerateAdapterOptions options{.backends = choice.native_mask};
  const std::size_t count = wgpu.InstanceEnumerateAdapters(instance, &options, nullptr);
  if (count > kMostAdapters) {
    return Error(ErrorCode::unavailable, kListAdapters.category, kListAdapters.cause,
                 "The WebGPU library lists " + std::to_string(count) + " adapters; more than " +
                     std::to_string(kMostAdapters) + " are not believed.");
  }
  std::vector<abi::Adapter> adapters(count);
  if (count != 0) wgpu.InstanceEnumerateAdapters(instance, &options, adapters.data());
  return adapters;
}

// webgpu.h itself gives one adapter to a question: the best, the thriftiest, and the one without a GPU.
Result<std::vector<abi::Adapter>> requested(const Api& wgpu, abi::Instance instance, const Choice& choice) {
  const abi::RequestAdapterOptions questions[] = {
      {.feature_level = abi::FeatureLevel::core,
       .power_preference = abi::PowerPreference::high_performance,
       .backend = choice.backend},
      {.feature_level = abi::FeatureLevel::core,
       .power_preference = abi::PowerPreference::low_power,
       .backend = choice.backend},
      {.feature_level = abi::FeatureLevel::core, .force_fallback = 1, .backend = choice.backend}};
  std::vector<abi::Adapter> adapters;
  for (const abi::RequestAdapterOptions& question : questions) {
    COLLET_TRY(asked, ask<Asked>(wgpu, instance, kListAdapters, [&](void* to) {
                 wgpu.InstanceRequestAdapter(instance, &question, {.callback = on_adapter, .first = to});
               }));
    if (asked.status == abi::RequestAdapterStatus::success && asked.adapter != nullptr)
      adapters.push_back(asked.adapter);
  }
  return adapters;
}

std::string_view name_of(abi::BackendType backend) {
  switch (backend) {
    case abi::BackendType::d3d11: return "Direct3D 11";
    case abi::BackendType::d3d12: return "Direct3D 12";
    case abi::BackendType::metal: return "Metal";
    case abi::BackendType::vulkan: return "Vulkan";
    case abi::BackendType::opengl: return "OpenGL";
    case abi::BackendType::opengles: return "OpenGL ES";
    default: return "an API that it does not name";
  }
}

DeviceType type_of(abi::AdapterType type) {
  switch (type) {
    case abi::AdapterType::discrete_gpu: return DeviceType::discrete;
    case abi::AdapterType::integrated_gpu: return DeviceType::integrated;
    case abi::AdapterType::cpu: return DeviceType::software;
    default: return DeviceType::other;
  }
}

std::vector<abi::FeatureName> features_of(const Api& wgpu, abi::Adapter adapter) {
  abi::SupportedFeatures all;
  wgpu.AdapterGetFeatures(adapter, &all);
  std::vector<abi::FeatureName> wanted;
  for (std::size_t i = 0; i < all.count; ++i) {
    using enum abi::FeatureName;
    const abi::FeatureName one = all.features[i];
    if (one == timestamp_query || one == shader_f16 || one == subgroups ||
        one == implicit_device_synchronization)
      wanted.push_back(one);
  }
  wgpu.SupportedFeaturesFreeMembers(all);
  return wanted;
}

void fill_figures(const Candidate& candidate, DeviceInfo& info) {
  const abi::Limits& limits = candidate.limits;
  const auto has = [&](abi::FeatureName name) {
    return std::ranges::find(candidate.features, name) != candidate.features.end();
  };
  const auto& size = limits.max_workgroup_size;
  const std::uint32_t groups = limits.max_workgroups;
  info.shared_memory_per_group = limits.max_workgroup_bytes;
  info.max_group_items = limits.max_workgroup_items;
  info.max_group_size = {size[0], size[1], size[2]};
  info.max_groups = {groups, groups, groups};
  info.max_allocation = limits.max_buffer;
  info.max_binding_range = limits.max_storage_binding;
  info.timestamps = has(abi::FeatureName::timestamp_query);
  info.f16 = has(abi::FeatureName::shader_f16);
  // WGSL has none of these, and its fma() may round twice.
  info.f64 = info.i64 = info.i64_atomics = info.f32_atomics = false;
  info.storage8 = info.storage16 = info.exact_fma = info.device_fences = false;
  info.subgroups = has(abi::FeatureName::subgroups);
  info.subgroup_arithmetic = info.subgroup_vote = info.subgroup_broadcast = info.subgroup_shuffle =
      info.subgroups;
  info.subgroup_i64 = false;
}

Candidate examine(const Api& wgpu, abi::Adapter adapter) {
  Candidate candidate;
  candidate.adapter = adapter;
  candidate.features = features_of(wgpu, adapter);
  if (wgpu.AdapterGetLimits(adapter, &candidate.limits) != abi::Status::success)
    candidate.refusal = "it does not say what its limits are";
  else if (candidate.limits.max_workgroup_items == 0 || candidate.limits.max_storage_buffers == 0)
    candidate.refusal = "it has no compute shaders";
  candidate.limits.next = nullptr;

  DeviceInfo& info = candidate.info;
  info.backend = "webgpu";
  abi::AdapterInfo said;
  if (wgpu.AdapterGetInfo(adapter, &said) != abi::Status::success) {
    candidate.refusal = "it does not say what it is";
  } else {
    info.name = text(said.device);
    info.type = type_of(said.type);
    info.integrated = info.type == DeviceType::integrated;
    info.driver = library_name(wgpu) + " on " + std::string(name_of(said.backend));
    // wgpu-native has the driver's name where others have the vendor's.
    const std::string vendor = text(said.vendor);
    const std::string more = text(said.description);
    if (wgpu.GetVersion == nullptr) info.vendor = vendor;
    if (wgpu.GetVersion != nullptr && !vendor.empty()) info.driver += ", " + vendor;
    if (!more.empty()) info.driver += ", " + more;
    if (said.subgroup_min_size == said.subgroup_max_size && said.subgroup_min_size != 0)
      info.subgroup_size = said.subgroup_min_size;
    wgpu.AdapterInfoFreeMembers(said);
  }
  if (!candidate.refusal.empty()) info.rung = Rung::loaded;
  fill_figures(candidate, info);
  return candidate;
}

bool is_same(const DeviceInfo& a, const DeviceInfo& b) {
  return a.name == b.name && a.vendor == b.vendor && a.driver == b.driver && a.type == b.type;
}

}  // namespace

Result<Candidates> Candidates::enumerate(const Api& wgpu, abi::Instance instance) {
  COLLET_TRY(choice, chosen_backend());
  const bool lists = wgpu.InstanceEnumerateAdapters != nullptr;
  COLLET_TRY(adapters, lists ? enumerated(wgpu, instance, choice) : requested(wgpu, instance, choice));
  Candidates found(wgpu);
  for (const abi::Adapter adapter : adapters) {
    Candidate candidate = examine(wgpu, adapter);
    const bool again = !lists && std::ranges::any_of(found.all_, [&](const Candidate& one) {
      return is_same(one.info, candidate.info);
    });
    if (again) {
      wgpu.AdapterRelease(adapter);
      continue;
    }
    candidate.info.index = static_cast<std::uint32_t>(found.all_.size());
    found.all_.push_back(std::move(candidate));
  }
  return found;
}

Candidates::~Candidates() {
  for (const Candidate& candidate : all_) wgpu_->AdapterRelease(candidate.adapter);
}

Caps device_caps(const Candidate& candidate) {
  const abi::Limits& limits = candidate.limits;
  const DeviceInfo& info = candidate.info;
  Caps caps;
  caps.formats = {Format::wgsl};
  caps.max_bindings = std::min<std::uint32_t>(limits.max_storage_buffers, 64);
  caps.max_allocation = limits.max_buffer & ~std::uint64_t{15};
  caps.max_binding_range = limits.max_storage_binding & ~std::uint64_t{15};
  caps.max_constants_size =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(limits.max_uniform_binding, 16 << 10));
  caps.offset_alignment = common::alignment(limits.storage_alignment);
  caps.copy_alignment = 4;
  caps.max_groups = *info.max_groups;
  caps.max_group_size = *info.max_group_size;
  caps.max_group_items = limits.max_workgroup_items;
  caps.max_shared_bytes = limits.max_workgroup_bytes;
  caps.shared_blocks = false;
  caps.mixed_access = false;
  caps.host_commands = true;
  caps.timestamps = info.timestamps.value_or(false);
  caps.gather = 64;
  return caps;
}

}  // namespace collet::backend::webgpu
