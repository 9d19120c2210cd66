// The canaries, and what is concluded from an answer.

#include "discovery/canary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <variant>
#include <vector>

#include "collet/collet.hpp"
#include "discovery/registry.hpp"
#include "layers/forwarding.hpp"

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
  for (const Trial& trial : trials()) {
    const bool copies = trial.canaries.find("ragged copies") != std::string_view::npos;
    const Verdict verdict = trial.run(device, Deadline::in(kCanaryLimit));
    EXPECT_EQ(verdict.rung == Rung::verified, copies) << trial.canaries;
    EXPECT_EQ(verdict.refused.empty(), copies) << trial.canaries << ": " << verdict.refused;
  }
}

TEST(Canary, ADifferenceIsNamed) {
  const std::uint32_t right[] = {1, 2, 9};
  const std::uint32_t wrong[] = {1, 2, 5};
  EXPECT_EQ(difference(right, right), "");
  EXPECT_EQ(difference(wrong, right), "element 2 is 5, the CPU says 9");
  EXPECT_EQ(difference(std::span(right).first(1), right), "element 1 is missing");
}

TEST(Canary, EachIsServedByATrial) {
  for (const std::string_view name : canary_names()) {
    EXPECT_TRUE(std::ranges::any_of(trials(), [&](const Trial& trial) {
      return trial.canaries.find(name) != std::string_view::npos;
    })) << name;
  }
}

// Fills nothing, and shows none of its memory to the host: what a buffer held before is seen by the next.
class Stale final : public layers::ForwardingDevice {
 public:
  using ForwardingDevice::ForwardingDevice;

  Result<backend::Allocation> create_memory(const backend::MemoryDesc& desc) override {
    backend::MemoryDesc hidden = desc;
    auto made = ForwardingDevice::create_memory(hidden);
    if (made && desc.placement == backend::Placement::device) made->host = nullptr;
    return made;
  }
  Result<void> submit(backend::Queue queue, const backend::Submission& submission) override {
    std::vector<backend::Command> kept;
    for (const backend::Command& command : submission.commands) {
      if (!std::holds_alternative<backend::Fill>(command.what)) kept.push_back(command);
    }
    backend::Submission rest = submission;
    rest.commands = kept;
    return ForwardingDevice::submit(queue, rest);
  }
};

TEST(Canary, StaleMemoryIsCaught) {
  auto native = open("cpu", {});
  ASSERT_TRUE(native);
  const Verdict verdict = try_canaries(std::make_unique<Stale>(std::move(*native)));
  EXPECT_EQ(verdict.rung, Rung::executed);
  EXPECT_EQ(
      verdict.refused,
      "It computes wrong results: in the canary \"stale memory\" element 0 is 2779096485, the CPU says 0.");
}

}  // namespace
}  // namespace collet::discovery
