// What this program was built from.
#pragma once

#include <string>
#include <vector>

namespace collet::tool {

struct Build {
  std::string version;
  std::string compiler;               // "GCC 12.2.0"
  std::vector<std::string> backends;  // compiled in, in the order of the documentation
};

// Asks no driver and reads no file.
Build this_build();

// Of every backend that Collet knows, in this build or not.
std::vector<std::string> backend_ids();

}  // namespace collet::tool
