// JSON without a library: texts, numbers, and nothing else.

#include "conformance/results.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>

namespace conformance {
namespace {

constexpr std::size_t kMostMessage = 1000;

// Bytes that are no text are left out: drivers say what they like.
std::string quoted(std::string_view text) {
  std::string json = "\"";
  for (const char c : text.substr(0, kMostMessage)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') json += '\\';
    if (c == '\n') {
      json += "\\n";
    } else if (byte >= 0x20 && byte < 0x7f) {
      json += c;
    }
  }
  return json + '"';
}

std::string field(const char* name, std::string_view text) {
  return "\"" + std::string(name) + "\": " + quoted(text);
}

std::string field(const char* name, int number) {
  return "\"" + std::string(name) + "\": " + std::to_string(number);
}

std::string device_json(const DeviceResult& result) {
  const collet::DeviceInfo& device = result.device;
  std::string json = "    {" + field("id", device.id()) + ", " + field("backend", device.backend) +
                     ",\n     " + field("name", device.name) + ", " + field("type", to_string(device.type)) +
                     ",\n     " + field("vendor", device.vendor) + ", " + field("driver", device.driver) +
                     ", " + field("api_version", device.api_version) + ",\n     " +
                     field("rung", to_string(device.rung)) + ", " + field("refused", device.refused) +
                     ",\n     " + field("passed", result.tally.passed) + ", " +
                     field("failed", result.tally.failed) + ", " + field("excluded", result.tally.excluded) +
                     ", " + field("skipped", result.tally.skipped) + ",\n     " +
                     field("corpus", result.corpus) + ",\n     \"failures\": [";
  std::string separator;
  for (const Failure& failure : result.failures) {
    json += separator + "\n       {" + field("behaviour", failure.behaviour) + ", " +
            field("message", failure.message) + "}";
    separator = ",";
  }
  return json + "]}";
}

class Listener : public testing::EmptyTestEventListener {
 public:
  void OnTestEnd(const testing::TestInfo& test) override {
    const std::string suite = test.test_suite_name();
    const std::size_t slash = suite.find('/');
    if (slash == std::string::npos || !test.result()->Failed()) return;
    std::string message;
    for (int i = 0; i < test.result()->total_part_count() && message.empty(); ++i) {
      if (test.result()->GetTestPartResult(i).failed())
        message = test.result()->GetTestPartResult(i).message();
    }
    by_device[suite.substr(0, slash)].push_back({suite.substr(slash + 1) + "." + test.name(), message});
  }

  std::map<std::string, std::vector<Failure>> by_device;  // "vulkan_0"
};

Listener*& listener() {
  static Listener* instance = nullptr;  // googletest's, once it is appended
  return instance;
}

}  // namespace

std::string results_json(const std::vector<DeviceResult>& results, bool whole) {
  std::string json = "{\"version\": 1, " + field("collet", COLLET_VERSION) +
                     ", \"whole\": " + (whole ? "true" : "false") + ",\n  \"devices\": [";
  std::string separator = "\n";
  for (const DeviceResult& result : results) {
    json += separator + device_json(result);
    separator = ",\n";
  }
  return json + "]}\n";
}

bool write_results(const std::string& path, const std::vector<DeviceResult>& results, bool whole) {
  std::ofstream file(path, std::ios::binary);
  file << results_json(results, whole);
  if (file.flush()) return true;
  std::fprintf(stderr, "The results could not be written (%s).\n", path.c_str());
  return false;
}

void note_failures() {
  listener() = new Listener;
  testing::UnitTest::GetInstance()->listeners().Append(listener());
}

std::vector<Failure> failures_of(const collet::DeviceInfo& device) {
  return listener()->by_device[device.backend + "_" + std::to_string(device.index)];
}

}  // namespace conformance
