// collet ring-bench: what a command costs by a launch, and what it would cost as a message to a ring.

#include <algorithm>
#include <chrono>
#include <collet/collet.hpp>
#include <functional>
#include <memory>
#include <span>
#include <thread>

#include "built_in/rings.hpp"
#include "exit_code.hpp"
#include "kernel_call.hpp"
#include "labels.hpp"
#include "text.hpp"
#include "verbs.hpp"
#include "views.hpp"

namespace collet::tool {
namespace {

using Clock = std::chrono::steady_clock;

// Medians, in microseconds.
struct Costs {
  double launch = 0;   // and wait
  double batched = 0;  // one of many launches with one wait
  double message = 0;  // and its reply
  double group = 0;    // what one group of the kernel adds to an empty launch
};

struct Compared {
  const KernelCall& call;
  const DeviceInfo& device;
  std::uint64_t groups;
  Costs costs;
  RingMode mode;
  std::string reason;

  // A ring has one group, which would do the work of all.
  double ring() const { return costs.message + static_cast<double>(groups) * costs.group; }
  bool favours_ring() const { return ring() < 0.8 * costs.launch; }
};

constexpr std::uint32_t kBatch = 64;

// Microseconds of one of `count` times `work`.
Result<double> time_of(std::uint32_t count, const std::function<Result<void>()>& work) {
  const auto begin = Clock::now();
  for (std::uint32_t i = 0; i < count; ++i) COLLET_CHECK(work());
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count() / count;
}

double median(std::vector<double> of) {
  const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
  std::ranges::nth_element(of, middle);
  return *middle;
}

// All in turn, so that what else the machine does disturbs them alike; for half a second after a warm-up.
// Each gives microseconds.
Result<std::vector<double>> medians(const std::vector<std::function<Result<double>()>>& ways) {
  using namespace std::chrono_literals;
  for (int i = 0; i < 3; ++i) {
    for (const auto& way : ways) COLLET_CHECK(way());
  }
  std::vector<std::vector<double>> times(ways.size());
  for (const auto end = Clock::now() + 500ms;
       times[0].size() < 10 || (Clock::now() < end && times[0].size() < 1000);) {
    for (std::size_t i = 0; i < ways.size(); ++i) {
      COLLET_TRY(took, ways[i]());
      times[i].push_back(took);
    }
  }
  std::vector<double> found(times.size());
  std::ranges::transform(times, found.begin(), median);
  return found;
}

std::uint64_t groups_of(const KernelCall& call) {
  std::uint64_t all = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint64_t group = std::max<std::uint64_t>(1, call.kernel.group().size[d]);
    all *= (call.grid.size()[d] + group - 1) / group;
  }
  return all;
}

Result<Compared> compare(const KernelCall& call, const DeviceInfo& info) {
  COLLET_TRY(device, Device::open(info.id()));
  COLLET_TRY(arguments, upload(device, call));
  COLLET_TRY(ring, open_ring(device, built_in::running_sum()));
  const auto nothing = kernel("nothing", [](Out<std::uint32_t> out) { out[0u] = 0u; }).with(group(1));
  COLLET_TRY(word, device.buffer<std::uint32_t>(1));
  Stream stream = device.stream();
  // Launches with one wait.
  const auto launches = [&](std::uint32_t count, const Grid& grid) {
    return time_of(1, [&]() -> Result<void> {
      for (std::uint32_t i = 0; i < count; ++i) stream.launch(call.kernel, grid, arguments.passed);
      COLLET_CHECK(stream.wait());
      return {};
    });
  };
  const auto message = [&]() -> Result<void> {
    COLLET_CHECK(ring.call(1));
    return {};
  };
  const auto empty = [&]() -> Result<void> {
    stream.launch(nothing, groups(1), word);
    COLLET_CHECK(stream.wait());
    return {};
  };
  COLLET_TRY(found, medians({
                        [&] { return launches(1, call.grid); },
                        [&] { return launches(kBatch, call.grid); },
                        [&]() -> Result<double> {
                          ring.resume();
                          COLLET_CHECK(message());  // the kernel is there from then on
                          auto took = time_of(kBatch, message);
                          ring.pause();  // it leaves, and then disturbs no launch
                          std::this_thread::sleep_for(std::chrono::milliseconds(1));
                          return took;
                        },
                        [&] { return launches(1, groups(1)); },
                        [&] { return time_of(1, empty); },
                    }));
  return Compared{.call = call,
                  .device = info,
                  .groups = groups_of(call),
                  .costs = {.launch = found[0],
                            .batched = found[1] / kBatch,
                            .message = found[2],
                            .group = std::max(0.0, found[3] - found[4])},
                  .mode = ring.mode(),
                  .reason = ring.reason()};
}

std::string figure(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f us", value);
  return text;
}

std::string advice(const Compared& compared) {
  const Costs& costs = compared.costs;
  char times[32];
  if (compared.favours_ring()) {
    std::snprintf(times, sizeof times, "%.1f", costs.launch / compared.ring());
    return "A ring, where each command needs the answer to the one before: it comes " + std::string(times) +
           " times as fast. Where none does, launches with one wait.";
  }
  if (compared.mode == RingMode::relaunch)
    return "Launches: this device launches a ring's kernel for its messages, too.";
  if (static_cast<double>(compared.groups) * costs.group > costs.launch / 2)
    return "Launches: one group alone, which a ring has, does this work more slowly.";
  return "Launches: a ring would gain little.";
}

std::string text_of(const Compared& compared, const Style& style) {
  Table facts({{}, {.title = "", .flexible = true}});
  facts.row({"kernel", compared.call.kernel.name() + ", " + std::to_string(compared.groups) + " groups"});
  facts.row({"device", compared.device.id() + ", " + compared.device.name});
  facts.row({"ring", std::string(name_of(compared.mode)) + ": " + compared.reason});
  Table table(
      {{.title = "ONE COMMAND"}, {.title = "COSTS", .right = true}, {.title = "WHICH IS", .flexible = true}});
  table.row({"launch and wait", figure(compared.costs.launch), "measured"});
  table.row({"of " + std::to_string(kBatch) + " launches with one wait", figure(compared.costs.batched),
             "measured"});
  table.row({"message to a ring and its reply", figure(compared.ring()),
             "estimated: a message of a small ring takes " + figure(compared.costs.message) +
                 ", measured, and one group " + figure(compared.costs.group) +
                 " of the kernel's work, which is measured by launches"});
  return facts.render(style) + "\n" + table.render(style) + "\n" + advice(compared) + "\n";
}

Json json_of(const Compared& compared) {
  Json json = answer();
  json["kernel"] = compared.call.kernel.name();
  json["values"] = compared.call.values;
  json["device"] = compared.device.id();
  json["mode"] = name_of(compared.mode);
  json["groups"] = compared.groups;
  json["launch"] = compared.costs.launch;
  json["batched"] = compared.costs.batched;
  json["message"] = compared.costs.message;
  json["group"] = compared.costs.group;
  json["ring"] = compared.ring();
  json["recommended"] = compared.favours_ring() ? "ring" : "launch";
  json["advice"] = advice(compared);
  return json;
}

// As made up, and on the device.
constexpr std::uint64_t kCopies = 2;

int ring_bench(const Session& session, const KernelAsked& asked) {
  const auto call = make_call(asked, kCopies);
  if (!call) return complain(call.error());
  const auto chosen = session.choose_device();
  if (!chosen) return complain(chosen.error());
  const DeviceInfo* info = selected(chosen->choice);
  if (info == nullptr) return complain(*chosen->choice.error);
  const auto compared = compare(*call, *info);
  if (!compared) return complain(compared.error());
  return session.show([&] { return json_of(*compared); },
                      [&](const Style& style) { return text_of(*compared, style); });
}

}  // namespace

void add_ring_bench(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("ring-bench", "whether a kernel would gain by a ring");
  verb->footer("collet ring-bench saxpy\ncollet ring-bench kernel.ir --grid 64 --device opencl");
  const auto asked = std::make_shared<KernelAsked>();
  add_kernel_options(*verb, *asked);
  add_device_option(*verb, session);
  verb->callback(
      [&session, asked] { session.verb = [&session, asked] { return ring_bench(session, *asked); }; });
}

}  // namespace collet::tool
