// The door to Windows, where its answers can be checked.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "platform/platform.hpp"
#include "platform/windows.hpp"

namespace collet::platform {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

TEST(Platform, MissingLibraryIsReportedInTheSystemsWords) {
  const char* names[] = {"no-such-library.dll", "nor-this.dll"};
  const auto library = Library::open(names);
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().cause(), Cause::library_not_found);
  const std::string expected = "no-such-library.dll: " + words_of(126) + "; nor-this.dll: " + words_of(126);
  EXPECT_EQ(library.error().message(), expected);
  EXPECT_TRUE(words_of(126).ends_with(" (126)")) << words_of(126);
  EXPECT_GT(words_of(126).size(), 10u) << words_of(126);
}

TEST(Platform, LibraryKnowsItsPathAndSymbols) {
  const char* names[] = {"no-such-library.dll", "kernel32.dll"};
  const auto library = Library::open(names);
  ASSERT_TRUE(library) << library.error();
  EXPECT_TRUE(library->path().ends_with("\\kernel32.dll") || library->path().ends_with("\\KERNEL32.DLL"))
      << library->path();
  EXPECT_NE(library->symbol("GetTickCount"), nullptr);
  EXPECT_EQ(library->symbol("NoSuchFunction"), nullptr);
}

TEST(Platform, VariablesAreReadInUtf8) {
  const std::string longest(5000, 'x');
  SetEnvironmentVariableW(L"COLLET_TEST_TEXT", L"Gr\u00fc\u00dfe");
  SetEnvironmentVariableW(L"COLLET_TEST_EMPTY", L"");
  SetEnvironmentVariableW(L"COLLET_TEST_LONG", wide(longest).c_str());
  EXPECT_EQ(environment("COLLET_TEST_TEXT"),
            "Gr\xc3\xbc\xc3\x9f"
            "e");
  EXPECT_EQ(environment("COLLET_TEST_EMPTY"), "");
  EXPECT_EQ(environment("COLLET_TEST_LONG"), longest);
  EXPECT_EQ(environment("COLLET_TEST_ABSENT"), std::nullopt);
  const auto all = environment();
  EXPECT_EQ(std::ranges::count(all, std::pair<std::string, std::string>("COLLET_TEST_LONG", longest)), 1);
  EXPECT_TRUE(std::ranges::none_of(all, [](const auto& one) { return one.first.empty(); }));
}

TEST(Platform, ProgramHoldsThisCode) {
  EXPECT_TRUE(executable_path().ends_with("\\collet-unit.exe")) << executable_path();
  EXPECT_EQ(own_path(), executable_path());
}

TEST(Platform, CacheDirectoryHasNoLastSlash) {
  SetEnvironmentVariableW(L"LOCALAPPDATA", L"C:\\somewhere\\");
  EXPECT_EQ(cache_directory(), "C:\\somewhere");
  SetEnvironmentVariableW(L"LOCALAPPDATA", nullptr);
  EXPECT_EQ(cache_directory(), "");
}

TEST(Platform, ProcessorsFollowTheAffinity) {
  DWORD_PTR ours = 0;
  DWORD_PTR all = 0;
  ASSERT_TRUE(GetProcessAffinityMask(GetCurrentProcess(), &ours, &all));
  ASSERT_TRUE(SetProcessAffinityMask(GetCurrentProcess(), ours & (~ours + 1)));  // the first alone
  EXPECT_EQ(usable_processors(), 1u);
  SetProcessAffinityMask(GetCurrentProcess(), ours);
  EXPECT_EQ(usable_processors(), std::thread::hardware_concurrency());
}

TEST(Platform, MachineHasMemoryAndAName) {
  EXPECT_GT(physical_memory(), std::uint64_t{256} << 20);
  EXPECT_NE(processor_name(), "");
  EXPECT_NE(processor_name().front(), ' ');
}

TEST(Platform, PagesAreZeroAndAligned) {
  constexpr std::size_t kSize = (5u << 20) + 1;
  auto* pages = static_cast<unsigned char*>(map_pages(kSize));
  ASSERT_NE(pages, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pages) % 4096, 0u);
  EXPECT_TRUE(std::all_of(pages, pages + kSize, [](unsigned char byte) { return byte == 0; }));
  std::memset(pages, 1, kSize);
  unmap_pages(pages, kSize);
  EXPECT_EQ(map_pages(~std::size_t{0} / 2), nullptr);
}

TEST(Platform, WaitEndsWhenTheWordDiffersOrTimePasses) {
  const std::uint32_t word = 1;
  futex_wait(&word, 0, -1);  // differs: would wait for ever otherwise
  const auto begin = Clock::now();
  futex_wait(&word, 1, 20'000'000);
  EXPECT_GE(Clock::now() - begin, 15ms);
  EXPECT_LT(Clock::now() - begin, 5s);
}

// Two threads take turns. A wake that gets lost costs its round ten seconds.
TEST(Platform, WakeEndsTheWait) {
  constexpr std::uint32_t kRounds = 2000;
  std::atomic<std::uint32_t> turn{0};
  const auto* address = reinterpret_cast<const std::uint32_t*>(&turn);
  const auto play = [&](std::uint32_t mine, std::uint32_t count) {
    for (std::uint32_t next = mine; next < kRounds; next += 2) {
      for (std::uint32_t now = turn.load(); now < next; now = turn.load())
        futex_wait(address, now, 10'000'000'000);
      if (turn.load() >= kRounds) return;  // the other has given up
      ++turn;
      futex_wake(address, count);
    }
  };
  const auto begin = Clock::now();
  std::thread other([&] { play(1, ~0u); });
  std::thread watch([&] {
    while (turn.load() < kRounds) {
      if (Clock::now() - begin > 9s) turn = kRounds;
      std::this_thread::yield();
    }
  });
  play(0, 1);
  other.join();
  watch.join();
  EXPECT_LT(Clock::now() - begin, 9s);
}

TEST(Platform, OneThreadIsTheMainOne) {
  EXPECT_TRUE(on_main_thread());
  bool other = true;
  std::thread([&] { other = on_main_thread(); }).join();
  EXPECT_FALSE(other);
}

}  // namespace
}  // namespace collet::platform
