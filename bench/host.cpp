// What the host pays for a launch, measured on the null device, where nothing else takes time; and what a
// device costs that has nothing to do, or whose threads work.

#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <collet_embedded/kernels.hpp>
#include <functional>
#include <numeric>
#include <thread>

#include "allocations.hpp"
#include "instructions.hpp"
#include "launch.hpp"

namespace collet::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMillion = 1'000'000;
constexpr std::uint64_t kBurst = 100;  // launches before a wait, where a device works

using Combine = Kernel<In<float>, In<float>, Out<float>, Value<float>, Value<std::uint32_t>>;

// A launch with three buffers and two scalars.
//
// Threads: one at a time.
class Launches {
 public:
  Launches(const Device& device, const Combine& kernel)
      : device_(device),
        stream_(device_.stream()),
        x_(device_.buffer<float>(1024).value()),
        y_(device_.buffer<float>(1024).value()),
        z_(device_.buffer<float>(1024).value()),
        kernel_(kernel) {
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
  Combine kernel_;
};

Launches on_null(const Device& device) {
  return {device,
          KernelSource<In<float>, In<float>, Out<float>, Value<float>, Value<std::uint32_t>>("combine")
              .cpu([](Item, std::span<const float>, std::span<const float>, std::span<float>, float,
                      std::uint32_t) {})
              .kernel()};
}
Launches on_null() { return on_null(Device::open("null").value()); }

// One item writes: what the device does is not what is measured.
Launches on_cuda() {
  return {Device::open("cuda").value(), kernel("combine", [](In<float> x, In<float> y, Out<float> z,
                                                             Value<float> a, Value<std::uint32_t> n) {
            if_(global_id() + 1 == n, [&] { z[0] = a * x[0] + y[0]; });
          })};
}

DeviceInfo null_info() {
  DeviceInfo info;
  info.backend = "null";
  info.name = "null (runs no kernels)";
  return info;
}

Row null_row(std::string name, double ours, double budget, std::string unit) {
  return budget_row(std::move(name), null_info(), ours, budget, std::move(unit));
}

using Count = std::function<Result<std::uint64_t>(const std::string& launches)>;

// Two runs, so that what happens once falls out.
void instructions(const DeviceInfo& info, const std::string& name, double budget, std::uint64_t launches,
                  const Count& count, Report& report) {
  progress(info.id() + ": instructions, " + name);
  const auto few = count(std::to_string(launches));
  const auto many = count(std::to_string(3 * launches));
  if (!few || !many) {
    report.leave_out("instructions, " + name, (few ? many : few).error().message());
    return;
  }
  const double each = static_cast<double>(*many - *few) / static_cast<double>(2 * launches);
  report.add(budget_row(name + ", 3 buffers, 2 scalars", info, each, budget, "instructions"));
}

void null_instructions(const std::string& option, const std::string& name, double budget, Report& report) {
  const auto count = [&](const std::string& launches) { return count_instructions({option, launches}); };
  instructions(null_info(), name, budget, 10'000, count, report);
}

// What the thread that launches does outside the driver, which may be a double.
void cuda_instructions(const DeviceInfo& info, bool doubles, Report& report) {
  const auto count = [&](const std::string& launches) {
    std::vector<std::string> arguments{"--cuda-launches", launches};
    if (doubles) arguments.emplace_back("--doubles");
    return count_instructions_outside("cu*", arguments);
  };
  instructions(info, "launch, a wait for each 100", 1500, 500, count, report);
}

void allocations(Report& report) {
  progress("null: allocations");
  Launches null = on_null();
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
  Launches null = on_null();
  null.launch(10'000);
  const double before = voluntary_switches();
  null.launch(kMillion);
  report.add(null_row("sleeps in locks, 10^6 launches", voluntary_switches() - before, 0, "sleeps"));

  // Two threads, each with a stream of its own on one device. The threads' own end is not counted.
  Launches second = on_null(null.device());
  std::atomic<int> ready = 0;
  double begun = 0, ended = 0;
  const auto work = [&](Launches& one, bool counts) {
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
  Launches null = on_null();
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
  Launches null = on_null();
  if (!waits) return null.launch(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    null.launch();
    null.wait();
  }
}

void cuda_launches(std::uint64_t count) {
  Launches cuda = on_cuda();
  for (std::uint64_t done = 0; done < count; done += kBurst) {
    cuda.launch(kBurst);
    cuda.wait();
  }
}

void host(const Settings& settings, Report& report) {
  if (settings.wants(null_info())) {
    null_instructions("--null-launches", "launch", 1000, report);
    // The receipt's memory and three pairs of lock and unlock are 450 of them.
    null_instructions("--null-waits", "launch+wait", 1800, report);
    allocations(report);
    sizes(report);
    if (!settings.steady) {
      contention(report);
      flatness(report);
    }
  }
  for (const DeviceInfo& info : devices()) {
    if (!settings.wants(info)) continue;
    if (info.id() == "cuda:0") cuda_instructions(info, settings.doubles, report);
    if (settings.steady) continue;
    idle(info, WaitMode::block, report);
    idle(info, WaitMode::adaptive, report);
    if (info.backend == "cpu") spinning(info, report);
  }
}

}  // namespace collet::bench
