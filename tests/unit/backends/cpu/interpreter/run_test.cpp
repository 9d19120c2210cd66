// The CPU backend's interpreter: control flow, memory, and what items know of one another.

#include <algorithm>
#include <numeric>

#include "unit/backends/cpu/interpreter/launch.hpp"

namespace collet {
namespace {

TEST(Interpreter, LanesLeaveNestedLoopsAtTheirOwnTime) {
  Launch launch = launch_of(R"(kernel k group(96, 1, 1) {
    buffer out: u32 inout
    %0: u32 = global_id 0
    %1: u32 = constant 0
    %2: u32 = constant 1
    %3: u32 = constant 3
    %4: u32 = constant 50
    %5: u32 = variable
    %6: u32 = range %1, %0, %2 {
      %7: u32 = rem %6, %3
      %8: bool = eq %7, %1
      if %8 {
        continue
      }
      %9: u32 = range %1, %6, %3 {
        %10: u32 = get %5
        %11: u32 = add %10, %9
        set %5, %11
        %12: bool = gt %11, %4
        if %12 {
          break
        }
      }
      %13: u32 = get %5
      %14: u32 = constant 300
      %15: bool = gt %13, %14
      if %15 {
        %16: u32 = constant 7
        store out[%0], %16
        return
      }
    }
    %17: u32 = get %5
    store out[%0], %17
  })",
                            {150, 1, 1});
  launch.buffers.emplace_back(150 * 4);
  launch.run();
  const auto results = launch.read<std::uint32_t>(0);
  for (std::uint32_t item = 0; item < 150; ++item) {
    const std::uint32_t wanted = [&] {
      std::uint32_t sum = 0;
      for (std::uint32_t i = 0; i < item; ++i) {
        if (i % 3 == 0) continue;
        for (std::uint32_t j = 0; j < i; j += 3) {
          sum += j;
          if (sum > 50) break;
        }
        if (sum > 300) return 7u;
      }
      return sum;
    }();
    ASSERT_EQ(results[item], wanted) << item;
  }
}

TEST(Interpreter, LanesThatAreElsewhereStoreNothing) {
  Launch launch = launch_of(R"(kernel k group(64, 1, 1) {
    buffer out: u32 inout
    %0: u32 = global_id 0
    %1: u32 = constant 3
    %2: u32 = rem %0, %1
    %3: u32 = constant 1
    %4: bool = le %2, %3
    if %4 {
      store out[%0], %1
      %5: bool = eq %2, %3
      if %5 {
        store out[%0], %3
      }
    } else {
      store out[%0], %0
    }
  })",
                            {100, 1, 1});
  launch.buffers.emplace_back(100 * 4);
  launch.run();
  for (std::uint32_t i = 0; i < 100; ++i) {
    EXPECT_EQ(launch.read<std::uint32_t>(0)[i], i % 3 == 0 ? 3u : i % 3 == 1 ? 1u : i) << i;
  }
}

TEST(Interpreter, ABreakBeforeTheSetLeavesTheVariableAsItWas) {
  Launch launch = launch_of(R"(kernel k group(16, 1, 1) {
    buffer x: u32 in
    buffer out: u32 out
    %0: u32 = global_id 0
    %1: u32 = constant 0
    %2: u32 = constant 1
    %3: u32 = constant 5
    %4: u32 = variable
    %5: u32 = range %1, %3, %2 {
      %6: u32 = mul %5, %3
      %7: u32 = add %0, %6
      %8: u32 = load x[%7]
      %9: u32 = constant 3
      %10: bool = eq %5, %9
      if %10 {
        break
      }
      set %4, %8
    }
    %11: u32 = get %4
    store out[%0], %11
  })",
                            {16, 1, 1});
  std::vector<std::uint32_t> x(64);
  std::iota(x.begin(), x.end(), 0u);
  launch.add_buffer(x);
  launch.buffers.emplace_back(16 * 4);
  launch.run();
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(launch.read<std::uint32_t>(1)[i], i + 10);
}

TEST(Interpreter, AVectorIsMadeOfItsOwnComponentsInAnotherOrder) {
  Launch launch = launch_of(R"(kernel k group(32, 1, 1) {
    buffer out: u32x2 inout
    %0: u32 = global_id 0
    %1: u32x2 = variable
    %2: u32 = constant 100
    %3: u32 = add %0, %2
    %4: u32x2 = compose %0, %3
    set %1, %4
    %5: u32x2 = get %1
    %6: u32 = extract %5, 1
    %7: u32 = extract %5, 0
    %8: u32x2 = compose %6, %7
    set %1, %8
    %9: u32x2 = get %1
    store out[%0], %9
  })",
                            {32, 1, 1});
  launch.buffers.emplace_back(32 * 8);
  launch.run();
  const auto out = launch.read<std::uint32_t>(0);
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(out[i * 2], i + 100);
    EXPECT_EQ(out[i * 2 + 1], i);
  }
}

TEST(Interpreter, ARangeWithoutAStepRunsOnce) {
  Launch launch = launch_of(R"(kernel k group(32, 1, 1) {
    buffer out: u32 inout
    buffer steps: u32 in
    %0: u32 = global_id 0
    %1: u32 = constant 0
    %2: u32 = constant 10
    %3: u32 = variable
    %4: u32 = constant 1
    %5: u32 = load steps[%1]
    %6: u32 = range %1, %2, %5 {
      %7: u32 = get %3
      %8: u32 = add %7, %4
      set %3, %8
      %9: bool = gt %8, %2
      if %9 {
        break
      }
    }
    %10: u32 = load steps[%0]
    %11: u32 = range %1, %2, %10 {
      %12: u32 = get %3
      %13: u32 = add %12, %4
      set %3, %13
      %14: u32 = constant 20
      %15: bool = gt %13, %14
      if %15 {
        break
      }
    }
    %16: u32 = get %3
    store out[%0], %16
  })",
                            {32, 1, 1});
  launch.buffers.emplace_back(32 * 4);
  std::vector<std::uint32_t> steps(32);
  steps[5] = 4;
  launch.add_buffer(steps);
  launch.run();
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(launch.read<std::uint32_t>(0)[i], i == 5 ? 4u : 2u) << i;
  }
}

TEST(Interpreter, AtomicsOfLanesThatAreElsewhereDoNotHappen) {
  Launch launch = launch_of(R"(kernel k group(64, 1, 1) {
    buffer x: u32 inout
    workgroup s: u32 [1]
    %0: u32 = global_id 0
    %1: u32 = constant 0
    %2: u32 = constant 1
    %3: u32 = constant 3
    %4: u32 = rem %0, %3
    %5: bool = eq %4, %1
    if %5 {
      %6: u32 = atomic_add x[%1], %2
      %7: u32 = atomic_add s[%1], %2
    }
    barrier
    %8: u32 = load s[%1]
    %9: u32 = atomic_max x[%2], %8
  })",
                            {60, 1, 1});
  launch.buffers.emplace_back(8);
  launch.run();
  EXPECT_EQ(launch.read<std::uint32_t>(0), (std::vector<std::uint32_t>{20, 20}));
}

TEST(Interpreter, EveryAtomicGivesWhatWasThere) {
  Launch launch = launch_of(R"(kernel k group(1, 1, 1) {
    buffer x: u32 inout
    buffer old: u32 out
    workgroup s: u32 [1]
    %0: u32 = constant 0
    %1: u32 = constant 12
    %2: u32 = constant 10
    atomic_store x[%0], %1
    atomic_store s[%0], %1
    %3: u32 = atomic_and x[%0], %2
    %4: u32 = atomic_or x[%0], %1
    %5: u32 = atomic_xor x[%0], %2
    %6: u32 = atomic_exchange x[%0], %2
    %7: u32 = atomic_load x[%0]
    %8: u32 = constant 1
    %9: u32 = constant 2
    %10: u32 = constant 3
    %11: u32 = constant 4
    store old[%0], %3
    store old[%8], %4
    store old[%9], %5
    store old[%10], %6
    store old[%11], %7
    %12: u32 = atomic_and s[%0], %2
    %13: u32 = atomic_or s[%0], %1
    %14: u32 = atomic_xor s[%0], %2
    %15: u32 = atomic_exchange s[%0], %2
    %16: u32 = atomic_load s[%0]
    %17: u32 = constant 5
    %18: u32 = constant 6
    %19: u32 = constant 7
    %20: u32 = constant 8
    %21: u32 = constant 9
    store old[%17], %12
    store old[%18], %13
    store old[%19], %14
    store old[%20], %15
    store old[%21], %16
  })",
                            {1, 1, 1});
  launch.buffers.emplace_back(4);
  launch.buffers.emplace_back(40);
  launch.run();
  EXPECT_EQ(launch.read<std::uint32_t>(1), (std::vector<std::uint32_t>{12, 8, 12, 6, 10, 12, 8, 12, 6, 10}));
}

TEST(Interpreter, SubgroupsAreSixteenNeighbours) {
  Launch launch = launch_of(R"(kernel k group(40, 1, 1) {
    buffer sum: f32 out
    buffer scan: u32 out
    buffer swapped: u32 out
    buffer any: u32 out
    buffer first: u32 out
    buffer lanes: u32 out
    buffer nobody: u32 out
    %0: u32 = local_id 0
    %1: f32 = convert %0
    %2: f32 = subgroup_add %1
    store sum[%0], %2
    %3: u32 = subgroup_scan_add %0
    store scan[%0], %3
    %4: u32 = constant 1
    %5: u32 = subgroup_lane 0
    %6: u32 = bit_xor %5, %4
    %7: u32 = subgroup_shuffle %0, %6
    store swapped[%0], %7
    %8: u32 = constant 20
    %9: bool = eq %0, %8
    %10: bool = subgroup_any %9
    %11: u32 = convert %10
    store any[%0], %11
    %12: u32 = subgroup_broadcast_first %0
    %13: u32 = uniform %8
    %14: u32 = add %12, %13
    store first[%0], %14
    %15: u32 = subgroup_id 0
    %16: u32 = subgroup_size 0
    %17: u32 = mul %15, %16
    %18: u32 = add %17, %5
    store lanes[%0], %18
    %19: u32 = add %5, %16
    %20: u32 = subgroup_shuffle %18, %19
    store nobody[%0], %20
  })",
                            {39, 1, 1});
  for (int i = 0; i < 7; ++i) launch.buffers.emplace_back(39 * 4);
  launch.run();
  for (std::uint32_t item = 0; item < 39; ++item) {
    const std::uint32_t first = item / 16 * 16;
    const std::uint32_t last = std::min(first + 16, 40u);  // the item that does not exist is seen
    std::uint32_t sum = 0;
    std::uint32_t scan = 0;
    for (std::uint32_t i = first; i < last; ++i) {
      sum += i;
      if (i <= item) scan += i;
    }
    EXPECT_EQ(launch.read<float>(0)[item], static_cast<float>(sum));
    EXPECT_EQ(launch.read<std::uint32_t>(1)[item], scan);
    EXPECT_EQ(launch.read<std::uint32_t>(2)[item], item ^ 1);
    EXPECT_EQ(launch.read<std::uint32_t>(3)[item], first == 16 ? 1u : 0u);
    EXPECT_EQ(launch.read<std::uint32_t>(4)[item], first + 20);
    EXPECT_EQ(launch.read<std::uint32_t>(5)[item], item);
    EXPECT_EQ(launch.read<std::uint32_t>(6)[item], 0u);
  }
}

TEST(Interpreter, BeyondABufferLoadsGiveZeroAndStoresDoNothing) {
  Launch launch = launch_of(R"(kernel k group(32, 1, 1) {
    buffer x: u32 in
    buffer y: u32 inout
    %0: u32 = global_id 0
    %1: u32 = load x[%0]
    %2: u32 = constant 16
    %3: u32 = sub %0, %2
    %4: u32 = load x[%3]
    %5: u32 = mul %0, %0
    %6: u32 = load x[%5]
    %7: u32 = add %1, %4
    %8: u32 = add %7, %6
    store y[%0], %8
    %9: u32 = constant 4294967295
    store y[%9], %8
    store y[%3], %8
  })",
                            {64, 1, 1});
  launch.add_buffer(std::vector<std::uint32_t>(40, 1));
  launch.buffers.emplace_back(20 * 4);
  launch.run();
  const auto y = launch.read<std::uint32_t>(1);
  // Items 16 to 35 write last, at their number less 16.
  for (std::uint32_t i = 0; i < 20; ++i) EXPECT_EQ(y[i], 2u) << i;
}

TEST(Interpreter, EveryItemOfARaggedGridRunsOnce) {
  for (const std::array<std::uint32_t, 3> group : {std::array<std::uint32_t, 3>{8, 4, 2},
                                                   {1, 7, 3},
                                                   {1024, 1, 1},
                                                   {3, 1, 5},
                                                   {16, 16, 1},
                                                   {2, 600, 1}}) {
    const std::string text = "kernel k group(" + std::to_string(group[0]) + ", " + std::to_string(group[1]) +
                             ", " + std::to_string(group[2]) + R"() {
      buffer count: u32 inout
      %0: u32 = global_id 0
      %1: u32 = global_id 1
      %2: u32 = global_id 2
      %3: u32 = element_count 0
      %4: u32 = element_count 1
      %5: u32 = mul %2, %4
      %6: u32 = add %5, %1
      %7: u32 = mul %6, %3
      %8: u32 = add %7, %0
      %9: u32 = load count[%8]
      %10: u32 = add %9, %8
      store count[%8], %10
    })";
    Launch launch = launch_of(text, {19, 13, 7});
    launch.buffers.emplace_back(19 * 13 * 7 * 4);
    launch.run(2);
    const auto count = launch.read<std::uint32_t>(0);
    for (std::uint32_t i = 0; i < count.size(); ++i) ASSERT_EQ(count[i], i);
  }
}

TEST(Interpreter, AProgramThatCannotFitIsRefused) {
  auto kernel = ir::parse(R"(kernel k group(1024, 4, 1) {
    buffer x: u32 inout
    item a: u32 [262144]
    %0: u32 = local_id 0
    %1: u32 = load a[%0]
    barrier
    store x[%0], %1
  })");
  ASSERT_TRUE(kernel);
  ASSERT_TRUE(ir::verify(*kernel));
  const auto program = interpreter::lower(*kernel);
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().code(), ErrorCode::out_of_memory);
}

// Lanes that are not in a call keep what they have, and a function that is called in a loop begins anew.
TEST(Interpreter, FunctionsRunTheLanesThatCallThem) {
  Launch launch = launch_of(R"(kernel k group(64, 1, 1) {
  buffer x: u32 inout
  function up(u32, u32) -> (u32, bool) {
    %0: u32 = argument 0
    %1: u32 = argument 1
    %2: u32 = variable
    set %2, %0
    %3: u32 = constant 0
    %4: u32 = constant 1
    %9: u32 = range %3, %1, %4 {
      %5: u32 = get %2
      %6: u32 = add %5, %4
      set %2, %6
    }
    %7: u32 = get %2
    %8: bool = gt %7, %1
    give %7
    give %8
  }
  function twice(u32) -> (u32) {
    %0: u32 = argument 0
    pass %0
    pass %0
    call up
    %1: u32 = result 0
    %2: bool = result 1
    if %2 {
    }
    give %1
  }
  %0: u32 = global_id 0
  %1: u32 = constant 3
  %2: u32 = bit_and %0, %1
  %3: u32 = constant 0
  %4: bool = eq %2, %3
  if %4 {
    pass %0
    call twice
    %5: u32 = result 0
    pass %5
    pass %2
    call up
    %6: u32 = result 0
    store x[%0], %6
  }
})",
                            {100, 1, 1});
  launch.add_buffer(std::vector<std::uint32_t>(100, 7));
  launch.run();
  const auto got = launch.read<std::uint32_t>(0);
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(got[i], i % 4 == 0 ? 2 * i : 7) << i;
}

// Each calls the one before twice: a million calls, of twenty functions.
TEST(Interpreter, CodeGrowsWithWhatIsWritten) {
  std::string text =
      "kernel k group(16, 1, 1) {\n  buffer x: u32 inout\n"
      "  function f0(u32) -> (u32) {\n    %0: u32 = argument 0\n    %1: u32 = constant 1\n"
      "    %2: u32 = add %0, %1\n    give %2\n  }\n";
  for (int i = 1; i <= 20; ++i) {
    const std::string before = "f" + std::to_string(i - 1);
    text += "  function f" + std::to_string(i) +
            "(u32) -> (u32) {\n    %0: u32 = argument 0\n    pass %0\n    call " + before +
            "\n    %1: u32 = result 0\n    pass %1\n    call " + before +
            "\n    %2: u32 = result 0\n    give %2\n  }\n";
  }
  text += "  %0: u32 = global_id 0\n  pass %0\n  call f20\n  %1: u32 = result 0\n  store x[%0], %1\n}\n";
  Launch launch = launch_of(text, {16, 1, 1});
  launch.add_buffer(std::vector<std::uint32_t>(16));
  launch.run();
  const auto got = launch.read<std::uint32_t>(0);
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(got[i], i + (1u << 20)) << i;
}

}  // namespace
}  // namespace collet
