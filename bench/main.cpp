// collet-bench: measures Collet beside the bare APIs.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>

#include "suites.hpp"

namespace {

using namespace collet::bench;

struct Suite {
  const char* name;
  const char* about;
  void (*run)(const Settings&, Report&);
};

constexpr Suite kSuites[] = {
    {"launch", "launches beside bare Vulkan, OpenCL and OpenMP", launch},
    {"host", "what the host pays for a launch, and what an idle device costs", host},
    {"start", "what passes before a program has a device", start},
    {"kernels", "generated kernels beside kernels written by hand", kernels},
};

constexpr const char* kUsage =
    "usage: collet-bench SUITE [--json] [--pairs N] [--device ID] [--case PART] [--quick]\n"
    "       collet-bench --list\n";

struct Asked {
  const Suite* suite = nullptr;
  Settings settings;
  bool json = false;
  bool list = false;
  std::optional<std::uint64_t> null_launches;
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
    } else if (word == "--list") {
      asked.list = true;
    } else if (word == "--pairs" || word == "--null-launches") {
      const auto value = next != nullptr ? number(next) : std::nullopt;
      if (!value || (word == "--pairs" && *value > 100000)) return word + " takes a number from 1 to 100000.";
      if (word == "--pairs") asked.settings.pairs = static_cast<std::uint32_t>(*value);
      if (word == "--null-launches") asked.null_launches = value;
      ++i;
    } else if (word == "--open" && next != nullptr) {
      asked.open = next;
      ++i;
    } else if (word == "--device") {
      if (next == nullptr) return "--device takes an id, such as vulkan or opencl:0.";
      asked.settings.device = next;
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
  if (asked.suite == nullptr && !asked.list && !asked.null_launches && asked.open.empty())
    return "Which suite?";
  return std::nullopt;
}

int run(const Asked& asked) {
  if (asked.null_launches) {
    null_launches(*asked.null_launches);
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
  Report report;
  asked.suite->run(asked.settings, report);
  if (report.rows().empty()) report.fail(asked.suite->name, "nothing was measured.");
  std::fputs((asked.json ? report.json() : report.table()).c_str(), stdout);
  return report.failed() ? 1 : 0;
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
    return 1;
  }
}
