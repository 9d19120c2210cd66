// Known-bad drivers: which devices a quirk is about, and what becomes of them.

#include "discovery/quirks.hpp"

#include <gtest/gtest.h>

namespace collet::discovery {
namespace {

constexpr Quirk kMadeUp[] = {
    {.backend = "vulkan",
     .driver = "Acme GPU",
     .first = "2.10",
     .fixed = "3.0.1",
     .what = "It divides by guessing.",
     .action = Quirk::Action::refuse,
     .reproducer = "this test"},
    {.backend = "vulkan",
     .driver = "Mild",
     .first = "",
     .fixed = "",
     .what = "Long loops are cut.",
     .action = Quirk::Action::avoid,
     .reproducer = "this test"},
};

DeviceInfo device(std::string backend, std::string driver) {
  DeviceInfo info;
  info.backend = std::move(backend);
  info.driver = std::move(driver);
  return info;
}

std::string refusal(DeviceInfo info) {
  apply_quirks(info, kMadeUp);
  return info.refused;
}

TEST(Quirks, ADriverInTheRangeIsRefusedWithTheReason) {
  EXPECT_EQ(refusal(device("vulkan", "Acme GPU 2.10.3 (beta)")),
            "Its driver is known to be bad (Acme GPU 2.10.3 (beta)): It divides by guessing.");
  EXPECT_NE(refusal(device("vulkan", "Acme GPU v3.0")), "");
}

TEST(Quirks, OthersAreLeftAlone) {
  EXPECT_EQ(refusal(device("vulkan", "Acme GPU 2.9")), "");
  EXPECT_EQ(refusal(device("vulkan", "Acme GPU 3.0.1")), "");
  EXPECT_EQ(refusal(device("opencl", "Acme GPU 2.10")), "");
  EXPECT_EQ(refusal(device("vulkan", "Other 2.10")), "");
}

TEST(Quirks, WhatIsOnlyToBeAvoidedIsFoundAndNotRefused) {
  const DeviceInfo mild = device("vulkan", "Mild 1");
  EXPECT_EQ(refusal(mild), "");
  ASSERT_EQ(quirks_of(mild, kMadeUp).size(), 1u);
  EXPECT_EQ(quirks_of(mild, kMadeUp)[0]->what, "Long loops are cut.");
}

TEST(Quirks, AnEarlierReasonStays) {
  DeviceInfo info = device("vulkan", "Acme GPU 2.10");
  info.refused = "It crashed.";
  apply_quirks(info, kMadeUp);
  EXPECT_EQ(info.refused, "It crashed.");
}

TEST(Quirks, VersionsAreComparedByNumber) {
  EXPECT_LT(compare_versions("22.3.6", "22.10"), 0);
  EXPECT_EQ(compare_versions("1.2", "1.2.0"), 0);
  EXPECT_GT(compare_versions("23", "22.99.99"), 0);
  EXPECT_LT(compare_versions("", "1"), 0);
}

TEST(Quirks, TheListIsWhole) {
  for (const Quirk& quirk : known_quirks()) {
    EXPECT_FALSE(quirk.backend.empty());
    EXPECT_FALSE(quirk.driver.empty());
    EXPECT_TRUE(quirk.what.ends_with('.')) << quirk.what;
    EXPECT_FALSE(quirk.reproducer.empty()) << quirk.what;
  }
  EXPECT_EQ(quirks_of(device("vulkan", "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)")).size(), 2u);
  EXPECT_EQ(quirks_of(device("opencl", "Portable Computing Language 3.1+debian")).size(), 3u);
  EXPECT_EQ(quirks_of(device("vulkan", "llvmpipe Mesa 25.0.7 (LLVM 19.1.7)")).size(), 2u);
}

}  // namespace
}  // namespace collet::discovery
