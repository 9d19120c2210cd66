// fork(): in the child every call on what the parent opened is a typed error at once; the parent goes on.

#include <spawn.h>

#include <algorithm>
#include <atomic>
#include <collet/ring.hpp>
#include <functional>
#include <optional>

#include "fault/fault.hpp"

extern char** environ;

namespace {

using namespace collet;
using fault::Clock;

constexpr std::uint32_t kElements = 4096;
constexpr std::uint32_t kRounds = 4;
constexpr int kLaunches = 16;
constexpr auto kLimit = std::chrono::seconds(5);
constexpr auto kLimitOfWork = std::chrono::seconds(60);  // for work on every device, on a busy machine
// For every call that a child can make on what it inherited, together: the medians of so many children. The
// processor's time says what the calls cost; the clock's says that none waits, also on a busy machine.
constexpr double kProcessorMilliseconds = 10;
constexpr double kClockMilliseconds = 100;
constexpr int kChildren = 7;

struct Cost {
  double clock = 0, processor = 0;  // milliseconds
};

double processor_milliseconds() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) * 1e3 + static_cast<double>(used.tv_nsec) / 1e6;
}

// A device with work in flight.
struct Session {
  explicit Session(const std::string& device_id) : id(device_id), device(Device::open(device_id).value()) {}

  void start() {
    for (int i = 0; i < kLaunches; ++i) stream.launch(kernel, kElements, x, kRounds);
    event = stream.record();
    stream.flush();
    for (int i = 0; i < kLaunches; ++i) stream.launch(kernel, kElements, x, kRounds);
  }

  // The parent's work is right, whatever its children did.
  void finish() {
    std::vector<std::uint32_t> host(kElements);
    stream.download(x, host);
    const auto done = stream.wait();
    FAULT_CHECK(done.has_value(), id + ": " + (done ? "" : done.error().describe()));
    const std::uint32_t expected = fault::churned(7, kRounds * 2 * kLaunches);
    for (const std::uint32_t value : host) {
      if (value == expected) continue;
      FAULT_CHECK(value == expected, id + " computed something else after a fork");
      break;
    }
  }

  std::string id;
  Device device;
  fault::Churn kernel = fault::churn();
  Buffer<std::uint32_t> x = device.upload(std::vector<std::uint32_t>(kElements, 7)).value();
  Stream stream = device.stream({.label = "work"});
  std::optional<Event> event;
};

template <class T>
void expect_error(const char* call, const Result<T>& result, ErrorCode code) {
  FAULT_CHECK(!result.has_value(), std::string(call) + " succeeded in the child");
  if (!result) {
    FAULT_CHECK(result.error().code() == code, std::string(call) + ": " + result.error().describe());
    FAULT_CHECK(!result.error().hint().empty(), std::string(call) + " gives no advice");
  }
}

void use_stream(Session& session, std::vector<std::uint32_t>& host) {
  Stream& stream = session.stream;
  stream.launch(session.kernel, kElements, session.x, kRounds);
  stream.upload(host, session.x);
  stream.upload_borrowed(std::span<const std::uint32_t>(host), session.x);
  stream.download(session.x, host);
  stream.fill(session.x, 1u);
  stream.copy(session.x.slice(0, 16), session.x.slice(16, 16));
  stream.wait_for(*session.event);
  stream.flush();
  (void)stream.idle();
  const Event later = stream.record();
  expect_error("Event::wait of a new event", later.wait(), ErrorCode::device_lost);
  expect_error("Event::done of a new event", later.done(), ErrorCode::device_lost);
  expect_error("Stream::wait", stream.wait(), ErrorCode::device_lost);
}

void use_event(const Event& event) {
  expect_error("Event::wait", event.wait(), ErrorCode::device_lost);
  expect_error("Event::done", event.done(), ErrorCode::device_lost);
  bool called = false;
  event.then([&](const Result<void>& outcome) {
    called = true;
    expect_error("Event::then", outcome, ErrorCode::device_lost);
  });
  FAULT_CHECK(called, "Event::then did not call back");
}

void use_device(const Session& session, std::vector<std::uint32_t>& host) {
  const Device& device = session.device;
  expect_error("Device::buffer", device.buffer<int>(100), ErrorCode::device_lost);
  expect_error("Device::upload", device.upload(host), ErrorCode::device_lost);
  expect_error("Device::compile", device.compile(session.kernel), ErrorCode::device_lost);
  expect_error("Device::compile of a new kernel", device.compile(fault::churn()), ErrorCode::device_lost);
  expect_error("Device::wait", device.wait(), ErrorCode::device_lost);
  Stream fresh = device.stream({.label = "made in the child"});
  fresh.launch(session.kernel, kElements, session.x, kRounds);
  expect_error("Stream::wait of a new stream", fresh.wait(), ErrorCode::device_lost);
  (void)device.memory_usage();
  device.trim();
  FAULT_CHECK(!device.name().empty(), "the device lost its name");
  expect_error("Device::open", Device::open(session.id), ErrorCode::unavailable);
  FAULT_CHECK(!backends().empty(), "backends() is empty");
  (void)devices();
}

// Everything that a child can do with what it inherited; its exit code.
int misuse(std::optional<Session>& session, Cost& cost) {
  std::vector<std::uint32_t> host(kElements, 1);
  const auto begin = Clock::now();
  const double used = processor_milliseconds();
  use_stream(*session, host);
  use_event(*session->event);
  use_device(*session, host);
  session.reset();  // every destructor
  cost.processor = processor_milliseconds() - used;
  cost.clock = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  return fault::failures() == 0 ? 0 : 1;
}

double median(std::vector<Cost>& costs, double Cost::* which) {
  std::ranges::sort(costs, {}, which);
  return costs[costs.size() / 2].*which;
}

// Each child tells its cost through a pipe.
void fork_with_work_in_flight(const std::string& id) {
  std::optional<Session> session(id);
  session->start();
  std::vector<Cost> costs;
  for (int i = 0; i < kChildren && fault::failures() == 0; ++i) {
    int ends[2];
    if (pipe(ends) != 0) return fault::report(__FILE__, __LINE__, "no pipe");
    const pid_t child = fault::fork_child([&] {
      Cost cost;
      const int code = misuse(session, cost);
      return write(ends[1], &cost, sizeof cost) == sizeof cost ? code : 2;
    });
    const fault::Ending ending = fault::await(child, kLimit);
    FAULT_CHECK(ending.clean(), id + ", child of a process with work in flight: " + ending.describe());
    Cost cost{1e9, 1e9};
    if (ending.clean() && read(ends[0], &cost, sizeof cost) == sizeof cost) costs.push_back(cost);
    close(ends[0]);
    close(ends[1]);
  }
  if (!costs.empty()) {
    const double processor = median(costs, &Cost::processor);
    const double clock = median(costs, &Cost::clock);
    const std::string told = std::to_string(processor) + " ms of the processor, " + std::to_string(clock) +
                             " ms by the clock (medians of " + std::to_string(costs.size()) + ")";
    FAULT_CHECK(processor <= kProcessorMilliseconds && clock <= kClockMilliseconds, id + ": " + told);
    std::printf("%s: every call in the child: %s\n", id.c_str(), told.c_str());
  }
  session->finish();
}

// Other threads of the parent hold locks of every kind at the moment of the fork.
void fork_while_threads_work(const std::string& id) {
  std::optional<Session> session(id);
  session->start();
  std::atomic<bool> stop{false};
  const auto repeat = [&](std::function<void()> what) {
    return std::thread([&stop, what = std::move(what)] {
      while (!stop.load()) what();
    });
  };
  Device& device = session->device;
  auto y = device.buffer<std::uint32_t>(kElements).value();
  Stream other = device.stream();
  std::vector<std::thread> threads;
  threads.push_back(repeat([&] {
    for (int i = 0; i < 8; ++i) other.launch(session->kernel, 64, y, 1u);
    other.record().then([](const Result<void>&) {});
    (void)other.wait();
  }));
  threads.push_back(repeat([&] { (void)device.buffer<int>(10000); }));
  threads.push_back(repeat([&] { (void)device.compile(fault::churn()); }));
  threads.push_back(repeat([&] { (void)Device::open("cpu"); }));
  threads.push_back(repeat([&] { (void)device.stream(); }));

  for (int i = 0; i < 20 && fault::failures() == 0; ++i) {
    const pid_t child = fault::fork_child([&] {
      Cost cost;
      return misuse(session, cost);
    });
    const fault::Ending ending = fault::await(child, kLimit);
    FAULT_CHECK(ending.clean(), id + ", child of a process whose threads work: " + ending.describe());
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  session->finish();
}

// What the parent's kernel and the parent share is not touched by the child.
void fork_with_a_ring(const std::string& id) {
  const auto sum =
      ring_kernel("sum", [](Inbox<std::uint32_t> in, Outbox<std::uint32_t> out, State<std::uint32_t> all) {
        all() = all() + in.message();
        out.send(all());
      });
  std::optional ring(open_ring(Device::open(id).value(), sum).value());
  (void)ring->call_later(1, [](const auto&) {});
  ring->send(1).value();
  for (int i = 0; i < 5 && fault::failures() == 0; ++i) {
    const pid_t child = fault::fork_child([&] {
      expect_error("Ring::call", ring->call(1), ErrorCode::device_lost);
      expect_error("Ring::try_send", ring->try_send(1), ErrorCode::device_lost);
      expect_error("Ring::call_later", ring->call_later(1, [](const auto&) {}), ErrorCode::device_lost);
      expect_error("Ring::receive", ring->receive(), ErrorCode::device_lost);
      expect_error("Ring::try_receive", ring->try_receive(), ErrorCode::device_lost);
      ring->pause();
      expect_error("Ring::close", ring->close(), ErrorCode::device_lost);
      ring.reset();
      return fault::failures() == 0 ? 0 : 1;
    });
    const fault::Ending ending = fault::await(child, kLimit);
    FAULT_CHECK(ending.clean(), id + ", child of a process with a ring: " + ending.describe());
  }
  const auto own = ring->receive();
  FAULT_CHECK(own && *own == 2, id + ": the parent's reply is lost");
  const auto more = ring->call(5);
  FAULT_CHECK(more && *more == 7, id + ": the parent's ring answers otherwise after a fork");
}

// The child of a process that has used nothing yet may use everything, and exits as any other.
void fork_before_use() {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    for (const std::string& id : fault::device_ids()) {
      Session session(id);
      session.start();
      session.finish();
      session.start();  // left in flight
    }
    FAULT_CHECK(!fault::device_ids().empty(), "the child found no device");
    std::exit(fault::failures() == 0 ? 0 : 1);
  }
  const fault::Ending ending = fault::await(child, kLimitOfWork);
  FAULT_CHECK(ending.clean(), "child of a process that had used nothing: " + ending.describe());
}

// Mesa's OpenGL, which wgpu-native loads too, joins its threads in a handler of exit(), also in a child that
// never had them. Nothing outside of the driver can hold that back; a child leaves by _exit() or exec(). Such
// a crash is counted and told; a hang is a failure.
int crashes_at_exit = 0;

void check_exit_of_child(const std::string& id, const std::string& which, const fault::Ending& ending) {
  const bool has_mesa = id.starts_with("opengl") || id.starts_with("webgpu");
  if (has_mesa && !ending.hung && WIFSIGNALED(ending.status) && WTERMSIG(ending.status) == SIGSEGV) {
    ++crashes_at_exit;
    std::printf("%s, %s: %s, which is Mesa's\n", id.c_str(), which.c_str(), ending.describe().c_str());
    return;
  }
  FAULT_CHECK(ending.clean(), id + ", " + which + ": " + ending.describe());
}

// A child that returns from main() runs the drivers' own exit handlers too.
void child_exits(const std::string& id) {
  std::optional<Session> session(id);
  session->start();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    session.reset();
    std::exit(0);
  }
  const fault::Ending ending = fault::await(child, kLimit);
  check_exit_of_child(id, "child that calls exit()", ending);
  session->finish();
}

// The parent used one driver, and the child opens a device of another kind, which it keeps. The driver's exit
// handler joins threads that the child never had; new ones may have got their ids.
int fork_and_keep_another(const std::string& id) {
  Session session(id);
  session.start();
  session.finish();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    auto* kept = new Session("cpu");
    kept->start();
    kept->finish();
    kept->stream.record().then([](const Result<void>&) {});
    kept->start();  // left in flight
    std::exit(fault::failures() == 0 ? 0 : 1);
  }
  const fault::Ending ending = fault::await(child, kLimit);
  check_exit_of_child(id, "child that keeps a device of the cpu", ending);
  return fault::failures() == 0 ? 0 : 1;
}

// In a process of its own: this one has used the cpu already, which a child may not open again.
void child_keeps_another(const std::string& id) {
  std::string program = "fork_test";
  std::string device = id;
  char* arguments[] = {program.data(), device.data(), nullptr};
  pid_t child = 0;
  if (posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, arguments, environ) != 0)
    return fault::report(__FILE__, __LINE__, "posix_spawn failed");
  const fault::Ending ending = fault::await(child, std::chrono::seconds(30));
  FAULT_CHECK(ending.clean(),
              id + ", parent of a child that keeps a device of the cpu: " + ending.describe());
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 2) return fork_and_keep_another(arguments[1]);
  fork_before_use();  // first: nothing is loaded yet
  const std::vector<std::string> ids = fault::device_ids();
  FAULT_CHECK(!ids.empty(), "there is no device");
  for (const std::string& id : ids) {
    fork_with_work_in_flight(id);
    fork_while_threads_work(id);
    fork_with_a_ring(id);
    child_exits(id);
    if (!id.starts_with("cpu")) child_keeps_another(id);
  }
  std::printf("%zu devices, %d failures, %d crashes of Mesa in a child that exits\n", ids.size(),
              fault::failures(), crashes_at_exit);
  return fault::failures() == 0 ? 0 : 1;
}
