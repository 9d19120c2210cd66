// Sets variables of this process for one test, and puts back what was there.
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
    const char* old = std::getenv(name);
    before_.emplace(before_.begin(), name,
                    old != nullptr ? std::optional<std::string>(old) : std::optional<std::string>());
    put(name, value);
  }

 private:
  static void put(const char* name, const char* value) {
#ifdef _WIN32
    _putenv_s(name, value != nullptr ? value : "");
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

}  // namespace collet::test
