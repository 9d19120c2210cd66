// OpenGL: what each code is called and means.

#include "backends/opengl/errors.hpp"

namespace collet::backend::opengl {
namespace {

constexpr int kMostErrors = 16;  // a lost context may report one for ever

}  // namespace

std::string_view EglCodes::name_of(Type code) {
  switch (code) {
    case egl::kSuccess: return "EGL_SUCCESS";
    case egl::kNotInitialized: return "EGL_NOT_INITIALIZED";
    case egl::kBadAccess: return "EGL_BAD_ACCESS";
    case egl::kBadAlloc: return "EGL_BAD_ALLOC";
    case egl::kBadAttribute: return "EGL_BAD_ATTRIBUTE";
    case egl::kBadConfig: return "EGL_BAD_CONFIG";
    case egl::kBadContext: return "EGL_BAD_CONTEXT";
    case egl::kBadCurrentSurface: return "EGL_BAD_CURRENT_SURFACE";
    case egl::kBadDisplay: return "EGL_BAD_DISPLAY";
    case egl::kBadMatch: return "EGL_BAD_MATCH";
    case egl::kBadNativePixmap: return "EGL_BAD_NATIVE_PIXMAP";
    case egl::kBadNativeWindow: return "EGL_BAD_NATIVE_WINDOW";
    case egl::kBadParameter: return "EGL_BAD_PARAMETER";
    case egl::kBadSurface: return "EGL_BAD_SURFACE";
    case egl::kContextLost: return "EGL_CONTEXT_LOST";
    default: return "an unknown code";
  }
}

common::Meaning EglCodes::meaning_of(Type code) {
  switch (code) {
    case egl::kBadAlloc: return {ErrorCode::out_of_memory, Cause::other};
    case egl::kContextLost: return {ErrorCode::device_lost, Cause::other};
    default: return {ErrorCode::unavailable, Cause::other};
  }
}

std::string_view GlCodes::name_of(Type code) {
  switch (code) {
    case gl::kNoError: return "GL_NO_ERROR";
    case gl::kInvalidEnum: return "GL_INVALID_ENUM";
    case gl::kInvalidValue: return "GL_INVALID_VALUE";
    case gl::kInvalidOperation: return "GL_INVALID_OPERATION";
    case gl::kStackOverflow: return "GL_STACK_OVERFLOW";
    case gl::kStackUnderflow: return "GL_STACK_UNDERFLOW";
    case gl::kOutOfMemory: return "GL_OUT_OF_MEMORY";
    case gl::kInvalidFramebufferOperation: return "GL_INVALID_FRAMEBUFFER_OPERATION";
    case gl::kContextLost: return "GL_CONTEXT_LOST";
    case gl::kGuiltyReset: return "GL_GUILTY_CONTEXT_RESET";
    case gl::kInnocentReset: return "GL_INNOCENT_CONTEXT_RESET";
    case gl::kUnknownReset: return "GL_UNKNOWN_CONTEXT_RESET";
    case gl::kWaitFailed: return "GL_WAIT_FAILED";
    default: return "an unknown code";
  }
}

common::Meaning GlCodes::meaning_of(Type code) {
  switch (code) {
    case gl::kOutOfMemory: return {ErrorCode::out_of_memory, Cause::allocation_failed};
    case gl::kContextLost:
    case gl::kGuiltyReset:
    case gl::kInnocentReset:
    case gl::kUnknownReset:
    case gl::kWaitFailed: return {ErrorCode::device_lost, Cause::other};
    default: return {};
  }
}

Error egl_error(const Egl& egl, const Doing& doing) {
  if (auto said = common::check<EglCodes>(egl.GetError(), doing); !said) return said.error();
  return Error(ErrorCode::unavailable, doing.category, doing.cause,
               "EGL fails while " + std::string(doing.what) + ", and does not say why.");
}

Result<void> check(const Gl& gl, const Doing& doing) {
  const gl::Enum first = gl.GetError();
  if (first == gl::kNoError) [[likely]]
    return {};
  for (int i = 0; i < kMostErrors && gl.GetError() != gl::kNoError; ++i) {
  }
  return common::check<GlCodes>(first, doing);
}

}  // namespace collet::backend::opengl
