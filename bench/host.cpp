// What the host pays for a launch, measured on the null device, where nothing else takes time; and what a
// device costs that has nothing to do, or whose threads work.

#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <collet_embedded/kernels.hpp>
#include <numeric>
#include <thread>

#include "allocations.hpp"
#include "instructions.hpp"
#include "launch.hpp"

namespace collet::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMillion = 1'000'000;

// A launch with three buffers and two scalars.
//
// Threads: one at a time.
class Null {
 public:
  Null() : Null(Device::open("null").value()) {}
  explicit Null(const Device& device)
      : device_(device),
        stream_(device_.stream()),
        x_(device_.buffer<float>(1024).value()),
        y_(device_.buffer<float>(1024).value()),
        z_(device_.buffer<float>(1024).value()),
        kernel_(KernelSource<In<float>, In<float>, Out<float>, Value<float>, Value<std::uint32_t>>("combine")
                    .cpu([](Item, std::span<const float>, std::span<const float>, std::span<float>, float,
                            std::uint32_t) {})
                    .kernel()) {
    device_.compile(kernel_).value();
  }

  void launch() { stream_.launch(kernel_, 1024, x_, y_, z_, 2.0f, 1024u); }
  void launch(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) launch();
  }
  void wait() { stream_.wait().value(); }
  void new_stream() { stream_ = device_.stream(); }
  const Device& device() const { return device_; }

 private:
  Device device_;
  Stream stream_;
  Buffer<float> x_, y_, z_;
  Kernel<In<float>, In<float>, Out<float>, Value<float>, Value<std::uint32_t>> kernel_;
};

DeviceInfo null_info() {
  DeviceInfo info;
  info.backend = "null";
  info.name = "null (runs no kernels)";
  return info;
}

Row null_row(std::string name, double ours, double budget, std::string unit) {
  return budget_row(std::move(name), null_info(), ours, budget, std::move(unit));
}

// Two runs of `option`, so that what happens once falls out.
void instructions(const std::string& option, const std::string& name, double budget, Report& report) {
  progress("null: instructions, " + name);
  constexpr std::uint64_t kFew = 10'000, kMany = 30'000;
  const auto few = count_instructions({option, std::to_string(kFew)});
  const auto many = count_instructions({option, std::to_string(kMany)});
  if (!few || !many) {
    report.leave_out("instructions, " + name, (few ? many : few).error().message());
    return;
  }
  const double each = static_cast<double>(*many - *few) / static_cast<double>(kMany - kFew);
  report.add(null_row(name + ", 3 buffers, 2 scalars", each, budget, "instructions"));
}

void allocations(Report& report) {
  progress("null: allocations");
  Null null;
  null.launch(10'000);
  null.wait();
  count_allocations();
  null.launch(kMillion);
  const auto counted = allocations_counted();
  if (!counted) {
    report.leave_out("heap allocations per launch", "this build cannot count them.");
    return;
  }
  report.add(null_row("heap allocations, 10^6 launches", static_cast<double>(*counted), 0, "allocations"));
}

// What a program keeps many of. Each is a handle: a reference to what is shared, and little beside it.
void sizes(Report& report) {
  const auto add = [&](const char* name, std::size_t size, std::size_t most) {
    report.add(null_row(name, static_cast<double>(size), static_cast<double>(most), "bytes"));
  };
  add("size of a Device", sizeof(Device), 8);
  add("size of a Stream", sizeof(Stream), 8);
  add("size of a Buffer", sizeof(Buffer<float>), 16);
  add("size of a Kernel", sizeof(Kernel<In<float>, Out<float>>), 8);
  add("size of an Event", sizeof(Event), 8);
}

double voluntary_switches() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_nvcsw);
}

// A contended std::mutex sleeps in the kernel, and every sleep is a voluntary switch.
void contention(Report& report) {
  progress("null: contended locks");
  Null null;
  null.launch(10'000);
  const double before = voluntary_switches();
  null.launch(kMillion);
  report.add(null_row("sleeps in locks, 10^6 launches", voluntary_switches() - before, 0, "sleeps"));

  // Two threads, each with a stream of its own on one device. The threads' own end is not counted.
  Null second(null.device());
  std::atomic<int> ready = 0;
  double begun = 0, ended = 0;
  const auto work = [&](Null& one, bool counts) {
    one.launch(10'000);
    ++ready;
    while (ready < 2) {
    }
    if (counts) begun = voluntary_switches();
    one.launch(kMillion);
    if (counts) ended = voluntary_switches();
    ++ready;
    while (ready < 4) {
    }
  };
  std::thread other([&] { work(second, false); });
  work(null, true);
  other.join();
  report.add(null_row("the same, 2 threads, 2 streams", ended - begun, 0, "sleeps"));
}

double cpu_seconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// The processor's time of a launch (other programs do not count) by decades of a new stream's life: 1 to 10,
// 10 to 100, … 10^6.
void flatness(Report& report) {
  progress("null: flatness");
  constexpr std::size_t kDecades = 6;
  constexpr std::size_t kStreams = 15;
  std::array<std::vector<double>, kDecades> each;
  Null null;
  for (std::size_t stream = 0; stream < kStreams; ++stream) {
    null.new_stream();
    std::uint64_t done = 0;
    std::uint64_t until = 10;
    for (std::vector<double>& decade : each) {
      const double start = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
      null.launch(until - done);
      const double used = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
      decade.push_back(used * 1e9 / static_cast<double>(until - done));
      done = until;
      until *= 10;
    }
  }
  double fastest = median(each[0]);
  for (const auto& decade : each) fastest = std::min(fastest, median(decade));
  for (std::size_t i = 0; i < kDecades; ++i) {
    const bool last = i + 1 == kDecades;
    Row row =
        null_row("launches up to 10^" + std::to_string(i + 1), median(each[i]), fastest, "ns per launch");
    row.reference_name = "the fastest decade";
    row.information = !last;
    report.add(std::move(row));
  }
}

// The share of one processor that this process uses from 1 ms after a burst on.
void idle(const DeviceInfo& info, WaitMode mode, Report& report) {
  progress(info.id() + " " + info.name + ": idle");
  const Device device = Device::open(info.id(), {.label = {}, .wait = mode}).value();
  auto stream = device.stream();
  auto y = device.buffer<std::uint32_t>(1024).value();
  const auto kernel =
      KernelSource<InOut<std::uint32_t>, Value<std::uint32_t>, Value<std::uint32_t>>("count")
          .group(1)
          .spirv(collet_embedded::count_spv)
          .opencl(collet_embedded::count_cl)
          .cpu([](Item, std::span<std::uint32_t> out, std::uint32_t step, std::uint32_t) { out[0] += step; })
          .kernel();
  for (std::uint32_t i = 0; i < kBatch; ++i) stream.launch(kernel, groups(1), y, 1u, i);
  stream.wait().value();
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const double cpu = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
  const auto start = Clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const double used = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  const double wall = std::chrono::duration<double>(Clock::now() - start).count();
  // A thousandth: our own measuring costs some of it.
  report.add(budget_row(mode == WaitMode::block ? "idle CPU use" : "idle CPU use, adaptive wait", info,
                        used / wall, 0.001, "of a processor"));
}

// What the threads of the CPU backend take of the processors while they work: there is a worker for each of
// them, and the thread that waits runs too, so that one must sleep.
void spinning(const DeviceInfo& info, Report& report) {
  constexpr std::uint32_t kGroups = 30;
  constexpr double kGroup = 20e-6;
  progress(info.id() + " " + info.name + ": time beside work");
  const Device device = Device::open(info.id()).value();
  auto stream = device.stream();
  const auto y = device.buffer<float>(kGroups).value();
  std::array<double, kGroups> worked{};
  const auto kernel = KernelSource<Out<float>>("work")
                          .group(1)
                          .cpu([&](Item item, std::span<float>) {
                            const double start = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
                            double& used = worked[item.x];
                            for (used = 0; used < kGroup;)
                              used = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
                          })
                          .kernel();
  double work = 0;
  const double before = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
  for (int launch = 0; launch < 1000; ++launch) {
    stream.launch(kernel, kGroups, y);
    stream.wait().value();
    work += std::accumulate(worked.begin(), worked.end(), 0.0);
  }
  const double used = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - before;
  report.add(budget_row("processor time of dispatches", info, used / work, 1.1, "of their work"));
}

}  // namespace

void null_launches(std::uint64_t count, bool waits) {
  Null null;
  if (!waits) return null.launch(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    null.launch();
    null.wait();
  }
}

void host(const Settings& settings, Report& report) {
  if (settings.wants(null_info())) {
    instructions("--null-launches", "launch", 1000, report);
    // The receipt's memory and three pairs of lock and unlock are 450 of them.
    instructions("--null-waits", "launch+wait", 1800, report);
    allocations(report);
    sizes(report);
    if (!settings.steady) {
      contention(report);
      flatness(report);
    }
  }
  if (settings.steady) return;
  for (const DeviceInfo& info : devices()) {
    if (!settings.wants(info)) continue;
    idle(info, WaitMode::block, report);
    idle(info, WaitMode::adaptive, report);
    if (info.backend == "cpu") spinning(info, report);
  }
}

}  // namespace collet::bench
