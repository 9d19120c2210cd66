// The verbs of the command line, one per file.
#pragma once

#include <CLI/CLI.hpp>

#include "session.hpp"

namespace collet::tool {

// Each adds its verb; where that is named, the session gets what to run.
void add_backends(CLI::App& app, Session& session);
void add_devices(CLI::App& app, Session& session);
void add_default(CLI::App& app, Session& session);
void add_summary(CLI::App& app, Session& session);
void add_status(CLI::App& app, Session& session);
void add_doctor(CLI::App& app, Session& session);
void add_check(CLI::App& app, Session& session);
void add_emit(CLI::App& app, Session& session);
void add_run(CLI::App& app, Session& session);
void add_ring_bench(CLI::App& app, Session& session);
void add_version(CLI::App& app, Session& session);
void add_completion(CLI::App& app, Session& session);

// The script for "bash", "zsh" or "fish".
std::string completion_text(const CLI::App& app, std::string_view shell);

// --device, for verbs that run work or say where it would run.
void add_device_option(CLI::App& verb, Session& session);

}  // namespace collet::tool
