// The CPU backend's interpreter: every operation on every type, against ir::evaluate().

#include <algorithm>
#include <numeric>

#include "unit/backends/cpu/interpreter/launch.hpp"
#include "unit/backends/cpu/interpreter/reference.hpp"

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

}  // namespace
}  // namespace collet
