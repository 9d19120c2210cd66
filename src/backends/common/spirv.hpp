// Looks at a SPIR-V module before any driver does: is it valid, and what does it declare?
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collet/result.hpp"

namespace collet::backend::common {

enum class SpirvTarget : std::uint8_t { vulkan_1_1, vulkan_1_2, vulkan_1_3, opencl };

// The reference validator's verdict; its words are in the error (build_failed, module_failed). Scalar layout
// lets members of a block stand at their natural alignment, for devices that take that. A build without the
// validator looks at size and magic number only, and every build log says so: see spirv_remark().
Result<void> validate_spirv(std::span<const std::byte> code, SpirvTarget target, bool scalar_layout = false);

// The module as SPIR-V assembly.
Result<std::string> spirv_text(std::span<const std::byte> code);

// What the log of a program made from SPIR-V begins with: "" where modules are validated.
std::string_view spirv_remark();

// What one entry point reaches, through every function that it calls.
struct SpirvEntry {
  std::string name;
  // Fixed in the module; absent where it is left to specialisation constants or to the launch.
  std::optional<std::array<std::uint32_t, 3>> group_size;
  // The same by dimension; 0 where specialisation constant 0, 1 or 2 (for x, y, z) or the launch sets it.
  std::array<std::uint32_t, 3> fixed_size{};
  std::vector<std::uint32_t> bindings;   // storage buffers of descriptor set 0, ascending
  bool other_sets = false;               // a descriptor set beside 0 is used
  bool other_resources = false;          // images, samplers, uniform buffers or arrays of buffers are used
  std::uint32_t push_constant_size = 0;  // bytes
  std::uint64_t workgroup_bytes = 0;  // declared in the code; arrays sized by specialisation count as empty
};

struct SpirvModule {
  std::vector<SpirvEntry> entries;                // compute or kernel entry points, in order
  std::vector<std::uint32_t> specialisation_ids;  // SpecId decorations
  std::vector<std::uint32_t> capabilities;        // declared, in order
};

// Of a module that validate_spirv accepted; an invalid one gives an error or nonsense, never a fault.
Result<SpirvModule> reflect_spirv(std::span<const std::byte> code);

}  // namespace collet::backend::common
