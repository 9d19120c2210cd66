// The counts behind tally.hpp.

#include "conformance/corpus/tally.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "conformance/registry.hpp"

namespace conformance {
namespace {

struct Counts {
  std::set<std::string> executed, refused;
};

std::map<std::string, Counts>& counts() {
  static std::map<std::string, Counts>& instance = *new std::map<std::string, Counts>;
  return instance;
}

// Where kernels are saved, and how many of each behaviour were.
struct Saved {
  std::string folder;
  std::map<std::string, int> counts;
};

Saved& saved() {
  static Saved& instance = *new Saved;
  return instance;
}

std::string running() { return testing::UnitTest::GetInstance()->current_test_info()->name(); }

// The first, unless the message of a refusal says which.
const ExpectedRefusal* find_expected(const collet::DeviceInfo& device, std::string_view kernel,
                                     std::string_view message = {}) {
  const ExpectedRefusal* first = nullptr;
  for (const ExpectedRefusal& one : expected_refusals()) {
    if (one.backend != device.backend || !matches(one.device, device.name) || !matches(one.kernel, kernel))
      continue;
    if (message.find(one.needs) != std::string_view::npos) return &one;
    if (first == nullptr) first = &one;
  }
  return first;
}

}  // namespace

void note_execution(const collet::DeviceInfo& device) {
  const std::string kernel = running();
  counts()[device.id()].executed.insert(kernel);
  if (const ExpectedRefusal* listed = find_expected(device, kernel)) {
    ADD_FAILURE() << "executed, but corpus/refusals.cpp says that " << device.name << " lacks ("
                  << listed->needs << ").";
  }
}

void note_refusal(const collet::DeviceInfo& device, const collet::Error& error) {
  const std::string kernel = running();
  counts()[device.id()].refused.insert(kernel);
  const ExpectedRefusal* listed = find_expected(device, kernel, error.message());
  if (listed == nullptr) {
    ADD_FAILURE() << "refused, and corpus/refusals.cpp does not list it: " << error.describe();
    return;
  }
  EXPECT_EQ(error.code(), collet::ErrorCode::unsupported) << error.describe();
  EXPECT_NE(error.message().find(listed->needs), std::string::npos)
      << "(" << listed->needs << ") is not in: " << error.describe();
}

void save_kernels(std::string folder) {
  std::filesystem::create_directories(folder);
  saved().folder = std::move(folder);
}

bool saves_kernels() { return !saved().folder.empty(); }

void save_kernel(const collet::Result<collet::KernelCode>& ir) {
  ASSERT_TRUE(ir) << ir.error().describe();
  const std::string name = running() + "." + std::to_string(saved().counts[running()]++) + ".ir";
  std::ofstream file(std::filesystem::path(saved().folder) / name, std::ios::binary);
  file << ir->bytes;
  EXPECT_TRUE(file.flush()) << name;
}

std::string corpus_summary(const collet::DeviceInfo& device) {
  const Counts& of = counts()[device.id()];
  if (of.executed.empty() && of.refused.empty()) return {};
  return std::to_string(of.executed.size()) + " executed, " + std::to_string(of.refused.size()) + " refused";
}

}  // namespace conformance
