// Known-bad drivers: which devices a quirk is about, and what becomes of them.

#include "drivers/quirks.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "core/emission.hpp"
#include "platform/thread.hpp"

namespace collet::drivers {
namespace {

constexpr Quirk kMadeUp[] = {
    {.id = "acme-division",
     .backend = "vulkan",
     .driver = "Acme GPU",
     .first = "2.10",
     .fixed = "3.0.1",
     .what = "It divides by guessing.",
     .action = QuirkAction::excluded,
     .reproducer = "this test"},
    {.id = "mild-loops",
     .backend = "vulkan",
     .driver = "Mild",
     .first = "",
     .fixed = "",
     .what = "Long loops are cut.",
     .action = QuirkAction::avoided,
     .reproducer = "this test"},
};

DeviceInfo device(std::string backend, std::string driver, std::string name = "") {
  DeviceInfo info;
  info.backend = std::move(backend);
  info.name = std::move(name);
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

bool is_id(std::string_view id) {
  return !id.empty() && id.find('-') != std::string_view::npos &&
         id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

TEST(Quirks, EachHasAnIdASentenceAndAReproducer) {
  std::set<std::string_view> ids;
  for (const Quirk& quirk : known_quirks()) {
    EXPECT_TRUE(is_id(quirk.id)) << quirk.id;
    EXPECT_TRUE(ids.insert(quirk.id).second) << quirk.id << " is there twice";
    EXPECT_FALSE(quirk.backend.empty()) << quirk.id;
    EXPECT_FALSE(quirk.driver.empty()) << quirk.id;
    EXPECT_TRUE(quirk.what.ends_with('.')) << quirk.id;
    // collet-conformance refuses to run where a behaviour does not exist.
    if (quirk.reproducer.starts_with("conformance ")) continue;
    ASSERT_TRUE(quirk.reproducer.starts_with("fuzz ")) << quirk.id;
    const std::string file = std::string(COLLET_SOURCE_DIRECTORY "/tests/fuzz/reproducers/") +
                             std::string(quirk.reproducer.substr(5));
    EXPECT_TRUE(std::filesystem::exists(file)) << quirk.id << " has no " << file;
  }
}

TEST(Quirks, WhatIsAvoidedReachesTheEmitters) {
  for (const Quirk& quirk : known_quirks()) {
    const DeviceInfo one =
        device(std::string(quirk.backend),
               std::string(quirk.driver) + " " + std::string(quirk.first.empty() ? "1" : quirk.first),
               std::string(quirk.device));
    const emit::Target target = detail::target_of(one);
    const bool acts = quirk.action == QuirkAction::avoided || quirk.action == QuirkAction::refused;
    EXPECT_EQ(quirk.workaround != emit::Workaround::none, acts) << quirk.id;
    if (acts) {
      EXPECT_TRUE(target.workarounds.has(quirk.workaround)) << quirk.id;
    }
    EXPECT_EQ(quirk.workaround == emit::Workaround::watch_loops, quirk.loop_rounds != 0) << quirk.id;
    if (quirk.loop_rounds != 0) {
      EXPECT_EQ(target.loop_rounds, quirk.loop_rounds) << quirk.id;
    }
    if (quirk.workaround == emit::Workaround::limit_stack) {
      EXPECT_EQ(target.stack.quirk, quirk.id);
      EXPECT_EQ(target.stack.bytes, platform::thread_stack_bytes() / 2);
      EXPECT_GE(target.stack.bytes, 8u * 1024);
    }
  }
}

TEST(Quirks, OfADriverAreThoseOfItsVersion) {
  EXPECT_EQ(quirks_of(device("vulkan", "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)", "llvmpipe (LLVM 15)")).size(),
            3u);
  EXPECT_EQ(quirks_of(device("vulkan", "Mesa 22.3.6", "AMD Radeon")).size(), 0u);
  EXPECT_EQ(quirks_of(device("opencl", "Portable Computing Language 3.1+debian")).size(), 6u);
  EXPECT_EQ(quirks_of(device("opencl", "Portable Computing Language 3.0")).size(), 0u);
  EXPECT_EQ(quirks_of(device("vulkan", "llvmpipe Mesa 25.0.7 (LLVM 19.1.7)", "llvmpipe (LLVM 19)")).size(),
            3u);
  const auto shown = quirks(device("vulkan", "llvmpipe Mesa 22.3.6", "llvmpipe"));
  ASSERT_EQ(shown.size(), 3u);
  EXPECT_EQ(shown[0].id, "llvmpipe-cut-loops");
  EXPECT_EQ(to_string(shown[0].action), "refused");
  EXPECT_EQ(to_string(shown[1].action), "avoided");
}

// WebGPU stands on Vulkan or OpenGL, and what is wrong with their drivers shows there, too.
TEST(Quirks, OfADriverAreFoundThroughWebGpu) {
  for (const char* driver : {"wgpu-native 29.0.1 on Vulkan, llvmpipe, Mesa 22.3.6 (LLVM 15.0.6)",
                             "wgpu-native 29.0.1 on OpenGL, 4.5 (Core Profile) Mesa 22.3.6"}) {
    const auto found = quirks_of(device("webgpu", driver, "llvmpipe (LLVM 15.0.6, 256 bits)"));
    ASSERT_EQ(found.size(), 3u) << driver;
    EXPECT_EQ(found[0]->id, "llvmpipe-cut-loops");
  }
  EXPECT_EQ(quirks_of(device("webgpu", "wgpu-native 29.0.1 on Vulkan, SwiftShader driver")).size(), 2u);
}

}  // namespace
}  // namespace collet::drivers
