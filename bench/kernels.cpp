// The kernels suite: generated code beside code written by hand, on the devices of each GPU API.

#include "kernels.hpp"

#include <algorithm>
#include <chrono>
#include <collet/quirks.hpp>
#include <memory>

namespace collet::bench {
namespace {

// Whether the kernel written by hand may give other results than Collet's: the driver rewrites sums of
// floats, and the language has no word against that.
bool may_differ(const KernelCase& one, const DeviceInfo& info) {
  return one.shows_rounding && std::ranges::any_of(quirks(info), [](const DeviceQuirk& quirk) {
           return quirk.id.ends_with("-rewritten-floats");
         });
}

Opened open_both(const KernelCase& one, const DeviceInfo& info, const std::string& reference,
                 Report& report) {
  const auto work = std::make_shared<Work>(one.open(Device::open(info.id()).value()));
  if (!may_differ(one, info))
    compare_results(info.id() + " " + one.name, first_result(*work, Author::collet),
                    first_result(*work, Author::hand), report);
  return {{{"ours", [=] { work->run(Author::collet); }}, {reference, [=] { work->run(Author::hand); }}}, {}};
}

void compare_authors(const DeviceInfo& info, const std::string& reference, const Settings& settings,
                     Report& report) {
  for (const KernelCase& one : kernel_cases(settings)) {
    progress(info.id() + " " + info.name + ": " + one.name);
    const std::string by_hand = reference + (may_differ(one, info) ? ", rounded otherwise" : "");
    const auto times = interleave_by_length([&] { return open_both(one, info, by_hand, report); }, settings);
    report.add(compared_row(one.name, info, times[0], times[1], 1e-3, "ms"));
  }
}

double milliseconds_of_the_slower(const Opened& opened) {
  using Clock = std::chrono::steady_clock;
  double slowest = 0;
  for (const Way& way : opened.ways) {
    const auto start = Clock::now();
    way.run();
    slowest = std::max(slowest, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  return slowest;
}

}  // namespace

std::vector<Times> interleave_by_length(const std::function<Opened()>& open, const Settings& settings) {
  if (settings.quick) return interleave(open, {.pairs = std::min(settings.pairs, 2u)});
  std::optional<Opened> first = open();
  const double milliseconds = milliseconds_of_the_slower(*first);
  if (milliseconds > 5000) return interleave([&] { return *first; }, {.pairs = 1});
  first.reset();
  if (milliseconds > 1000) return interleave(open, {.pairs = std::min(settings.pairs, 3u)});
  if (milliseconds > 200) return interleave(open, {.pairs = settings.pairs});
  return interleave(open, {.pairs = settings.pairs, .warm_up = 1, .warm_up_milliseconds = 30, .samples = 6});
}

std::vector<std::uint32_t> first_result(const Work& work, Author author) {
  work.reset();
  work.run(author);
  return work.result();
}

void compare_results(std::string_view what, const std::vector<std::uint32_t>& ours,
                     const std::vector<std::uint32_t>& reference, Report& report) {
  if (ours == reference) return;
  std::size_t at = 0;
  while (at < ours.size() && at < reference.size() && ours[at] == reference[at]) ++at;
  report.fail(what, "the results differ, first in element " + std::to_string(at) + ".");
}

void kernels(const Settings& settings, Report& report) {
  for (const DeviceInfo& info : devices()) {
    if (!settings.wants(info)) continue;
    if (info.backend == "vulkan") compare_authors(info, "hand-written GLSL", settings, report);
    if (info.backend == "opencl") compare_authors(info, "hand-written OpenCL C", settings, report);
    if (info.backend == "webgpu") compare_authors(info, "hand-written WGSL", settings, report);
    if (info.backend == "opengl") compare_authors(info, "hand-written GLSL", settings, report);
    if (info.backend == "cpu") kernels_cpu(info, settings, report);
  }
}

}  // namespace collet::bench
