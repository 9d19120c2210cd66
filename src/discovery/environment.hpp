// The variables that Collet reads, all of them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collet/result.hpp"

namespace collet::discovery {

struct KnownVariable {
  std::string_view name;
  std::string_view meaning;  // a phrase
  bool own = false;          // read by Collet's own tests and scripts only
};

std::span<const KnownVariable> known_variables();
// By name; variables that begin with COLLET_TEST_ are known as well.
bool is_known_variable(std::string_view name);

struct UnknownVariable {
  std::string name;
  std::string nearest;  // the known name that may be meant, or ""
};
// Those of this process that begin with COLLET_, by name.
std::vector<UnknownVariable> unknown_variables();
// A warning for each of them, once per process.
void warn_of_unknown_variables();

// A switch: 1, on, true, yes; 0, off, false, no, empty, unset. Anything else is an error with the name.
Result<bool> environment_switch(const char* name);
// Whether COLLET_FAKE asks for simulated devices; an error where it is not understood.
Result<bool> environment_simulates();

}  // namespace collet::discovery
