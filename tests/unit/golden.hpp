// Texts that a person has reviewed and that are compared from then on.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace collet::test {

// Compares with tests/golden/NAME, or writes it where COLLET_UPDATE_GOLDEN is set.
inline void expect_golden(const std::string& name, const std::string& found) {
  const std::filesystem::path path = std::filesystem::path(COLLET_GOLDEN) / name;
  if (std::getenv("COLLET_UPDATE_GOLDEN") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << found;
  }
  std::stringstream expected;
  expected << std::ifstream(path).rdbuf();
  EXPECT_EQ(found, expected.str()) << path << "; COLLET_UPDATE_GOLDEN=1 writes it.";
}

}  // namespace collet::test
