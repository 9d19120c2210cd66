// How long the interpreter's registers are needed, and which values need none of their own.

#include <gtest/gtest.h>

#include "backends/cpu/interpreter/lifetimes.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

namespace collet::backend::cpu::interpreter {
namespace {

using ir::Id;
using ir::Op;

// A kernel of one buffer, with %0 the item's number and %1 what stands there, and what was found out about
// it.
struct Found {
  explicit Found(const std::string& body)
      : kernel(ir::parse("kernel k group(64, 1, 1) {\n  buffer x: u32 inout\n  %0: u32 = global_id 0\n"
                         "  %1: u32 = load x[%0]\n" +
                         body + "}\n")
                   .value()) {
    const auto verified = ir::verify(kernel);
    EXPECT_TRUE(verified) << verified.error().message();
    lifetimes = find_lifetimes(kernel, find_shapes(kernel));
  }
  // The node of that operation, counted from 0 in the order of the text.
  Id node(Op op, int number = 0) const {
    for (Id id = 0; id < kernel.nodes.size(); ++id) {
      if (kernel.nodes[id].op == op && number-- == 0) return id;
    }
    ADD_FAILURE() << "there is no such node";
    return 0;
  }
  Id home(Op op) const { return lifetimes.home[node(op)]; }

  ir::Kernel kernel;
  Lifetimes lifetimes;
};

TEST(InterpreterLifetimes, AValueIsComputedIntoTheVariableThatItBecomes) {
  const Found found(R"(
  %2: u32 = variable
  set %2, %0
  %3: u32 = get %2
  %4: u32 = add %3, %1
  set %2, %4
  %5: u32 = get %2
  store x[%0], %5
)");
  EXPECT_EQ(found.home(Op::add), found.node(Op::variable));
  EXPECT_TRUE(found.lifetimes.done[found.node(Op::set, 1)]);
  EXPECT_FALSE(found.lifetimes.done[found.node(Op::set, 0)]);  // the item's number is made elsewhere
  EXPECT_TRUE(found.lifetimes.in_place[found.node(Op::get, 0)]);
  EXPECT_FALSE(found.lifetimes.cleared[found.node(Op::variable)]);
}

TEST(InterpreterLifetimes, NotWhereTheValueIsNeededLater) {
  const Found found(R"(
  %2: u32 = variable
  %3: u32 = add %0, %1
  set %2, %3
  store x[%0], %3
)");
  EXPECT_EQ(found.home(Op::add), ir::kNone);
  EXPECT_FALSE(found.lifetimes.done[found.node(Op::set)]);
}

TEST(InterpreterLifetimes, NotWhereTheVariableIsReadBetween) {
  const Found found(R"(
  %2: u32 = variable
  %3: u32 = add %0, %1
  %4: u32 = get %2
  set %2, %3
  store x[%0], %4
)");
  EXPECT_EQ(found.home(Op::add), ir::kNone);
  EXPECT_FALSE(found.lifetimes.in_place[found.node(Op::get)]);  // it changes while its value is needed
  EXPECT_TRUE(found.lifetimes.cleared[found.node(Op::variable)]);
}

TEST(InterpreterLifetimes, NotWhereWhatWasReadInPlaceIsStillNeeded) {
  const Found found(R"(
  %2: u32 = variable
  %3: u32 = get %2
  %4: u32 = add %0, %1
  %5: u32 = mul %3, %1
  set %2, %4
  store x[%0], %5
)");
  EXPECT_TRUE(found.lifetimes.in_place[found.node(Op::get)]);
  EXPECT_EQ(found.home(Op::add), ir::kNone);
}

TEST(InterpreterLifetimes, NotWhereTheVariableIsSetBetween) {
  const Found found(R"(
  %2: u32 = variable
  %3: u32 = add %0, %1
  set %2, %1
  set %2, %3
  %4: u32 = get %2
  store x[%0], %4
)");
  EXPECT_EQ(found.home(Op::add), ir::kNone);
}

TEST(InterpreterLifetimes, NotInAnotherBlock) {
  const Found found(R"(
  %2: u32 = variable
  %3: u32 = add %0, %1
  %4: bool = lt %0, %1
  if %4 {
    set %2, %3
  }
  %5: u32 = get %2
  store x[%0], %5
)");
  EXPECT_EQ(found.home(Op::add), ir::kNone);
  EXPECT_TRUE(found.lifetimes.cleared[found.node(Op::variable)]);  // not every item sets it
}

TEST(InterpreterLifetimes, AValueFromBeforeALoopIsNeededUntilItIsOver) {
  const Found found(R"(
  %2: u32 = constant 1
  %3: u32 = add %0, %1
  %4: u32 = range %2, %1, %2 {
    %5: u32 = mul %3, %4
    store x[%0], %5
  }
)");
  const Id loop = found.node(Op::range);
  EXPECT_EQ(found.lifetimes.end[found.node(Op::add)], found.lifetimes.node_end[loop]);
  EXPECT_LT(found.lifetimes.end[found.node(Op::mul)], found.lifetimes.node_end[loop]);
  EXPECT_EQ(found.lifetimes.end[loop], found.lifetimes.node_end[loop]);
}

}  // namespace
}  // namespace collet::backend::cpu::interpreter
