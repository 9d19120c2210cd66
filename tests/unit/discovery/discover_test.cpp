// The machine: what is remembered of our own code, and what is always listed anew.

#include <gtest/gtest.h>

#include "collet/discovery.hpp"
#include "discovery/cache.hpp"
#include "unit/folder.hpp"
#include "unit/variables.hpp"

#include <collet_backends.hpp>

namespace collet {
namespace {

#if COLLET_HAS_CPU
class DiscoverCpu : public testing::Test {
 protected:
  static Machine discovered(bool cached = true) { return discover({.cached = cached, .backends = {"cpu"}}); }
  static discovery::CacheKey key() { return discovery::cache_key("cpu", {}, {}, {}); }
  // What an earlier probe is said to have found.
  template <class Change>
  static void change_memory(Change&& change) {
    discovery::Record record = discovery::recall(key()).value();
    change(record.devices.at(0));
    discovery::remember(key(), record);
  }

  Folder folder_;
  test::Setting where_{"COLLET_CACHE_DIR", folder_.path()};
};

TEST_F(DiscoverCpu, RunsItsCanaryOnceAndRemembersTheVerdict) {
  const Machine first = discovered();
  EXPECT_FALSE(first.backends.at(0).cached);
  EXPECT_EQ(first.devices.at(0).rung, Rung::verified);
  change_memory([](DeviceInfo& device) { device.rung = Rung::executed; });
  const Machine second = discovered();
  EXPECT_TRUE(second.backends.at(0).cached);
  EXPECT_EQ(second.devices.at(0).rung, Rung::executed);
  EXPECT_EQ(second.backends.at(0).rung, Rung::executed);
}

TEST_F(DiscoverCpu, IsRefusedAsLongAsThatIsRemembered) {
  (void)discovered();
  change_memory([](DeviceInfo& device) { device.refused = "It computes wrong results."; });
  EXPECT_EQ(discovered().devices.at(0).refused, "It computes wrong results.");
  EXPECT_EQ(discovered(false).devices.at(0).refused, "") << "without the cache the canary runs";
}

TEST_F(DiscoverCpu, IsListedAnewEachTime) {
  const Machine first = discovered();
  change_memory([](DeviceInfo& device) { device.memory_total = device.compute_units = 1; });
  EXPECT_EQ(discovered().devices.at(0).memory_total, first.devices.at(0).memory_total);
  EXPECT_EQ(discovered().devices.at(0).compute_units, first.devices.at(0).compute_units);
}

TEST_F(DiscoverCpu, OfAnotherNameRunsItsCanaryAgain) {
  (void)discovered();
  change_memory([](DeviceInfo& device) {
    device.name = "another processor";
    device.rung = Rung::executed;
  });
  EXPECT_EQ(discovered().devices.at(0).rung, Rung::verified);
  EXPECT_TRUE(discovered().backends.at(0).cached) << "and that is remembered";
}
#endif

}  // namespace
}  // namespace collet
