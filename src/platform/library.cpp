// Which library of an API is opened.

#include "platform/platform.hpp"
#include "platform/trust.hpp"

namespace collet::platform {

std::string chosen_library(std::string_view api) {
  return api == "webgpu" ? environment("COLLET_WEBGPU").value_or("") : std::string();
}

Result<Library> open_library(std::string_view api) {
  std::string chosen = chosen_library(api);
  if (chosen.empty()) return Library::open(library_names(api));
  if (chosen.find_first_of("/\\") != std::string::npos) {
    COLLET_TRY(trusted, trusted_path(chosen));
    chosen = trusted;
  }
  const char* const names[] = {chosen.c_str()};
  return Library::open(names);
}

}  // namespace collet::platform
