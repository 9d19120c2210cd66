// From a cl_int to an Error.
#pragma once

#include "backends/common/check.hpp"
#include "backends/opencl/api.hpp"

namespace collet::backend::opencl {

using common::Doing;

inline constexpr Doing kEnumerate{"listing the platforms", Category::initialisation, Cause::no_device};
inline constexpr Doing kOpenDevice{"creating a context", Category::device, Cause::context_failed};
inline constexpr Doing kRetainBuffer{"retaining a sub-buffer", Category::memory};
inline constexpr Doing kMakeProgram{"creating a program", Category::compilation, Cause::module_failed};
inline constexpr Doing kBuild{"building the program", Category::compilation, Cause::module_failed};
inline constexpr Doing kMakeKernel{"creating a kernel", Category::compilation};
inline constexpr Doing kAskKernel{"asking for a kernel's arguments", Category::compilation};
inline constexpr Doing kMakeQueue{"creating a command queue", Category::stream, Cause::queue_failed};
inline constexpr Doing kFlush{"flushing a queue", Category::stream};
inline constexpr Doing kMark{"enqueueing a marker", Category::stream};
inline constexpr Doing kRetainEvent{"retaining an event", Category::stream};
inline constexpr Doing kCopy{"enqueueing a copy", Category::memory};
inline constexpr Doing kFill{"enqueueing a fill", Category::memory};
inline constexpr Doing kWrite{"enqueueing a write", Category::memory};
inline constexpr Doing kRead{"enqueueing a read", Category::memory};
inline constexpr Doing kSetBuffer{"setting a buffer argument", Category::launch};
inline constexpr Doing kSetConstant{"setting a constant", Category::launch};
inline constexpr Doing kSetShared{"setting the workgroup memory", Category::launch};
inline constexpr Doing kLaunch{"enqueueing a kernel", Category::launch};
inline constexpr Doing kSampleClock{"reading the device's clock", Category::device};

struct Codes {
  using Type = cl_int;
  static constexpr std::string_view kApi = "OpenCL";
  static bool is_error(Type code) { return code != CL_SUCCESS; }
  static std::string_view name_of(Type code);
  static common::Meaning meaning_of(Type code);
};

inline Result<void> check(cl_int code, const Doing& doing) { return common::check<Codes>(code, doing); }

// For the status that a command ended with, where codes mean more: the device may be gone.
Error execution_error(cl_int status);

}  // namespace collet::backend::opencl
