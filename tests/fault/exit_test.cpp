// exit() with work in flight: neither hangs nor crashes, whatever is alive at that moment and on whichever
// thread.
//
//   collet-fault-exit_test                    every scenario on every device, each in a process of its own
//   collet-fault-exit_test SCENARIO DEVICE    one of them: this process is the victim

#include <collet/ring.hpp>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>

#include "fault/fault.hpp"

namespace {

using namespace collet;

constexpr std::uint32_t kElements = 4096;
constexpr auto kLimit = std::chrono::seconds(20);

// Work for some hundred milliseconds, also on a busy machine: it must end before Collet's patience at exit
// does. SwiftShader's queue thread crashes where its exit handlers meet submissions that it has not begun.
struct Work {
  explicit Work(const std::string& id, std::uint32_t rounds = 1)
      : device(Device::open(id).value()),
        x(device.upload(std::vector<std::uint32_t>(kElements, 7)).value()),
        stream(device.stream()) {
    for (int i = 0; i < 32; ++i) stream.launch(kernel, kElements, x, rounds);
    event = stream.record();
    stream.launch(kernel, kElements, x, rounds);
  }

  Device device;
  fault::Churn kernel = fault::churn();
  Buffer<std::uint32_t> x;
  Stream stream;
  std::optional<Event> event;
};

std::optional<Work> early_global;

void locals_destroyed(const std::string& id) { const Work work(id); }

void exit_from_inside(const std::string& id) {
  const Work work(id);
  std::exit(0);
}

void globals(const std::string& id) { early_global.emplace(id); }

// Destroyed before what was registered before it: its destructors still meet a working device.
void late_static(const std::string& id) { static const Work work(id); }

void leaked(const std::string& id) { new Work(id); }

void while_another_thread_launches(const std::string& id) {
  auto* work = new Work(id);
  std::thread([work] {
    for (;;) {
      work->stream.launch(work->kernel, 64, work->x, 1u);
      if (work->stream.idle()) (void)work->stream.wait();
    }
  }).detach();
  work->event->wait().value();
}

void while_another_thread_waits(const std::string& id) {
  auto* work = new Work(id);
  std::thread([work] { (void)work->stream.wait(); }).detach();
}

void from_a_second_thread(const std::string& id) {
  auto* work = new Work(id);
  std::thread([] { std::exit(0); }).detach();
  for (;;) work->stream.launch(work->kernel, 64, work->x, 1u);
}

void long_work(const std::string& id) { new Work(id, 4000); }

void long_work_while_another_thread_waits(const std::string& id) {
  auto* work = new Work(id, 4000);
  std::thread([work] { (void)work->stream.wait(); }).detach();
}

// More of them than ThreadSanitizer lets one thread hold locks (64).
void dropped_streams(const std::string& id) {
  auto* work = new Work(id);
  for (int i = 0; i < 200; ++i) {
    const auto x = work->device.buffer<std::uint32_t>(64).value();
    Stream stream = work->device.stream();
    stream.wait_for(*work->event);
    stream.launch(work->kernel, 64, x, 1u);
  }
}

void callback_pending(const std::string& id) {
  auto* work = new Work(id);
  work->event->then([](const Result<void>&) {});
  work->stream.record().then([kept = std::make_shared<int>(1)](const Result<void>&) {});
}

void exit_in_a_callback(const std::string& id) {
  auto* work = new Work(id);
  work->event->then([](const Result<void>&) { std::exit(0); });
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

void open_async(const std::string& id) {
  auto* kept = new auto(Device::open_async(id));
  (void)kept;
  (void)Device::open_async(id);  // its future is gone already
}

void compile_async(const std::string& id) {
  const Device device = Device::open(id).value();
  auto* kept = new auto(device.compile_async(fault::churn()));
  (void)kept;
  (void)device.compile_async(fault::churn());
}

// The driver is loaded after Collet's exit handler was first registered.
void opened_after_another(const std::string& id) {
  new Work("cpu");
  new Work(id);
}

// On the cpu, LLVM is being loaded or at work on a kernel when the process exits.
void becoming_native(const std::string& id) {
  const auto traced = kernel("worth_it", [](Out<std::uint32_t> out) {
    Var<std::uint32_t> sum = global_id();
    for_(0u, 100u, [&](const auto& k) { sum = sum * 3u + k; });
    out[global_id()] = sum;
  });
  const auto device = Device::open(id).value();
  const auto out = device.buffer<std::uint32_t>(1'000'000).value();
  auto* stream = new Stream(device.stream());  // keeps the device
  stream->launch(traced, 1'000'000, out);
  stream->wait().value();
}

// Nothing of Collet's ran on the main thread, which exits so many milliseconds after LLVM began to be loaded,
// or to be used.
template <int kMilliseconds>
void becoming_native_elsewhere(const std::string& id) {
  std::thread(becoming_native, id).join();
  const auto end = fault::Clock::now() + std::chrono::milliseconds(kMilliseconds);
  while (fault::Clock::now() < end) std::this_thread::yield();
}

void stand_in(const std::string& id) {
  const auto slow = KernelSource<InOut<std::uint32_t>, Value<std::uint32_t>, Count>("slow")
                        .cpu([](Item item, std::span<std::uint32_t> x, std::uint32_t rounds, std::uint32_t) {
                          x[item.x] = fault::churned(x[item.x], rounds);
                        })
                        .kernel()
                        .with(cpu_stand_in());
  auto* work = new Work(id);
  work->stream.launch(slow, kElements, work->x, 40u);
  work->stream.flush();
}

using Sums = Ring<std::uint32_t, std::uint32_t>;

// With messages on their way.
Sums ring(const std::string& id) {
  const auto sum =
      ring_kernel("sum", [](Inbox<std::uint32_t> in, Outbox<std::uint32_t> out, State<std::uint32_t> all) {
        all() = all() + in.message();
        out.send(all());
      });
  Sums made = open_ring(Device::open(id).value(), sum).value();
  (void)made.call(1).value();
  for (int i = 0; i < 500; ++i) made.post(1).value();
  return made;
}

void ring_destroyed(const std::string& id) { const Sums all = ring(id); }

void ring_leaked(const std::string& id) { new Sums(ring(id)); }

void ring_in_a_static(const std::string& id) { static const Sums all = ring(id); }

void while_another_thread_calls_a_ring(const std::string& id) {
  auto* all = new Sums(ring(id));
  std::thread([all] {
    while (all->call(1)) {
    }
  }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

void replies_of_a_ring_pending(const std::string& id) {
  auto* all = new Sums(ring(id));
  for (int i = 0; i < 100; ++i)
    (void)all->call_later(1, [](const auto&) { std::this_thread::sleep_for(std::chrono::milliseconds(10)); });
}

struct Scenario {
  const char* name;
  void (*run)(const std::string& id);
  bool cpu_only = false;
};

constexpr Scenario kScenarios[] = {
    {"locals_destroyed", locals_destroyed},
    {"exit_from_inside", exit_from_inside},
    {"globals", globals},
    {"late_static", late_static},
    {"leaked", leaked},
    {"while_another_thread_launches", while_another_thread_launches},
    {"while_another_thread_waits", while_another_thread_waits},
    {"from_a_second_thread", from_a_second_thread},
    {"long_work", long_work},
    {"long_work_while_another_thread_waits", long_work_while_another_thread_waits},
    {"dropped_streams", dropped_streams},
    {"callback_pending", callback_pending},
    {"exit_in_a_callback", exit_in_a_callback},
    {"open_async", open_async},
    {"compile_async", compile_async},
    {"opened_after_another", opened_after_another},
    {"becoming_native", becoming_native},
    {"becoming_native_elsewhere_0", becoming_native_elsewhere<0>},
    {"becoming_native_elsewhere_5", becoming_native_elsewhere<5>, true},
    {"becoming_native_elsewhere_10", becoming_native_elsewhere<10>, true},
    {"becoming_native_elsewhere_20", becoming_native_elsewhere<20>, true},
    {"becoming_native_elsewhere_35", becoming_native_elsewhere<35>, true},
    {"becoming_native_elsewhere_50", becoming_native_elsewhere<50>, true},
    {"stand_in", stand_in},
    {"ring_destroyed", ring_destroyed},
    {"ring_leaked", ring_leaked},
    {"ring_in_a_static", ring_in_a_static},
    {"while_another_thread_calls_a_ring", while_another_thread_calls_a_ring},
    {"replies_of_a_ring_pending", replies_of_a_ring_pending},
};

int be_the_victim(const char* name, const char* id) {
  for (const Scenario& scenario : kScenarios) {
    if (std::strcmp(scenario.name, name) == 0) return scenario.run(id), 0;
  }
  std::fprintf(stderr, "There is no scenario (%s).\n", name);
  return 2;
}

// PoCL and lavapipe bring LLVM, whose static objects are made while it is loaded. An exit() that comes
// meanwhile destroys them there, and nothing outside of the driver can hold it back. Such a crash is counted
// and told; a hang is a failure.
int crashes_while_loading = 0;

bool may_crash(const Scenario& scenario, const std::string& id) {
  return scenario.run == open_async && (id.starts_with("opencl") || id.starts_with("vulkan"));
}

void run(const Scenario& scenario, const std::string& id) {
  const std::string name = scenario.name;
  const fault::Ending ending = fault::run_self({name, id}, kLimit);
  if (!ending.hung && WIFSIGNALED(ending.status) && may_crash(scenario, id)) {
    ++crashes_while_loading;
    std::printf("%s on %s: %s, which is the driver's\n", name.c_str(), id.c_str(), ending.describe().c_str());
    return;
  }
  FAULT_CHECK(ending.clean(), name + " on " + id + ": " + ending.describe());
  if (ending.seconds > 5) std::printf("%s on %s took %.1f s\n", name.c_str(), id.c_str(), ending.seconds);
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 3) return be_the_victim(arguments[1], arguments[2]);
  const std::vector<std::string> ids = fault::device_ids();
  FAULT_CHECK(!ids.empty(), "there is no device");
  for (const std::string& id : ids) {
    for (const Scenario& scenario : kScenarios) {
      if (!scenario.cpu_only || id.starts_with("cpu")) run(scenario, id);
    }
  }
  std::printf("%zu devices x %zu scenarios, %d failures, %d crashes of a driver that was being loaded\n",
              ids.size(), std::size(kScenarios), fault::failures(), crashes_while_loading);
  return fault::failures() == 0 ? 0 : 1;
}
