// collet: shows what this machine has.

#include <cstdio>
#include <exception>

#include "command_line.hpp"
#include "exit_code.hpp"

int main(int count, char** arguments) {
  try {
    return collet::tool::run(std::vector<std::string>(arguments + (count > 0 ? 1 : 0), arguments + count));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "collet: The program ended early: %s.\n", error.what());
    return collet::tool::failed;
  }
}
