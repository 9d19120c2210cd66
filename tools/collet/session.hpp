// One run of the program: the options that all verbs share, and the doors to standard output and error.
#pragma once

#include <collet/diagnosis.hpp>
#include <collet/result.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "json.hpp"
#include "table.hpp"

namespace collet::tool {

struct Chosen {
  Machine machine;
  Choice choice;
};

// Threads: one at a time.
struct Session {
  // The command line.
  bool json = false;
  bool no_cache = false;
  bool no_isolation = false;
  std::string timeout;  // seconds, "" where it was not given
  std::string device;   // a selector, "" where it was not given

  // The verb that was named; returns the exit code. Runs after the whole command line was understood.
  std::function<int()> verb;

  Result<DiscoverOptions> discover_options() const;
  // What the environment asks for, and --device over it.
  Result<Request> request() const;

  // Probes with a sign of life on standard error where that is a terminal. Notes go there as well.
  Machine discover(const DiscoverOptions& options) const;
  // The machine, and what would be opened of it. Fails where the command line or the environment is not
  // understood.
  Result<Chosen> choose_device() const;
  Diagnosis diagnose(const DiscoverOptions& options) const;

  // Writes the answer to standard output: the JSON if asked for, else the text. Returns `code`, or `failed`
  // where standard output does not take it.
  int show(const std::function<Json()>& as_json, const std::function<std::string(const Style&)>& as_text,
           int code = 0) const;
};

// One sentence, and the hint if there is one, on standard error. Returns the exit code.
int complain(const Error& error);

// The width and colours that standard output has.
Style output_style();

// "Did you mean \"devices\"?" with a space before it, or "" where no word is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& words);
// There is no verb "devcies". Did you mean "devices"?
Error no_such(std::string_view what, std::string_view word, const std::vector<std::string>& words);

}  // namespace collet::tool
