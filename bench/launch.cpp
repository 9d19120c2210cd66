// The launch suite: our side, and what is compared with what.

#include "launch.hpp"

#include <algorithm>
#include <collet_embedded/kernels.hpp>
#include <collet_embedded/opengl_kernels.hpp>
#include <memory>

namespace collet::bench {
namespace {

// Threads: one at a time.
class Ours {
 public:
  Ours(const DeviceInfo& info, WaitMode mode)
      : device_(Device::open(info.id(), {.label = {}, .wait = mode}).value()),
        stream_(device_.stream()),
        y_(device_.buffer<std::uint32_t>(1024).value()),
        kernel_(KernelSource<InOut<std::uint32_t>, Value<std::uint32_t>, Value<std::uint32_t>>("count")
                    .group(1)
                    .spirv(collet_embedded::count_spv)
                    .opencl(collet_embedded::count_cl)
                    .wgsl(collet_embedded::count_wgsl)
                    .glsl(collet_embedded::count_glsl)
                    .kernel()) {
    device_.compile(kernel_).value();
  }

  void launch() { stream_.launch(kernel_, groups(1), y_, 1u, tally_.next_tag()); }
  void wait() { stream_.wait().value(); }

  void single() {
    launch();
    wait();
  }
  void batch() {
    for (std::uint32_t i = 0; i < kBatch; ++i) launch();
    wait();
  }

  void check(std::string_view what, Report& report) {
    std::array<std::uint32_t, 2> y{};
    stream_.download(y_.slice(0, 2), y);
    stream_.wait().value();
    check_tally(what, tally_, y, report);
  }

 private:
  Device device_;
  Stream stream_;
  Buffer<std::uint32_t> y_;
  Kernel<InOut<std::uint32_t>, Value<std::uint32_t>, Value<std::uint32_t>> kernel_;
  Tally tally_;
};

struct Case {
  std::string name;
  Plan plan;
  double scale;  // of a run's microseconds to the unit
  std::string unit;
  void (Ours::*ours)();
  std::vector<Way> Bare::* references;
  std::vector<Way> Bare::* information;  // or null
};

// Which of our two ways to wait have a limit.
struct Limited {
  bool block = false, adaptive = false;
};

// Ours, ours with adaptive waits, the references, and what is for information.
// Leaves the number of references in `references`, and which of ours have a limit.
Opened open_all(const Case& one, const DeviceInfo& info, const std::function<Bare()>& open_bare,
                std::size_t& references, Limited& limited, Report& report) {
  const auto block = std::make_shared<Ours>(info, WaitMode::block);
  const auto adaptive = std::make_shared<Ours>(info, WaitMode::adaptive);
  const auto bare = std::make_shared<Bare>(open_bare());
  references = ((*bare).*one.references).size();
  const bool adaptive_counts = bare->adaptive_counts && one.ours == &Ours::single;
  limited = {.block = bare->limited && !adaptive_counts, .adaptive = bare->limited && adaptive_counts};
  Opened opened;
  opened.ways = {{"ours", [block, work = one.ours] { ((*block).*work)(); }},
                 {"ours, adaptive wait", [adaptive, work = one.ours] { ((*adaptive).*work)(); }}};
  for (const Way& way : (*bare).*one.references) opened.ways.push_back(way);
  if (one.information != nullptr) {
    for (const Way& way : (*bare).*one.information) opened.ways.push_back(way);
  }
  opened.check = [=, &report] {
    block->check(info.id(), report);
    adaptive->check(info.id() + ", adaptive", report);
    bare->check(report);
  };
  return opened;
}

void measure(const Case& one, const DeviceInfo& info, const std::function<Bare()>& open_bare,
             Report& report) {
  progress(info.id() + " " + info.name + ": " + one.name);
  std::size_t references = 0;
  Limited limited;
  const std::vector<Times> times =
      interleave([&] { return open_all(one, info, open_bare, references, limited, report); }, one.plan);
  const auto first = times.begin() + 2;
  const auto last = first + static_cast<std::ptrdiff_t>(references);
  const auto best =
      std::min_element(first, last, [](const Times& a, const Times& b) { return a.median() < b.median(); });
  const auto add = [&](const std::string& name, const Times& ours, const Times& reference, bool information) {
    Row row = compared_row(name, info, ours, reference, one.scale, one.unit);
    row.information = information;
    report.add(std::move(row));
  };
  add(one.name, times[0], *best, !limited.block);
  add(one.name + ", adaptive wait", times[1], *best, !limited.adaptive);
  for (auto other = first; other != times.end(); ++other) {
    if (other != best) add(one.name, times[0], *other, true);
  }
}

}  // namespace

void check_tally(std::string_view what, const Tally& tally, const std::array<std::uint32_t, 2>& y,
                 Report& report) {
  if (y[0] == tally.launches && y[1] == tally.launches) return;
  report.fail(what, std::to_string(tally.launches) + " launches were counted by the host, " +
                        std::to_string(y[0]) + " by the kernel, and the last tag is " + std::to_string(y[1]) +
                        ".");
}

void compare_launches(const DeviceInfo& info, const Settings& settings,
                      const std::function<Bare()>& open_bare, Report& report) {
  measure({.name = "launch+wait",
           .plan = {.pairs = settings.pairs, .warm_up = 100, .samples = 200},
           .scale = 1,
           .unit = "us",
           .ours = &Ours::single,
           .references = &Bare::single,
           .information = &Bare::single_information},
          info, open_bare, report);
  measure({.name = "1,000 launches, one wait",
           .plan = {.pairs = settings.pairs, .warm_up = 1, .samples = 2},
           .scale = 1.0 / kBatch,
           .unit = "us per launch",
           .ours = &Ours::batch,
           .references = &Bare::batch,
           .information = nullptr},
          info, open_bare, report);
}

void launch(const Settings& settings, Report& report) {
  for (const DeviceInfo& info : devices()) {
    if (!settings.wants(info)) continue;
    if (info.backend == "vulkan") launch_vulkan(info, settings, report);
    if (info.backend == "opencl") launch_opencl(info, settings, report);
    if (info.backend == "webgpu") launch_webgpu(info, settings, report);
    if (info.backend == "opengl") launch_opengl(info, settings, report);
    if (info.backend == "cpu") launch_cpu(info, settings, report);
  }
}

}  // namespace collet::bench
