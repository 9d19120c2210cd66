// The kernels suite on our CPU backend: beside PoCL and OpenMP on the same processor, and from a new kernel
// to its first result and to machine code.

#include <algorithm>
#include <chrono>
#include <memory>

#include "built_in/kernels.hpp"
#include "kernels.hpp"

namespace collet::bench {
namespace {

using Clock = std::chrono::steady_clock;

std::optional<DeviceInfo> find_pocl() {
  const auto all = devices();
  const auto found = std::ranges::find_if(all, [](const DeviceInfo& info) {
    return info.driver.find("Portable Computing Language") != std::string::npos;
  });
  if (found == all.end()) return std::nullopt;
  return *found;
}

// How the CPU ran the kernel of a receipt.
std::string tier_of(const Receipt& receipt) {
  const KernelFacts& facts = *receipt.launches.back().facts;
  if (facts.format != Format::ir) return std::string(to_string(facts.format));
  return facts.tier;
}

Rival on_pocl(const KernelCase& one, const DeviceInfo& pocl) {
  const auto work = std::make_shared<Work>(one.open(Device::open(pocl.id()).value()));
  auto first = first_result(*work, Author::hand);
  return {"hand-written OpenCL C on PoCL", [=] { work->run(Author::hand); }, std::move(first)};
}

void compare_with(const KernelCase& one, const DeviceInfo& info, CpuTier asked, const Settings& settings,
                  const std::function<Rival()>& open_rival, Report& report) {
  progress(info.id() + " " + info.name + ": " + one.name);
  std::string tier;
  const auto open = [&] {
    const auto work = std::make_shared<Work>(one.open(Device::open(info.id(), {.cpu_tier = asked}).value()));
    const Rival rival = open_rival();
    compare_results(info.id() + " " + one.name, first_result(*work, Author::collet), rival.first, report);
    tier = tier_of(work->run(Author::collet));
    return Opened{{{"ours", [=] { work->run(Author::collet); }}, {rival.name, rival.run}}, {}};
  };
  const auto times = interleave_by_length(open, settings);
  Row row = compared_row(one.name, info, times[0], times[1], 1e-3, "ms");
  row.tier = tier;
  report.add(std::move(row));
}

// From the launch of a kernel that was never compiled to its result on the host; it is traced before the
// clock starts. `launch` adds launch and download.
template <class Make, class Launch>
void first_of_new(const std::string& name, const DeviceInfo& info, const Make& make, const Launch& launch,
                  Stream& stream, Report& report) {
  constexpr std::uint32_t kKernels = 101;
  progress(info.id() + " " + info.name + ": " + name);
  std::vector<double> milliseconds;
  std::string tier;
  for (std::uint32_t i = 0; i < kKernels; ++i) {
    const auto traced = make();
    const auto start = Clock::now();
    launch(traced);
    const Receipt receipt = stream.wait().value();
    milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    tier = tier_of(receipt);
  }
  Row row = budget_row(name, info, median(milliseconds), 1, "ms");
  row.tier = tier;
  report.add(std::move(row));
}

void first_results(const DeviceInfo& info, Report& report) {
  constexpr std::uint32_t kSide = 64;
  const Device device = Device::open(info.id()).value();
  Stream stream = device.stream();
  const auto ones = device.upload(std::vector<float>(kSide * kSide, 1)).value();
  const auto to = device.buffer<float>(kSide * kSide).value();
  std::vector<float> host(kSide * kSide);
  const auto check = [&](const std::string& name, float expected) {
    if (std::ranges::count(host, expected) != std::ssize(host)) report.fail(name, "the result is wrong.");
  };

  std::string name = "first result of a new kernel (saxpy)";
  first_of_new(
      name, info, built_in::saxpy,
      [&](const auto& saxpy) {
        stream.fill(to, 1.0f);
        stream.launch(saxpy, kSide * kSide, ones, to, 2.0f);
        stream.download(to, std::span(host));
      },
      stream, report);
  check(name, 3);
  name = "first result of a new kernel (matmul)";
  first_of_new(
      name, info, built_in::matmul,
      [&](const auto& matmul) {
        stream.launch(matmul, elements(kSide, kSide), ones, ones, to, kSide);
        stream.download(to, std::span(host));
      },
      stream, report);
  check(name, kSide);
}

// From a traced kernel to machine code, on a device that has compiled nothing yet.
template <class Make>
void compile_time(const std::string& name, const DeviceInfo& info, const Make& make, double budget,
                  Report& report) {
  constexpr int kDevices = 9;
  progress(info.id() + " " + info.name + ": " + name);
  std::vector<double> milliseconds;
  for (int i = 0; i < kDevices; ++i) {
    const Device device = Device::open(info.id(), {.cpu_tier = CpuTier::native}).value();
    const auto traced = make();
    const auto start = Clock::now();
    const BuildReport built = device.compile(traced).value();
    milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    if (!built.log.empty()) return report.leave_out(name, built.log);  // no LLVM
  }
  Row row = budget_row(name, info, median(milliseconds), budget, "ms");
  row.tier = "native";
  report.add(std::move(row));
}

}  // namespace

void kernels_cpu(const DeviceInfo& info, const Settings& settings, Report& report) {
  const auto pocl = find_pocl();
  for (const KernelCase& one : kernel_cases(settings)) {
    const auto against_pocl = [&](CpuTier tier) {
      if (pocl) compare_with(one, info, tier, settings, [&] { return on_pocl(one, *pocl); }, report);
    };
    if (one.rival_of_interpreter)
      compare_with(one, info, CpuTier::interpreter, settings, one.rival_of_interpreter, report);
    against_pocl(CpuTier::interpreter);
    for (const auto& rival : one.rivals) compare_with(one, info, CpuTier::native, settings, rival, report);
    against_pocl(CpuTier::native);
  }
  for (const KernelCase& one : processor_cases(settings)) {
    for (const auto& rival : one.rivals) compare_with(one, info, CpuTier::native, settings, rival, report);
    if (one.rivals.empty())
      report.leave_out(one.name, "this build found no OpenMP, or this machine has no OpenBLAS.");
  }
  if (!pocl) report.leave_out("The CPU beside PoCL", "PoCL is not among this machine's devices.");
#ifndef _OPENMP
  report.leave_out("The CPU beside OpenMP", "this build found no OpenMP.");
#endif
  if (!settings.part.empty()) return;
  first_results(info, report);
  compile_time("compile saxpy", info, built_in::saxpy, 25, report);
  compile_time("compile tiled matmul", info, built_in::matmul, 60, report);
}

}  // namespace collet::bench
