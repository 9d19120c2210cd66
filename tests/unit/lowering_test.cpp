// The passes before emission, on random kernels: what a kernel does stays the same, and what a pass takes
// away is gone.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <ostream>

#include "fuzz/generator.hpp"
#include "fuzz/oracle.hpp"
#include "kernel/emit/guard.hpp"
#include "kernel/emit/lower.hpp"
#include "kernel/ir/text.hpp"

namespace collet::emit {
namespace {

constexpr std::uint64_t kKernels = 200;

struct Pass {
  const char* name;
  Kernel (*run)(const Kernel&);

  friend void PrintTo(const Pass& pass, std::ostream* out) { *out << pass.name; }
};

class Lowering : public testing::TestWithParam<Pass> {
 protected:
  static void compare(fuzz::Taste taste) {
    for (std::uint64_t seed = 1; seed <= kKernels; ++seed) {
      fuzz::Work work = fuzz::generate(seed, taste);
      const auto wanted = fuzz::interpret(work);
      ASSERT_TRUE(wanted) << wanted.error().message();
      const std::string before = ir::print(work.kernel);
      work.kernel = GetParam().run(work.kernel);
      const auto got = fuzz::interpret(work);
      ASSERT_TRUE(got) << got.error().message();
      ASSERT_TRUE(*got == *wanted) << "seed " << seed << "\n" << before << ir::print(work.kernel);
    }
  }
};

TEST_P(Lowering, KeepsWhatKernelsDo) { compare(fuzz::Taste::portable); }
TEST_P(Lowering, KeepsWhatKernelsOfAllTypesDo) { compare(fuzz::Taste::wild); }
TEST_P(Lowering, KeepsWhatEveryOperationDoes) { compare(fuzz::Taste::wide); }
TEST_P(Lowering, KeepsWhatIndicesOutOfRangeDo) { compare(fuzz::Taste::out_of_range); }

// Each behind those that it needs, in the order of lower().
Kernel without_vectors(const Kernel& kernel) { return lower_vectors(lower_ranges(kernel)); }
Kernel without_halves(const Kernel& kernel) { return lower_halves(without_vectors(kernel)); }
const Language kLeast{};  // has nothing that can be missing
Kernel total(const Kernel& kernel) { return lower_total(without_halves(kernel), kLeast); }
Kernel without_small(const Kernel& kernel) { return lower_small(total(kernel)); }
Kernel checked(const Kernel& kernel) { return lower_indices(kernel, {}).kernel; }
template <Kernel (*pass)(const Kernel&)>
Kernel at_last(const Kernel& kernel) {
  return pass(without_small(kernel));
}

// Where memory is reached by atomic operations of 64 bits and in smaller pieces, it is refused.
template <Kernel (*pass)(const Kernel&)>
Kernel in_arrays(const Kernel& kernel) {
  // The interpreter's buffers of bytes are not aligned for words.
  const Language language{
      .bytes_in_buffers = true, .shorts_in_buffers = true, .small_in_groups = true, .small_in_items = true};
  const Kernel small = without_small(kernel);
  const auto arrays = lower_memory(small, language);
  return arrays ? pass(*arrays) : small;
}
Kernel as_it_is(const Kernel& kernel) { return kernel; }

Kernel flat_then_leading(const Kernel& kernel) {
  return lower_leading_loops(lower_branches(without_small(kernel)));
}
Kernel flat_then_narrow(const Kernel& kernel) {
  return lower_narrow_groups(lower_branches(without_small(kernel)));
}

INSTANTIATE_TEST_SUITE_P(
    Passes, Lowering,
    testing::Values(Pass{"guard", guard}, Pass{"indices", checked}, Pass{"ranges", lower_ranges},
                    Pass{"vectors", without_vectors}, Pass{"halves", without_halves}, Pass{"total", total},
                    Pass{"small", without_small}, Pass{"unsigned", at_last<lower_unsigned>},
                    Pass{"branches", at_last<lower_branches>},
                    Pass{"divergent_loops", at_last<lower_divergent_loops>},
                    Pass{"leading_loops", flat_then_leading}, Pass{"narrow_groups", flat_then_narrow},
                    Pass{"signed", at_last<lower_signed>}, Pass{"zeros", at_last<lower_zeros>},
                    Pass{"fences", lower_fences}),
    [](const auto& pass) { return std::string(pass.param.name); });

// Memory as arrays of scalars. An index out of range goes to another place then, so these take none.
class LoweringToArrays : public Lowering {};
TEST_P(LoweringToArrays, KeepsWhatKernelsDo) { compare(fuzz::Taste::portable); }
TEST_P(LoweringToArrays, KeepsWhatKernelsOfAllTypesDo) { compare(fuzz::Taste::wild); }
TEST_P(LoweringToArrays, KeepsWhatEveryOperationDoes) { compare(fuzz::Taste::wide); }
INSTANTIATE_TEST_SUITE_P(Passes, LoweringToArrays,
                         testing::Values(Pass{"memory", in_arrays<as_it_is>},
                                         Pass{"atomics", in_arrays<lower_atomics>}),
                         [](const auto& pass) { return std::string(pass.param.name); });

// Of the accesses that are left without a check none is outside; of kernels that have some which are.
TEST(LoweredIndices, AreAllInside) {
  std::uint64_t hostile = 0;
  for (const fuzz::Taste taste : {fuzz::Taste::wild, fuzz::Taste::out_of_range}) {
    for (std::uint64_t seed = 1; seed <= kKernels; ++seed) {
      fuzz::Work work = fuzz::generate(seed, taste);
      if (!fuzz::is_sequential(work.kernel)) continue;
      hostile += fuzz::reaches_outside(work) ? 1 : 0;
      const std::string before = ir::print(work.kernel);
      work.kernel = checked(work.kernel);
      ASSERT_FALSE(fuzz::reaches_outside(work)) << "seed " << seed << "\n"
                                                << before << ir::print(work.kernel);
    }
  }
  EXPECT_GT(hostile, kKernels);
}

// Whether the launch keeps to what the code trusts in.
bool keeps(const fuzz::Work& work, const Checked& checked) {
  using What = ir::Ceiling::What;
  const auto length = [&](std::uint32_t buffer) {
    return work.buffers[buffer].size() / work.kernel.memories[buffer].stride;
  };
  const auto leaf = [&](const ir::Ceiling& term) -> std::uint64_t {
    const std::uint64_t size = work.kernel.group[term.a % 3];
    if (term.what == What::element_count) return work.extent[term.a];
    if (term.what == What::group_count) return (work.extent[term.a] + size - 1) / size;
    if (term.what == What::length) return length(term.a);
    std::size_t at = term.b;  // all sizes are multiples of 4
    for (std::uint32_t i = 0; i < term.a; ++i) at += work.kernel.parameters[i].size;
    std::uint32_t word = 0;
    std::memcpy(&word, work.constants.data() + at, sizeof word);
    return word;
  };
  return are_kept(checked.trusts, checked.terms, leaf);
}

TEST(LoweredIndices, AreAllInsideInLaunchesThatKeepTrust) {
  std::uint64_t kept = 0;
  std::uint64_t broken = 0;
  for (const fuzz::Taste taste : {fuzz::Taste::wild, fuzz::Taste::portable, fuzz::Taste::out_of_range}) {
    for (std::uint64_t seed = 1; seed <= kKernels; ++seed) {
      fuzz::Work work = fuzz::generate(seed, taste);
      if (!fuzz::is_sequential(work.kernel)) continue;
      const std::string before = ir::print(work.kernel);
      const Checked checked = lower_indices(guard(work.kernel), {.trusts_launches = true});
      if (checked.trusts.empty()) continue;
      ++(keeps(work, checked) ? kept : broken);
      if (!keeps(work, checked)) continue;
      work.kernel = checked.kernel;
      ASSERT_FALSE(fuzz::reaches_outside(work)) << "seed " << seed << "\n"
                                                << before << ir::print(work.kernel);
    }
  }
  EXPECT_GT(kept, 20u);
  EXPECT_GT(broken, 20u);
}

// What lower_branches() promises, said of a kernel that it made.
//
// Threads: one at a time.
class Barriers {
 public:
  explicit Barriers(const Kernel& kernel) : kernel_(kernel) { look(0, nullptr); }

  // "" or what is wrong.
  const std::string& wrong() const { return wrong_; }
  std::size_t count() const { return barriers_; }

 private:
  struct Loop {
    bool meets = false;
    bool continued = false;
    bool returned = false;
  };

  // Whether the block holds a barrier.
  bool look(std::uint32_t block, Loop* loop) {
    bool meets = false;
    for (const Id id : kernel_.blocks[block].nodes) meets = look_at(id, loop) || meets;
    return meets;
  }

  bool look_at(Id id, Loop* loop) {
    const Node& node = kernel_.nodes[id];
    if (node.op == Op::barrier) {
      ++barriers_;
      if (returned_) wrong_ = "A barrier stands behind a return.";
      return true;
    }
    if (node.op == Op::continue_ && loop != nullptr) loop->continued = true;
    if (node.op == Op::return_) returned_ = true;
    if (node.op == Op::if_) {
      const bool first = look(node.low(), loop);
      const bool second = node.high() != ir::kNone && look(node.high(), loop);
      if (first || second) wrong_ = "A barrier stands in a branch.";
      return first || second;
    }
    if (node.op != Op::loop) return false;
    Loop inner;
    const bool returned = returned_;
    const bool meets = look(node.low(), &inner);
    if (meets && inner.continued) wrong_ = "A loop with a barrier is continued.";
    if (meets && returned_ && !returned) wrong_ = "A loop with a barrier is left by a return.";
    if (meets && !ends_together(node.low())) wrong_ = "A loop with a barrier does not end with one.";
    return meets;
  }

  bool ends_together(std::uint32_t block) const {
    const Op last = kernel_.nodes[kernel_.blocks[block].nodes.back()].op;
    return last == Op::barrier || last == Op::break_ || last == Op::return_;
  }

  const Kernel& kernel_;
  bool returned_ = false;
  std::size_t barriers_ = 0;
  std::string wrong_;
};

TEST(LoweredBranches, HoldNoBarrier) {
  std::size_t barriers = 0;
  std::size_t changed = 0;
  for (std::uint64_t seed = 1; seed <= 5 * kKernels; ++seed) {
    const Kernel kernel = lower_ranges(fuzz::generate(seed, fuzz::Taste::portable).kernel);
    const Kernel lowered = lower_branches(kernel);
    const Barriers found(lowered);
    ASSERT_EQ(found.wrong(), "") << "seed " << seed << "\n" << ir::print(lowered);
    barriers += found.count();
    changed += Barriers(kernel).wrong().empty() ? 0 : 1;
  }
  EXPECT_GT(barriers, kKernels);
  EXPECT_GT(changed, kKernels / 10);  // kernels of which there was something to take away
}

// A return that no barrier follows stays one.
TEST(LoweredBranches, StayAsTheyAreBehindTheLastBarrier) {
  const auto kernel = ir::parse(R"(kernel k group(64, 1, 1) {
  buffer out: u32 out
  %0: u32 = local_id 0
  barrier
  %1: u32 = constant 3
  %2: bool = lt %0, %1
  if %2 {
    return
  }
  store out[%0], %1
})");
  ASSERT_TRUE(kernel) << kernel.error().message();
  EXPECT_EQ(ir::print(lower_branches(*kernel)), ir::print(*kernel));
}

}  // namespace
}  // namespace collet::emit
