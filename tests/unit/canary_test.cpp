// The canaries, and what is concluded from an answer.

#include "discovery/canary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <collet_embedded/canaries.hpp>
#include <cstring>

#include "collet/collet.hpp"

namespace collet::discovery {
namespace {

TEST(Canary, TheCpuIsVerified) {
  const Verdict verdict = try_canaries("cpu");
  EXPECT_EQ(verdict.rung, Rung::verified);
  EXPECT_EQ(verdict.refused, "");
}

TEST(Canary, WhatDoesNotExecuteEarnsNothing) {
  const Verdict verdict = try_canaries("null");
  EXPECT_EQ(verdict.rung, Rung::initialised);
  EXPECT_EQ(verdict.refused, "");
}

TEST(Canary, ADeviceThatDoesNotOpenIsRefusedInItsOwnWords) {
  const Verdict verdict = try_canaries("null:7");
  EXPECT_EQ(verdict.rung, Rung::initialised);
  EXPECT_EQ(verdict.refused, "The backend null has 1 devices; number 7 is asked for, and they count from 0.");
}

TEST(Canary, KernelsThatAreAcceptedAndNotRunAreWrong) {
  // The null device takes the copies and leaves the kernel out: the answer is all zero.
  const Device device = Device::open("null").value();
  for (const Canary& canary : canaries()) {
    const Verdict verdict = canary.run(device, Deadline::in(kCanaryLimit));
    EXPECT_NE(verdict.rung, Rung::verified) << canary.name;
    EXPECT_NE(verdict.refused, "") << canary.name;
  }
}

TEST(Canary, ADifferenceIsNamed) {
  const std::uint32_t right[] = {1, 2, 9};
  const std::uint32_t wrong[] = {1, 2, 5};
  EXPECT_EQ(difference(right, right), "");
  EXPECT_EQ(difference(wrong, right), "element 2 is 5, the CPU says 9");
  EXPECT_EQ(difference(std::span(right).first(1), right), "element 1 is missing");
}

TEST(Canary, TheCheckedInSpirvIsWhatGlslangMakesOfTheSource) {
  const auto made = collet_embedded::canary_mix_spv;
  std::vector<std::uint32_t> words(made.size() / 4);
  std::memcpy(words.data(), made.data(), words.size() * 4);
  std::vector<std::uint32_t> kept(mix_spirv().begin(), mix_spirv().end());
  ASSERT_GT(kept.size(), 5u);
  words[2] = kept[2];  // the compiler's own version
  EXPECT_EQ(kept, words);
}

}  // namespace
}  // namespace collet::discovery
