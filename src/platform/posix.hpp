// What platform_posix.cpp asks of the file of its own system.
#pragma once

#include <string>

namespace collet::platform {

// The path that a library was loaded from; "" where the system does not say.
std::string loaded_path(void* handle);

// Whether this program has rights that the user who started it has not (set-user-ID, set-group-ID, file
// capabilities). It then obeys none of that user's variables.
bool has_foreign_user();

}  // namespace collet::platform
