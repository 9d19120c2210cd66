// Memory through which copies pass: how it is cut, and what counts as in flight.

#include "core/staging.hpp"

#include <gtest/gtest.h>

#include "backends/null/device.hpp"

namespace collet::core {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

class StagingTest : public testing::Test {
 protected:
  detail::Ref<detail::DeviceState> device{
      new detail::DeviceState(std::make_unique<backend::null::NullDevice>(), {})};
  Staging staging{*device, backend::Placement::upload};
};

TEST_F(StagingTest, PiecesOfAChunkFollowEachOtherAtMultiplesOf64) {
  const Staged first = staging.allocate(100).value();
  const Staged second = staging.allocate(1).value();
  EXPECT_EQ(first.chunk.get(), second.chunk.get());
  EXPECT_EQ(second.host - first.host, 128);
  const Staged large = staging.allocate(2 * kMiB).value();
  EXPECT_NE(large.chunk.get(), first.chunk.get());
  EXPECT_EQ(large.chunk->size, 2 * kMiB);
}

TEST_F(StagingTest, AChunkIsInFlightUntilNobodyHoldsIt) {
  EXPECT_EQ(staging.in_flight(), 0u);
  {
    const Staged first = staging.allocate(100).value();
    EXPECT_EQ(staging.in_flight(), kMiB);
    const Staged second = staging.allocate(kMiB).value();
    EXPECT_EQ(staging.in_flight(), 2 * kMiB);
    staging.reset();
    EXPECT_EQ(staging.in_flight(), 2 * kMiB);
  }
  EXPECT_EQ(staging.in_flight(), 0u);
}

}  // namespace
}  // namespace collet::core
