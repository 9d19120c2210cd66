// One run of the program.

#include "session.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "base/nearest.hpp"
#include "discovery/probe.hpp"
#include "exit_code.hpp"
#include "platform/platform.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace collet::tool {
namespace {

// Broken at words where a terminal shows it, so that it does not break them.
void tell(const std::string& text) {
  const auto columns = platform::errors_are_seen() ? platform::terminal_columns() : std::nullopt;
  const std::string shown = printable(text);
  if (!columns) {
    std::fprintf(stderr, "%s\n", shown.c_str());
    return;
  }
  for (const std::string& line : wrap(shown, *columns)) std::fprintf(stderr, "%s\n", line.c_str());
}

// The log warns of all else that is in the notes.
void show_wanted(const Machine& machine) {
  const discovery::Helper helper = discovery::find_helper();
  if (helper.switched_off && std::ranges::find(machine.notes, helper.note) != machine.notes.end())
    tell("collet: note: " + helper.note);
}

bool is_set(const char* variable) {
  const auto value = platform::environment(variable);
  return value && !value->empty();
}

}  // namespace

Result<DiscoverOptions> Session::discover_options() const {
  DiscoverOptions options{.isolated = !no_isolation, .cached = !no_cache};
  if (timeout.empty()) return options;
  double seconds = 0;
  const char* end = timeout.data() + timeout.size();
  const auto [stop, error] = std::from_chars(timeout.data(), end, seconds);
  // The upper bound is a day: nobody waits longer, and it can't overflow.
  if (error != std::errc() || stop != end || !(seconds > 0 && seconds <= 86'400)) {
    return Error(ErrorCode::invalid_argument, Category::runtime,
                 "The value of --timeout (" + timeout + ") is no number of seconds above 0 and up to 86400.")
        .with_hint("Write for example --timeout 2.5.");
  }
  options.limit =
      std::chrono::milliseconds(std::max<std::int64_t>(1, static_cast<std::int64_t>(seconds * 1000)));
  return options;
}

Result<Request> Session::request() const {
  COLLET_TRY(request, Request::from_environment());
  if (!device.empty()) request.selector = device;
  return request;
}

Machine Session::discover(const DiscoverOptions& options) const {
  Machine machine;
  {
    const Progress progress("Probing the drivers");
    machine = collet::discover(options);
  }
  show_wanted(machine);
  return machine;
}

Result<Chosen> Session::choose_device() const {
  COLLET_TRY(options, discover_options());
  COLLET_TRY(asked, request());
  Chosen chosen{.machine = discover(options), .choice = {}};
  chosen.choice = choose(chosen.machine, asked);
  return chosen;
}

Diagnosis Session::diagnose(const DiscoverOptions& options) const {
  const Progress progress("Probing the drivers");
  return collet::diagnose(options);
}

int Session::show(const std::function<Json()>& as_json,
                  const std::function<std::string(const Style&)>& as_text, int code) const {
  const std::string text = json ? written(as_json()) : as_text(output_style());
  const bool wrote = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!wrote || std::fflush(stdout) != 0) {
    return complain(
        Error(ErrorCode::internal, Category::runtime,
              "Standard output did not take the answer (" + std::to_string(text.size()) + " bytes)."));
  }
  return code;
}

int complain(const Error& error) {
  tell("collet: " + error.message());
  if (!error.hint().empty()) tell(error.hint());
  return exit_code(error);
}

Style output_style() {
  const auto columns = platform::terminal_columns();
  if (!columns) return {};
  return {.width = *columns, .colour = !is_set("NO_COLOR") && platform::environment("TERM") != "dumb"};
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& words) {
  const std::vector<std::string_view> known(words.begin(), words.end());
  const std::string_view near = base::nearest(word, known);
  return near.empty() ? "" : " Did you mean \"" + std::string(near) + "\"?";
}

Error no_such(std::string_view what, std::string_view word, const std::vector<std::string>& words) {
  return Error(
      ErrorCode::invalid_argument, Category::runtime,
      "There is no " + std::string(what) + " \"" + std::string(word) + "\"." + did_you_mean(word, words));
}

}  // namespace collet::tool
