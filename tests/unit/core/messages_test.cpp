// The words of a hidden buffer become lines and a failure; nothing is believed of them.

#include "core/messages.hpp"

#include <gtest/gtest.h>

#include <random>

#include "collet/log.hpp"
#include "kernel/emit/messages.hpp"
#include "kernel/emit/shadow.hpp"

namespace collet::core {
namespace {

using ir::Message;
using ir::Scalar;

Messages said() {
  return {.kernel = "k",
          .all = {{Message::Kind::print, "{} and {}", "a.cpp", 7, {Scalar::u32, Scalar::i64}},
                  {Message::Kind::assertion, "{} is wrong", "b.cpp", 8, {Scalar::boolean}},
                  {Message::Kind::print, "nothing", "c.cpp", 9, {}}},
          .words = 64,
          .memories = {}};
}

// The head of a buffer, and room for the failure.
std::vector<std::uint32_t> head(std::uint32_t taken) { return {taken, 0, 0, 0, 0, 0, 0, 0, 0}; }

void add(std::vector<std::uint32_t>& to, std::initializer_list<std::uint32_t> words) {
  to.insert(to.end(), words);
}

TEST(Messages, LinesComeAsTheyStandOrInTheOrderOfItems) {
  auto words = head(7 + 4 + 4);
  add(words, {1, 5, 1, 0, 3, 0xffffffff, 0xffffffff});
  add(words, {3, 9, 0, 0});
  add(words, {3, 2, 0, 1});
  words.resize(64);
  const Told told = tell(said(), words, false);
  ASSERT_EQ(told.printed.lines.size(), 3u);
  EXPECT_EQ(told.printed.lines[0].text, "3 and -1");
  EXPECT_EQ(told.printed.lines[0].file, "a.cpp");
  EXPECT_EQ(told.printed.lines[0].line, 7u);
  EXPECT_EQ(told.printed.lines[0].item, (std::array<std::uint32_t, 3>{5, 1, 0}));
  EXPECT_EQ(told.printed.lines[1].text, "nothing");
  EXPECT_FALSE(told.failure);
  const Told ordered = tell(said(), words, true);
  EXPECT_EQ(ordered.printed.lines[0].item, (std::array<std::uint32_t, 3>{9, 0, 0}));
  EXPECT_EQ(ordered.printed.lines[1].item, (std::array<std::uint32_t, 3>{5, 1, 0}));
  EXPECT_EQ(ordered.printed.lines[2].item, (std::array<std::uint32_t, 3>{2, 0, 1}));
}

TEST(Messages, LostLinesAreCountedIn64Bits) {
  auto words = head(1000);
  words[emit::kLostWord] = 2;
  words[emit::kLostHighWord] = 1;
  words.resize(64);
  const Told told = tell(said(), words, false);
  EXPECT_EQ(told.printed.lost, (std::uint64_t{1} << 32) + 2);
  EXPECT_TRUE(told.printed.lines.empty());
}

// What a failure with these words says, of messages in checked mode and a group of 8 x 4 items.
Error failure_in_memory(std::initializer_list<std::uint32_t> record) {
  const std::vector<Scalar> four(4, Scalar::u32), six(6, Scalar::u32);
  const Messages all{.kernel = "k",
                     .all = {{Message::Kind::race, "reads element {}", "a.cpp", 7, four, 1},
                             {Message::Kind::race, "writes element {}", "a.cpp", 8, six, 0},
                             {Message::Kind::unwritten, "reads element {}", "a.cpp", 9, {Scalar::u32}, 2}},
                     .words = 64,
                     .memories = {ir::Space::buffer, ir::Space::workgroup, ir::Space::item},
                     .places = {{"b.cpp", 70}, {"b.cpp", 71}},
                     .group = {8, 4, 1}};
  std::vector<std::uint32_t> words(64);
  words[emit::kFailedWord] = 1;
  std::ranges::copy(record, words.begin() + emit::kFailureWord);
  return tell(all, words, false, std::vector<std::string>{"[Buffer \"x\"]"}).failure.value();
}
std::string told_of_memory(std::initializer_list<std::uint32_t> record) {
  return failure_in_memory(record).message();
}

TEST(Messages, ARaceNamesBothSides) {
  const Error race = failure_in_memory({1, 17, 5, 0, 3, 1u << emit::kItemBits | 10, 0, 1});
  EXPECT_EQ(race.code(), ErrorCode::kernel_failed);
  EXPECT_EQ(race.cause(), Cause::data_race);
  // Item 10 of a group with rows of 8 is (2, 1); the group begins at (16, 4).
  EXPECT_EQ(
      told_of_memory({1, 17, 5, 0, 3, 1u << emit::kItemBits | 10, 0, 1}),
      "A data race of [Kernel \"k\"] in shared memory: item (17, 5, 0) reads element 3 at a.cpp:7, and item "
      "(18, 5, 0) wrote it at b.cpp:71 with no barrier between.");
  EXPECT_EQ(
      told_of_memory({1, 17, 5, 0, 3, 1u << emit::kItemBits | emit::kManyItems, 2, 99}),
      "A data race of [Kernel \"k\"] in shared memory: item (17, 5, 0) reads element 3 at a.cpp:7, and other "
      "items changed it by an atomic operation with no barrier between.");
  EXPECT_EQ(told_of_memory({2, 0, 0, 0, 5, 1 + 9, 1, 0, 4, 2}),
            "A data race of [Kernel \"k\"] in [Buffer \"x\"] (buffer 0 of the kernel): item (0, 0, 0) writes "
            "element 5 at a.cpp:8, and group (1, 0, 1) read it at b.cpp:70 in the same launch.");
  EXPECT_EQ(told_of_memory({2, 0, 0, 0, 5, emit::kManyGroups, 1, 0, 0, 0}),
            "A data race of [Kernel \"k\"] in [Buffer \"x\"] (buffer 0 of the kernel): item (0, 0, 0) writes "
            "element 5 at a.cpp:8, and other groups read it at b.cpp:70 in the same launch.");
}

TEST(Messages, AReadOfWhatNobodyWroteNamesTheMemory) {
  EXPECT_EQ(failure_in_memory({3, 1, 2, 3, 4}).cause(), Cause::uninitialised_read);
  EXPECT_EQ(
      told_of_memory({3, 1, 2, 3, 4}),
      "Item (1, 2, 3) of [Kernel \"k\"] reads element 4 of an array of the item at a.cpp:9, which nobody has "
      "written so far.");
}

TEST(Messages, TheFirstFailureIsTold) {
  auto words = head(0);
  words[emit::kFailedWord] = 1;
  const std::array<std::uint32_t, 5> failure{2, 4, 5, 6, 1};
  std::ranges::copy(failure, words.begin() + emit::kFailureWord);
  words.resize(64);
  EXPECT_EQ(tell(said(), words, false).failure->message(),
            "An assert_ of [Kernel \"k\"] failed at b.cpp:8, in item (4, 5, 6): true is wrong.");
  words[emit::kFailedWord] = 12;
  EXPECT_TRUE(tell(said(), words, false).failure->message().ends_with(" In this launch 12 failed."));
  words[emit::kFailedWord] = emit::kMostFailures;
  EXPECT_TRUE(tell(said(), words, false).failure->message().ends_with("2147483648 or more failed."));
  words[emit::kFailureWord] = 1;  // a line is no failure
  EXPECT_TRUE(tell(said(), words, false)
                  .failure->message()
                  .starts_with("An assert_ of [Kernel \"k\"] failed. In this launch"));
}

TEST(Messages, AnIndexOutOfRangeNamesItsMemory) {
  Messages messages{.kernel = "k", .all = {}, .words = 64, .memories = {}};
  using enum ir::Space;
  messages.memories = {buffer, buffer, workgroup, item, table};
  for (std::uint32_t memory = 0; memory < 6; ++memory) {
    messages.all.push_back({Message::Kind::index,
                            "index {} where there are {} elements",
                            "a.cpp",
                            7,
                            {Scalar::u32, Scalar::u32},
                            memory});
  }
  const auto said_of = [&](std::uint32_t memory, std::uint32_t index) {
    std::vector<std::uint32_t> words{0, 0, 0, 1, memory + 1, 3, 0, 0, index, 5};
    words.resize(64);
    const std::vector<std::string> bound{"[Buffer \"x\"]"};
    return tell(messages, words, false, bound).failure->message();
  };
  const std::string head = "An index of [Kernel \"k\"] is out of range at a.cpp:7, in item (3, 0, 0): ";
  const std::string tail = ", index 5 where there are 5 elements.";
  EXPECT_EQ(said_of(0, 5), head + "[Buffer \"x\"] (buffer 0 of the kernel)" + tail);
  EXPECT_EQ(said_of(1, 5), head + "buffer 1 of the kernel" + tail);
  EXPECT_EQ(said_of(2, 5), head + "shared memory" + tail);
  EXPECT_EQ(said_of(3, 5), head + "an array of the item" + tail);
  EXPECT_EQ(said_of(4, 5), head + "a table" + tail);
  EXPECT_EQ(said_of(5, 5), head + "memory" + tail);
  EXPECT_TRUE(said_of(2, 0xfffffffe).ends_with("(4294967294 is -2 as a signed number)."));
}

TEST(Messages, WordsAreNotBelieved) {
  std::mt19937 random(7);
  const Messages messages = said();
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::uint32_t> words(random() % 80);
    for (std::uint32_t& word : words)
      word = random() % 3 == 0 ? static_cast<std::uint32_t>(random()) : random() % 8;
    const Told told = tell(messages, words, true);
    EXPECT_LE(told.printed.lines.size(), words.size() / emit::kRecordHead);
  }
}

TEST(Messages, WhatASinkThrowsIsLogged) {
  OpenOptions options;
  options.print = [](const Printed&) { throw std::runtime_error("no paper"); };
  std::string logged;
  set_log_sink([&](const LogMessage& message) { logged = message.text; });
  deliver({}, options);
  set_log_sink({});
  EXPECT_EQ(logged, "OpenOptions::print threw: no paper.");
}

TEST(Messages, TheLogTellsHowManyLinesAreLost) {
  std::vector<std::string> logged;
  set_log_sink([&](const LogMessage& message) { logged.emplace_back(message.text); });
  OpenOptions options;
  options.print_bytes = 64;
  deliver({.kernel = "k", .lines = {{.text = "one"}}, .lost = 3}, options);
  set_log_sink({});
  EXPECT_EQ(logged, (std::vector<std::string>{
                        "one", "3 lines of [Kernel \"k\"] had no room; OpenOptions::print_bytes is 64."}));
}

}  // namespace
}  // namespace collet::core
