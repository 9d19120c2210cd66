// OpenGL: the tables of entry points.

#include "backends/opengl/api.hpp"

namespace collet::backend::opengl {
namespace {

void name_missing(std::string& list, std::string_view prefix, std::string_view name) {
  list += (list.empty() ? "" : ", ") + std::string(prefix) + std::string(name);
}

Error lacks(const std::string& path, std::string_view what, const std::string& missing) {
  return Error(ErrorCode::unavailable, Category::initialisation, Cause::symbol_missing,
               "The EGL library " + path + " lacks functions of " + std::string(what) + ": " + missing + ".");
}

}  // namespace

bool is_listed(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == name) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

Result<Egl> load_egl() {
  COLLET_TRY(library, platform::open_library("egl"));
  Egl egl;
  egl.path = library.path();
  std::string missing;
#define COLLET_EGL_LOAD(name, ...)                                              \
  egl.name = reinterpret_cast<decltype(egl.name)>(library.symbol("egl" #name)); \
  if (egl.name == nullptr && egl.GetProcAddress != nullptr)                     \
    egl.name = reinterpret_cast<decltype(egl.name)>(egl.GetProcAddress("egl" #name));
#define COLLET_EGL_REQUIRE(name, ...) \
  COLLET_EGL_LOAD(name)               \
  if (egl.name == nullptr) name_missing(missing, "egl", #name);
  COLLET_EGL_REQUIRED(COLLET_EGL_REQUIRE)
  if (!missing.empty()) return lacks(egl.path, "EGL", missing);
  COLLET_EGL_OPTIONAL(COLLET_EGL_LOAD)
#undef COLLET_EGL_REQUIRE
#undef COLLET_EGL_LOAD
  return egl;
}

Result<Gl> load_gl(const Egl& egl, Flavour flavour) {
  Gl gl;
  std::string missing;
  const auto find = [&](const std::string& name) { return egl.GetProcAddress(("gl" + name).c_str()); };
#define COLLET_GL_REQUIRE(name, ...)                          \
  gl.name = reinterpret_cast<decltype(gl.name)>(find(#name)); \
  if (gl.name == nullptr) name_missing(missing, "gl", #name);
#define COLLET_GL_LOAD(name, es_name, ...) \
  gl.name = reinterpret_cast<decltype(gl.name)>(find(flavour == Flavour::es ? std::string(es_name) : #name));
  COLLET_GL_REQUIRED(COLLET_GL_REQUIRE)
  COLLET_GL_OPTIONAL(COLLET_GL_LOAD)
#undef COLLET_GL_LOAD
#undef COLLET_GL_REQUIRE
  if (!missing.empty()) return lacks(egl.path, name_of(flavour), missing);
  return gl;
}

}  // namespace collet::backend::opengl
