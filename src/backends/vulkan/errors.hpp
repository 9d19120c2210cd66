// From a VkResult to an Error.
#pragma once

#include <atomic>
#include <string>

#include "backends/vulkan/api.hpp"
#include "collet/backend.hpp"

namespace collet::backend::vulkan {

// What was being done, and how a failure of it is filed unless the native code says something more exact.
struct Doing {
  const char* what;  // completes "Vulkan failed at …"
  Category category;
  Cause cause;
};

inline constexpr Doing kEnumerate{"listing the devices", Category::initialisation, Cause::no_device};
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

// Success and the informative codes above it are no errors, except VK_TIMEOUT. Sets *lost when the device is
// gone. Every VkResult of this backend passes through here.
Result<void> check(VkResult result, const Doing& doing, std::atomic<bool>* lost = nullptr);

// "1.3.230"
std::string version_text(std::uint32_t version);

}  // namespace collet::backend::vulkan
