// collet-conformance: every behaviour on every device of the machine.
//
//   collet-conformance [--devices=cpu,vulkan:0] [--require=cpu,lavapipe] [--list-devices]
//                      [--through=glsl|record] [--save-kernels=FOLDER] [--results=FILE] [gtest's own options]
//
// required.hpp says what the words mean. With --save-kernels, what the corpus runs is also written as IR;
// with
// --results, what was found on each device as JSON.

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/corpus/tally.hpp"
#include "conformance/excuses.hpp"
#include "conformance/registry.hpp"
#include "conformance/results.hpp"
#include "required.hpp"
#ifdef COLLET_CUDA_DOUBLE_LIBRARY
#include "doubles/cuda_library.hpp"
#endif

namespace conformance {
namespace {

std::map<std::string, Tally>& tallies() {
  static std::map<std::string, Tally>& instance = *new std::map<std::string, Tally>;
  return instance;
}

void call(const Behaviour& behaviour, collet::Device& device) {
  try {
    behaviour.body(device);
  } catch (const std::exception& thrown) {
    ADD_FAILURE_AT(behaviour.file, behaviour.line) << "stopped by: " << thrown.what();
  }
}

// True where the body failed, as an excluded one should.
bool fails(const Behaviour& behaviour, collet::Device& device) {
  using Reporter = testing::ScopedFakeTestPartResultReporter;
  testing::TestPartResultArray results;
  {
    const Reporter reporter(Reporter::INTERCEPT_ALL_THREADS, &results);
    call(behaviour, device);
  }
  for (int i = 0; i < results.size(); ++i) {
    if (results.GetTestPartResult(i).failed()) return true;
  }
  return false;
}

// One behaviour on one device.
class Case : public testing::Test {
 public:
  Case(const Behaviour& behaviour, const collet::DeviceInfo& info) : behaviour_(behaviour), info_(info) {}

  void TestBody() override {
    Tally& tally = tallies()[info_.id()];
    const Exclusion* exclusion = find_exclusion(behaviour_, info_);
    const collet::drivers::Quirk* quirk = find_excuse(behaviour_, info_);
    if (quirk != nullptr) {
      ++(run_excused(*quirk) ? tally.excluded : tally.failed);
    } else if (exclusion == nullptr) {
      run();
      ++(IsSkipped() ? tally.skipped : HasFailure() ? tally.failed : tally.passed);
    } else if (run_excluded(*exclusion)) {
      ++tally.excluded;
    } else {
      ++tally.failed;
    }
  }

 private:
  void run() {
    auto device = opened(info_);
    if (!device) {
      FAIL() << "opening " << info_.id() << ": " << device.error().describe();
    }
    call(behaviour_, *device);
  }

  bool run_excluded(const Exclusion& exclusion) {
    auto device = opened(info_);
    if (exclusion.run && device && !fails(behaviour_, *device)) {
      ADD_FAILURE_AT(behaviour_.file, behaviour_.line)
          << "unexpected pass: " << info_.backend << " excludes (" << exclusion.behaviour
          << ") because: " << exclusion.reason;
      return false;
    }
    std::printf("[ EXCLUDED ] %s%s: %s\n", exclusion.kind == Kind::never ? "never" : "not yet",
                exclusion.run ? "" : ", not run", exclusion.reason.c_str());
    return true;
  }

  bool run_excused(const collet::drivers::Quirk& quirk) {
    auto device = opened(info_);
    const std::string id(quirk.id);
    if (device && !fails(behaviour_, *device)) {
      ADD_FAILURE_AT(behaviour_.file, behaviour_.line)
          << "unexpected pass: the quirk " << id << " does not show on " << info_.id() << " (" << info_.driver
          << "): its driver seems mended. Set `fixed` of the quirk in src/drivers/quirks.cpp to this "
             "version.";
      return false;
    }
    std::printf("[ EXCLUDED ] the driver's quirk %s\n", id.c_str());
    return true;
  }

  const Behaviour& behaviour_;
  const collet::DeviceInfo& info_;
};

void register_tests() {
  for (const collet::DeviceInfo& info : devices()) {
    const std::string prefix = info.backend + "_" + std::to_string(info.index) + "/";
    for (const Behaviour& behaviour : behaviours()) {
      testing::RegisterTest((prefix + behaviour.suite).c_str(), behaviour.name, nullptr, info.name.c_str(),
                            behaviour.file, behaviour.line,
                            [&behaviour, &info]() -> testing::Test* { return new Case(behaviour, info); });
    }
  }
}

struct Options {
  std::vector<std::string> devices;
  std::vector<std::string> required;
  std::string results;
  bool list = false;
};

// Null after a sentence on stderr.
std::optional<Options> parse(int argc, char** argv) {
  constexpr std::string_view kDevices = "--devices=", kRequire = "--require=", kThrough = "--through=",
                             kSave = "--save-kernels=", kResults = "--results=";
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with(kDevices)) {
      options.devices = collet::test::split_words(argument.substr(kDevices.size()));
    } else if (argument.starts_with(kRequire)) {
      options.required = collet::test::split_words(argument.substr(kRequire.size()));
    } else if (argument.starts_with(kThrough) &&
               open_devices_through(std::string(argument.substr(kThrough.size())))) {
      continue;
    } else if (argument.starts_with(kSave)) {
      save_kernels(std::string(argument.substr(kSave.size())));
    } else if (argument.starts_with(kResults)) {
      options.results = argument.substr(kResults.size());
#ifdef COLLET_CUDA_DOUBLE_LIBRARY
    } else if (argument == "--doubles") {
      collet::test::use_doubles();
#endif
    } else if (argument == "--list-devices") {
      options.list = true;
    } else {
      std::fprintf(stderr,
                   "collet-conformance does not know (%s). It takes --devices=ID,…, --require=ID,…, "
                   "--through=glsl, --through=record, --save-kernels=FOLDER, --results=FILE, --list-devices "
                   "and GoogleTest's options.\n",
                   argv[i]);
      return std::nullopt;
    }
  }
  return options;
}

// True where the lists agree with what there is; else false after a sentence on stderr.
bool lists_are_sound() {
  bool sound = true;
  for (const std::string& stale : stale_exclusions()) {
    std::fprintf(stderr, "%s, and there is no such behaviour.\n", stale.c_str());
    sound = false;
  }
  for (const std::string& stale : stale_excuses()) {
    std::fprintf(stderr, "%s\n", stale.c_str());
    sound = false;
  }
  for (const ExpectedRefusal& refusal : expected_refusals()) {
    const auto meant = [&](const Behaviour& one) {
      return std::string_view(one.suite) == "Corpus" && matches(refusal.kernel, one.name);
    };
    if (std::any_of(behaviours().begin(), behaviours().end(), meant)) continue;
    std::fprintf(stderr, "corpus/refusals.cpp lists (%s), and there is no such kernel.\n",
                 std::string(refusal.kernel).c_str());
    sound = false;
  }
  for (const collet::DeviceInfo& info : devices()) {
    if (knows_backend(info.backend)) continue;
    std::fprintf(stderr, "%s is here, but tests/conformance/backends/%s.cpp is not.\n", info.id().c_str(),
                 info.backend.c_str());
    sound = false;
  }
  return sound;
}

// A line per device. False where one failed, or ran nothing although nothing was filtered.
bool report(bool filtered) {
  bool good = true;
  for (const collet::DeviceInfo& info : devices()) {
    const Tally tally = tallies()[info.id()];
    std::printf("%s %s: %d passed, %d failed, %d excluded, %d skipped\n", info.id().c_str(),
                info.name.c_str(), tally.passed, tally.failed, tally.excluded, tally.skipped);
    if (const std::string corpus = corpus_summary(info); !corpus.empty())
      std::printf("%s %s: kernels of the corpus: %s\n", info.id().c_str(), info.name.c_str(), corpus.c_str());
    const bool empty = tally.passed + tally.failed + tally.excluded == 0;
    if (empty && !filtered) std::fprintf(stderr, "%s ran nothing.\n", info.id().c_str());
    good = good && tally.failed == 0 && (filtered || !empty);
  }
  if (devices().empty()) {
    std::fprintf(stderr, "There is no device to run on.\n");
    return false;
  }
  return good;
}

std::vector<DeviceResult> results() {
  std::vector<DeviceResult> all;
  for (const collet::DeviceInfo& info : devices())
    all.push_back({info, tallies()[info.id()], corpus_summary(info), failures_of(info)});
  return all;
}

bool filtered() { return GTEST_FLAG_GET(filter) != "*" || std::getenv("GTEST_TOTAL_SHARDS") != nullptr; }

int run(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const auto options = parse(argc, argv);
  if (!options) return 2;
  auto chosen = collet::test::choose(collet::devices(), options->devices, options->required);
  if (!chosen) return 2;
  set_devices(std::move(*chosen));
  if (options->list) {
    for (const collet::DeviceInfo& info : devices()) {
      std::printf("%s %s (%s)\n", info.id().c_str(), info.name.c_str(), info.driver.c_str());
    }
    return 0;
  }
  if (!lists_are_sound()) return 2;
  register_tests();
  note_failures();
  const int failures = RUN_ALL_TESTS();
  close_devices();
  if (GTEST_FLAG_GET(list_tests)) return failures;
  const bool good = report(filtered());
  if (!options->results.empty() && !write_results(options->results, results(), !filtered())) return 2;
  return failures == 0 && good ? 0 : 1;
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) { return conformance::run(argc, argv); }
