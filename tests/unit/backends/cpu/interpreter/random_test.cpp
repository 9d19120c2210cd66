// Random kernels: the interpreter against the reference that runs one item at a time.
//
// COLLET_RANDOM_KERNELS is how many (2000), COLLET_RANDOM_SEED where they begin (1).

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "fuzz/generator.hpp"
#include "fuzz/oracle.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

namespace collet {
namespace {

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

// A quarter with COLLET_SHORT.
std::uint64_t kernels(std::uint64_t otherwise) {
  return number_from("COLLET_RANDOM_KERNELS",
                     std::getenv("COLLET_SHORT") != nullptr ? otherwise / 4 : otherwise);
}

// How many kernels wrote something that is not 0.
void compare(fuzz::Taste taste, std::uint64_t count, std::size_t& written, std::size_t& compared) {
  const std::uint64_t first = number_from("COLLET_RANDOM_SEED", 1);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const fuzz::Work work = fuzz::generate(seed, taste);
    const auto verified = ir::verify(work.kernel);
    ASSERT_TRUE(verified) << "seed " << seed << ": " << verified.error().message() << "\n"
                          << ir::print(work.kernel);
    const auto got = fuzz::interpret(work);
    ASSERT_TRUE(got) << "seed " << seed << ": " << got.error().message();
    const auto& out = (*got)[fuzz::kOut];
    written += std::ranges::any_of(out, [](std::byte b) { return b != std::byte{0}; }) ? 1 : 0;
    if (!fuzz::is_sequential(work.kernel)) continue;
    ++compared;
    const bool sound = taste == fuzz::Taste::wild || fuzz::is_sound(work);
    ASSERT_TRUE(sound) << "seed " << seed;
    const auto wanted = fuzz::run_items(work);
    for (std::size_t b = 0; b < wanted.size(); ++b) {
      const auto [at, other] = std::ranges::mismatch((*got)[b], wanted[b]);
      ASSERT_EQ(at, (*got)[b].end()) << "buffer " << b << ", byte " << at - (*got)[b].begin() << " is "
                                     << static_cast<int>(*at) << ", not " << static_cast<int>(*other)
                                     << "; seed " << seed << ", extent " << work.extent[0] << " "
                                     << work.extent[1] << " " << work.extent[2] << "\n"
                                     << ir::print(work.kernel);
    }
  }
}

TEST(InterpreterRandom, GivesWhatOneItemAtATimeGives) {
  const std::uint64_t count = kernels(2000);
  std::size_t written = 0;
  std::size_t compared = 0;
  compare(fuzz::Taste::wild, count, written, compared);
  if (HasFatalFailure()) return;
  EXPECT_EQ(compared, count);
  EXPECT_GT(written * 4, count * 3);  // most kernels write something that is not 0
}

TEST(InterpreterRandom, GivesTheSameForKernelsThatEveryDeviceTakes) {
  const std::uint64_t count = number_from("COLLET_RANDOM_KERNELS", 2000);
  std::size_t written = 0;
  std::size_t compared = 0;
  compare(fuzz::Taste::portable, count, written, compared);
  if (HasFatalFailure()) return;
  EXPECT_GT(compared * 3, count);  // the others meet
  EXPECT_GT((count - compared) * 6, count);
  EXPECT_GT(written * 4, count * 3);
}

TEST(InterpreterRandom, GivesTheSameForEveryOperation) {
  const std::uint64_t count = kernels(400);
  std::size_t written = 0;
  std::size_t compared = 0;
  compare(fuzz::Taste::wide, count, written, compared);
  if (HasFatalFailure()) return;
  EXPECT_GT(compared * 3, count);
  EXPECT_GT((count - compared) * 6, count);
  EXPECT_GT(written * 4, count * 3);
}

// An operation that is never generated is never compared. What has no value of its own on every device, the
// functions whose last bits are the driver's, is generated in kernels for this processor only.
TEST(InterpreterRandom, KnowsEveryOperation) {
  std::set<ir::Op> missing;
#define COLLET_OP(name, rule, arguments) missing.insert(ir::Op::name);
#include "collet/detail/ops.inc"
#undef COLLET_OP
  missing.erase(ir::Op::print);  // messages are code before anything runs
  std::uint64_t most_groups = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    for (const fuzz::Taste taste : {fuzz::Taste::wild, fuzz::Taste::wide}) {
      const fuzz::Work work = fuzz::generate(seed, taste);
      for (const ir::Node& node : work.kernel.nodes) missing.erase(node.op);
      for (const ir::Function& function : work.kernel.functions) {
        for (const ir::Node& node : function.body.nodes) missing.erase(node.op);
      }
      std::uint64_t groups = 1;
      for (std::size_t d = 0; d < 3; ++d)
        groups *= (work.extent[d] + work.kernel.group[d] - 1) / work.kernel.group[d];
      most_groups = std::max(most_groups, groups);
    }
  }
  for (const ir::Op op : missing) ADD_FAILURE() << ir::name(op) << " is never generated.";
  EXPECT_EQ(most_groups, 64u);
}

}  // namespace
}  // namespace collet
