// EGL's and OpenGL's codes become errors here and nowhere else.
#pragma once

#include "backends/common/check.hpp"
#include "backends/opengl/api.hpp"

namespace collet::backend::opengl {

using common::Doing;

inline constexpr Doing kMakeContext{"making a context", Category::device, Cause::device_open_failed};
inline constexpr Doing kTakeContext{"making a context current", Category::device, Cause::device_open_failed};
inline constexpr Doing kAskDevice{"asking for limits", Category::device, Cause::device_open_failed};
inline constexpr Doing kDestroyMemory{"giving a buffer back", Category::memory};
inline constexpr Doing kMakeShader{"compiling GLSL", Category::compilation, Cause::module_failed};
inline constexpr Doing kMakeProgram{"linking a program", Category::compilation, Cause::pipeline_failed};
inline constexpr Doing kSubmit{"giving commands to the driver", Category::launch};
inline constexpr Doing kWait{"asking whether work has ended", Category::stream};
inline constexpr Doing kReadClock{"reading the device's clock", Category::device};

struct EglCodes {
  using Type = egl::Int;
  static constexpr std::string_view kApi = "EGL";
  static bool is_error(Type code) { return code != egl::kSuccess; }
  static std::string_view name_of(Type code);
  static common::Meaning meaning_of(Type code);
};

struct GlCodes {
  using Type = gl::Enum;
  static constexpr std::string_view kApi = "OpenGL";
  static bool is_error(Type code) { return code != gl::kNoError; }
  static std::string_view name_of(Type code);
  static common::Meaning meaning_of(Type code);
};

// What EGL says of the thread's last call, which has failed.
Error egl_error(const Egl& egl, const Doing& doing);

// The first error of the current context since the last call; it forgets the others.
Result<void> check(const Gl& gl, const Doing& doing);

}  // namespace collet::backend::opengl
