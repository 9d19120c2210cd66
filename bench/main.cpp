// collet-bench: measures Collet beside the bare APIs.
//
// It ends with 0; with 1 where --check finds a limit missed or a case that could not be measured; with 2 for
// wrong arguments; with 4 where a result was wrong, what --require names is not there, or a suite was stopped
// by an error.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "required.hpp"
#include "suites.hpp"
#ifdef COLLET_CUDA_DOUBLE_LIBRARY
#include "doubles/cuda_library.hpp"
#endif

namespace {

using namespace collet::bench;
namespace test = collet::test;

struct Suite {
  const char* name;
  const char* about;
  void (*run)(const Settings&, Report&);
};

constexpr int kMissed = 1;
constexpr int kWrong = 4;

constexpr Suite kSuites[] = {
    {"launch", "launches beside bare Vulkan, OpenCL and OpenMP", launch},
    {"host", "what the host pays for a launch, and what an idle device costs", host},
    {"start", "what passes before a program has a device", start},
    {"kernels", "generated kernels beside kernels written by hand", kernels},
    {"ring", "messages to a kernel that stays beside launches", ring},
    {"checked", "checked mode beside the same kernels without it", checked},
};

constexpr const char* kUsage =
    "usage: collet-bench SUITE [--json] [--pairs N] [--device ID] [--case PART] [--quick]\n"
    "                    [--check | --check=steady] [--require ID,...] [--doubles]\n"
    "       collet-bench --list\n";

struct Asked {
  const Suite* suite = nullptr;
  Settings settings;
  bool json = false;
  bool check = false;
  std::vector<std::string> required;
  bool list = false;
  std::optional<std::uint64_t> null_launches;
  bool null_waits = false;
  std::optional<std::uint64_t> cuda_launches;
  std::string open;
};

const Suite* find(const char* name) {
  for (const Suite& suite : kSuites) {
    if (std::strcmp(suite.name, name) == 0) return &suite;
  }
  return nullptr;
}

std::optional<std::uint64_t> number(const char* text) {
  char* end = nullptr;
  const unsigned long long value = std::strtoull(text, &end, 10);
  if (end == text || *end != '\0' || value == 0) return std::nullopt;
  return value;
}

// The sentence that says what is wrong, or nothing.
std::optional<std::string> parse(int count, char** words, Asked& asked) {
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const char* next = i + 1 < count ? words[i + 1] : nullptr;
    if (word == "--json") {
      asked.json = true;
    } else if (word == "--quick") {
      asked.settings.quick = true;
    } else if (word == "--check" || word == "--check=steady") {
      asked.check = true;
      asked.settings.steady = word != "--check";
    } else if (word == "--list") {
      asked.list = true;
#ifdef COLLET_CUDA_DOUBLE_LIBRARY
    } else if (word == "--doubles") {
      test::use_doubles();
      asked.settings.doubles = true;
#endif
    } else if (word == "--pairs" || word == "--null-launches" || word == "--null-waits" ||
               word == "--cuda-launches") {
      const auto value = next != nullptr ? number(next) : std::nullopt;
      if (!value || (word == "--pairs" && *value > 100000)) return word + " takes a number from 1 to 100000.";
      if (word == "--pairs") {
        asked.settings.pairs = static_cast<std::uint32_t>(*value);
      } else if (word == "--cuda-launches") {
        asked.cuda_launches = value;
      } else {
        asked.null_launches = value;
        asked.null_waits = word == "--null-waits";
      }
      ++i;
    } else if (word == "--open" && next != nullptr) {
      asked.open = next;
      ++i;
    } else if (word == "--device") {
      if (next == nullptr) return "--device takes an id, such as vulkan or opencl:0.";
      asked.settings.device = next;
      ++i;
    } else if (word == "--require") {
      if (next == nullptr) return "--require takes what must be there, such as lavapipe,pocl.";
      asked.required = test::split_words(next);
      ++i;
    } else if (word == "--case") {
      if (next == nullptr) return "--case takes a part of a case's name, such as matmul.";
      asked.settings.part = next;
      ++i;
    } else if (word[0] == '-' || asked.suite != nullptr) {
      return "The argument (" + word + ") is not known.";
    } else if (asked.suite = find(words[i]); asked.suite == nullptr) {
      std::string known;
      for (const Suite& suite : kSuites) known += (known.empty() ? "" : ", ") + std::string(suite.name);
      return "There is no suite (" + word + "). There are: " + known + ".";
    }
  }
  if (asked.settings.quick && asked.suite != nullptr && asked.suite->run != kernels)
    return "Only the suite kernels has a quick form.";
  if (!asked.settings.part.empty() && asked.suite != nullptr && asked.suite->run != kernels)
    return "Only the cases of the suite kernels can be chosen.";
  if (asked.check && asked.settings.quick) return "--check needs the full size: quick figures mean little.";
  if (asked.settings.steady && asked.suite != nullptr && asked.suite->run != host)
    return "Only the suite host has figures that are steady.";
  if (asked.suite == nullptr && !asked.list && !asked.null_launches && !asked.cuda_launches &&
      asked.open.empty())
    return "Which suite?";
  return std::nullopt;
}

int run(const Asked& asked) {
  if (asked.null_launches) {
    null_launches(*asked.null_launches, asked.null_waits);
    return 0;
  }
  if (asked.cuda_launches) {
    cuda_launches(*asked.cuda_launches);
    return 0;
  }
  if (!asked.open.empty()) {
    std::printf("%s\n", open_one(asked.open).c_str());
    return 0;
  }
  if (asked.list) {
    for (const Suite& suite : kSuites) std::printf("%-8s %s\n", suite.name, suite.about);
    return 0;
  }
  if (const std::string missing = test::find_missing(collet::devices(), asked.required); !missing.empty()) {
    std::fprintf(stderr, "%s\n", missing.c_str());
    return kWrong;
  }
  Report report;
  asked.suite->run(asked.settings, report);
  if (report.rows().empty()) report.fail(asked.suite->name, "nothing was measured.");
  std::fputs((asked.json ? report.json() : report.table()).c_str(), stdout);
  const bool kept = !asked.check || report.check();
  return report.failed() ? kWrong : kept ? 0 : kMissed;
}

}  // namespace

int main(int count, char** words) {
  Asked asked;
  if (const auto wrong = parse(count, words, asked)) {
    std::fprintf(stderr, "%s\n%s", wrong->c_str(), kUsage);
    return 2;
  }
  try {
    return run(asked);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kWrong;
  }
}
