// CUDA's codes become errors here and nowhere else.
#pragma once

#include "backends/common/check.hpp"
#include "backends/cuda/abi.hpp"

namespace collet::backend::cuda {

using common::Doing;

inline constexpr Doing kInitialise{"initialising the driver", Category::initialisation, Cause::init_failed};
inline constexpr Doing kListDevices{"listing the devices", Category::initialisation, Cause::no_device};
inline constexpr Doing kAskDevice{"asking for a device's properties", Category::device};
inline constexpr Doing kOpenDevice{"opening a device", Category::device, Cause::device_open_failed};
inline constexpr Doing kTakeContext{"making a context current", Category::device};
inline constexpr Doing kAskMemory{"asking for the memory that is left", Category::memory};
inline constexpr Doing kMakeStream{"creating a stream", Category::stream};
inline constexpr Doing kMakeEvent{"creating an event", Category::stream};
inline constexpr Doing kRecordEvent{"recording an event", Category::stream};
inline constexpr Doing kAskEvent{"asking an event", Category::stream};
inline constexpr Doing kWaitEvent{"making a stream wait for an event", Category::stream};
inline constexpr Doing kLoadModule{"loading a module", Category::compilation, Cause::module_failed};
inline constexpr Doing kFindFunction{"looking a kernel up", Category::compilation, Cause::kernel_not_found};
inline constexpr Doing kAskFunction{"asking for a kernel's properties", Category::compilation,
                                    Cause::pipeline_failed};
inline constexpr Doing kCopy{"copying a buffer", Category::memory};
inline constexpr Doing kFill{"filling a buffer", Category::memory};
inline constexpr Doing kLaunch{"launching a kernel", Category::launch};

struct Codes {
  using Type = Status;
  static constexpr std::string_view kApi = "CUDA";
  static bool is_error(Type code) { return code != kSuccess; }
  static std::string_view name_of(Type code);
  static common::Meaning meaning_of(Type code);
};

inline Result<void> check(Status status, const Doing& doing) { return common::check<Codes>(status, doing); }

}  // namespace collet::backend::cuda
