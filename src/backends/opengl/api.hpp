// Entry points of EGL and OpenGL, looked up in a library that was found at run time.
#pragma once

#include <string>
#include <string_view>

#include "backends/opengl/abi.hpp"
#include "collet/result.hpp"
#include "platform/platform.hpp"

namespace collet::backend::opengl {

// clang-format off
// EGL 1.5 has these in the library itself.
#define COLLET_EGL_REQUIRED(X) \
  X(GetProcAddress, egl::Function, const char*) \
  X(GetError, egl::Int) \
  X(QueryString, const char*, egl::Display, egl::Int) \
  X(GetDisplay, egl::Display, void*) \
  X(Initialize, egl::Boolean, egl::Display, egl::Int*, egl::Int*) \
  X(BindAPI, egl::Boolean, egl::Enum) \
  X(ChooseConfig, egl::Boolean, egl::Display, const egl::Int*, egl::Config*, egl::Int, egl::Int*) \
  X(CreateContext, egl::Context, egl::Display, egl::Config, egl::Context, const egl::Int*) \
  X(DestroyContext, egl::Boolean, egl::Display, egl::Context) \
  X(MakeCurrent, egl::Boolean, egl::Display, egl::Surface, egl::Surface, egl::Context) \
  X(ReleaseThread, egl::Boolean)

// Of extensions, which say whether a function may be called: GetProcAddress gives an address for any name.
#define COLLET_EGL_OPTIONAL(X) \
  X(GetPlatformDisplayEXT, egl::Display, egl::Enum, void*, const egl::Int*) \
  X(QueryDevicesEXT, egl::Boolean, egl::Int, egl::Device*, egl::Int*) \
  X(QueryDeviceStringEXT, const char*, egl::Device, egl::Int)

#define COLLET_GL_REQUIRED(X) \
  X(GetError, gl::Enum) \
  X(GetString, const unsigned char*, gl::Enum) \
  X(GetStringi, const unsigned char*, gl::Enum, gl::Uint) \
  X(GetIntegerv, void, gl::Enum, gl::Int*) \
  X(GetInteger64v, void, gl::Enum, std::int64_t*) \
  X(GetIntegeri_v, void, gl::Enum, gl::Uint, gl::Int*) \
  X(GenBuffers, void, gl::Size, gl::Uint*) \
  X(DeleteBuffers, void, gl::Size, const gl::Uint*) \
  X(BindBuffer, void, gl::Enum, gl::Uint) \
  X(BindBufferBase, void, gl::Enum, gl::Uint, gl::Uint) \
  X(BindBufferRange, void, gl::Enum, gl::Uint, gl::Uint, gl::Offset, gl::Offset) \
  X(BufferData, void, gl::Enum, gl::Offset, const void*, gl::Enum) \
  X(BufferSubData, void, gl::Enum, gl::Offset, gl::Offset, const void*) \
  X(CopyBufferSubData, void, gl::Enum, gl::Enum, gl::Offset, gl::Offset, gl::Offset) \
  X(MapBufferRange, void*, gl::Enum, gl::Offset, gl::Offset, gl::Bits) \
  X(UnmapBuffer, gl::Boolean, gl::Enum) \
  X(CreateShader, gl::Uint, gl::Enum) \
  X(ShaderSource, void, gl::Uint, gl::Size, const char* const*, const gl::Int*) \
  X(CompileShader, void, gl::Uint) \
  X(GetShaderiv, void, gl::Uint, gl::Enum, gl::Int*) \
  X(GetShaderInfoLog, void, gl::Uint, gl::Size, gl::Size*, char*) \
  X(DeleteShader, void, gl::Uint) \
  X(CreateProgram, gl::Uint) \
  X(AttachShader, void, gl::Uint, gl::Uint) \
  X(DetachShader, void, gl::Uint, gl::Uint) \
  X(LinkProgram, void, gl::Uint) \
  X(GetProgramiv, void, gl::Uint, gl::Enum, gl::Int*) \
  X(GetProgramInfoLog, void, gl::Uint, gl::Size, gl::Size*, char*) \
  X(GetProgramInterfaceiv, void, gl::Uint, gl::Enum, gl::Enum, gl::Int*) \
  X(GetProgramResourceiv, void, gl::Uint, gl::Enum, gl::Uint, gl::Size, const gl::Enum*, gl::Size, gl::Size*, \
    gl::Int*) \
  X(UseProgram, void, gl::Uint) \
  X(DeleteProgram, void, gl::Uint) \
  X(DispatchCompute, void, gl::Uint, gl::Uint, gl::Uint) \
  X(MemoryBarrier, void, gl::Bits) \
  X(FenceSync, gl::Sync, gl::Enum, gl::Bits) \
  X(ClientWaitSync, gl::Enum, gl::Sync, gl::Bits, std::uint64_t) \
  X(DeleteSync, void, gl::Sync) \
  X(Flush, void) \
  X(Finish, void) \
  X(GenQueries, void, gl::Size, gl::Uint*) \
  X(DeleteQueries, void, gl::Size, const gl::Uint*)

// By version or extension: see Features. The second name is that of OpenGL ES.
#define COLLET_GL_OPTIONAL(X) \
  X(BufferStorage, "BufferStorageEXT", void, gl::Enum, gl::Offset, const void*, gl::Bits) \
  X(ClearBufferSubData, "", void, gl::Enum, gl::Enum, gl::Offset, gl::Offset, gl::Enum, gl::Enum, const void*) \
  X(QueryCounter, "QueryCounterEXT", void, gl::Uint, gl::Enum) \
  X(GetQueryObjectui64v, "GetQueryObjectui64vEXT", void, gl::Uint, gl::Enum, std::uint64_t*) \
  X(GetGraphicsResetStatus, "GetGraphicsResetStatusEXT", gl::Enum) \
  X(GetUnsignedBytei_vEXT, "GetUnsignedBytei_vEXT", void, gl::Enum, gl::Uint, unsigned char*) \
  X(ObjectLabel, "ObjectLabelKHR", void, gl::Enum, gl::Uint, gl::Size, const char*)
// clang-format on

// Threads: immutable once loaded.
struct Egl {
#define COLLET_EGL_MEMBER(name, result, ...) result (*name)(__VA_ARGS__) = nullptr;
  COLLET_EGL_REQUIRED(COLLET_EGL_MEMBER)
  COLLET_EGL_OPTIONAL(COLLET_EGL_MEMBER)
#undef COLLET_EGL_MEMBER
  std::string path;  // of the library
};

// Threads: immutable once loaded; its functions are for threads with a current context.
struct Gl {
#define COLLET_GL_MEMBER(name, result, ...) result (*name)(__VA_ARGS__) = nullptr;
#define COLLET_GL_OPTIONAL_MEMBER(name, es, result, ...) result (*name)(__VA_ARGS__) = nullptr;
  COLLET_GL_REQUIRED(COLLET_GL_MEMBER)
  COLLET_GL_OPTIONAL(COLLET_GL_OPTIONAL_MEMBER)
#undef COLLET_GL_OPTIONAL_MEMBER
#undef COLLET_GL_MEMBER
};

enum class Flavour : std::uint8_t { desktop, es };

// "OpenGL", "OpenGL ES".
constexpr std::string_view name_of(Flavour flavour) {
  return flavour == Flavour::es ? "OpenGL ES" : "OpenGL";
}

Result<Egl> load_egl();
Result<Gl> load_gl(const Egl& egl, Flavour flavour);

// Whether `name` stands in a list with blanks between.
bool is_listed(std::string_view list, std::string_view name);

}  // namespace collet::backend::opengl
