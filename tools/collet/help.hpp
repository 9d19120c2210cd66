// The text of --help, for the program and for each verb.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "table.hpp"

namespace collet::tool {

// `verb` is one of the app's, or the app itself.
std::string help_text(const CLI::App& app, const CLI::App& verb, const Style& style);

}  // namespace collet::tool
