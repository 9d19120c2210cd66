// collet-quirks: whether the quirks of this machine's drivers are still there.
//
//   collet-quirks FOLDER [--require=ID,...]
//   collet-quirks --show=QUIRK DEVICE FILE
//
// For each quirk that a device has and whose reproducer is a kernel in FOLDER, that kernel is run twice: with
// all workarounds, where it must be right or refused by name, and without the quirk's own, in a process of
// its own, where it must be wrong. A quirk that no longer shows fails the run, with a sentence that says what
// to do.
// --show is that process. Exit code 0: every quirk was seen, and avoided.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "collet/collet.hpp"
#include "drivers/quirks.hpp"
#include "fuzz/oracle.hpp"
#include "fuzz/replay.hpp"
#include "fuzz/target.hpp"
#include "platform/platform.hpp"

namespace collet::fuzz {
namespace {

using drivers::Quirk;

constexpr std::string_view kFuzz = "fuzz ";
constexpr std::string_view kRight = "right: ";
constexpr std::string_view kWrong = "wrong: ";
constexpr std::string_view kRefused = "refused: ";

std::string said(const Target::Outcome& outcome, const std::vector<Bytes>& wanted, const ir::Kernel& kernel) {
  if (!outcome) {
    const bool refused = outcome.error().code() == ErrorCode::unsupported;
    return std::string(refused ? kRefused : kWrong) + outcome.error().message();
  }
  const std::string what = difference(*outcome, wanted, kernel);
  return what.empty() ? std::string(kRight) + "as the interpreter says" : std::string(kWrong) + what;
}

// How a kernel ran without one of the workarounds, as one line: in the first format where it was wrong, else
// in the last.
std::string show(const std::string& id, const std::string& file, emit::Workaround without) {
  const auto read = read_work(file);
  if (!read) return read.error().message();
  const auto wanted = interpret(read->work);
  if (!wanted) return wanted.error().message();
  const auto device = Device::open(id);
  if (!device) return device.error().message();
  std::string line = "it takes nothing that is emitted";
  for (const Format format : device->native().caps().formats) {
    if (!emit::has_emitter(format)) continue;
    Target target(*device, format, without);
    line = said(target.run({&read->work, 1}).front(), *wanted, read->work.kernel) + " (" +
           std::string(to_string(format)) + ")";
    if (line.starts_with(kWrong)) break;
  }
  return line;
}

// What happened in a process of its own without the quirk's workaround.
std::string show_apart(const Quirk& quirk, const DeviceInfo& device, const std::string& file) {
  const std::vector<std::string> arguments{"--show=" + std::string(quirk.id), device.id(), file};
  const auto ended = platform::run_child(platform::executable_path(), arguments, {},
                                         Deadline::in(std::chrono::seconds(120)), 1 << 16);
  if (!ended) return ended.error().message();
  if (ended->how == platform::Ended::How::crashed)
    return std::string(kWrong) + "the process ended with " + ended->name;
  if (ended->how == platform::Ended::How::timed_out) return std::string(kWrong) + "the process hung";
  for (const std::string_view word : {kRight, kWrong, kRefused}) {
    const std::size_t at = ended->output.find(word);
    if (at != std::string::npos) return ended->output.substr(at, ended->output.find('\n', at) - at);
  }
  return "it said nothing that is understood: " + ended->output + ended->errors;
}

// Whether the quirk is still there and is avoided; else a sentence on stderr.
bool check(const Quirk& quirk, const DeviceInfo& device, const std::string& file) {
  const std::string id(quirk.id);
  const std::string without = show_apart(quirk, device, file);
  const std::string with = show(device.id(), file, emit::Workaround::none);
  std::printf("%s on %s (%s)\n  without its workaround: %s\n  with it: %s\n", id.c_str(), device.id().c_str(),
              device.driver.c_str(), without.c_str(), with.c_str());
  const bool shows = without.starts_with(kWrong);
  if (!quirk.shows) {
    if (shows)
      std::fprintf(stderr, "The quirk (%s) shows again on %s. Take `.shows = false` out of its entry.\n",
                   id.c_str(), device.id().c_str());
    return !shows && !with.starts_with(kWrong);
  }
  const bool good = with.starts_with(kRight) || with.starts_with(kRefused);
  if (without.starts_with(kRight)) {
    std::fprintf(
        stderr,
        "The quirk (%s) does not show on %s (%s): its driver seems mended. Set `fixed` of the quirk in "
        "src/drivers/quirks.cpp to this version.\n",
        id.c_str(), device.id().c_str(), device.driver.c_str());
  } else if (!shows) {
    std::fprintf(stderr, "Whether the quirk (%s) shows on %s is not known: %s\n", id.c_str(),
                 device.id().c_str(), without.c_str());
  }
  if (!good)
    std::fprintf(stderr, "The quirk (%s) is not avoided on %s: %s\n", id.c_str(), device.id().c_str(),
                 with.c_str());
  return shows && good;
}

int show_one(const std::string& id, const std::string& device, const std::string& file) {
  for (const Quirk& quirk : drivers::known_quirks()) {
    if (quirk.id != id) continue;
    std::printf("%s\n", show(device, file, quirk.workaround).c_str());
    return 0;
  }
  std::fprintf(stderr, "There is no quirk (%s).\n", id.c_str());
  return 2;
}

int check_all(const std::string& folder, const std::vector<std::string>& required) {
  bool good = true;
  std::vector<std::string> met;
  for (const DeviceInfo& device : devices()) {
    for (const Quirk* quirk : drivers::quirks_of(device)) {
      if (!quirk->reproducer.starts_with(kFuzz)) continue;
      met.emplace_back(quirk->id);
      good =
          check(*quirk, device, folder + "/" + std::string(quirk->reproducer.substr(kFuzz.size()))) && good;
    }
  }
  for (const std::string& id : required) {
    if (std::ranges::find(met, id) != met.end()) continue;
    std::fprintf(stderr, "No device here has the quirk (%s) that this run requires.\n", id.c_str());
    good = false;
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace collet::fuzz

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  constexpr std::string_view kShow = "--show=", kRequire = "--require=";
  if (arguments.size() == 3 && arguments[0].starts_with(kShow))
    return collet::fuzz::show_one(arguments[0].substr(kShow.size()), arguments[1], arguments[2]);
  if (arguments.empty() || arguments[0].starts_with('-')) {
    std::fprintf(stderr, "usage: collet-quirks FOLDER [--require=QUIRK...]\n");
    return 2;
  }
  std::vector<std::string> required;
  for (const std::string& one : std::span(arguments).subspan(1)) {
    if (!one.starts_with(kRequire)) {
      std::fprintf(stderr, "collet-quirks does not know (%s); it takes --require=QUIRK.\n", one.c_str());
      return 2;
    }
    required.push_back(one.substr(kRequire.size()));
  }
  return collet::fuzz::check_all(arguments[0], required);
}
