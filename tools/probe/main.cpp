// collet-probe BACKEND [SKIP...]: probes one backend and prints a record of it, line by line as it goes. The
// devices whose numbers follow are listed and not run.
//
// For discover() alone. When a driver ends this process, the record ends too, and the reader knows where.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "discovery/examine.hpp"
#include "platform/platform.hpp"

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: collet-probe BACKEND [SKIP...]\n");
    return 2;
  }
  const collet::discovery::Known* known = collet::discovery::find_backend(arguments[1]);
  if (known == nullptr) {
    std::fprintf(stderr, "collet-probe: there is no backend (%s).\n", arguments[1]);
    return 2;
  }
  std::vector<std::uint32_t> skip;
  for (int i = 2; i < count; ++i)
    skip.push_back(static_cast<std::uint32_t>(std::strtoul(arguments[i], nullptr, 10)));

  collet::platform::explain_ends();
  collet::discovery::examine(*known, skip, [](const std::string& lines) {
    // A driver may have left something on the line.
    std::fputc('\n', stdout);
    std::fwrite(lines.data(), 1, lines.size(), stdout);
    std::fflush(stdout);
  });
  collet::platform::disarm_ends();
  std::_Exit(0);  // drivers crash in their exit handlers, too
}
