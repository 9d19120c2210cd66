// The helper's parent: finds it, runs it, and reads from its end what the driver did.

#include "discovery/probe.hpp"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <vector>

#include "collet/helper.hpp"
#include "discovery/examine.hpp"
#include "platform/trust.hpp"

namespace collet {
namespace discovery {
namespace {

namespace fs = std::filesystem;

// What set_helper() named last. Threads: thread-safe.
class NamedHelper {
 public:
  void set(std::string path) {
    const std::lock_guard lock(mutex_);
    path_ = std::move(path);
  }
  std::string get() {
    const std::lock_guard lock(mutex_);
    return path_;
  }

 private:
  std::mutex mutex_;
  std::string path_;
};

NamedHelper& named_helper() {
  static auto& named = *new NamedHelper;  // used by static constructors, and never destroyed
  return named;
}

bool is_file(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none);
}

std::string seconds(std::chrono::milliseconds span) {
  if (span.count() % 1000 != 0) return std::to_string(span.count()) + " ms";
  return std::to_string(span.count() / 1000) + " s";
}

// The last line that the process wrote to standard error.
std::string last_words(std::string_view errors) {
  while (!errors.empty() && (errors.back() == '\n' || errors.back() == ' ')) errors.remove_suffix(1);
  const std::size_t newline = errors.rfind('\n');
  if (newline != std::string_view::npos) errors.remove_prefix(newline + 1);
  return printable(errors.substr(0, 300));
}

// What the record of a backend can't say of itself.
std::string disagreement(const Record& record, std::string_view id) {
  if (record.backend.id != id) return "another backend (" + record.backend.id + ")";
  for (const DeviceInfo& device : record.devices) {
    if (device.backend != id) return "a device of another backend (" + device.backend + ")";
  }
  return {};
}

// The device whose canary was running when the record ended; null where it had not come to that.
DeviceInfo* running(Record& record, const std::vector<bool>& judged) {
  if (record.devices.empty() || record.devices.size() != record.backend.device_count) return nullptr;
  const auto open = std::find(judged.begin(), judged.end(), false);
  return open == judged.end() ? nullptr : &record.devices[static_cast<std::size_t>(open - judged.begin())];
}

// Takes over what this run added: everything the first time, later the verdicts on what was open.
void merge(Heard& heard, bool first, Record& record, std::vector<bool>& judged) {
  if (first) {
    record = std::move(heard.record);
    judged = heard.judged;
    return;
  }
  for (std::size_t i = 0; i < judged.size() && i < heard.judged.size(); ++i) {
    if (judged[i] || !heard.judged[i]) continue;
    record.devices[i] = heard.record.devices[i];
    judged[i] = true;
  }
}

void blame(Record& record, const std::string& fault, const std::string& library, const std::string& words) {
  BackendInfo& backend = record.backend;
  if (!backend.fault.empty()) return;
  backend.fault = fault;
  backend.message = "The probe " + fault + "." + (words.empty() ? "" : " Its last words: " + words);
  if (!library.empty()) backend.fix = "Update or remove the driver that " + library + " belongs to.";
}

constexpr const char* kProbedHere = "Drivers are probed in this process";

Helper chosen_helper(const std::string& chosen) {
  const std::string here = kProbedHere;
  if (chosen == "off")
    return {.path = {}, .note = here + ", because COLLET_PROBE is off.", .switched_off = true};
  if (!is_file(chosen)) return {.path = {}, .note = here + ": COLLET_PROBE names no file (" + chosen + ")."};
  auto trusted = platform::trusted_path(chosen);
  if (trusted) return {.path = *std::move(trusted), .note = {}};
  return {.path = {},
          .note = here + ": COLLET_PROBE names a program (" + chosen + ") that is not run. " +
                  trusted.error().message()};
}

// Where the helper may be, the likeliest first.
std::vector<fs::path> places() {
  std::vector<fs::path> found;
  for (const std::string& here : {platform::own_path(), platform::executable_path()}) {
    if (here.empty()) continue;
    const fs::path folder = fs::path(here).parent_path();
    for (const fs::path& place : {folder, folder / "collet", folder / ".." / COLLET_PROBE_FOLDER,
                                  folder / ".." / "lib" / "collet", folder / ".." / "libexec" / "collet"})
      found.push_back(place / COLLET_PROBE_NAME);
  }
  if (const std::string named = named_helper().get(); !named.empty()) found.emplace_back(named);
  found.push_back(fs::path(COLLET_PROBE_INSTALLED) / COLLET_PROBE_NAME);
  return found;
}

}  // namespace

Helper find_helper() {
  if (const auto chosen = platform::environment("COLLET_PROBE"); chosen && !chosen->empty())
    return chosen_helper(*chosen);
  std::string doubts;
  for (const fs::path& place : places()) {
    if (!is_file(place)) continue;
    auto trusted = platform::trusted_path(place.string());
    if (trusted) return {.path = *std::move(trusted), .note = doubts};
    doubts += (doubts.empty() ? "The program " : " The program ") + place.lexically_normal().string() +
              " is not run. " + trusted.error().message();
  }
  if (!doubts.empty()) return {.path = {}, .note = kProbedHere + (" for want of another. " + doubts)};
  return {.path = {},
          .note = std::string(kProbedHere) + ": the program " COLLET_PROBE_NAME
                                             " was not found. COLLET_PROBE can name it."};
}

std::string fault_of(const platform::Ended& ended, const Heard& heard, std::chrono::milliseconds limit) {
  if (!heard.problem.empty()) return "answered garbage: its record has " + heard.problem;
  if (heard.ended) return {};  // what happens after the end is of no concern
  std::string fault;
  if (ended.how == platform::Ended::How::timed_out) {
    fault = "hung for " + seconds(limit);
  } else if (ended.how == platform::Ended::How::crashed) {
    fault = "crashed with " + ended.name;
  } else if (heard.fault == "exit") {
    fault = "called exit(" + std::to_string(ended.code) + ")";
  } else {
    fault = "ended early with exit code " + std::to_string(ended.code);
  }
  if (!heard.library.empty()) fault += " in " + heard.library;
  return fault + " while " + (heard.doing.empty() ? "starting" : heard.doing);
}

Result<Record> probe_apart(const Known& known, const std::string& helper, std::chrono::milliseconds limit) {
  const auto begin = Deadline::Clock::now();
  Record record;
  std::vector<bool> judged;
  for (bool first = true;; first = false) {
    std::vector<std::string> arguments{std::string(known.id)};
    for (std::size_t i = 0; i < judged.size(); ++i) {
      if (judged[i]) arguments.push_back(std::to_string(i));
    }
    COLLET_TRY(ended, platform::run_child(helper, arguments, {}, Deadline::in(limit), kMostBytes + 1));
    Heard heard = listen(ended.output);
    if (!heard.version.empty()) {
      return Error(ErrorCode::unavailable, Category::initialisation, Cause::init_failed,
                   "The probe helper " + helper + " is of version " + heard.version + ", this library of " +
                       own_version() + ".")
          .with_hint("Install both together.");
    }
    if (!heard.begun && heard.problem.empty() && ended.how == platform::Ended::How::exited) {
      return Error(ErrorCode::unavailable, Category::initialisation, Cause::init_failed,
                   "The program " + helper + " is no helper of this Collet: " + last_words(ended.errors));
    }
    if (heard.problem.empty() && heard.ended) heard.problem = disagreement(heard.record, known.id);
    const std::string fault = fault_of(ended, heard, limit);
    const std::string library = heard.library;
    const bool garbage = !heard.problem.empty();
    merge(heard, first, record, judged);
    if (fault.empty()) break;
    blame(record, fault, library, last_words(ended.errors));
    DeviceInfo* const culprit = garbage ? nullptr : running(record, judged);
    if (culprit == nullptr) {
      // Nothing more can be learnt: what was listed and not yet judged can't be trusted.
      for (std::size_t i = 0; i < judged.size(); ++i) {
        if (!judged[i]) record.devices[i].refused = "Its probe " + fault + ".";
      }
      break;
    }
    culprit->refused = "Its probe " + fault + ".";
    judged[culprit->index] = true;
    if (std::find(judged.begin(), judged.end(), false) == judged.end()) break;
  }
  record.backend.id = known.id;
  record.backend.isolated = true;
  settle(record);
  record.backend.probe_ms = static_cast<std::uint32_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(Deadline::Clock::now() - begin).count());
  return record;
}

}  // namespace discovery

void set_helper(std::string path) { discovery::named_helper().set(std::move(path)); }

}  // namespace collet
