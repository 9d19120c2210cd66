// The CPU backend's native code: the same bits as the interpreter's.
//
// COLLET_RANDOM_KERNELS is how many (20), COLLET_RANDOM_SEED where they begin (1).

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>

#include "fuzz/generator.hpp"
#include "fuzz/oracle.hpp"
#include "kernel/ir/text.hpp"
#include "unit/backends/cpu/native/launch.hpp"

namespace collet {
namespace {

using backend::cpu::native::Level;

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

// How many kernels ran natively, of `count`.
std::size_t compare(fuzz::Taste taste, std::uint64_t count, Level level) {
  const std::uint64_t first = number_from("COLLET_RANDOM_SEED", 1);
  std::size_t covered = 0;
  std::map<std::string, std::size_t> reasons;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const fuzz::Work work = fuzz::generate(seed, taste);
    const auto got = fuzz::run_native(work, level);
    if (!got && got.error().code() == ErrorCode::unsupported) {
      ++reasons[std::string(got.error().message())];
      continue;
    }
    EXPECT_TRUE(got) << "seed " << seed << ": " << got.error().message() << "\n" << ir::print(work.kernel);
    if (!got) return covered;
    ++covered;
    const auto wanted = fuzz::interpret(work);
    for (std::size_t b = 0; b < wanted->size(); ++b) {
      const auto [at, other] = std::ranges::mismatch((*got)[b], (*wanted)[b]);
      EXPECT_EQ(at, (*got)[b].end()) << "buffer " << b << ", byte " << at - (*got)[b].begin() << " is "
                                     << static_cast<int>(*at) << ", not " << static_cast<int>(*other)
                                     << "; seed " << seed << ", extent " << work.extent[0] << " "
                                     << work.extent[1] << " " << work.extent[2] << "\n"
                                     << ir::print(work.kernel);
      if (at != (*got)[b].end()) return covered;
    }
  }
  for (const auto& [reason, times] : reasons) GTEST_LOG_(INFO) << times << " times: " << reason;
  return covered;
}

class NativeRandom : public testing::TestWithParam<Level> {
 protected:
  void SetUp() override {
    COLLET_NEEDS_LLVM();
    if (const std::string why = why_not(GetParam()); !why.empty()) GTEST_SKIP() << why;
  }
};

TEST_P(NativeRandom, GivesWhatTheInterpreterGives) {
  const std::uint64_t count = number_from("COLLET_RANDOM_KERNELS", 20);
  EXPECT_GT(compare(fuzz::Taste::wild, count, GetParam()) * 10, count * 9);
}

TEST_P(NativeRandom, GivesTheSameForKernelsThatEveryDeviceTakes) {
  const std::uint64_t count = number_from("COLLET_RANDOM_KERNELS", 20);
  EXPECT_GT(compare(fuzz::Taste::portable, count, GetParam()) * 10, count * 9);
}

TEST_P(NativeRandom, GivesTheSameForEveryOperation) {
  const std::uint64_t count = number_from("COLLET_RANDOM_KERNELS", 5);
  EXPECT_GT(compare(fuzz::Taste::wide, count, GetParam()) * 10, count * 9);
}

INSTANTIATE_TEST_SUITE_P(Levels, NativeRandom,
                         testing::Values(Level::scalar, Level::sse2, Level::avx2, Level::avx512, Level::neon),
                         level_name);

// Newer versions of LLVM declare their functions themselves where the text does not; older ones refuse it.
TEST(NativeText, DeclaresEveryFunctionOfLlvmThatItCalls) {
  const std::regex function(R"(@llvm\.[a-z0-9_.]+)");
  std::set<std::string> seen;
  for (const fuzz::Taste taste : {fuzz::Taste::wild, fuzz::Taste::wide}) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      const auto text =
          backend::cpu::native::write_text(fuzz::generate(seed, taste).kernel, backend::cpu::native::kAvx512);
      if (!text) continue;  // not covered
      std::set<std::string> declared;
      std::set<std::string> called;
      for (auto at = std::sregex_iterator(text->begin(), text->end(), function); at != std::sregex_iterator();
           ++at) {
        const std::size_t place = static_cast<std::size_t>(at->position());
        const std::size_t line = text->rfind('\n', place) + 1;
        (text->compare(line, 8, "declare ") == 0 ? declared : called).insert(at->str());
      }
      EXPECT_EQ(called, declared) << "seed " << seed;
      seen.merge(called);
    }
  }
  EXPECT_GE(seen.size(), 20u);
  EXPECT_EQ(seen.count("@llvm.masked.store.v16i32.p0"), 1u);
}

}  // namespace
}  // namespace collet
