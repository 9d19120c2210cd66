// Makes the backends opengl and opengles for the registry: two APIs of one library, by one implementation.
#pragma once

#include "collet/backend.hpp"

namespace collet::backend::opengl {

std::unique_ptr<Backend> make_desktop_backend();
std::unique_ptr<Backend> make_es_backend();

}  // namespace collet::backend::opengl
