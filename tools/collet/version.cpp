// collet version: the version of this build.

#include <cstdio>

#include "verbs.hpp"

namespace collet::tool {

void add_version(CLI::App& app) {
  app.add_subcommand("version", "the version of this build")->callback([] {
    std::puts("collet " COLLET_VERSION);
  });
}

}  // namespace collet::tool
