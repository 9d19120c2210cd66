// What `collet doctor` shows, for programs: how far each backend came, what is in its way, and what to do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collet/discovery.hpp"
#include "collet/export.hpp"

namespace collet {

struct Finding {
  enum class Severity : std::uint8_t { good, note, problem };
  Severity severity = Severity::note;
  std::string subject;  // "vulkan", "/dev/dri/renderD128", "COLLET_DEVCE"
  std::string message;  // a sentence
  std::string fix;      // what to do, or ""
};

struct Variable {
  std::string name;
  std::string value;  // "" where it is not set
  bool set = false;
  bool known = true;    // false: Collet knows no such variable
  std::string meaning;  // a phrase
};

struct Diagnosis {
  Machine machine;
  Choice choice;  // what open_best() would open now
  std::vector<Finding> findings;
  std::vector<Variable> variables;         // every COLLET_ variable, set or not
  std::vector<Variable> driver_variables;  // of drivers and loaders: those that are set
};

// Looks everywhere; does not throw or print.
COLLET_API Diagnosis diagnose(const DiscoverOptions& options = {});

COLLET_API std::string_view to_string(Finding::Severity severity);

}  // namespace collet
