// What the library says of the calls that a thread makes. WebGPU's calls return no codes: one that fails
// gives an object that is not valid, and calls back with a sentence before it returns.
#pragma once

#include <mutex>
#include <string>

#include "backends/common/check.hpp"
#include "backends/common/health.hpp"
#include "backends/webgpu/api.hpp"

namespace collet::backend::webgpu {

using common::Doing;

inline constexpr Doing kOpenDevice{"opening a device", Category::device, Cause::device_open_failed};
inline constexpr Doing kMakeModule{"compiling WGSL", Category::compilation, Cause::module_failed};
inline constexpr Doing kMakePipeline{"making a pipeline", Category::compilation, Cause::pipeline_failed};
inline constexpr Doing kMakeStaging{"making a buffer for transfers", Category::memory};
inline constexpr Doing kRecord{"recording commands", Category::launch, Cause::command_buffer_failed};
inline constexpr Doing kSubmit{"submitting commands", Category::stream};
inline constexpr Doing kMap{"reading a buffer back", Category::memory};

struct Codes {
  using Type = abi::ErrorType;
  static constexpr std::string_view kApi = "WebGPU";
  static bool is_error(Type code) { return code != Type::no_error; }
  static std::string_view name_of(Type code);
  static common::Meaning meaning_of(Type code);
};

// The first error of a device that no call of ours was listening to, and whether the device is lost. The
// library calls it back for as long as the process lives.
//
// Threads: thread-safe.
class Reports {
 public:
  // For the descriptor of a device.
  abi::CallbackInfo<abi::DeviceLostCallback> lost();
  abi::UncapturedErrorCallbackInfo errors();

  // The error that the device was lost with, or the first that nobody listened to.
  Result<void> check() const { return health_.check(); }
  Error note(Error error) { return health_.note(std::move(error)); }

 private:
  static void on_lost(const abi::Device*, abi::DeviceLostReason reason, abi::StringView message, void* self,
                      void*);
  static void on_error(const abi::Device*, abi::ErrorType type, abi::StringView message, void* self, void*);

  common::Health health_;
};

// Hears what the library reports of this thread's calls while it lives; the one before it hears nothing
// meanwhile.
//
//   Listener listener;
//   const abi::Buffer buffer = wgpu.DeviceCreateBuffer(…);
//   COLLET_CHECK(listener.check(kMakeStaging));
class Listener {
 public:
  Listener();
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // The one that lives on this thread.
  static Listener* current();

  // The first error since the last call of check(), with the library's own sentence.
  Result<void> check(const Doing& doing);

 private:
  friend class Reports;
  Listener* const before_;
  abi::ErrorType type_ = abi::ErrorType::no_error;
  std::string message_;
};

}  // namespace collet::backend::webgpu
