// The verbs of the command line, one per file.
#pragma once

#include <CLI/CLI.hpp>

namespace collet::tool {

void add_backends(CLI::App& app);
void add_devices(CLI::App& app);
void add_version(CLI::App& app);

}  // namespace collet::tool
