// Which devices EGL gives a context on, without a window.
#pragma once

#include <string>
#include <vector>

#include "backends/opengl/errors.hpp"

namespace collet::backend::opengl {

// Never terminated: the program may have contexts of its own on it.
struct Display {
  egl::Display handle = nullptr;
  egl::Int major = 0, minor = 0;  // of EGL
  std::string extensions;
  bool software = false;  // EGL says so

  bool is_listed(std::string_view extension) const { return opengl::is_listed(extensions, extension); }
};

struct Displays {
  std::vector<Display> all;
  std::string problems;  // what was wrong with those that are left out, as sentences; "" where nothing was
};

// One for each device that EGL lists; where it lists none, the one without a window system, else the usual
// one.
Result<Displays> find_displays(const Egl& egl);

}  // namespace collet::backend::opengl
