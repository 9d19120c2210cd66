// Sets variables of this process for one test, and puts back what was there.
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/platform.hpp"
#ifdef _WIN32
#include "platform/windows.hpp"
#endif

namespace collet::test {

// Threads: none other may read the environment meanwhile.
class Variables {
 public:
  // A null value takes the variable away.
  Variables(std::initializer_list<std::pair<const char*, const char*>> wanted) {
    for (const auto& [name, value] : wanted) set(name, value);
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;
  ~Variables() {
    for (const auto& [name, value] : before_) put(name.c_str(), value ? value->c_str() : nullptr);
  }

  void set(const char* name, const char* value) {
    before_.emplace(before_.begin(), name, platform::environment(name));
    put(name, value);
  }

 private:
  static void put(const char* name, const char* value) {
#ifdef _WIN32
    SetEnvironmentVariableA(name, value);  // the C library's own function can't set an empty one
#else
    if (value != nullptr) {
      setenv(name, value, 1);
    } else {
      unsetenv(name);
    }
#endif
  }

  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

// One of them.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : variables_{{name, value.c_str()}} {}

 private:
  Variables variables_;
};

}  // namespace collet::test
