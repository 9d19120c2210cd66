// The CPU backend's interpreter: every operation on every type, control flow, memory, and whole kernels.

#include <algorithm>
#include <numeric>

#include "unit/interpreter_launch.hpp"
#include "unit/interpreter_reference.hpp"

namespace collet {
namespace {

using ir::Id;
using ir::Node;
using ir::Op;
using ir::Scalar;

constexpr std::array<Scalar, 12> kScalars{Scalar::boolean, Scalar::i8,  Scalar::u8,  Scalar::i16,
                                          Scalar::u16,     Scalar::i32, Scalar::u32, Scalar::i64,
                                          Scalar::u64,     Scalar::f16, Scalar::f32, Scalar::f64};

std::vector<std::uint64_t> tricky(Scalar s) {
  switch (s) {
    case Scalar::boolean: return {0, 1};
    case Scalar::f16:
      return {0,      0x8000, 1,      0x83ff, 0x400,  0x3c00, 0xbc00, 0x3800, 0x3e00, 0xc100,
              0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x5bf8, 0xd800, 0x3555, 0x6400, 0x4248};
    case Scalar::f32:
      return {0,          0x80000000, 1,          0x807fffff, 0x800000,   0x3f800000, 0xbf800000, 0x3f000000,
              0x3fc00000, 0xc0200000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x4b800001,
              0x4effffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000, 0x5f800000, 0xdf000000, 0x42fe0000,
              0xc3008000, 0x477fe000, 0x477ff000, 0x38800000, 0x33000000, 0x33000001, 0x3eaaaaab, 0x3dcccccd};
    case Scalar::f64: {
      std::vector<std::uint64_t> bits;
      for (const double value :
           {0.0,           -0.0,         1.0,       -1.0,    0.5,          1.5,          2.5,
            -2.5,          5e-324,       -2.2e-308, 1.7e308, -1.7e308,     2147483647.5, 2147483648.0,
            -2147483649.0, 4294967295.9, 9.3e18,    1.9e19,  -9.3e18,      127.9,        -128.9,
            0.1,           1.0 / 3,      65519.99,  65520.0, 2049.0000001, 5.960464e-8}) {
        bits.push_back(std::bit_cast<std::uint64_t>(value));
      }
      bits.insert(bits.end(), {0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000});
      return bits;
    }
    default: break;
  }
  const std::uint32_t size = ir::bits(s);
  const std::uint64_t all = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
  const std::uint64_t low = all >> 1;
  return {0,
          1,
          2,
          3,
          7,
          size - 1u,
          size,
          size + 1u,
          low,
          low + 1,
          low + 2,
          low - 1,
          all,
          all - 1,
          all - 6,
          0xa5a5a5a5a5a5a5a5 & all,
          0x5a3c5a3c5a3c5a3c & all,
          100 & all};
}

bool takes(Op op, Scalar s) {
  switch (ir::rule(op)) {
    case ir::Rule::number1:
    case ir::Rule::number2:
    case ir::Rule::order: return ir::is_number(s);
    case ir::Rule::integer1:
    case ir::Rule::integer2: return ir::is_integer(s);
    case ir::Rule::float1:
    case ir::Rule::float2:
    case ir::Rule::float3: return ir::is_float(s);
    case ir::Rule::bits1:
    case ir::Rule::bits2: return !ir::is_float(s);
    case ir::Rule::equal:
    case ir::Rule::select:
    case ir::Rule::convert: return true;
    default: return false;
  }
}

// op on values that come through buffers of u64, of which each keeps the low bits. An argument whose bit is
// in `uniform` is the same for all items: the first of its buffer.
Launch one_operation(Op op, Scalar from, Scalar to, std::uint32_t uniform, std::size_t count) {
  ir::Kernel kernel;
  kernel.name = "one";
  kernel.blocks.emplace_back();
  const auto add = [&](Op o, ir::Type type, std::initializer_list<Id> arguments,
                       std::uint64_t immediate = 0) {
    Node node{.op = o, .type = type, .count = static_cast<std::uint8_t>(arguments.size())};
    std::copy(arguments.begin(), arguments.end(), node.arguments.begin());
    node.immediate = immediate;
    kernel.nodes.push_back(node);
    kernel.blocks[0].nodes.push_back(static_cast<Id>(kernel.nodes.size() - 1));
    return static_cast<Id>(kernel.nodes.size() - 1);
  };
  const Id item = add(Op::global_id, ir::kU32, {});
  const Id zero = add(Op::constant, ir::kU32, {});
  std::array<Id, 4> arguments{};
  for (std::uint32_t i = 0; i < ir::arity(op); ++i) {
    kernel.memories.push_back({.name = "a" + std::to_string(i), .element = {Scalar::u64}, .stride = 8});
    const Scalar type = op == Op::select && i == 0 ? Scalar::boolean : from;
    const Id place = (uniform >> i & 1u) != 0 ? zero : item;
    const Scalar stored = type == Scalar::boolean ? Scalar::u8 : type;
    arguments[i] = add(Op::load, {stored}, {place}, ir::pack(i, 0));
    if (type != Scalar::boolean) continue;
    arguments[i] = add(Op::ne, ir::kBool, {arguments[i], add(Op::constant, {Scalar::u8}, {})});
  }
  Node node{.op = op, .type = {to}, .count = ir::arity(op), .arguments = arguments};
  kernel.nodes.push_back(node);
  auto result = static_cast<Id>(kernel.nodes.size() - 1);
  kernel.blocks[0].nodes.push_back(result);
  if (to == Scalar::boolean) result = add(Op::convert, {Scalar::u8}, {result});
  kernel.memories.push_back({.name = "to", .element = {Scalar::u64}, .stride = 8});
  add(Op::store, ir::kNothing, {item, result}, ir::pack(ir::arity(op), 0));
  kernel.buffer_argument.assign(kernel.memories.size(), true);
  return Launch{.kernel = kernel, .extent = {count, 1, 1}, .buffers = {}, .constants = {}};
}

// All combinations of the tricky values, with every choice of uniform arguments. How many were compared.
std::size_t check_operation(Op op, Scalar from, Scalar to) {
  const std::uint32_t arity = ir::arity(op);
  std::size_t compared = 0;
  for (std::uint32_t uniform = 0; uniform < 1u << arity; ++uniform) {
    std::vector<std::vector<std::uint64_t>> values(arity);
    std::array<std::vector<std::uint64_t>, 3> choices;
    std::size_t count = 1;
    for (std::uint32_t i = 0; i < arity; ++i) {
      choices[i] = tricky(op == Op::select && i == 0 ? Scalar::boolean : from);
      count *= choices[i].size();
    }
    for (std::size_t n = 0; n < count; ++n) {
      std::size_t rest = n;
      for (std::uint32_t i = 0; i < arity; ++i) {
        values[i].push_back(choices[i][rest % choices[i].size()]);
        rest /= choices[i].size();
      }
    }
    // The first of a uniform argument stands for all, so it is another one each time.
    for (std::size_t turn = 0; turn < (uniform == 0 ? 1u : 5u); ++turn) {
      Launch launch = one_operation(op, from, to, uniform, count);
      for (std::uint32_t i = 0; i < arity; ++i) {
        if ((uniform >> i & 1u) != 0) values[i][0] = choices[i][(turn * 7 + i * 3 + 1) % choices[i].size()];
        launch.add_buffer(values[i]);
      }
      launch.buffers.emplace_back(count * 8);
      launch.run();
      const auto results = launch.read<std::uint64_t>(arity);
      for (std::size_t n = 0; n < count; ++n) {
        std::array<std::uint64_t, 3> arguments{};
        for (std::uint32_t i = 0; i < arity; ++i) arguments[i] = values[i][(uniform >> i & 1u) != 0 ? 0 : n];
        const std::uint64_t wanted = interpreter_reference::component(op, from, to, arguments);
        ++compared;
        if (results[n] == wanted) continue;
        if (interpreter_reference::is_nan(to, results[n]) && interpreter_reference::is_nan(to, wanted))
          continue;
        ADD_FAILURE() << ir::name(op) << " of " << ir::to_string({from}) << " to " << ir::to_string({to})
                      << ": " << std::hex << arguments[0] << ", " << arguments[1] << ", " << arguments[2]
                      << " gives " << results[n] << ", not " << wanted;
        return compared;
      }
    }
  }
  return compared;
}

TEST(Interpreter, EveryOperationOnEveryTypeIsWhatEvaluateSays) {
  std::size_t operations = 0;
  for (int o = static_cast<int>(Op::negate); o <= static_cast<int>(Op::select); ++o) {
    const auto op = static_cast<Op>(o);
    for (const Scalar from : kScalars) {
      if (!takes(op, from)) continue;
      const bool comparison = op >= Op::eq && op <= Op::ge;
      EXPECT_GT(check_operation(op, from, comparison ? Scalar::boolean : from), 0u);
      ++operations;
    }
  }
  // 9 on 11 numbers (add to abs), 8 on 8 integers, 4 on integers and booleans, 16 on 3 floats, ...
  EXPECT_EQ(operations, 9u * 11 + 7 * 8 + 4 * 9 + 15 * 3 + 2 * 12 + 4 * 11 + 12);
}

TEST(Interpreter, EveryConversionIsWhatEvaluateSays) {
  for (const Scalar from : kScalars) {
    for (const Scalar to : kScalars) EXPECT_GT(check_operation(Op::convert, from, to), 0u);
  }
}

TEST(Interpreter, EveryHalfBecomesAFloatAndComesBack) {
  Launch launch = launch_of(R"(kernel k group(256, 1, 1) {
    buffer x: f16 in
    buffer y: f32 out
    buffer z: f16 out
    %0: u32 = global_id 0
    %1: f16 = load x[%0]
    %2: f32 = convert %1
    store y[%0], %2
    %3: f16 = convert %2
    store z[%0], %3
  })",
                            {65536, 1, 1});
  std::vector<std::uint16_t> all(65536);
  std::iota(all.begin(), all.end(), std::uint16_t{0});
  launch.add_buffer(all);
  launch.buffers.emplace_back(65536 * 4);
  launch.buffers.emplace_back(65536 * 2);
  launch.run();
  const auto floats = launch.read<float>(1);
  const auto back = launch.read<std::uint16_t>(2);
  for (std::uint32_t i = 0; i < 65536; ++i) {
    if (interpreter_reference::is_nan(Scalar::f16, i)) {
      ASSERT_TRUE(std::isnan(floats[i])) << i;
      ASSERT_TRUE(interpreter_reference::is_nan(Scalar::f16, back[i])) << i;
      continue;
    }
    ASSERT_EQ(floats[i], interpreter_reference::half_to_float(i)) << i;
    ASSERT_EQ(back[i], i);
  }
}

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

TEST(Interpreter, AGroupReducesThroughItsMemoryBetweenBarriers) {
  for (const std::uint64_t items : {1024u, 1000u, 1u}) {
    Launch launch = launch_of(R"(kernel k group(256, 1, 1) {
      buffer x: u32 in
      buffer sums: u32 inout
      workgroup s: u32 [256]
      %0: u32 = local_id 0
      %1: u32 = global_id 0
      %2: u32 = load x[%1]
      store s[%0], %2
      barrier
      %3: u32 = variable
      %4: u32 = constant 128
      set %3, %4
      %5: u32 = constant 1
      %6: u32 = constant 0
      loop {
        %7: u32 = get %3
        %8: bool = eq %7, %6
        if %8 {
          break
        }
        %9: bool = lt %0, %7
        if %9 {
          %10: u32 = add %0, %7
          %11: u32 = load s[%10]
          %12: u32 = load s[%0]
          %13: u32 = add %11, %12
          store s[%0], %13
        }
        barrier
      } continuing {
        %14: u32 = get %3
        %15: u32 = shr %14, %5
        set %3, %15
      }
      %16: bool = eq %0, %6
      if %16 {
        %17: u32 = group_id 0
        %18: u32 = load s[%6]
        store sums[%17], %18
      }
    })",
                              {items, 1, 1});
    std::vector<std::uint32_t> x(items);
    std::iota(x.begin(), x.end(), 1u);
    launch.add_buffer(x);
    launch.buffers.emplace_back(4 * 4);
    launch.run(2);
    const auto sums = launch.read<std::uint32_t>(1);
    EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0u), items * (items + 1) / 2);
  }
}

TEST(Interpreter, AtomicsOfManyGroupsAddUp) {
  Launch launch = launch_of(R"(kernel histogram group(128, 1, 1) {
    buffer x: u32 in
    buffer bins: u32 inout
    buffer big: i64 inout
    workgroup own: u32 [16]
    %0: u32 = global_id 0
    %1: u32 = load x[%0]
    %2: u32 = constant 15
    %3: u32 = bit_and %1, %2
    %4: u32 = constant 1
    %5: u32 = atomic_add own[%3], %4
    barrier
    %6: u32 = local_id 0
    %7: bool = le %6, %2
    if %7 {
      %8: u32 = atomic_load own[%6]
      %9: u32 = atomic_add bins[%6], %8
    }
    %10: u32 = constant 0
    %11: i64 = convert %0
    %12: i64 = atomic_max big[%10], %11
    %13: i64 = negate %11
    %14: i64 = atomic_min big[%4], %13
    %15: u32 = constant 2
    %16: i64 = constant 1
    %17: i64 = atomic_sub big[%15], %16
    %18: u32 = constant 3
    %19: i64 = constant 5
    %20: i64 = constant 9
    %21: i64 = atomic_compare_exchange big[%18], %19, %20
  })",
                            {100000, 1, 1});
  std::vector<std::uint32_t> x(100000);
  for (std::uint32_t i = 0; i < x.size(); ++i) x[i] = i * 2654435761u >> 7;
  launch.add_buffer(x);
  launch.buffers.emplace_back(16 * 4);
  launch.add_buffer(std::vector<std::int64_t>{0, 0, 0, 5});
  launch.run(4);
  std::vector<std::uint32_t> wanted(16);
  for (const std::uint32_t value : x) ++wanted[value & 15];
  EXPECT_EQ(launch.read<std::uint32_t>(1), wanted);
  EXPECT_EQ(launch.read<std::int64_t>(2), (std::vector<std::int64_t>{99999, -99999, -100000, 9}));
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
  })",
                            {39, 1, 1});
  for (int i = 0; i < 6; ++i) launch.buffers.emplace_back(39 * 4);
  launch.run();
  for (std::uint32_t item = 0; item < 39; ++item) {
    const std::uint32_t first = item / 16 * 16;
    const std::uint32_t last = std::min(first + 16, 39u);
    std::uint32_t sum = 0;
    std::uint32_t scan = 0;
    for (std::uint32_t i = first; i < last; ++i) {
      sum += i;
      if (i <= item) scan += i;
    }
    EXPECT_EQ(launch.read<float>(0)[item], static_cast<float>(sum));
    EXPECT_EQ(launch.read<std::uint32_t>(1)[item], scan);
    EXPECT_EQ(launch.read<std::uint32_t>(2)[item], (item ^ 1) < last ? item ^ 1 : 0);
    EXPECT_EQ(launch.read<std::uint32_t>(3)[item], first == 16 ? 1u : 0u);
    EXPECT_EQ(launch.read<std::uint32_t>(4)[item], first + 20);
    EXPECT_EQ(launch.read<std::uint32_t>(5)[item], item);
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

constexpr std::string_view kTiled = R"(kernel tiled group(16, 16, 1) {
  buffer a: f32 in
  buffer b: f32 in
  buffer c: f32 out
  value n: u32
  workgroup ta: f32 [256]
  workgroup tb: f32 [256]
  %0: u32 = parameter n
  %1: u32 = global_id 0
  %2: u32 = global_id 1
  %3: u32 = local_id 0
  %4: u32 = local_id 1
  %5: u32 = constant 16
  %6: u32 = constant 0
  %7: u32 = constant 1
  %8: f32 = variable
  %9: u32 = mul %4, %5
  %10: u32 = add %9, %3
  %11: u32 = mul %2, %0
  %12: u32 = range %6, %0, %5 {
    %13: u32 = add %12, %3
    %14: u32 = add %11, %13
    %15: f32 = load a[%14]
    store ta[%10], %15
    %16: u32 = add %12, %4
    %17: u32 = mul %16, %0
    %18: u32 = add %17, %1
    %19: f32 = load b[%18]
    store tb[%10], %19
    barrier
    %20: u32 = range %6, %5, %7 {
      %21: u32 = add %9, %20
      %22: f32 = load ta[%21]
      %23: u32 = mul %20, %5
      %24: u32 = add %23, %3
      %25: f32 = load tb[%24]
      %26: f32 = get %8
      %27: f32 = fma %22, %25, %26
      set %8, %27
    }
    barrier
  }
  %28: u32 = add %11, %1
  %29: f32 = get %8
  store c[%28], %29
})";

constexpr std::string_view kNaive = R"(kernel naive group(16, 16, 1) {
  buffer a: f32 in
  buffer b: f32 in
  buffer c: f32 out
  value n: u32
  %0: u32 = parameter n
  %1: u32 = global_id 0
  %2: u32 = global_id 1
  %3: u32 = constant 0
  %4: u32 = constant 1
  %5: f32 = variable
  %6: u32 = mul %2, %0
  %7: u32 = range %3, %0, %4 {
    %8: u32 = add %6, %7
    %9: f32 = load a[%8]
    %10: u32 = mul %7, %0
    %11: u32 = add %10, %1
    %12: f32 = load b[%11]
    %13: f32 = get %5
    %14: f32 = fma %9, %12, %13
    set %5, %14
  }
  %15: u32 = add %6, %1
  %16: f32 = get %5
  store c[%15], %16
})";

TEST(Interpreter, MatrixProductsAreThoseOfThePlainLoop) {
  constexpr std::uint32_t kN = 48;
  std::vector<float> a(kN * kN);
  std::vector<float> b(kN * kN);
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i % 17) / 3;
    b[i] = static_cast<float>(i % 13) - 6.5f;
  }
  std::vector<float> wanted(kN * kN);
  for (std::uint32_t y = 0; y < kN; ++y) {
    for (std::uint32_t x = 0; x < kN; ++x) {
      float sum = 0;
      for (std::uint32_t k = 0; k < kN; ++k) sum = std::fma(a[y * kN + k], b[k * kN + x], sum);
      wanted[y * kN + x] = sum;
    }
  }
  for (const std::string_view text : {kNaive, kTiled}) {
    Launch launch = launch_of(text, {kN, kN, 1});
    launch.add_buffer(a);
    launch.add_buffer(b);
    launch.buffers.emplace_back(kN * kN * 4);
    launch.add_constant(kN);
    launch.run(2);
    EXPECT_EQ(launch.read<float>(2), wanted);
  }
}

TEST(Interpreter, SaxpyRoundsTwice) {
  Launch launch = launch_of(R"(kernel saxpy group(64, 1, 1) {
    buffer x: f32 in
    buffer y: f32 inout
    value a: f32
    %0: u32 = global_id 0
    %1: f32 = load x[%0]
    %2: f32 = parameter a
    %3: f32 = mul %2, %1
    %4: f32 = load y[%0]
    %5: f32 = add %3, %4
    store y[%0], %5
  })",
                            {1001, 1, 1});
  std::vector<float> x(1001);
  std::vector<float> y(1001);
  std::vector<float> wanted(1001);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 1.0f + static_cast<float>(i) * 0x1p-23f;
    y[i] = -x[i] * x[i];
    const volatile float product = 1.00001f * x[i];
    wanted[i] = product + y[i];
  }
  launch.add_buffer(x);
  launch.add_buffer(y);
  launch.add_constant(1.00001f);
  launch.run(2);
  EXPECT_EQ(launch.read<float>(1), wanted);
}

TEST(Interpreter, MandelbrotCountsAsThePlainLoop) {
  constexpr std::uint32_t kWidth = 70;
  Launch launch = launch_of(R"(kernel mandelbrot group(8, 8, 1) {
    buffer out: u32 out
    value width: u32
    %0: u32 = parameter width
    %1: u32 = global_id 0
    %2: u32 = global_id 1
    %3: f32 = convert %1
    %4: f32 = convert %2
    %5: f32x2 = compose %3, %4
    %6: f32 = constant 0.03125
    %7: f32x2 = compose %6, %6
    %8: f32x2 = mul %5, %7
    %9: f32 = constant 1.5
    %10: f32 = constant 1.0
    %11: f32x2 = compose %9, %10
    %12: f32x2 = sub %8, %11
    %13: f32x2 = variable
    %14: u32 = variable
    %15: u32 = constant 0
    %16: u32 = constant 100
    %17: u32 = constant 1
    %18: u32 = range %15, %16, %17 {
      %19: f32x2 = get %13
      %20: f32x2 = mul %19, %19
      %21: f32 = extract %20, 0
      %22: f32 = extract %20, 1
      %23: f32 = add %21, %22
      %24: f32 = constant 4.0
      %25: bool = gt %23, %24
      if %25 {
        break
      }
      %26: f32 = extract %19, 0
      %27: f32 = extract %19, 1
      %28: f32 = mul %26, %27
      %29: f32 = add %28, %28
      %30: f32 = sub %21, %22
      %31: f32x2 = compose %30, %29
      %32: f32x2 = add %31, %12
      set %13, %32
      %33: u32 = get %14
      %34: u32 = add %33, %17
      set %14, %34
    }
    %35: u32 = mul %2, %0
    %36: u32 = add %35, %1
    %37: u32 = get %14
    store out[%36], %37
  })",
                            {kWidth, 60, 1});
  launch.buffers.emplace_back(kWidth * 60 * 4);
  launch.add_constant(kWidth);
  launch.run(2);
  const auto out = launch.read<std::uint32_t>(0);
  for (std::uint32_t py = 0; py < 60; ++py) {
    for (std::uint32_t px = 0; px < kWidth; ++px) {
      const float cx = static_cast<float>(px) * 0.03125f - 1.5f;
      const float cy = static_cast<float>(py) * 0.03125f - 1.0f;
      float x = 0;
      float y = 0;
      std::uint32_t count = 0;
      for (; count < 100 && x * x + y * y <= 4; ++count) {
        const float product = x * y;
        const float next = x * x - y * y;
        x = next + cx;
        y = product + product + cy;
      }
      ASSERT_EQ(out[py * kWidth + px], count) << px << ", " << py;
    }
  }
}

}  // namespace
}  // namespace collet
