// How long a program waits before it has a device: each run is a process of its own, as a user starts it.

#include <algorithm>
#include <filesystem>
#include <random>

#include "platform/platform.hpp"
#include "suites.hpp"

namespace collet::bench {
namespace {

namespace fs = std::filesystem;

constexpr auto kMost = std::chrono::seconds(60);

// The programs beside this one, and a folder for what probes leave.
//
// Threads: one at a time.
class Programs {
 public:
  Programs() : folder_(fs::path(platform::executable_path()).parent_path()) {
    cache_ = fs::temp_directory_path() / ("collet-bench-start-" + std::to_string(std::random_device{}()));
    variables_ = {{"COLLET_CACHE_DIR", cache_.string()}, {"COLLET_BACKEND", "auto"}};
  }
  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;
  ~Programs() { forget(); }

  // For the programs that follow.
  void set(const std::string& name, const std::string& value) {
    for (auto& variable : variables_) {
      if (variable.first == name) variable.second = value;
    }
  }
  // The next program finds no earlier probe.
  void forget() const {
    std::error_code none;
    fs::remove_all(cache_, none);
  }
  std::string run(const std::string& name, const std::vector<std::string>& words) const {
    const auto ended =
        platform::run_child((folder_ / name).string(), words, variables_, Deadline::in(kMost), 1 << 20)
            .value();
    if (ended.how != platform::Ended::How::exited || ended.code != 0) {
      throw std::runtime_error(name + " " + words.front() + " ended with " + std::to_string(ended.code) +
                               ": " + ended.errors);
    }
    return ended.output;
  }

 private:
  fs::path folder_, cache_;
  std::vector<std::pair<std::string, std::string>> variables_;
};

DeviceInfo machine() {
  DeviceInfo info;
  info.backend = "all";
  info.name = "every driver of this machine";
  return info;
}

Row budget(std::string name, const Times& ours, double milliseconds) {
  return budget_row(std::move(name), machine(), ours.median() / 1000, milliseconds, "ms");
}

void verbs(const Programs& programs, const Settings& settings, Report& report) {
  progress("collet version and collet devices");
  const Plan plan{.pairs = settings.pairs, .warm_up = 1};
  const auto times = interleave(
      [&] {
        return Opened{{{"version", [&] { programs.run("collet", {"version"}); }},
                       {"devices", [&] { programs.run("collet", {"devices"}); }}},
                      {}};
      },
      plan);
  report.add(budget("collet version", times[0], 5));
  report.add(budget("collet devices, from the cache", times[1], 50));
}

// The backends' probes side by side, against the slowest of them alone.
void cold(const Programs& programs, const Settings& settings, Report& report) {
  progress("collet devices without a cache");
  std::vector<Way> ways{{"collet devices", [&] {
                           programs.forget();
                           programs.run("collet", {"devices"});
                         }}};
  for (const std::string backend : {"vulkan", "opencl"}) {
    ways.push_back({backend, [&programs, backend] { programs.run("collet-probe", {backend}); }});
  }
  const Plan plan{.pairs = std::min(settings.pairs, 20u), .warm_up = 0};
  auto times = interleave([&] { return Opened{ways, {}}; }, plan);
  const auto slowest = std::max_element(
      times.begin() + 1, times.end(), [](const Times& a, const Times& b) { return a.median() < b.median(); });
  slowest->name += "'s own start, with the kernel of known answer";
  report.add(compared_row("collet devices, nothing cached", machine(), times[0], *slowest, 1e-3, "ms"));
}

// As a user of `backend` asks for it: COLLET_BACKEND and the best device of it.
void open_best(Programs& programs, const std::string& backend, const Settings& settings, Report& report) {
  progress("open_best(), " + backend);
  programs.set("COLLET_BACKEND", backend);
  programs.run("collet", {"devices"});  // fills the cache
  std::string best = programs.run("collet-bench", {"--open", "best"});
  while (!best.empty() && best.back() == '\n') best.pop_back();
  const Plan plan{.pairs = settings.pairs, .warm_up = 1};
  const auto times = interleave(
      [&] {
        return Opened{{{"open_best()", [&] { programs.run("collet-bench", {"--open", "best"}); }},
                       {"open(\"" + best + "\")", [&] { programs.run("collet-bench", {"--open", best}); }}},
                      {}};
      },
      plan);
  report.add(compared_row("open_best(), from the cache", machine(), times[0], times[1], 1e-3, "ms"));
}

}  // namespace

void start(const Settings& settings, Report& report) {
  Programs programs;
  cold(programs, settings, report);
  verbs(programs, settings, report);
  for (const char* backend : {"cpu", "vulkan", "opencl"}) open_best(programs, backend, settings, report);
}

std::string open_one(const std::string& which) {
  const Device device = (which == "best" ? Device::open_best() : Device::open(which)).value();
  return device.info().id();
}

}  // namespace collet::bench
