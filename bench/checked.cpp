// The checked suite: what checked mode costs, beside the same kernels without it. There is no limit: it is
// for finding mistakes. Sizes are those of a quick run, for the CPU looks at every access.

#include <memory>

#include "kernels.hpp"

namespace collet::bench {
namespace {

void compare_modes(const KernelCase& one, const DeviceInfo& info, const OpenOptions& options,
                   const std::string& tier, const Settings& settings, Report& report) {
  progress(info.id() + " " + info.name + ": " + one.name + (tier.empty() ? "" : ", " + tier));
  const auto open = [&] {
    OpenOptions checked = options;
    checked.checked = true;
    const auto ours = std::make_shared<Work>(one.open(Device::open(info.id(), checked).value()));
    const auto plain = std::make_shared<Work>(one.open(Device::open(info.id(), options).value()));
    compare_results(info.id() + " " + one.name, first_result(*ours, Author::collet),
                    first_result(*plain, Author::collet), report);
    return Opened{
        {{"ours", [=] { ours->run(Author::collet); }}, {"unchecked", [=] { plain->run(Author::collet); }}},
        {}};
  };
  const auto times = interleave(open, {.pairs = settings.pairs, .warm_up = 1});
  Row row = compared_row(one.name, info, times[0], times[1], 1e-3, "ms");
  row.tier = tier;
  report.add(std::move(row));
}

}  // namespace

void checked(const Settings& settings, Report& report) {
  Settings sizes = settings;
  sizes.quick = true;
  for (const DeviceInfo& info : devices()) {
    if (!settings.wants(info) || info.backend == "null") continue;
    for (const KernelCase& one : kernel_cases(sizes)) {
      if (info.backend != "cpu") {
        compare_modes(one, info, {}, "", settings, report);
        continue;
      }
      compare_modes(one, info, {.cpu_tier = CpuTier::interpreter}, "interpreter", settings, report);
      compare_modes(one, info, {.cpu_tier = CpuTier::native}, "native", settings, report);
    }
  }
}

}  // namespace collet::bench
