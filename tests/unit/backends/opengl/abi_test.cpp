// What Collet declares of EGL and OpenGL, against Khronos' headers, where this system has them (Debian:
// libegl-dev, libgl-dev, libgles-dev).

#include <gtest/gtest.h>

#include "backends/opengl/api.hpp"

#if __has_include(<EGL/egl.h>) && __has_include(<GL/glcorearb.h>)
#define EGL_NO_X11
#define MESA_EGL_NO_X11_HEADERS
#include <EGL/egl.h>
// Behind it.
#include <EGL/eglext.h>
#include <GL/glcorearb.h>

#include <type_traits>

namespace collet::backend::opengl {
namespace {

#define SAME_VALUE(ours, theirs) \
  static_assert(static_cast<std::uint64_t>(ours) == static_cast<std::uint64_t>(theirs))

SAME_VALUE(egl::kOpenGlApi, EGL_OPENGL_API);
SAME_VALUE(egl::kOpenGlEsApi, EGL_OPENGL_ES_API);
SAME_VALUE(egl::kPlatformDevice, EGL_PLATFORM_DEVICE_EXT);
SAME_VALUE(egl::kPlatformSurfaceless, EGL_PLATFORM_SURFACELESS_MESA);
SAME_VALUE(egl::kNone, EGL_NONE);
SAME_VALUE(egl::kVendor, EGL_VENDOR);
SAME_VALUE(egl::kVersion, EGL_VERSION);
SAME_VALUE(egl::kExtensions, EGL_EXTENSIONS);
SAME_VALUE(egl::kRenderableType, EGL_RENDERABLE_TYPE);
SAME_VALUE(egl::kSurfaceType, EGL_SURFACE_TYPE);
SAME_VALUE(egl::kPbufferBit, EGL_PBUFFER_BIT);
SAME_VALUE(egl::kOpenGlBit, EGL_OPENGL_BIT);
SAME_VALUE(egl::kOpenGlEs3Bit, EGL_OPENGL_ES3_BIT);
SAME_VALUE(egl::kMajorVersion, EGL_CONTEXT_MAJOR_VERSION);
SAME_VALUE(egl::kMinorVersion, EGL_CONTEXT_MINOR_VERSION);
SAME_VALUE(egl::kRobustAccess, EGL_CONTEXT_OPENGL_ROBUST_ACCESS);
SAME_VALUE(egl::kResetStrategy, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY);
SAME_VALUE(egl::kLoseContextOnReset, EGL_LOSE_CONTEXT_ON_RESET);
SAME_VALUE(egl::kRobustAccessExt, EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT);
SAME_VALUE(egl::kResetStrategyExt, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT);
SAME_VALUE(egl::kSuccess, EGL_SUCCESS);
SAME_VALUE(egl::kNotInitialized, EGL_NOT_INITIALIZED);
SAME_VALUE(egl::kBadAccess, EGL_BAD_ACCESS);
SAME_VALUE(egl::kBadAlloc, EGL_BAD_ALLOC);
SAME_VALUE(egl::kBadAttribute, EGL_BAD_ATTRIBUTE);
SAME_VALUE(egl::kBadConfig, EGL_BAD_CONFIG);
SAME_VALUE(egl::kBadContext, EGL_BAD_CONTEXT);
SAME_VALUE(egl::kBadCurrentSurface, EGL_BAD_CURRENT_SURFACE);
SAME_VALUE(egl::kBadDisplay, EGL_BAD_DISPLAY);
SAME_VALUE(egl::kBadMatch, EGL_BAD_MATCH);
SAME_VALUE(egl::kBadNativePixmap, EGL_BAD_NATIVE_PIXMAP);
SAME_VALUE(egl::kBadNativeWindow, EGL_BAD_NATIVE_WINDOW);
SAME_VALUE(egl::kBadParameter, EGL_BAD_PARAMETER);
SAME_VALUE(egl::kBadSurface, EGL_BAD_SURFACE);
SAME_VALUE(egl::kContextLost, EGL_CONTEXT_LOST);

SAME_VALUE(gl::kNoError, GL_NO_ERROR);
SAME_VALUE(gl::kInvalidEnum, GL_INVALID_ENUM);
SAME_VALUE(gl::kInvalidValue, GL_INVALID_VALUE);
SAME_VALUE(gl::kInvalidOperation, GL_INVALID_OPERATION);
SAME_VALUE(gl::kStackOverflow, GL_STACK_OVERFLOW);
SAME_VALUE(gl::kStackUnderflow, GL_STACK_UNDERFLOW);
SAME_VALUE(gl::kOutOfMemory, GL_OUT_OF_MEMORY);
SAME_VALUE(gl::kInvalidFramebufferOperation, GL_INVALID_FRAMEBUFFER_OPERATION);
SAME_VALUE(gl::kContextLost, GL_CONTEXT_LOST);
SAME_VALUE(gl::kGuiltyReset, GL_GUILTY_CONTEXT_RESET);
SAME_VALUE(gl::kInnocentReset, GL_INNOCENT_CONTEXT_RESET);
SAME_VALUE(gl::kUnknownReset, GL_UNKNOWN_CONTEXT_RESET);
SAME_VALUE(gl::kVendor, GL_VENDOR);
SAME_VALUE(gl::kRenderer, GL_RENDERER);
SAME_VALUE(gl::kVersion, GL_VERSION);
SAME_VALUE(gl::kExtensions, GL_EXTENSIONS);
SAME_VALUE(gl::kMajorVersion, GL_MAJOR_VERSION);
SAME_VALUE(gl::kMinorVersion, GL_MINOR_VERSION);
SAME_VALUE(gl::kExtensionCount, GL_NUM_EXTENSIONS);
SAME_VALUE(gl::kMaxSharedBytes, GL_MAX_COMPUTE_SHARED_MEMORY_SIZE);
SAME_VALUE(gl::kMaxComputeBuffers, GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS);
SAME_VALUE(gl::kMaxGroups, GL_MAX_COMPUTE_WORK_GROUP_COUNT);
SAME_VALUE(gl::kMaxGroupSize, GL_MAX_COMPUTE_WORK_GROUP_SIZE);
SAME_VALUE(gl::kMaxGroupItems, GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS);
SAME_VALUE(gl::kMaxBufferBindings, GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS);
SAME_VALUE(gl::kMaxBufferBlock, GL_MAX_SHADER_STORAGE_BLOCK_SIZE);
SAME_VALUE(gl::kBufferAlignment, GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT);
SAME_VALUE(gl::kMaxUniformBlock, GL_MAX_UNIFORM_BLOCK_SIZE);
SAME_VALUE(gl::kUniformAlignment, GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT);
SAME_VALUE(gl::kCopyReadBuffer, GL_COPY_READ_BUFFER);
SAME_VALUE(gl::kCopyWriteBuffer, GL_COPY_WRITE_BUFFER);
SAME_VALUE(gl::kStorageBuffer, GL_SHADER_STORAGE_BUFFER);
SAME_VALUE(gl::kUniformBuffer, GL_UNIFORM_BUFFER);
SAME_VALUE(gl::kStreamDraw, GL_STREAM_DRAW);
SAME_VALUE(gl::kDynamicCopy, GL_DYNAMIC_COPY);
SAME_VALUE(gl::kRedInteger, GL_RED_INTEGER);
SAME_VALUE(gl::kR32Uint, GL_R32UI);
SAME_VALUE(gl::kUnsignedInt, GL_UNSIGNED_INT);
SAME_VALUE(gl::kMapRead, GL_MAP_READ_BIT);
SAME_VALUE(gl::kMapWrite, GL_MAP_WRITE_BIT);
SAME_VALUE(gl::kMapPersistent, GL_MAP_PERSISTENT_BIT);
SAME_VALUE(gl::kMapCoherent, GL_MAP_COHERENT_BIT);
SAME_VALUE(gl::kComputeShader, GL_COMPUTE_SHADER);
SAME_VALUE(gl::kCompileStatus, GL_COMPILE_STATUS);
SAME_VALUE(gl::kLinkStatus, GL_LINK_STATUS);
SAME_VALUE(gl::kInfoLogLength, GL_INFO_LOG_LENGTH);
SAME_VALUE(gl::kGroupSizeOfProgram, GL_COMPUTE_WORK_GROUP_SIZE);
SAME_VALUE(gl::kUniform, GL_UNIFORM);
SAME_VALUE(gl::kUniformBlock, GL_UNIFORM_BLOCK);
SAME_VALUE(gl::kStorageBlock, GL_SHADER_STORAGE_BLOCK);
SAME_VALUE(gl::kActiveResources, GL_ACTIVE_RESOURCES);
SAME_VALUE(gl::kBufferBinding, GL_BUFFER_BINDING);
SAME_VALUE(gl::kBufferDataSize, GL_BUFFER_DATA_SIZE);
SAME_VALUE(gl::kBlockIndex, GL_BLOCK_INDEX);
SAME_VALUE(gl::kBufferUpdateBarrier, GL_BUFFER_UPDATE_BARRIER_BIT);
SAME_VALUE(gl::kStorageBarrier, GL_SHADER_STORAGE_BARRIER_BIT);
SAME_VALUE(gl::kMappedBarrier, GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
SAME_VALUE(gl::kCommandsComplete, GL_SYNC_GPU_COMMANDS_COMPLETE);
SAME_VALUE(gl::kTimeoutExpired, GL_TIMEOUT_EXPIRED);
SAME_VALUE(gl::kWaitFailed, GL_WAIT_FAILED);
SAME_VALUE(gl::kFlushCommands, GL_SYNC_FLUSH_COMMANDS_BIT);
SAME_VALUE(gl::kTimestamp, GL_TIMESTAMP);
SAME_VALUE(gl::kQueryResult, GL_QUERY_RESULT);
SAME_VALUE(gl::kBufferLabel, GL_BUFFER);
SAME_VALUE(gl::kProgramLabel, GL_PROGRAM);

static_assert(sizeof(egl::Int) == sizeof(EGLint) && sizeof(egl::Boolean) == sizeof(EGLBoolean));
static_assert(sizeof(gl::Offset) == sizeof(GLsizeiptr) && sizeof(gl::Offset) == sizeof(GLintptr));
static_assert(sizeof(gl::Size) == sizeof(GLsizei) && sizeof(gl::Boolean) == sizeof(GLboolean));

// Pointers to types that only the header knows count as pointers.
template <class Ours, class Theirs>
constexpr bool is_same_type() {
  if constexpr (std::is_same_v<Ours, Theirs>)
    return true;
  else if constexpr (std::is_pointer_v<Ours>)
    return std::is_pointer_v<Theirs>;
  else if constexpr (std::is_integral_v<Ours> && std::is_integral_v<Theirs>)
    return sizeof(Ours) == sizeof(Theirs) && std::is_signed_v<Ours> == std::is_signed_v<Theirs>;
  else
    return false;
}

template <class Ours, class Theirs>
struct SameFunction : std::false_type {};
template <class R, class... A, class S, class... B>
struct SameFunction<R (*)(A...), S (*)(B...)> {
  static constexpr bool value = [] {
    if constexpr (sizeof...(A) == sizeof...(B))
      return is_same_type<R, S>() && (is_same_type<A, B>() && ...);
    else
      return false;
  }();
};
#define SAME_FUNCTION(ours, theirs) static_assert(SameFunction<decltype(ours), theirs>::value)

SAME_FUNCTION(Egl::GetError, decltype(&eglGetError));
SAME_FUNCTION(Egl::QueryString, decltype(&eglQueryString));
SAME_FUNCTION(Egl::GetDisplay, decltype(&eglGetDisplay));
SAME_FUNCTION(Egl::Initialize, decltype(&eglInitialize));
SAME_FUNCTION(Egl::BindAPI, decltype(&eglBindAPI));
SAME_FUNCTION(Egl::ChooseConfig, decltype(&eglChooseConfig));
SAME_FUNCTION(Egl::CreateContext, decltype(&eglCreateContext));
SAME_FUNCTION(Egl::DestroyContext, decltype(&eglDestroyContext));
SAME_FUNCTION(Egl::MakeCurrent, decltype(&eglMakeCurrent));
SAME_FUNCTION(Egl::ReleaseThread, decltype(&eglReleaseThread));
SAME_FUNCTION(Egl::GetPlatformDisplayEXT, PFNEGLGETPLATFORMDISPLAYEXTPROC);
SAME_FUNCTION(Egl::QueryDevicesEXT, PFNEGLQUERYDEVICESEXTPROC);
SAME_FUNCTION(Egl::QueryDeviceStringEXT, PFNEGLQUERYDEVICESTRINGEXTPROC);

SAME_FUNCTION(Gl::GetError, PFNGLGETERRORPROC);
SAME_FUNCTION(Gl::GetString, PFNGLGETSTRINGPROC);
SAME_FUNCTION(Gl::GetStringi, PFNGLGETSTRINGIPROC);
SAME_FUNCTION(Gl::GetIntegerv, PFNGLGETINTEGERVPROC);
SAME_FUNCTION(Gl::GetInteger64v, PFNGLGETINTEGER64VPROC);
SAME_FUNCTION(Gl::GetIntegeri_v, PFNGLGETINTEGERI_VPROC);
SAME_FUNCTION(Gl::GenBuffers, PFNGLGENBUFFERSPROC);
SAME_FUNCTION(Gl::DeleteBuffers, PFNGLDELETEBUFFERSPROC);
SAME_FUNCTION(Gl::BindBuffer, PFNGLBINDBUFFERPROC);
SAME_FUNCTION(Gl::BindBufferBase, PFNGLBINDBUFFERBASEPROC);
SAME_FUNCTION(Gl::BindBufferRange, PFNGLBINDBUFFERRANGEPROC);
SAME_FUNCTION(Gl::BufferData, PFNGLBUFFERDATAPROC);
SAME_FUNCTION(Gl::BufferSubData, PFNGLBUFFERSUBDATAPROC);
SAME_FUNCTION(Gl::CopyBufferSubData, PFNGLCOPYBUFFERSUBDATAPROC);
SAME_FUNCTION(Gl::MapBufferRange, PFNGLMAPBUFFERRANGEPROC);
SAME_FUNCTION(Gl::UnmapBuffer, PFNGLUNMAPBUFFERPROC);
SAME_FUNCTION(Gl::CreateShader, PFNGLCREATESHADERPROC);
SAME_FUNCTION(Gl::ShaderSource, PFNGLSHADERSOURCEPROC);
SAME_FUNCTION(Gl::CompileShader, PFNGLCOMPILESHADERPROC);
SAME_FUNCTION(Gl::GetShaderiv, PFNGLGETSHADERIVPROC);
SAME_FUNCTION(Gl::GetShaderInfoLog, PFNGLGETSHADERINFOLOGPROC);
SAME_FUNCTION(Gl::DeleteShader, PFNGLDELETESHADERPROC);
SAME_FUNCTION(Gl::CreateProgram, PFNGLCREATEPROGRAMPROC);
SAME_FUNCTION(Gl::AttachShader, PFNGLATTACHSHADERPROC);
SAME_FUNCTION(Gl::DetachShader, PFNGLDETACHSHADERPROC);
SAME_FUNCTION(Gl::LinkProgram, PFNGLLINKPROGRAMPROC);
SAME_FUNCTION(Gl::GetProgramiv, PFNGLGETPROGRAMIVPROC);
SAME_FUNCTION(Gl::GetProgramInfoLog, PFNGLGETPROGRAMINFOLOGPROC);
SAME_FUNCTION(Gl::GetProgramInterfaceiv, PFNGLGETPROGRAMINTERFACEIVPROC);
SAME_FUNCTION(Gl::GetProgramResourceiv, PFNGLGETPROGRAMRESOURCEIVPROC);
SAME_FUNCTION(Gl::UseProgram, PFNGLUSEPROGRAMPROC);
SAME_FUNCTION(Gl::DeleteProgram, PFNGLDELETEPROGRAMPROC);
SAME_FUNCTION(Gl::DispatchCompute, PFNGLDISPATCHCOMPUTEPROC);
SAME_FUNCTION(Gl::MemoryBarrier, PFNGLMEMORYBARRIERPROC);
SAME_FUNCTION(Gl::FenceSync, PFNGLFENCESYNCPROC);
SAME_FUNCTION(Gl::ClientWaitSync, PFNGLCLIENTWAITSYNCPROC);
SAME_FUNCTION(Gl::DeleteSync, PFNGLDELETESYNCPROC);
SAME_FUNCTION(Gl::Flush, PFNGLFLUSHPROC);
SAME_FUNCTION(Gl::Finish, PFNGLFINISHPROC);
SAME_FUNCTION(Gl::GenQueries, PFNGLGENQUERIESPROC);
SAME_FUNCTION(Gl::DeleteQueries, PFNGLDELETEQUERIESPROC);
SAME_FUNCTION(Gl::BufferStorage, PFNGLBUFFERSTORAGEPROC);
SAME_FUNCTION(Gl::ClearBufferSubData, PFNGLCLEARBUFFERSUBDATAPROC);
SAME_FUNCTION(Gl::QueryCounter, PFNGLQUERYCOUNTERPROC);
SAME_FUNCTION(Gl::GetQueryObjectui64v, PFNGLGETQUERYOBJECTUI64VPROC);
SAME_FUNCTION(Gl::GetGraphicsResetStatus, PFNGLGETGRAPHICSRESETSTATUSPROC);
SAME_FUNCTION(Gl::ObjectLabel, PFNGLOBJECTLABELPROC);

TEST(OpenGlAbi, IsThatOfTheHeaders) { SUCCEED() << "static_assert said so."; }

}  // namespace
}  // namespace collet::backend::opengl

#else
TEST(OpenGlAbi, IsThatOfTheHeaders) { GTEST_SKIP() << "This system has no headers of EGL and OpenGL."; }
#endif
