// Launches on our CPU backend beside OpenMP's fork and join.

#include <atomic>
#include <memory>

#include "launch.hpp"

namespace collet::bench {
namespace {

class Ours {
 public:
  Ours(const DeviceInfo& info, WaitMode mode)
      : device_(Device::open(info.id(), {.label = {}, .wait = mode}).value()),
        stream_(device_.stream()),
        y_(device_.buffer<std::uint32_t>(1024).value()),
        kernel_(KernelSource<InOut<std::uint32_t>, Value<std::uint32_t>>("touch")
                    .group(1)
                    .cpu([](const Workgroup& group, std::span<std::uint32_t> y, std::uint32_t step) {
                      y[group.id()] += step;
                    })
                    .kernel()) {
    device_.compile(kernel_).value();
  }

  void run(std::uint32_t count) {
    stream_.launch(kernel_, groups(count), y_, 1u);
    stream_.wait().value();
    ++launches_;
  }
  void check(std::string_view what, Report& report) {
    std::array<std::uint32_t, 1> y{};
    stream_.download(y_.slice(0, 1), y);
    stream_.wait().value();
    check_tally(what, {launches_}, {y[0], launches_}, report);
  }

 private:
  Device device_;
  Stream stream_;
  Buffer<std::uint32_t> y_;
  Kernel<InOut<std::uint32_t>, Value<std::uint32_t>> kernel_;
  std::uint32_t launches_ = 0;
};

#ifdef _OPENMP

std::atomic<std::uint32_t> sink;  // keeps the loop below from being optimised away

// What a launch of ours does to `y`, by a parallel loop.
void fork_join(std::span<std::uint32_t> y, std::uint32_t count) {
#pragma omp parallel for schedule(static)
  for (std::uint32_t i = 0; i < count; ++i) y[i] += 1;
  sink.store(y[0], std::memory_order_relaxed);
}

#endif

Opened open_all(const DeviceInfo& info, std::uint32_t count, Report& report) {
  const auto block = std::make_shared<Ours>(info, WaitMode::block);
  const auto adaptive = std::make_shared<Ours>(info, WaitMode::adaptive);
  Opened opened;
  opened.ways = {{"ours", [=] { block->run(count); }},
                 {"ours, adaptive wait", [=] { adaptive->run(count); }}};
#ifdef _OPENMP
  const auto y = std::make_shared<std::vector<std::uint32_t>>(1024);
  opened.ways.push_back({"OpenMP fork/join", [=] { fork_join(*y, count); }});
#endif
  opened.check = [=, &report] {
    block->check(info.id(), report);
    adaptive->check(info.id() + ", adaptive", report);
  };
  return opened;
}

}  // namespace

void launch_cpu(const DeviceInfo& info, const Settings& settings, Report& report) {
  constexpr double kBudget = 1.5;  // µs
  for (const std::uint32_t count : {1u, 64u}) {
    const std::string name = "launch+wait, " + std::to_string(count) + (count == 1 ? " group" : " groups");
    progress(info.id() + " " + info.name + ": " + name);
    // Long warm-ups: the threads of the way before spin on for a while.
    const auto times = interleave([&] { return open_all(info, count, report); },
                                  {.pairs = settings.pairs, .warm_up = 2000, .samples = 100, .runs = 20});
    report.add(budget_row(name, info, times[0].median(), kBudget, "us"));
    if (times.size() < 3) continue;
    for (const std::size_t ours : {0u, 1u}) {
      Row row =
          compared_row(name + (ours == 0 ? "" : ", adaptive wait"), info, times[ours], times[2], 1, "us");
      row.information = ours != 0;
      report.add(std::move(row));
    }
  }
#ifndef _OPENMP
  report.leave_out("OpenMP fork/join", "this build found no OpenMP.");
#endif
}

}  // namespace collet::bench
