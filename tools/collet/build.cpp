// What this program was built from.

#include "build.hpp"

#include "discovery/registry.hpp"

namespace collet::tool {
namespace {

std::string compiler() {
#if defined(__clang__)
  return "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
         std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
  return "GCC " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
         std::to_string(__GNUC_PATCHLEVEL__);
#elif defined(_MSC_VER)
  return "MSVC " + std::to_string(_MSC_VER / 100) + "." + std::to_string(_MSC_VER % 100);
#else
  return "unknown";
#endif
}

}  // namespace

Build this_build() {
  Build build{.version = COLLET_VERSION, .compiler = compiler(), .backends = {}};
  for (const discovery::Known& known : discovery::known_backends()) {
    if (known.listed && known.make != nullptr) build.backends.emplace_back(known.id);
  }
  return build;
}

std::vector<std::string> backend_ids() {
  std::vector<std::string> ids;
  for (const discovery::Known& known : discovery::known_backends()) {
    if (known.listed) ids.emplace_back(known.id);
  }
  return ids;
}

}  // namespace collet::tool
