// Devices under ulimit -v: buffers end with out_of_memory, not the process, and what was there goes on.
//
//   collet-fault-memory_limit_test                every device, each in a process of its own
//   collet-fault-memory_limit_test DEVICE BYTES   one of them: this process is limited

#include <sys/resource.h>

#include <algorithm>
#include <optional>

#include "fault/fault.hpp"
#include "platform/address_space.hpp"

namespace {

using namespace collet;

constexpr std::uint64_t kMiB = 1 << 20;
constexpr std::uint64_t kRoom = 1024 * kMiB;  // beyond what the process uses with the device open

void limit_to(std::uint64_t bytes) {
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = std::min<std::uint64_t>(bytes, limit.rlim_max);
  setrlimit(RLIMIT_AS, &limit);
}

// Buffers of `size` bytes, each used by a launch, until there is no memory for more.
int fill_up(const std::string& id, std::uint64_t size) {
  const Device device = Device::open(id).value();
  limit_to(std::uint64_t{1} << 62);  // for address_space() to say what is used
  const std::uint64_t used = platform::address_space().value().used;
  if (used > (std::uint64_t{1} << 40)) {
    std::puts("Not run: a sanitizer has mapped more than 1 TiB.");
    return 0;
  }
  limit_to(used + kRoom);
  const fault::Churn kernel = fault::churn();
  Stream stream = device.stream();
  std::vector<Buffer<std::uint32_t>> kept;
  std::optional<Error> ended;
  while (!ended && kept.size() < 4096) {
    auto buffer = device.buffer<std::uint32_t>(size / sizeof(std::uint32_t));
    if (!buffer) {
      ended = buffer.error();
      break;
    }
    stream.launch(kernel, 64, buffer->slice(0, 64), 1u);
    if (auto done = stream.wait(); !done) ended = done.error();
    kept.push_back(std::move(*buffer));
  }
  FAULT_CHECK(ended && ended->code() == ErrorCode::out_of_memory,
              ended ? ended->describe() : "no limit was met");
  FAULT_CHECK(!kept.empty(), "not one buffer of " + std::to_string(size) + " bytes fitted");
  if (kept.empty()) return 1;
  stream.launch(kernel, 64, kept[0].slice(0, 64), 1u);
  const auto after = stream.wait();
  FAULT_CHECK(after, after.error().describe());
  return fault::failures();
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 3) return fill_up(arguments[1], std::stoull(arguments[2])) == 0 ? 0 : 1;
  const std::vector<std::string> ids = fault::device_ids();
  FAULT_CHECK(!ids.empty(), "there is no device");
  for (const std::string& id : ids) {
    for (const std::uint64_t size : {16 * kMiB, 64 * kMiB, 256 * kMiB}) {
      const fault::Ending ending = fault::run_self({id, std::to_string(size)}, std::chrono::seconds(30));
      FAULT_CHECK(ending.clean(),
                  id + ", buffers of " + std::to_string(size) + " bytes: " + ending.describe());
    }
  }
  return fault::failures() == 0 ? 0 : 1;
}
