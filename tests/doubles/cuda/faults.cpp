// Faults that a test asks for.

#include "faults.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <string_view>

#include "device_facts.hpp"

namespace collet::cuda_double {
namespace {

struct Plan {
  u64 memory = kDeviceMemory;
  u64 devices = kDevices;
  u64 copy_milliseconds = 0;
  u64 launch_fails = 0, lost_context = 0;  // launches until then; 0: never
  std::string wrong;
  bool verbose = false;
};

std::mutex mutex;

Plan& plan() {
  static auto* made = new Plan;  // leaked: threads of streams may outlive main()
  return *made;
}

bool read_word(std::string_view word, Plan& to) {
  const std::size_t equal = word.find('=');
  const std::string_view name = word.substr(0, equal);
  std::string_view value = equal == std::string_view::npos ? std::string_view() : word.substr(equal + 1);
  if (name == "verbose") {
    to.verbose = true;
    return value.empty();
  }
  if (name == "wrong") {
    to.wrong = value;
    return !value.empty();
  }
  if (name == "slow-copies" && value.ends_with("ms")) value.remove_suffix(2);
  u64 number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size()) return false;
  if (name == "memory") {
    to.memory = number;
  } else if (name == "slow-copies") {
    to.copy_milliseconds = number;
  } else if (name == "launch-fails") {
    to.launch_fails = number;
  } else if (name == "lost-context") {
    to.lost_context = number;
  } else if (name == "devices" && number <= kDevices) {
    to.devices = number;
  } else {
    return false;
  }
  return true;
}

bool read_words(std::string_view words, Plan& to) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(','));
    words.remove_prefix(std::min(word.size() + 1, words.size()));
    if (!word.empty() && !read_word(word, to)) return false;
  }
  return true;
}

}  // namespace

bool ask_for_faults(const std::string& words) {
  const std::lock_guard lock(mutex);
  Plan next = plan();
  if (!read_words(words, next)) return false;
  plan() = next;
  return true;
}

bool forget_faults() {
#ifdef __APPLE__
  const char* words = issetugid() != 0 ? nullptr : std::getenv("COLLET_CUDA_DOUBLE");
#else
  const char* words = secure_getenv("COLLET_CUDA_DOUBLE");
#endif
  const std::lock_guard lock(mutex);
  plan() = Plan();
  return words == nullptr || read_words(words, plan());
}

bool read_environment() {
  static const bool is_known = forget_faults();
  return is_known;
}

u64 memory_limit() {
  const std::lock_guard lock(mutex);
  return plan().memory;
}

int device_count() {
  const std::lock_guard lock(mutex);
  return static_cast<int>(plan().devices);
}

std::chrono::milliseconds copy_delay() {
  const std::lock_guard lock(mutex);
  return std::chrono::milliseconds(plan().copy_milliseconds);
}

std::string wrong_opcode() {
  const std::lock_guard lock(mutex);
  return plan().wrong;
}

bool is_verbose() {
  const std::lock_guard lock(mutex);
  return plan().verbose;
}

LaunchFault next_launch() {
  const std::lock_guard lock(mutex);
  const auto is_now = [](u64& count) { return count != 0 && --count == 0; };
  const bool fails = is_now(plan().launch_fails), loses = is_now(plan().lost_context);
  return loses ? LaunchFault::loses_context : fails ? LaunchFault::fails : LaunchFault::none;
}

}  // namespace collet::cuda_double
