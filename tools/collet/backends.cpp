// collet backends: every backend that Collet knows of, and how far each has come here.

#include <collet/properties.hpp>
#include <cstdio>

#include "verbs.hpp"

namespace collet::tool {

void add_backends(CLI::App& app) {
  app.add_subcommand("backends", "every backend, and how far it has come on this machine")->callback([] {
    for (const BackendInfo& backend : backends()) {
      std::printf("%-11s %-12s %s\n", backend.id.c_str(), std::string(to_string(backend.rung)).c_str(),
                  backend.message.c_str());
    }
  });
}

}  // namespace collet::tool
