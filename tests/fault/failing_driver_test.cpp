// Every function of a driver fails once, at every call of a workload: what comes out is an error with the
// driver's code or the right result, never neither; nothing hangs, and every object of the driver is given
// back. The drivers are the machine's; only the functions that Collet calls stand between.
//
//   collet-fault-failing_driver_test [ID...]     these devices only: vulkan:0 opencl:0

#include <algorithm>
#include <collet_backends.hpp>
#include <functional>

#include "collet/collet.hpp"
#include "core/device_state.hpp"
#include "fault/fault.hpp"
#if COLLET_HAS_OPENCL
#include "backends/opencl/device.hpp"
#include "doubles/failing_opencl.hpp"
#endif
#if COLLET_HAS_VULKAN
#include "backends/vulkan/device.hpp"
#include "backends/vulkan/instance.hpp"
#include "doubles/failing_vulkan.hpp"
#endif

namespace {

using namespace collet;

constexpr std::uint32_t kElements = 1000;

// One API on one device.
struct Driver {
  std::string id;
  std::span<const std::string_view> functions;
  std::vector<int> codes;
  std::function<Result<std::unique_ptr<backend::Device>>()> open;
};

std::string current;  // for the watchdog

void on_end(int) {
  const char text[] = "hung or crashed: ";
  (void)!write(2, text, sizeof text - 1);
  (void)!write(2, current.data(), current.size());
  (void)!write(2, "\n", 1);
  _exit(3);
}

bool all(const std::vector<std::uint32_t>& values, std::uint32_t expected) {
  return std::all_of(values.begin(), values.end(), [&](std::uint32_t value) { return value == expected; });
}

enum class Outcome { right, failed, lost };

// An error, and no other than the one that was made, unless it is only a question that was not answered.
Outcome outcome(const Error& error, bool question) {
  FAULT_CHECK(test::calls.failed(), current + ": an error although nothing failed: " + error.describe());
  FAULT_CHECK(question || error.native_code() == test::calls.code(),
              current + ": another error: " + error.describe());
  return error.code() == ErrorCode::device_lost ? Outcome::lost : Outcome::failed;
}

auto add_kernel() {
  return kernel("add", [](In<std::uint32_t> x, InOut<std::uint32_t> y, Value<std::uint32_t> more) {
    auto i = global_id();
    y[i] = y[i] + x[i] + more;
  });
}

Outcome work(const Driver& driver, bool question) {
  auto native = driver.open();
  if (!native) return outcome(native.error(), question);
  const Device device(detail::Ref(new detail::DeviceState(std::move(*native), {})));
  std::vector<std::uint32_t> first(kElements, 0), last(kElements, 0);
  auto x = device.upload(std::vector<std::uint32_t>(kElements, 7));
  if (!x) return outcome(x.error(), question);
  auto y = device.buffer<std::uint32_t>(kElements);
  if (!y) return outcome(y.error(), question);
  auto words = device.buffer<std::uint32_t>(3 * 64);
  if (!words) return outcome(words.error(), question);
  const auto add = add_kernel();

  Stream stream = device.stream({.label = "work"});
  const Event begin = stream.record();
  stream.launch(add, kElements, *x, *y, 1u);  // y = 8
  stream.download(*y, first);
  stream.upload(std::vector<std::uint32_t>(kElements, 10), *x);
  stream.launch(add, kElements, *x, *y, 2u);  // y = 20
  stream.copy(*y, *x);
  stream.launch(add, kElements, *x, *y, 0u);  // y = 40
  // A part of a buffer, which OpenCL binds as a buffer of its own.
  stream.fill(*words, 3u);
  stream.launch(add, 64, words->slice(64, 64), words->slice(128, 64), 4u);
  stream.download(*y, last);
  std::vector<std::uint32_t> part(64, 0);
  stream.download(words->slice(128, 64), part);
  const Event end = stream.record();
  const auto done = stream.wait();
  if (!done) {
    FAULT_CHECK(!end.wait() || (all(first, 8) && all(last, 40) && all(part, 10)),
                current + ": the last event is done, the work is not");
    return outcome(done.error(), question);
  }
  FAULT_CHECK(all(first, 8) && all(last, 40) && all(part, 10), current + ": success with a wrong result");
  FAULT_CHECK(done->launch_count == 4, current + ": not 4 launches");
  if (const auto passed = end.elapsed(begin)) {
    FAULT_CHECK(passed->count() >= 0, current + ": less than no time");
  } else if (test::calls.failed()) {
    return Outcome::failed;
  } else {
    FAULT_CHECK(passed.error().code() == ErrorCode::unsupported, current + ": " + passed.error().describe());
  }
  if (const auto reached = end.time(); !reached && reached.error().code() != ErrorCode::unsupported)
    return outcome(reached.error(), question);
  return Outcome::right;
}

// A device is closed by the last thread that uses it, which may not be this one.
void expect_all_given_back() {
  const auto end = fault::Clock::now() + std::chrono::seconds(5);
  while (test::calls.live != 0 && fault::Clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  FAULT_CHECK(test::calls.live == 0,
              current + ": " + std::to_string(test::calls.live) + " objects were not given back");
  test::calls.live = 0;
}

// Whether the call came: how often a driver is asked whether it is done depends on the machine.
bool one_case(const Driver& driver, std::size_t function, std::uint64_t nth, int code) {
  const std::string_view name = driver.functions[function];
  current = driver.id + ": call " + std::to_string(nth) + " of " + std::string(name) + " gives " +
            std::to_string(code);
  alarm(30);
  test::calls.fail(function, nth, code);
  // A question that is not answered may have another answer in its place.
  work(driver, name.starts_with("clGet"));
  const bool failed = test::calls.failed();
  expect_all_given_back();
  return failed;
}

int all_cases(const Driver& driver) {
  current = driver.id + ": without a failure";
  alarm(30);
  test::calls.fail(0, 0, 0);
  FAULT_CHECK(work(driver, false) == Outcome::right, current);
  expect_all_given_back();
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < driver.functions.size(); ++i) counts.push_back(test::calls.count(i));
  int cases = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    // The first calls and the last: between them stands more of the same.
    for (std::uint64_t nth = 1; nth <= counts[i]; ++nth) {
      if (nth > 4 && nth != counts[i]) continue;
      for (const int code : driver.codes) cases += one_case(driver, i, nth, code) ? 1 : 0;
    }
  }
  std::printf("%s: %d cases\n", driver.id.c_str(), cases);
  return cases;
}

std::vector<Driver> drivers() {
  std::vector<Driver> found;
#if COLLET_HAS_OPENCL
  {
    using namespace backend::opencl;
    const auto library = platform::Library::open(platform::library_names("opencl"));
    if (library) {
      static const Api real = load_api(*library).value();
      static const Api failing = test::failing(real);
      const auto candidates = enumerate(real).value();
      for (const backend::opencl::Candidate& candidate : candidates) {
        found.push_back({candidate.info.id(),
                         test::kOpenClFunctions,
                         {CL_OUT_OF_HOST_MEMORY, CL_DEVICE_NOT_AVAILABLE},
                         [candidate] { return OpenClDevice::open(failing, candidate, {}); }});
      }
    }
  }
#endif
#if COLLET_HAS_VULKAN
  {
    using namespace backend::vulkan;
    static_cast<void>(instance());  // first: it finds the functions
    static const test::FailingVulkan failing;
    const auto handles = physical_devices(instance()).value();
    for (std::uint32_t i = 0; i < handles.size(); ++i) {
      found.push_back({"vulkan:" + std::to_string(i),
                       test::kVulkanFunctions,
                       {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_POOL_MEMORY, VK_ERROR_DEVICE_LOST},
                       [i, handle = handles[i]] { return VulkanDevice::open(instance(), handle, i, {}); }});
    }
  }
#endif
  return found;
}

}  // namespace

int main(int count, char** arguments) {
  signal(SIGALRM, on_end);
  signal(SIGSEGV, on_end);
  int cases = 0;
  for (const Driver& driver : drivers()) {
    const auto asked = [&](const char* id) { return driver.id == id; };
    if (count > 1 && !std::any_of(arguments + 1, arguments + count, asked)) continue;
    cases += all_cases(driver);
  }
  if (cases == 0) {
    std::printf("There is no driver that could fail.\n");
    return 1;
  }
  std::printf("%d cases, %d failures\n", cases, fault::failures());
  return fault::failures() == 0 ? 0 : 1;
}
