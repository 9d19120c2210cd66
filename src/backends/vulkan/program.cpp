// Vulkan: SPIR-V modules are checked before the driver sees them; kernels are compute pipelines.

#include <cstring>

#include "backends/common/misfit.hpp"
#include "backends/common/options.hpp"
#include "backends/vulkan/device.hpp"
#include "backends/vulkan/features.hpp"

namespace collet::backend::vulkan {
namespace {

constexpr std::uint32_t kSharedBytesId = 3;  // after the three of the group size

common::SpirvTarget target_of(std::uint32_t version) {
  if (version >= VK_API_VERSION_1_3) return common::SpirvTarget::vulkan_1_3;
  if (version >= VK_API_VERSION_1_2) return common::SpirvTarget::vulkan_1_2;
  return common::SpirvTarget::vulkan_1_1;
}

bool contains(const std::vector<std::uint32_t>& values, std::uint32_t value) {
  for (const std::uint32_t one : values) {
    if (one == value) return true;
  }
  return false;
}

// The module must bring its own group size or take the signature's.
Result<void> fit_group_size(const common::SpirvEntry& entry, const Signature& signature) {
  std::array<std::uint32_t, 3> size = entry.fixed_size;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (size[axis] == 0) size[axis] = signature.group_size[axis];
  }
  if (size == signature.group_size) return {};
  return common::other_group_size("The module", entry.name, size, signature.group_size)
      .with_hint(
          "Use local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2 to leave it to the signature.");
}

Result<void> fit_parameters(const common::SpirvEntry& entry, const Signature& signature) {
  if (entry.other_sets || entry.other_resources) {
    return common::misfit(
        Cause::argument_type,
        "\"" + entry.name + "\" uses " +
            (entry.other_sets ? "a descriptor set beside 0" : "a resource that is no storage buffer") +
            "; its parameters must be storage buffers of set 0 and one push-constant block.");
  }
  if (!entry.bindings.empty() && entry.bindings.back() >= signature.buffer_count) {
    return common::misfit(Cause::argument_count, "\"" + entry.name + "\" uses binding " +
                                                     std::to_string(entry.bindings.back()) +
                                                     ", but the signature has " +
                                                     std::to_string(signature.buffer_count) + " buffers.");
  }
  if (entry.push_constant_size > signature.constants_size) {
    return common::misfit(Cause::argument_type, "The push-constant block of \"" + entry.name + "\" has " +
                                                    std::to_string(entry.push_constant_size) +
                                                    " bytes, but the constants of the signature have " +
                                                    std::to_string(signature.constants_size) + ".");
  }
  return {};
}

// The four specialisation constants of the kernel ABI, those that the module has.
struct Specialisation {
  std::array<std::uint32_t, 4> values{};
  std::array<VkSpecializationMapEntry, 4> entries{};
  VkSpecializationInfo info{};

  Specialisation(const Module& module, const Signature& signature) {
    const auto& group = signature.group_size;
    values = {group[0], group[1], group[2], signature.shared_bytes};
    for (std::uint32_t id = 0; id < values.size(); ++id) {
      if (id == kSharedBytesId && signature.shared_bytes == 0) continue;  // the module's own default stands
      if (!contains(module.declares.specialisation_ids, id)) continue;
      entries[info.mapEntryCount++] = {id, static_cast<std::uint32_t>(id * sizeof(std::uint32_t)),
                                       sizeof(std::uint32_t)};
    }
    info.pMapEntries = entries.data();
    info.dataSize = sizeof values;
    info.pData = values.data();
  }
  Specialisation(const Specialisation&) = delete;
  Specialisation& operator=(const Specialisation&) = delete;
};

}  // namespace

Result<BuiltProgram> VulkanDevice::create_program(const ProgramDesc& desc) {
  COLLET_CHECK(common::validate_spirv(desc.code, target_of(physical_.version), scalar_layout_));
  COLLET_TRY(declares, common::reflect_spirv(desc.code));
  for (const std::uint32_t capability : declares.capabilities) {
    const char* lacking = missing_capability(physical_, features_, capability);
    if (lacking == nullptr) continue;
    return Error(ErrorCode::unsupported, Category::compilation, Cause::module_failed,
                 "The module needs the SPIR-V capability " + std::to_string(capability) + " (" + lacking +
                     "), which " + physical_.info.name + " does not have.");
  }
  if (declares.entries.empty()) {
    return common::misfit(Cause::no_kernels, "The SPIR-V module has no compute entry point.");
  }

  std::vector<std::uint32_t> words(desc.code.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), desc.code.data(), desc.code.size());
  auto info = structure<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  info.codeSize = desc.code.size();
  info.pCode = words.data();
  VkShaderModule handle = VK_NULL_HANDLE;
  COLLET_CHECK(check(vk_.vkCreateShaderModule(device_, &info, nullptr, &handle), kMakeModule));
  name(VK_OBJECT_TYPE_SHADER_MODULE, number(handle), desc.label);
  const bool optimise = desc.options->optimise != CompileOptions::Optimise::none;
  auto* module = new Module{handle, std::move(declares), optimise};
  constexpr std::array<std::string_view, 1> kLevel{"optimise"};
  return BuiltProgram{.program = Program{reinterpret_cast<std::uintptr_t>(module)},
                      .log = std::string(common::spirv_remark()),
                      .ignored = common::ignored_options(
                          *desc.options, optimise ? std::span<const std::string_view>() : kLevel)};
}

void VulkanDevice::destroy_program(Program program) {
  auto* module = reinterpret_cast<Module*>(program.id);
  vk_.vkDestroyShaderModule(device_, module->handle, nullptr);
  delete module;
}

// A module whose only entry point is "main" serves any name: GLSL knows no other.
Result<const common::SpirvEntry*> VulkanDevice::find_entry(const Module& module,
                                                           std::string_view name) const {
  const auto& entries = module.declares.entries;
  for (const auto& entry : entries) {
    if (entry.name == name) return &entry;
  }
  if (entries.size() == 1 && entries.front().name == "main") return &entries.front();
  return common::no_such_kernel("The module has no kernel", name, common::names_of(entries));
}

Result<void> VulkanDevice::fit(const common::SpirvEntry& entry, const Module& module,
                               const Signature& signature) const {
  COLLET_CHECK(fit_group_size(entry, signature));
  COLLET_CHECK(fit_parameters(entry, signature));
  if (signature.shared_bytes != 0 && !contains(module.declares.specialisation_ids, kSharedBytesId)) {
    return common::misfit(Cause::pipeline_failed,
                          "The signature gives " + std::to_string(signature.shared_bytes) +
                              " bytes of shared memory to \"" + entry.name +
                              "\", but the module has no specialisation constant 3 to size it with.");
  }
  const std::uint64_t shared = entry.workgroup_bytes + signature.shared_bytes;
  if (shared > physical_.caps.max_shared_bytes) {
    return Error(ErrorCode::unsupported, Category::compilation, Cause::shared_memory_unsupported,
                 "\"" + entry.name + "\" needs " + std::to_string(shared) + " bytes of shared memory; " +
                     physical_.info.name + " has " + std::to_string(physical_.caps.max_shared_bytes) + ".");
  }
  return {};
}

Result<Kernel> VulkanDevice::create_kernel(Program program, const KernelDesc& desc) {
  const auto& module = *reinterpret_cast<const Module*>(program.id);
  const Signature& signature = *desc.signature;
  COLLET_TRY(entry, find_entry(module, desc.entry));
  COLLET_CHECK(fit(*entry, module, signature));
  COLLET_TRY(shared_layout, layout(signature.buffer_count, signature.constants_size));

  const Specialisation specialisation(module, signature);
  auto info = structure<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  if (!module.optimise) info.flags |= VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT;
  info.layout = shared_layout->pipeline;
  info.stage =
      structure<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module.handle;
  info.stage.pName = entry->name.c_str();
  info.stage.pSpecializationInfo = &specialisation.info;
  VkPipeline handle = VK_NULL_HANDLE;
  COLLET_CHECK(check(vk_.vkCreateComputePipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &handle),
                     kMakePipeline));
  name(VK_OBJECT_TYPE_PIPELINE, number(handle), desc.label.empty() ? desc.entry : desc.label);
  return Kernel{reinterpret_cast<std::uintptr_t>(new Pipeline{handle, shared_layout})};
}

void VulkanDevice::destroy_kernel(Kernel kernel) {
  auto* pipeline = reinterpret_cast<Pipeline*>(kernel.id);
  vk_.vkDestroyPipeline(device_, pipeline->handle, nullptr);
  delete pipeline;
}

}  // namespace collet::backend::vulkan
