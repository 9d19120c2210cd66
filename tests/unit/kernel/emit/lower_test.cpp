// The passes before emission, on random kernels: what a kernel does stays the same, and what a pass takes
// away is gone.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

// Passes see the code of functions in the place of their calls, or as code of its own.
fuzz::Work without_calls(std::uint64_t seed, fuzz::Taste taste) {
  fuzz::Work work = fuzz::generate(seed, taste);
  work.kernel = lower_calls(work.kernel).value();
  return work;
}

struct Pass {
  const char* name;
  Kernel (*run)(const Kernel&);

  friend void PrintTo(const Pass& pass, std::ostream* out) { *out << pass.name; }
};

class Lowering : public testing::TestWithParam<Pass> {
 protected:
  static void compare(fuzz::Taste taste) {
    for (std::uint64_t seed = 1; seed <= kKernels; ++seed) {
      fuzz::Work work = without_calls(seed, taste);
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

Kernel without_float_atomics(const Kernel& kernel) { return lower_float_atomics(kernel, false); }

// Where memory is reached by atomic operations of 64 bits and in smaller pieces, it is refused.
template <Kernel (*pass)(const Kernel&)>
Kernel in_arrays(const Kernel& kernel) {
  // The interpreter's buffers of bytes are not aligned for words.
  const Language language{
      .bytes_in_buffers = true, .shorts_in_buffers = true, .small_in_groups = true, .small_in_items = true};
  const Kernel small = without_small(without_float_atomics(kernel));
  const auto arrays = lower_memory(small, language);
  return arrays ? pass(*arrays) : small;
}
Kernel as_it_is(const Kernel& kernel) { return kernel; }
Kernel with_atomic_memory(const Kernel& kernel) { return lower_atomic_memory(lower_atomics(kernel)); }

Kernel without_wide(const Kernel& kernel) { return lower_wide(kernel, kLeast); }

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
                    Pass{"wide", at_last<without_wide>}, Pass{"signed", at_last<lower_signed>},
                    Pass{"zeros", at_last<lower_zeros>}, Pass{"fences", lower_fences},
                    Pass{"float_atomics", without_float_atomics}),
    [](const auto& pass) { return std::string(pass.param.name); });

// Memory as arrays of scalars. An index out of range goes to another place then, so these take none.
class LoweringToArrays : public Lowering {};
TEST_P(LoweringToArrays, KeepsWhatKernelsDo) { compare(fuzz::Taste::portable); }
TEST_P(LoweringToArrays, KeepsWhatKernelsOfAllTypesDo) { compare(fuzz::Taste::wild); }
TEST_P(LoweringToArrays, KeepsWhatEveryOperationDoes) { compare(fuzz::Taste::wide); }
INSTANTIATE_TEST_SUITE_P(Passes, LoweringToArrays,
                         testing::Values(Pass{"memory", in_arrays<as_it_is>},
                                         Pass{"atomics", in_arrays<lower_atomics>},
                                         Pass{"atomic_memory", in_arrays<with_atomic_memory>}),
                         [](const auto& pass) { return std::string(pass.param.name); });

TEST(LoweredAtomicMemory, IsReachedByAtomicOperationsOnly) {
  std::uint64_t mixed = 0;
  const auto mixes = [](const Kernel& kernel) {
    std::vector<bool> atomic(kernel.memories.size());
    for (const Node& node : kernel.nodes) {
      if (ir::is_atomic(node.op)) atomic[node.low()] = true;
    }
    return std::ranges::any_of(kernel.nodes, [&](const Node& node) {
      return (node.op == Op::load || node.op == Op::store) && atomic[node.low()];
    });
  };
  for (std::uint64_t seed = 1; seed <= kKernels; ++seed) {
    const Kernel arrays = in_arrays<lower_atomics>(without_calls(seed, fuzz::Taste::wide).kernel);
    mixed += mixes(arrays) ? 1 : 0;
    EXPECT_FALSE(mixes(lower_atomic_memory(arrays))) << seed;
  }
  EXPECT_GT(mixed, 20u);
}

TEST(LoweredWide, LeavesNo64BitIntegerInMostKernels) {
  std::uint64_t with = 0;
  std::uint64_t left = 0;
  for (const fuzz::Taste taste : {fuzz::Taste::wild, fuzz::Taste::wide}) {
    for (std::uint64_t seed = 1; seed <= kKernels; ++seed) {
      const Kernel kernel = without_small(without_calls(seed, taste).kernel);
      if (!uses_wide(kernel)) continue;
      ++with;
      left += uses_wide(without_wide(kernel)) ? 1 : 0;
    }
  }
  EXPECT_GT(with, kKernels);
  EXPECT_LT(left, with * 2 / 3) << "of " << with;
}

template <class T>
fuzz::Bytes bytes_of(const std::vector<T>& values) {
  fuzz::Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// Of a kernel with one operation: buffers a and b of one type, and out of another.
void expect_same_without_wide(const std::string& operation, const std::string& from, const std::string& to,
                              const fuzz::Bytes& a, const fuzz::Bytes& b, std::size_t count) {
  const bool compares = to == "bool";
  const std::string kept = compares ? "u32" : to;
  fuzz::Work work{
      .kernel =
          ir::parse(
              "kernel k group(64, 1, 1) {\n  buffer a: " + from + " in\n  buffer b: " + from +
              " in\n  buffer out: " + kept + " inout\n  %0: u32 = global_id 0\n  %1: " + from +
              " = load a[%0]\n  %2: " + from + " = load b[%0]\n  %3: " + to + " = " + operation + "\n" +
              (compares ? "  %4: u32 = convert %3\n  store out[%0], %4\n}\n" : "  store out[%0], %3\n}\n"))
              .value(),
      .extent = {count, 1, 1},
      .buffers = {a, b, fuzz::Bytes(count * 8)},
      .constants = {}};
  const auto wanted = fuzz::interpret(work).value();
  work.kernel = without_wide(without_small(work.kernel));
  EXPECT_FALSE(uses_wide(work.kernel)) << operation;
  EXPECT_TRUE(fuzz::interpret(work).value() == wanted) << from << ": " << operation << " to " << to;
}

TEST(LoweredWide, MeansWhatTheIrSaysForValuesAtTheEdges) {
  std::vector<std::uint64_t> edges{0,
                                   5,
                                   0x1234'5678'9abc'def0,
                                   0x8000'0080'0000'0000,
                                   0x8000'0080'0000'0001,
                                   0x0000'0100'0000'8000,
                                   0xffff'ff7f'ffff'ffff};
  for (const std::uint32_t bit : {0u, 1u, 24u, 31u, 32u, 33u, 53u, 62u, 63u}) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    for (const std::uint64_t value : {power - 1, power, power + 1}) {
      edges.push_back(value);
      edges.push_back(~value);
    }
  }
  std::vector<std::uint64_t> a, b;
  for (const std::uint64_t first : edges) {
    for (const std::uint64_t second : edges) {
      a.push_back(first);
      b.push_back(second);
    }
  }
  for (const std::string from : {"u64", "i64"}) {
    const auto check = [&](const std::string& operation, const std::string& to) {
      expect_same_without_wide(operation, from, to, bytes_of(a), bytes_of(b), a.size());
    };
    for (const char* op : {"add", "sub", "mul", "div", "rem", "min", "max", "mul_high", "bit_and", "bit_or",
                           "bit_xor", "shl", "shr"})
      check(op + std::string(" %1, %2"), from);
    for (const char* op :
         {"negate", "abs", "bit_not", "count_bits", "leading_zeros", "trailing_zeros", "reverse_bits"})
      check(op + std::string(" %1"), from);
    for (const char* op : {"eq", "ne", "lt", "le", "gt", "ge"}) check(op + std::string(" %1, %2"), "bool");
    for (const char* to : {"i8", "u8", "i16", "u16", "i32", "u32", "f16", "f32", "f64", "bool"})
      check("convert %1", to);
  }

  std::vector<float> floats;
  for (const std::uint64_t edge : edges) {
    const auto nearest = static_cast<float>(static_cast<std::int64_t>(edge));
    for (const float value :
         {nearest, static_cast<float>(edge), std::nextafter(nearest, 0.0f), 0.75f * nearest})
      floats.push_back(value);
  }
  const std::vector<double> doubles(floats.begin(), floats.end());
  for (const std::string to : {"u64", "i64"}) {
    expect_same_without_wide("convert %1", "f32", to, bytes_of(floats), bytes_of(floats), floats.size());
    expect_same_without_wide("convert %1", "f64", to, bytes_of(doubles), bytes_of(doubles), doubles.size());
  }
  for (const std::string from : {"i8", "u8", "i16", "u16", "i32", "u32"}) {
    for (const std::string to : {"u64", "i64"})
      expect_same_without_wide("convert %1", from, to, bytes_of(edges), bytes_of(edges), edges.size());
  }
}

// Of the accesses that are left without a check none is outside; of kernels that have some which are.
TEST(LoweredIndices, AreAllInside) {
  std::uint64_t hostile = 0;
  for (const fuzz::Taste taste : {fuzz::Taste::wild, fuzz::Taste::out_of_range}) {
    for (std::uint64_t seed = 1; seed <= kKernels; ++seed) {
      fuzz::Work work = without_calls(seed, taste);
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
      fuzz::Work work = without_calls(seed, taste);
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
    const Kernel kernel = lower_ranges(without_calls(seed, fuzz::Taste::portable).kernel);
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
