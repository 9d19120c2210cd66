// The ring suite: a message to a kernel that stays beside a launch for the same work. Every message is
// answered, and the answers are checked.

#include <algorithm>
#include <atomic>
#include <ctime>
#include <memory>
#include <optional>
#include <thread>

#include "built_in/rings.hpp"
#include "kernels.hpp"
#include "suites.hpp"

namespace collet::bench {
namespace {

using Clock = std::chrono::steady_clock;

// Where a figure has a limit: those of the other devices are for information.
bool has_limits(const DeviceInfo& info) {
  return info.backend == "cpu" || info.backend == "opencl" ||
         (info.backend == "vulkan" && info.name.find("llvmpipe") != std::string::npos);
}

double microseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::micro>(Clock::now() - since).count();
}

// The same work by a launch for each message: parameters up, launch, result down.
class Launches {
 public:
  explicit Launches(const Device& device)
      : stream_(device.stream()),
        sum_(device.buffer<std::uint32_t>(1).value()),
        kernel_(kernel("add", [](InOut<std::uint32_t> sum, Value<std::uint32_t> more) {
                  sum[0u] = sum[0u] + more;
                }).with(group(1))) {
    device.compile(kernel_).value();
  }
  std::uint32_t call(std::uint32_t more) {
    stream_.launch(kernel_, 1, sum_, more);
    std::uint32_t found = 0;
    stream_.download(sum_, std::span(&found, 1));
    stream_.wait().value();
    return found;
  }
  void launch(std::uint32_t more) { stream_.launch(kernel_, 1, sum_, more); }
  void wait() { stream_.wait().value(); }

 private:
  Stream stream_;
  Buffer<std::uint32_t> sum_;
  Kernel<InOut<std::uint32_t>, Value<std::uint32_t>> kernel_;
};

// Keeps every core busy while it lives.
class Burners {
 public:
  Burners() {
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i) {
      threads_.emplace_back([this] {
        volatile double x = 1;
        while (!stop_.load(std::memory_order_relaxed)) {
          for (int k = 0; k < 1000; ++k) x = x * 1.0000001;
        }
      });
    }
  }
  ~Burners() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  Burners(const Burners&) = delete;
  Burners& operator=(const Burners&) = delete;

 private:
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

// Threads: one at a time.
class RingCases {
 public:
  RingCases(const DeviceInfo& info, const Settings& settings, Report& report)
      : info_(info), settings_(settings), report_(report), device_(Device::open(info.id()).value()) {}

  void run() {
    progress(info_.id() + " " + info_.name + ": ring");
    times("");
    against_launches();
    rates();
    {
      const Burners burners;
      times(", every core busy");
    }
    idle();
  }

 private:
  bool wants(std::string_view name) const { return name.find(settings_.part) != std::string_view::npos; }
  std::uint32_t rounds(std::uint32_t full) const { return settings_.quick ? std::max(10u, full / 50) : full; }

  void add(std::string name, double ours, double most, std::string unit, bool information) {
    if (!wants(name)) return;
    Row row = budget_row(std::move(name), info_, ours, most, std::move(unit));
    row.information = information || !has_limits(info_);
    report_.add(std::move(row));
  }

  // Of one ring whose kernel is alive: what a message costs its sender, and how long its reply takes.
  void times(const std::string& where) {
    auto ring = open_ring(device_, built_in::running_sum()).value();
    mode_ = std::string(name_of(ring.mode()));
    std::uint32_t expected = 0;
    const auto call = [&] {
      ++expected;
      if (ring.call(1).value() != expected) report_.fail(info_.id() + " ring", "a reply is wrong");
    };
    const bool busy = !where.empty();
    for (std::uint32_t i = 0; i < rounds(1'000); ++i) call();
    std::vector<double> trips;
    for (std::uint32_t i = 0; i < rounds(busy ? 5'000 : 20'000); ++i) {
      const auto begin = Clock::now();
      call();
      trips.push_back(microseconds(begin));
    }
    std::vector<double> bursts;
    constexpr std::uint32_t kBurst = 512;
    for (std::uint32_t i = 0; i < rounds(busy ? 50 : 200); ++i) {
      while (ring.stats().waiting != 0) std::this_thread::yield();
      const auto begin = Clock::now();
      for (std::uint32_t k = 0; k < kBurst; ++k) ring.post(1).value();
      bursts.push_back(microseconds(begin) / kBurst);
      expected += kBurst;
    }
    call();
    std::ranges::sort(trips);
    const bool relaunched = ring.mode() == RingMode::relaunch;
    const bool shown = relaunched || (busy && info_.backend != "cpu");
    add("inject, burst of 512 (" + mode_ + ")" + where, median(bursts), 0.05, "us", shown || busy);
    add("round trip (" + mode_ + ")" + where, trips[trips.size() / 2], 1, "us", shown || busy);
    add("round trip, p99 (" + mode_ + ")" + where, trips[trips.size() * 99 / 100], 2, "us", shown || busy);
    // Two threads that spin on one core would wait for each other's time slice.
    add("round trip, p99.9 (" + mode_ + ")" + where, trips[trips.size() * 999 / 1000], 4'000, "us",
        shown || !busy);
  }

  void against_launches() {
    const auto compare = [&](const std::string& name, const std::function<Opened()>& open, std::uint32_t runs,
                             double scale, const std::string& unit) {
      if (!wants(name)) return;
      const auto times = interleave(open, {.pairs = settings_.pairs, .warm_up = runs, .runs = runs});
      Row row = compared_row(name, info_, times[0], times[1], scale, unit);
      row.information = info_.backend == "cpu" || !has_limits(info_) || name != kCall;
      report_.add(std::move(row));
    };
    compare(
        kCall,
        [this] {
          const auto ring = open();
          const auto launches = std::make_shared<Launches>(device_);
          return Opened{{{"ours", [=] { (void)ring->call(1).value(); }},
                         {"launch, wait, download", [=] { (void)launches->call(1); }}},
                        {}};
        },
        rounds(200), 1, "us");
    // 300 operations, each of which needs the result of the one before for its message.
    compare(
        "300 operations, mixed",
        [this] {
          const auto ring = open();
          const auto launches = std::make_shared<Launches>(device_);
          const auto mixed = [](const auto& call, const auto& post) {
            std::uint32_t last = 1;
            for (std::uint32_t i = 0; i < 100; ++i) {
              last = call(last % 7);
              post(i);
              last += call(last % 5);
            }
          };
          return Opened{{{"ours",
                          [=] {
                            mixed([&](std::uint32_t x) { return ring->call(x).value(); },
                                  [&](std::uint32_t x) { ring->post(x).value(); });
                          }},
                         {"launches",
                          [=] {
                            mixed([&](std::uint32_t x) { return launches->call(x); },
                                  [&](std::uint32_t x) { launches->launch(x); });
                          }}},
                        {}};
        },
        1, 1, "us");
    // Where nobody waits in between, launches may be the better way.
    compare(
        "10,000 steps, one wait",
        [this] {
          const auto ring = open();
          const auto launches = std::make_shared<Launches>(device_);
          return Opened{{{"ours",
                          [=] {
                            for (std::uint32_t i = 0; i < 9'999; ++i) ring->post(1).value();
                            (void)ring->call(1).value();
                          }},
                         {"launches",
                          [=] {
                            for (std::uint32_t i = 0; i < 10'000; ++i) launches->launch(1);
                            launches->wait();
                          }}},
                        {}};
        },
        1, 1e-3, "ms");
  }

  // Messages that are streamed; and calls that fit into a frame of 60 Hz.
  void rates() {
    const auto ring = open();
    const std::uint32_t many = rounds(info_.backend == "cpu" ? 5'000'000 : 500'000);
    const auto begin = Clock::now();
    for (std::uint32_t i = 0; i + 1 < many; ++i) ring->post(1).value();
    const std::uint32_t last = ring->call(1).value();
    const double took = microseconds(begin);
    if (last != many) report_.fail(info_.id() + " ring", "messages were lost");
    add("streamed (" + mode_ + ")", took / many, 0.1, "us per message", info_.backend != "cpu");
    const auto frame = Clock::now();
    std::uint32_t calls = 0;
    for (; microseconds(frame) < 1e6 / 60; ++calls) (void)ring->call(1).value();
    add("a call's part of a frame of 60 Hz (" + mode_ + ")", 1e6 / 60 / calls, 1e6 / 60, "us", true);
  }

  // An open ring without messages, and closing it.
  void idle() {
    const auto ring = open();
    (void)ring->call(1).value();
    const auto busy = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC * 1e6; };
    const double before = busy();
    const auto begin = Clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(settings_.quick ? 100 : 1'000));
    add("idle, part of a core (" + mode_ + ")", (busy() - before) / microseconds(begin) * 100, 1, "%",
        info_.backend != "cpu");
    (void)ring->call(1).value();
    const auto closing = Clock::now();
    ring->close().value();
    add("close (" + mode_ + ")", microseconds(closing) * 1e-3, 10, "ms", false);
  }

  std::shared_ptr<Ring<std::uint32_t, std::uint32_t>> open() {
    return std::make_shared<Ring<std::uint32_t, std::uint32_t>>(
        open_ring(device_, built_in::running_sum()).value());
  }

  static constexpr const char* kCall = "a call";
  const DeviceInfo& info_;
  const Settings& settings_;
  Report& report_;
  const Device device_;
  std::string mode_;
};

}  // namespace

void ring(const Settings& settings, Report& report) {
  for (const DeviceInfo& info : devices()) {
    if (settings.wants(info) && info.backend != "null") RingCases(info, settings, report).run();
  }
}

}  // namespace collet::bench
