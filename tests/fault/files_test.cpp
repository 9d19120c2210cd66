// A process that may open few files: devices are found and compute, or an error says what is missing; nothing
// crashes, hangs or is wrong.
//
//   collet-fault-files_test          runs itself under limits from 3 files (none beside the standard ones) up
//   collet-fault-files_test LIMIT    has that limit

#include <sys/resource.h>

#include "fault/fault.hpp"

namespace {

using namespace collet;

constexpr auto kPatience = std::chrono::seconds(60);
constexpr std::uint32_t kCount = 64;

Result<void> compute(const std::string& id) {
  COLLET_TRY(device, Device::open(id));
  COLLET_TRY(values, device.buffer<std::uint32_t>(kCount));
  Stream stream = device.stream();
  stream.fill(values, 1u);
  stream.launch(fault::churn(), kCount, values, 1u);
  std::vector<std::uint32_t> got(kCount);
  stream.download(values, got);
  COLLET_CHECK(stream.wait());
  FAULT_CHECK(got == std::vector<std::uint32_t>(kCount, fault::churned(1, 1)), id + " computed wrongly");
  return {};
}

int be_the_victim(rlim_t limit) {
  const rlimit files{.rlim_cur = limit, .rlim_max = limit};
  FAULT_CHECK(setrlimit(RLIMIT_NOFILE, &files) == 0, "the limit can't be set");
  const Machine machine = discover({.cached = false});
  for (const BackendInfo& backend : machine.backends) {
    const bool has_devices = backend.device_count != 0;
    FAULT_CHECK(has_devices || !backend.message.empty(), backend.id + " is absent in silence");
    FAULT_CHECK(!has_devices || backend.isolated || backend.files.empty(), backend.id + " was probed here");
    const auto done = compute(backend.id);
    std::printf("%3llu %-10s %u devices; %s\n", static_cast<unsigned long long>(limit), backend.id.c_str(),
                backend.device_count, done ? "computed" : done.error().message().c_str());
    FAULT_CHECK(done || !done.error().message().empty(), backend.id + " fails in silence");
  }
  return fault::failures() == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 2) return be_the_victim(std::stoul(arguments[1]));
  for (const int limit : {3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 64}) {
    const fault::Ending ending = fault::run_self({std::to_string(limit)}, kPatience);
    FAULT_CHECK(ending.clean(), "with " + std::to_string(limit) + " files: " + ending.describe());
  }
  std::printf("%d failures\n", fault::failures());
  return fault::failures() == 0 ? 0 : 1;
}
