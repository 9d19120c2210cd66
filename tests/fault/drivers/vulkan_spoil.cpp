// lavapipe with one thing spoiled, which COLLET_TEST_SPOIL names; everything else is lavapipe's own work.
// What is computed is spoiled in the SPIR-V that passes through.

#include <dlfcn.h>
#include <vulkan/vk_icd.h>
#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "misbehave.hpp"

namespace {

bool spoils(const char* what) {
  const char* asked = std::getenv("COLLET_TEST_SPOIL");
  return asked != nullptr && std::string(asked) == what;
}

// Of SPIR-V's specification.
enum Opcode : std::uint32_t {
  kNop = 0,
  kUndef = 1,
  kTypeInt = 21,
  kUConvert = 113,
  kIAdd = 128,
  kFAdd = 129,
  kFMul = 133,
  kBitwiseOr = 197,
  kBitwiseXor = 198,
  kControlBarrier = 224,
  kAtomicExchange = 229,
  kAtomicIAdd = 234,
};

// Calls `call` with the first word of each instruction.
template <class Call>
void each(std::vector<std::uint32_t>& words, const Call& call) {
  for (std::size_t at = 5; at < words.size() && words[at] >> 16 != 0;) {
    const std::size_t length = words[at] >> 16;  // the call may change it
    call(&words[at], words[at] & 0xffffu);
    at += length;
  }
}

void exchange(std::vector<std::uint32_t>& words, Opcode from, Opcode to) {
  each(words, [&](std::uint32_t* word, std::uint32_t opcode) {
    if (opcode == from) *word = (*word & 0xffff0000u) | to;
  });
}

void drop_barriers(std::vector<std::uint32_t>& words) {
  each(words, [&](std::uint32_t* word, std::uint32_t opcode) {
    if (opcode != kControlBarrier) return;
    for (std::uint32_t i = *word >> 16; i-- > 0;) word[i] = 1u << 16 | kNop;
  });
}

// What becomes a byte or a short is forgotten.
void lose_small(std::vector<std::uint32_t>& words) {
  std::vector<std::uint32_t> small;
  each(words, [&](const std::uint32_t* word, std::uint32_t opcode) {
    if (opcode == kTypeInt && word[2] < 32) small.push_back(word[1]);
    if (opcode != kUConvert) return;
    for (const std::uint32_t type : small) {
      if (word[1] != type) continue;
      auto* const changed = const_cast<std::uint32_t*>(word);
      changed[0] = 3u << 16 | kUndef;
      changed[3] = 1u << 16 | kNop;
    }
  });
}

void spoil(std::vector<std::uint32_t>& words) {
  if (spoils("emitted code")) exchange(words, kBitwiseXor, kBitwiseOr);
  if (spoils("floats")) exchange(words, kFMul, kFAdd);
  if (spoils("barriers")) drop_barriers(words);
  if (spoils("atomics")) exchange(words, kAtomicIAdd, kAtomicExchange);
  if (spoils("sub-words")) lose_small(words);
}

// --- Functions in place of lavapipe's
// --------------------------------------------------------------------------

PFN_vkCreateShaderModule real_module;
PFN_vkCmdCopyBuffer real_copy;
PFN_vkGetPhysicalDeviceProperties2 real_properties;
PFN_vkGetPhysicalDeviceMemoryProperties real_memory;
PFN_vkAllocateMemory real_allocate;
PFN_vkGetBufferMemoryRequirements real_requirements;

VkResult create_module(VkDevice device, const VkShaderModuleCreateInfo* info,
                       const VkAllocationCallbacks* allocator, VkShaderModule* made) {
  std::vector<std::uint32_t> words(info->pCode, info->pCode + info->codeSize / 4);
  spoil(words);
  VkShaderModuleCreateInfo changed = *info;
  changed.pCode = words.data();
  return real_module(device, &changed, allocator, made);
}

// Whole words only.
void copy(VkCommandBuffer commands, VkBuffer from, VkBuffer to, std::uint32_t count,
          const VkBufferCopy* copies) {
  std::vector<VkBufferCopy> changed(copies, copies + count);
  std::erase_if(changed, [](const VkBufferCopy& one) { return one.size < 4; });
  for (VkBufferCopy& one : changed) one.size = one.size / 4 * 4;
  if (!changed.empty())
    real_copy(commands, from, to, static_cast<std::uint32_t>(changed.size()), changed.data());
}

// Nothing is filled.
void fill(VkCommandBuffer /*commands*/, VkBuffer /*to*/, VkDeviceSize /*at*/, VkDeviceSize /*size*/,
          std::uint32_t /*pattern*/) {}

// Another name: lavapipe cuts loops, but nobody knows it of this driver.
void rename(VkPhysicalDevice device, VkPhysicalDeviceProperties2* out) {
  real_properties(device, out);
  for (auto* next = static_cast<VkBaseOutStructure*>(out->pNext); next != nullptr; next = next->pNext) {
    if (next->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES) continue;
    auto* const driver = reinterpret_cast<VkPhysicalDeviceDriverProperties*>(next);
    std::strcpy(driver->driverName, "planted");
    std::strcpy(driver->driverInfo, "1.0");
  }
}

// Two kinds of memory as on a discrete GPU: one of the device's own, and one that the host sees. Both are
// lavapipe's only kind.
void two_kinds(VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties* out) {
  real_memory(device, out);
  out->memoryTypes[1] = out->memoryTypes[0];
  out->memoryTypes[0].propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  out->memoryTypes[1].propertyFlags &= ~static_cast<VkFlags>(VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  out->memoryTypeCount = 2;
}
void two_kinds2(VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties2* out) {
  two_kinds(device, &out->memoryProperties);
}
VkResult allocate(VkDevice device, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks* allocator,
                  VkDeviceMemory* made) {
  VkMemoryAllocateInfo changed = *info;
  changed.memoryTypeIndex = 0;
  return real_allocate(device, &changed, allocator, made);
}
void requirements(VkDevice device, VkBuffer buffer, VkMemoryRequirements* out) {
  real_requirements(device, buffer, out);
  out->memoryTypeBits = 3;
}

template <class Function>
PFN_vkVoidFunction instead(Function& real, PFN_vkVoidFunction found, Function ours) {
  if (found == nullptr) return nullptr;
  real = reinterpret_cast<Function>(found);
  return reinterpret_cast<PFN_vkVoidFunction>(ours);
}

PFN_vkVoidFunction changed(const std::string& name, PFN_vkVoidFunction found) {
  const auto ours = [](auto* function) { return reinterpret_cast<PFN_vkVoidFunction>(function); };
  if (name == "vkCreateShaderModule") return instead(real_module, found, &create_module);
  if (spoils("ragged copies") && name == "vkCmdCopyBuffer") return instead(real_copy, found, &copy);
  if (spoils("long loops") && name.starts_with("vkGetPhysicalDeviceProperties2"))
    return instead(real_properties, found, &rename);
  if (!spoils("stale memory")) return found;
  if (name == "vkCmdFillBuffer") return ours(fill);
  if (name == "vkGetPhysicalDeviceMemoryProperties") return instead(real_memory, found, &two_kinds);
  if (name.starts_with("vkGetPhysicalDeviceMemoryProperties2")) return ours(two_kinds2);
  if (name == "vkAllocateMemory") return instead(real_allocate, found, &allocate);
  if (name == "vkGetBufferMemoryRequirements") return instead(real_requirements, found, &requirements);
  return found;
}

template <class Function>
Function lavapipe(const char* name) {
  static void* const library = dlopen("libvulkan_lvp.so", RTLD_NOW | RTLD_LOCAL);
  return library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
}

PFN_vkGetDeviceProcAddr real_of_device;

PFN_vkVoidFunction of_device(VkDevice device, const char* name) {
  return changed(name, real_of_device(device, name));
}

}  // namespace

DRIVER_EXPORT VkResult vk_icdNegotiateLoaderICDInterfaceVersion(std::uint32_t* version) {
  const auto negotiate =
      lavapipe<PFN_vkNegotiateLoaderICDInterfaceVersion>("vk_icdNegotiateLoaderICDInterfaceVersion");
  return negotiate == nullptr ? VK_ERROR_INCOMPATIBLE_DRIVER : negotiate(version);
}

DRIVER_EXPORT PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance instance, const char* name) {
  const auto find = lavapipe<PFN_vkGetInstanceProcAddr>("vk_icdGetInstanceProcAddr");
  if (find == nullptr) return nullptr;
  const PFN_vkVoidFunction found = find(instance, name);
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0) return instead(real_of_device, found, &of_device);
  // So that the others can call it, whichever the loader asks for.
  if (real_memory == nullptr && instance != nullptr) {
    real_memory = reinterpret_cast<PFN_vkGetPhysicalDeviceMemoryProperties>(
        find(instance, "vkGetPhysicalDeviceMemoryProperties"));
  }
  return changed(name, found);
}

DRIVER_EXPORT PFN_vkVoidFunction vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char* name) {
  const auto find = lavapipe<PFN_GetPhysicalDeviceProcAddr>("vk_icdGetPhysicalDeviceProcAddr");
  return find == nullptr ? nullptr : changed(name, find(instance, name));
}
