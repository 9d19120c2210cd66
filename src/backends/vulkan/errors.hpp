// From a VkResult to an Error.
#pragma once

#include <string>

#include "backends/common/check.hpp"
#include "backends/vulkan/api.hpp"

namespace collet::backend::vulkan {

using common::Doing;

inline constexpr Doing kEnumerate{"listing what is there", Category::initialisation, Cause::no_device};
inline constexpr Doing kMakeInstance{"making an instance", Category::initialisation, Cause::instance_failed};
inline constexpr Doing kOpenDevice{"opening the device", Category::device, Cause::device_open_failed};
inline constexpr Doing kAllocate{"allocating memory", Category::memory, Cause::allocation_failed};
inline constexpr Doing kSyncMemory{"synchronising mapped memory", Category::memory, Cause::other};
inline constexpr Doing kMakeModule{"making a shader module", Category::compilation, Cause::module_failed};
inline constexpr Doing kMakePipeline{"making a pipeline", Category::compilation, Cause::pipeline_failed};
inline constexpr Doing kMakeQueue{"making a queue", Category::stream, Cause::queue_failed};
inline constexpr Doing kRecord{"recording commands", Category::launch, Cause::command_buffer_failed};
inline constexpr Doing kSubmit{"submitting commands", Category::launch, Cause::queue_failed};
inline constexpr Doing kWait{"waiting for the device", Category::synchronisation, Cause::other};
inline constexpr Doing kSampleClock{"reading the clocks", Category::runtime, Cause::other};

// Success and the informative codes above it are no errors, except VK_TIMEOUT.
struct Codes {
  using Type = VkResult;
  static constexpr std::string_view kApi = "Vulkan";
  static bool is_error(Type code) { return code < 0 || code == VK_TIMEOUT; }
  static std::string_view name_of(Type code);
  static common::Meaning meaning_of(Type code);
};

inline Result<void> check(VkResult code, const Doing& doing) { return common::check<Codes>(code, doing); }

// "1.3.230"
std::string version_text(std::uint32_t version);

}  // namespace collet::backend::vulkan
