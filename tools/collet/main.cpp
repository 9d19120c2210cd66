// collet: shows what this machine has.

#include <CLI/CLI.hpp>
#include <collet/collet.hpp>

#include "verbs.hpp"

int main(int count, char** arguments) {
  CLI::App app("Runs compute kernels on whatever this machine has, and says what ran.", "collet");
  app.require_subcommand(1);
  collet::tool::add_backends(app);
  collet::tool::add_devices(app);
  collet::tool::add_version(app);
  CLI11_PARSE(app, count, arguments);
  return 0;
}
