// The cache of probes: what makes an answer worthless, and that damage is only a miss.

#include "discovery/cache.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <thread>

#include "unit/folder.hpp"
#include "unit/variables.hpp"

namespace collet::discovery {
namespace {

using test::Setting;

class CacheTest : public testing::Test {
 protected:
  CacheKey key() const { return cache_key("vulkan", files_, variables_, helper_); }
  static Record record(std::string fault = "") {
    Record made;
    made.backend.id = "vulkan";
    made.backend.rung = Rung::verified;
    made.backend.fault = std::move(fault);
    made.backend.device_count = 1;
    made.devices.resize(1);
    made.devices[0].backend = "vulkan";
    made.devices[0].name = "a device";
    return made;
  }
  Folder folder_;
  Setting where_{"COLLET_CACHE_DIR", folder_.path("cache")};
  std::string manifest_ = folder_.write("driver.json", "{}");
  std::string driver_ = folder_.write("driver.so", "code");
  std::string helper_ = folder_.write("helper", "program");
  std::vector<DriverFile> files_{{DriverFile::Kind::manifest, manifest_, ""},
                                 {DriverFile::Kind::driver, driver_, ""}};
  std::vector<std::string> variables_{"COLLET_TEST_VARIABLE"};
};

TEST_F(CacheTest, WhatWasRememberedIsRecalled) {
  EXPECT_FALSE(recall(key()));
  remember(key(), record());
  const auto found = recall(key());
  ASSERT_TRUE(found);
  EXPECT_EQ(encode(*found), encode(record()));
}

TEST_F(CacheTest, AnyChangeOfWhatTheAnswerDependsOnMakesItWorthless) {
  remember(key(), record());
  ASSERT_TRUE(recall(key()));

  const auto time = std::filesystem::last_write_time(manifest_);
  folder_.write("driver.json", "[]");  // as long as before, and as old
  std::filesystem::last_write_time(manifest_, time);
  EXPECT_FALSE(recall(key()));
  folder_.write("driver.json", "{}");
  std::filesystem::last_write_time(manifest_, time);
  ASSERT_TRUE(recall(key()));

  std::filesystem::last_write_time(driver_, time + std::chrono::hours(1));
  EXPECT_FALSE(recall(key()));
  remember(key(), record());
  ASSERT_TRUE(recall(key()));

  folder_.write("driver.so", "longer code");
  EXPECT_FALSE(recall(key()));
  remember(key(), record());
  std::filesystem::remove(driver_);
  EXPECT_FALSE(recall(key()));
  remember(key(), record());
  ASSERT_TRUE(recall(key()));

  {
    const Setting changed("COLLET_TEST_VARIABLE", "1");
    EXPECT_FALSE(recall(key()));
    const Setting emptied("COLLET_TEST_VARIABLE", "");
    EXPECT_FALSE(recall(key()));
  }
  ASSERT_TRUE(recall(key()));

  folder_.write("helper", "another program");
  EXPECT_FALSE(recall(key()));
  helper_ = "";
  EXPECT_FALSE(recall(key()));
}

TEST_F(CacheTest, AnUpdatedDriverReplacesTheFileInsteadOfAddingOne) {
  const std::string before = key().file;
  folder_.write("driver.so", "longer code");
  EXPECT_EQ(key().file, before);
  EXPECT_NE(cache_key("opencl", files_, variables_, helper_).file, before);
}

TEST_F(CacheTest, ABadProbeCountsForTenMinutes) {
  remember(key(), record("crashed with SIGSEGV"));
  const auto now = std::chrono::system_clock::now();
  EXPECT_TRUE(recall(key(), now));
  EXPECT_TRUE(recall(key(), now + std::chrono::minutes(9)));
  EXPECT_FALSE(recall(key(), now + std::chrono::minutes(11)));
  EXPECT_FALSE(recall(key(), now - std::chrono::hours(1))) << "it is from the future: somebody set the clock";

  remember(key(), record());
  EXPECT_TRUE(recall(key(), now + std::chrono::hours(300'000)));
}

TEST_F(CacheTest, ARefusedDeviceIsLookedAtAgainAfterTenMinutes) {
  Record refused = record();
  refused.devices[0].refused = "The canary took too long.";
  remember(key(), refused);
  const auto now = std::chrono::system_clock::now();
  EXPECT_TRUE(recall(key(), now + std::chrono::minutes(9)));
  EXPECT_FALSE(recall(key(), now + std::chrono::minutes(11)));
}

TEST_F(CacheTest, AFlippedBitInAnyByteIsAMiss) {
  remember(key(), record());
  const CacheKey kept = key();
  const std::string whole = contents(kept.file);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 1 << at % 8);
    std::ofstream(kept.file, std::ios::binary) << flipped;
    ASSERT_FALSE(recall(kept)) << "bit " << at % 8 << " of byte " << at << " in:\n" << whole;
  }
  std::ofstream(kept.file, std::ios::binary) << whole;
  EXPECT_TRUE(recall(kept));
}

// COLLET_CACHE_DAMAGES is how many.
TEST_F(CacheTest, RandomDamageIsAMiss) {
  const char* asked = std::getenv("COLLET_CACHE_DAMAGES");
  const int damages = asked != nullptr ? std::atoi(asked) : 200;
  remember(key(), record());
  const CacheKey kept = key();
  const std::string whole = contents(kept.file);
  std::mt19937 random(1);
  for (int i = 0; i < damages; ++i) {
    std::string damaged = whole;
    for (auto bytes = random() % 8 + 1; bytes != 0; --bytes)
      damaged[random() % whole.size()] = static_cast<char>(random());
    std::ofstream(kept.file, std::ios::binary) << damaged;
    ASSERT_EQ(recall(kept).has_value(), damaged == whole) << damaged;
  }
}

TEST_F(CacheTest, DamageIsAMissAndIsWrittenOver) {
  remember(key(), record());
  const std::string whole = contents(key().file);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    std::ofstream(key().file, std::ios::binary) << whole.substr(0, length);
    EXPECT_FALSE(recall(key())) << length;
  }
  for (const std::string& foreign : {std::string("\0\xff", 2), std::string(3'000'000, 'x'), "x" + whole}) {
    std::ofstream(key().file, std::ios::binary) << foreign;
    EXPECT_FALSE(recall(key()));
  }
  remember(key(), record());
  EXPECT_TRUE(recall(key()));
}

TEST_F(CacheTest, AFolderThatCanNotBeWrittenIsNoMatter) {
  const std::string file = folder_.write("no_folder", "");
  const Setting elsewhere("COLLET_CACHE_DIR", file);
  remember(key(), record());
  EXPECT_FALSE(recall(key()));
}

TEST_F(CacheTest, CanBeSwitchedOff) {
  const Setting off("COLLET_CACHE_DIR", "off");
  EXPECT_EQ(key().file, "");
  remember(key(), record());
  EXPECT_FALSE(recall(key()));
}

TEST_F(CacheTest, ManyWritersAndReadersNeverSeeHalfAFile) {
  remember(key(), record());
  const CacheKey shared = key();
  std::vector<std::thread> threads;
  std::atomic<int> misses{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        remember(shared, record());
        const auto found = recall(shared);
        if (!found) ++misses;
        if (found) {
          EXPECT_EQ(encode(*found), encode(record()));
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
#ifdef _WIN32
  EXPECT_LT(misses, 200) << "nobody ever finds it";
#else
  EXPECT_EQ(misses, 0);
#endif
  std::size_t left = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_.path("cache")))
    ++left;
  EXPECT_EQ(left, 1u) << "drafts stay behind";
}

}  // namespace
}  // namespace collet::discovery
