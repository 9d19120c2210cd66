// Which library of an API is opened.

#include <functional>
#include <map>
#include <mutex>

#include "platform/platform.hpp"
#include "platform/trust.hpp"

namespace collet::platform {

namespace {

struct Choices {
  std::mutex mutex;
  std::map<std::string, std::string, std::less<>> paths;  // guarded by mutex
};

Choices& choices() {
  static auto& all = *new Choices;
  return all;
}

}  // namespace

void choose_library(std::string_view api, const std::string& path) {
  const std::lock_guard lock(choices().mutex);
  choices().paths.insert_or_assign(std::string(api), path);
}

std::string chosen_library(std::string_view api) {
  {
    const std::lock_guard lock(choices().mutex);
    const auto found = choices().paths.find(api);
    if (found != choices().paths.end()) return found->second;
  }
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
