// The variables that Collet reads: the table, and what is wrong with those that are set.

#include "discovery/environment.hpp"

#include <algorithm>
#include <array>
#include <mutex>

#include "base/log.hpp"
#include "base/nearest.hpp"
#include "collet/discovery.hpp"
#include "discovery/selector.hpp"
#include "layers/limits.hpp"
#include "platform/platform.hpp"

namespace collet {
namespace discovery {
namespace {

constexpr std::string_view kPrefix = "COLLET_";
constexpr std::string_view kTestPrefix = "COLLET_TEST_";

constexpr KnownVariable kVariables[] = {
    {"COLLET_BACKEND", "the backend that open_best() takes its device from"},
    {"COLLET_DEVICE", "the device that open_best() opens: an index, an id or another selector"},
    {"COLLET_STRICT", "1: nothing may stand in for what was asked, and nothing simulated or unverified"},
    {"COLLET_FAKE", "1, or limits such as memory=1G,gpus=2: there are simulated devices"},
    {"COLLET_LOG", "what is logged: a level, and levels of modules, such as info,vulkan=trace"},
    {"COLLET_VALIDATE", "1: every device is opened with the checking layer of its API"},
    {"COLLET_CHECK", "1: an index out of range in a kernel is an error that names it"},
    {"COLLET_CACHE_DIR", "where the results of probes are kept; off: nowhere"},
    {"COLLET_PROBE", "the program that probes drivers; off: this process probes them itself"},
    {"COLLET_CPU_TIER", "how the cpu backend runs kernels: auto, interpreter or native"},
    {"COLLET_CPU_VECTORS", "which vectors native code uses: scalar, sse2, avx2 or avx512"},
    {"COLLET_LLVM", "the libLLVM that makes native code on the cpu backend; off: none"},
    {"COLLET_WEBGPU", "the library with webgpu.h's functions that the webgpu backend loads"},
    {"COLLET_CACHE_DAMAGES", "how many damaged cache files a test reads", true},
    {"COLLET_CUDA_DOUBLE", "faults of the double of CUDA's driver", true},
    {"COLLET_FLOAT_SUMS", "how many floats the scale test adds to one", true},
    {"COLLET_FUZZ_KERNELS", "how many random kernels .ci/deep fuzz runs", true},
    {"COLLET_FUZZ_SEED", "where the random kernels of .ci/deep fuzz begin", true},
    {"COLLET_JOBS", "how many checks scripts/lint runs at once", true},
    {"COLLET_LIBFUZZER_SECONDS", "how long .ci/deep libfuzzer runs each target", true},
    {"COLLET_MATH_ONLY", "which functions .ci/deep math tests, as a GoogleTest pattern", true},
    {"COLLET_MATH_VALUES", "how many values the test of functions takes", true},
    {"COLLET_RACING_BYTES", "how many bytes are written while their neighbours are", true},
    {"COLLET_RANDOM_KERNELS", "how many random kernels the test of native code takes", true},
    {"COLLET_RANDOM_SEED", "where they begin", true},
    {"COLLET_RESULTS", "where .ci/deep writes what it measured", true},
    {"COLLET_RING_MESSAGES", "how many messages a test sends to a ring", true},
    {"COLLET_RING_STARTS", "how many rings a test opens and closes", true},
    {"COLLET_SCALE_LARGE", "the test of buffers beyond 4 GiB runs at full size", true},
    {"COLLET_SCALE_SUBMISSIONS", "how many submissions the scale test makes", true},
    {"COLLET_SHORT", "tests run fewer rounds", true},
    {"COLLET_STRESS_OPERATIONS", "how many operations each thread of the stress test does", true},
    {"COLLET_TEXT_BYTES", "how long the longest text of a test is", true},
    {"COLLET_TUPLES", "how many tuples the arithmetic test takes", true},
    {"COLLET_UPDATE_GOLDEN", "golden files are written in place of compared", true},
    {"COLLET_WINE", "set by scripts/with-wine for what runs under Wine", true},
};

constexpr std::array<std::string_view, 4> kOn{"1", "on", "true", "yes"};
constexpr std::array<std::string_view, 5> kOff{"0", "off", "false", "no", ""};

std::string known_names() {
  std::string list;
  for (const KnownVariable& one : kVariables) {
    if (!one.own) list += (list.empty() ? "" : ", ") + std::string(one.name);
  }
  return list;
}

std::string nearest_name(std::string_view name) {
  std::vector<std::string_view> tails;
  for (const KnownVariable& one : kVariables) {
    if (!one.own) tails.push_back(one.name.substr(kPrefix.size()));
  }
  const std::string_view near = base::nearest(name.substr(kPrefix.size()), tails);
  return near.empty() ? std::string() : std::string(kPrefix) + std::string(near);
}

Error unusable(const char* name, std::string_view value, const Error& why) {
  return Error(why.code(), why.category(), why.cause(),
               std::string(name) + " is \"" + std::string(value) + "\". " + why.message())
      .with_hint(why.hint());
}

}  // namespace

std::span<const KnownVariable> known_variables() { return kVariables; }

bool is_known_variable(std::string_view name) {
  return name.starts_with(kTestPrefix) ||
         std::ranges::any_of(kVariables, [&](const KnownVariable& one) { return one.name == name; });
}

std::vector<UnknownVariable> unknown_variables() {
  std::vector<UnknownVariable> unknown;
  for (const auto& [name, value] : platform::environment()) {
    if (name.starts_with(kPrefix) && !is_known_variable(name)) unknown.push_back({name, nearest_name(name)});
  }
  std::ranges::sort(unknown, {}, &UnknownVariable::name);
  return unknown;
}

void warn_of_unknown_variables() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const UnknownVariable& one : unknown_variables()) {
      const std::string advice = one.nearest.empty() ? "The variables are " + known_names() + "."
                                                     : "Did you mean " + one.nearest + "?";
      base::log(LogLevel::warn, "environment",
                "Collet knows no variable " + one.name + ", which is set. " + advice);
    }
  });
}

Result<bool> environment_switch(const char* name) {
  const std::string value = platform::environment(name).value_or("");
  if (std::ranges::find(kOn, value) != kOn.end()) return true;
  if (std::ranges::find(kOff, value) != kOff.end()) return false;
  return Error(ErrorCode::invalid_argument, Category::initialisation,
               std::string(name) + " is \"" + value + "\", which is neither on nor off.")
      .with_hint("Set it to 1 or 0.");
}

Result<bool> environment_simulates() {
  const std::string value = platform::environment("COLLET_FAKE").value_or("");
  const auto limits = layers::parse_limits(value);
  if (!limits) return unusable("COLLET_FAKE", value, limits.error());
  return limits->devices != 0;
}

}  // namespace discovery

Result<Request> Request::from_environment() {
  discovery::warn_of_unknown_variables();
  Request request;
  COLLET_TRY(strict, discovery::environment_switch("COLLET_STRICT"));
  request.strict = strict;
  COLLET_TRY(simulated, discovery::environment_simulates());
  request.simulated = simulated;
  const std::string backend = platform::environment("COLLET_BACKEND").value_or("");
  const std::string device = platform::environment("COLLET_DEVICE").value_or("");
  if (!backend.empty()) {
    const auto parsed = discovery::parse_backend(backend);
    if (!parsed) return discovery::unusable("COLLET_BACKEND", backend, parsed.error());
  }
  const auto both = discovery::combine(backend, device);
  if (both) {
    request.selector = both->text();
    return request;
  }
  if (backend.empty()) return discovery::unusable("COLLET_DEVICE", device, both.error());
  return Error(both.error().code(), both.error().category(), both.error().cause(),
               "COLLET_BACKEND is \"" + backend + "\" and COLLET_DEVICE is \"" + device + "\". " +
                   both.error().message())
      .with_hint(both.error().hint());
}

}  // namespace collet
