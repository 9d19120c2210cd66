// From the words of a command line to the verb that runs.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "session.hpp"

namespace collet::tool {

// Adds the shared options and every verb.
void describe(CLI::App& app, Session& session);

// Runs the verb that the words name, without the program's own name among them. Returns the exit code.
int run(const std::vector<std::string>& words);

}  // namespace collet::tool
