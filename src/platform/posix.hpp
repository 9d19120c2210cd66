// What platform_posix.cpp asks of the file of its own system.
#pragma once

#include <string>

namespace collet::platform {

// The path that a library was loaded from; "" where the system does not say.
std::string loaded_path(void* handle);

}  // namespace collet::platform
