// Every function of the waist fails once, at every call of a workload: what comes out is an error or the
// right result, never neither; nothing hangs or leaks; and afterwards the device works.

#include <atomic>
#include <cstring>
#include <iterator>

#include "backends/cpu/backend.hpp"
#include "core/device_state.hpp"
#include "doubles/failing_device.hpp"
#include "fault/fault.hpp"

namespace {

using namespace collet;
using test::Call;
using test::FaultPlan;

constexpr std::uint32_t kElements = 1000;

// Which paths the bytes of copies take.
struct Variant {
  const char* name;
  bool hide_memory;
  bool host_commands;
  std::uint32_t gather;
};
constexpr Variant kVariants[] = {
    {"mapped, host pointers", false, true, 1},       {"mapped", false, false, 1},
    {"unmapped, host pointers", true, true, 1},      {"unmapped", true, false, 1},
    {"mapped, host pointers, 64", false, true, 64},  {"mapped, 64", false, false, 64},
    {"unmapped, host pointers, 64", true, true, 64}, {"unmapped, 64", true, false, 64},
};

char current[200];  // for the watchdog

void on_end(int) {
  const char text[] = "hung or crashed: ";
  (void)!write(2, text, sizeof text - 1);
  (void)!write(2, current, std::strlen(current));
  (void)!write(2, "\n", 1);
  _exit(3);
}

OpenOptions two_threads() {
  OpenOptions options;
  options.cpu_threads = 2;
  return options;
}

Device open(const Variant& variant, std::shared_ptr<FaultPlan> plan) {
  auto device = std::make_unique<test::FailingDevice>(
      backend::cpu::make_backend()->open(0, two_threads()).value(), std::move(plan));
  device->hide_memory = variant.hide_memory;
  device->limits.host_commands = variant.host_commands;
  device->limits.gather = variant.gather;
  return Device(detail::Ref(new detail::DeviceState(std::move(device), {})));
}

auto add_kernel() {
  return KernelSource<In<std::uint32_t>, InOut<std::uint32_t>, Value<std::uint32_t>, Count>("add")
      .cpu([](Item item, std::span<const std::uint32_t> x, std::span<std::uint32_t> y, std::uint32_t more,
              std::uint32_t) { y[item.x] += x[item.x] + more; })
      .kernel();
}

bool all(const std::vector<std::uint32_t>& values, std::uint32_t expected) {
  for (const std::uint32_t value : values) {
    if (value != expected) return false;
  }
  return true;
}

void expect_injected(const Error& error) {
  FAULT_CHECK(error.native_name() == "INJECTED",
              std::string(current) + ": another error: " + error.describe());
}

enum class Outcome { right, failed, lost };

Outcome outcome(const Error& error) {
  expect_injected(error);
  return error.code() == ErrorCode::device_lost ? Outcome::lost : Outcome::failed;
}

// The stream's failure is reported once, and then the stream works again.
Outcome after_failure(Stream& stream, const Error& error, const Buffer<std::uint32_t>& x) {
  const Outcome how = outcome(error);
  if (how == Outcome::lost || error.context().back().starts_with("creating")) return how;
  if (auto again = stream.wait(); !again) {
    // A second failure of the same fault: only a stream that can't get a new timeline may say so.
    FAULT_CHECK(false, std::string(current) + ": reported twice: " + again.error().describe());
    return how;
  }
  std::vector<std::uint32_t> host(kElements, 0);
  stream.fill(x, 5u);
  stream.download(x, host);
  if (auto later = stream.wait(); !later) {
    FAULT_CHECK(false, std::string(current) + ": not usable again: " + later.error().describe());
  } else {
    FAULT_CHECK(all(host, 5), std::string(current) + ": wrong result after a failure");
  }
  return how;
}

Outcome work(const Device& device) {
  const std::vector<std::uint32_t> seven(kElements, 7);
  std::vector<std::uint32_t> first(kElements, 0), last(kElements, 0);
  auto x = device.upload(seven);
  if (!x) return outcome(x.error());
  auto y = device.buffer<std::uint32_t>(kElements);
  if (!y) return outcome(y.error());
  const auto add = add_kernel();

  Stream stream = device.stream({.label = "work"});
  stream.launch(add, kElements, *x, *y, 1u);  // y = 8
  stream.download(*y, first);
  const Event middle = stream.record();
  stream.upload(std::vector<std::uint32_t>(kElements, 10), *x);
  stream.launch(add, kElements, *x, *y, 2u);  // y = 20
  stream.copy(*y, *x);
  stream.launch(add, kElements, *x, *y, 0u);  // y = 40
  stream.download(*y, last);
  bool called = false;
  const Event end = stream.record();
  const auto done = stream.wait();
  end.then([&](const Result<void>& how) {
    called = true;
    FAULT_CHECK(how.has_value() || !done.has_value(),
                std::string(current) + ": an event failed whose stream did not: " + how.error().describe());
  });
  FAULT_CHECK(called, std::string(current) + ": all is done, but then() did not call");

  if (auto reached = middle.wait()) {
    FAULT_CHECK(all(first, 8), std::string(current) + ": the event is done, the download before it is not");
  } else {
    expect_injected(reached.error());
  }
  if (done) {
    FAULT_CHECK(all(first, 8) && all(last, 40), std::string(current) + ": success with a wrong result");
    FAULT_CHECK(done->launch_count == 3, std::string(current) + ": not 3 launches");
    return Outcome::right;
  }
  if (auto reached = end.wait()) {
    FAULT_CHECK(all(last, 40), std::string(current) + ": the last event is done, the work is not");
  }
  return after_failure(stream, done.error(), *x);
}

void one_case(const Variant& variant, Call call, std::uint64_t nth, ErrorCode code) {
  std::snprintf(current, sizeof current, "%s: call %llu of %s, %s", variant.name,
                static_cast<unsigned long long>(nth), std::string(to_string(call)).c_str(),
                std::string(to_string(code)).c_str());
  alarm(20);
  auto plan = std::make_shared<FaultPlan>();
  {
    const Device device = open(variant, plan);
    plan->fail(call, nth, code);
    const Outcome first = work(device);
    plan->fail(call, 0, code);
    if (first != Outcome::lost) {
      FAULT_CHECK(work(device) == Outcome::right, std::string(current) + ": the device does not work again");
    }
  }
  const std::optional<int> leaked = plan->leaked();
  FAULT_CHECK(leaked.has_value(), std::string(current) + ": the device was not destroyed");
  FAULT_CHECK(leaked.value_or(0) == 0, std::string(current) + ": objects leaked");
}

// How often a clean run makes each call.
std::array<std::uint64_t, test::kCalls> clean_counts(const Variant& variant) {
  std::snprintf(current, sizeof current, "%s: without a fault", variant.name);
  alarm(20);
  std::array<std::uint64_t, test::kCalls> counts{};
  auto plan = std::make_shared<FaultPlan>();
  FAULT_CHECK(work(open(variant, plan)) == Outcome::right, current);
  for (std::size_t i = 0; i < test::kCalls; ++i) counts[i] = plan->count(static_cast<Call>(i));
  return counts;
}

// More failures than a stream could list: an event still says that its own work failed.
void many_failures() {
  std::snprintf(current, sizeof current, "many failures");
  alarm(20);
  auto plan = std::make_shared<FaultPlan>();
  const Device device = open(kVariants[0], plan);
  const auto x = device.buffer<std::uint32_t>(kElements).value();
  Stream stream = device.stream();
  std::vector<Event> events;
  for (int i = 0; i < 100; ++i) {
    plan->fail(Call::submit, 1, ErrorCode::internal);
    stream.fill(x, 1u);
    stream.flush();
    FAULT_CHECK(!stream.wait().has_value(), "a failed submission was not reported");
    stream.fill(x, 2u);
    FAULT_CHECK(stream.wait().has_value(), "the stream did not recover");
  }
  // Gathered and then failed: the events stand in the batch that is lost.
  const Device gathering = open(kVariants[4], plan);
  const auto y = gathering.buffer<std::uint32_t>(kElements).value();
  Stream failing = gathering.stream();
  for (int i = 0; i < 100; ++i) {
    plan->fail(Call::lose, 1, ErrorCode::internal);
    failing.fill(y, 1u);
    events.push_back(failing.record());
    FAULT_CHECK(!failing.wait().has_value(), "a lost submission was not reported");
  }
  int wrong = 0;
  for (const Event& event : events) wrong += event.wait().has_value() ? 1 : 0;
  FAULT_CHECK(wrong == 0,
              std::to_string(wrong) + " of 100 events of lost submissions say that they are done");
}

// Waiters on other threads get the error too.
void waiters_on_other_threads() {
  std::snprintf(current, sizeof current, "waiters on other threads");
  alarm(20);
  for (int i = 0; i < 50; ++i) {
    auto plan = std::make_shared<FaultPlan>();
    const Device device = open(kVariants[0], plan);
    const auto x = device.buffer<std::uint32_t>(kElements).value();
    Stream stream = device.stream();
    plan->fail(Call::lose, 1, ErrorCode::internal);
    stream.fill(x, 1u);
    const Event event = stream.record();
    std::vector<std::thread> waiters;
    std::atomic<int> failed{0};
    for (int t = 0; t < 4; ++t) {
      waiters.emplace_back([&, event] { failed += event.wait().has_value() ? 0 : 1; });
    }
    event.then([&](const Result<void>& how) { failed += how.has_value() ? 0 : 1; });
    for (std::thread& waiter : waiters) waiter.join();
    FAULT_CHECK(!stream.wait().has_value(), "the stream did not report it");
    FAULT_CHECK(stream.wait().has_value(), "the stream reported it twice");
    while (failed.load() < 5) std::this_thread::yield();  // then(): the alarm ends this
  }
}

}  // namespace

// With the number of a variant as argument, that one alone.
int main(int count, char** arguments) {
  signal(SIGALRM, on_end);
  signal(SIGSEGV, on_end);
  int cases = 0;
  for (const Variant& variant : kVariants) {
    if (count == 2 && &variant != &kVariants[std::stoul(arguments[1]) % std::size(kVariants)]) continue;
    const auto counts = clean_counts(variant);
    for (std::size_t c = 0; c < test::kCalls; ++c) {
      for (const ErrorCode code : {ErrorCode::internal, ErrorCode::out_of_memory, ErrorCode::device_lost}) {
        for (std::uint64_t nth = 1; nth <= counts[c] + 1; ++nth, ++cases) {
          one_case(variant, static_cast<Call>(c), nth, code);
        }
      }
    }
  }
  many_failures();
  waiters_on_other_threads();
  std::printf("%d cases, %d failures\n", cases, fault::failures());
  return fault::failures() == 0 ? 0 : 1;
}
