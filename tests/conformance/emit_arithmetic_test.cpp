// Every operation on every type, at the edges, against what the IR says that it means.

#include <bit>
#include <cmath>
#include <limits>

#include "conformance/emitted.hpp"
#include "kernel/ir/eval.hpp"

namespace conformance {
namespace {

using collet::In;
using collet::Out;
namespace ir = collet::ir;
using ir::Op;
using ir::Scalar;

constexpr Scalar kIntegers[] = {Scalar::i8,  Scalar::u8,  Scalar::i16, Scalar::u16,
                                Scalar::i32, Scalar::u32, Scalar::i64, Scalar::u64};
constexpr Scalar kFloats[] = {Scalar::f32, Scalar::f64};

std::string text_of(Scalar scalar) { return to_string(ir::Type{scalar}); }

// One operation of a kernel that has many.
struct Case {
  Op op;
  Scalar from, to;
};

std::uint64_t ones(Scalar scalar) { return ~uint64_t{0} >> (64 - ir::bits(scalar)); }

std::vector<uint64_t> edges(Scalar scalar) {
  if (ir::is_integer(scalar)) {
    const uint32_t size = ir::bits(scalar);
    const uint64_t top = uint64_t{1} << (size - 1);
    std::vector<uint64_t> values{0,
                                 1,
                                 2,
                                 3,
                                 7,
                                 size - 1,
                                 size,
                                 100,
                                 top - 1,
                                 top,
                                 top + 1,
                                 ones(scalar) - 1,
                                 ones(scalar),
                                 0x5a5a5a5a5a5a5a5au};
    if (size == 64) values.push_back(0x8000'0080'0000'0001);  // as f32: rounded by its last bit
    for (uint64_t& value : values) value &= ones(scalar);
    return values;
  }
  // NaN, infinities, zeros, halves, the edges of integers, and numbers whose products round.
  std::vector<double> values{0.0,
                             -0.0,
                             1.0,
                             -1.0,
                             0.5,
                             -0.5,
                             1.5,
                             2.5,
                             -2.5,
                             3.0,
                             0.1,
                             -7.3,
                             127.0,
                             128.0,
                             -128.0,
                             -129.0,
                             255.5,
                             256.0,
                             32768.0,
                             65535.0,
                             65536.0,
                             2147483520.0,
                             2147483648.0,
                             -2147483648.0,
                             -2147484000.0,
                             4294967040.0,
                             4294967296.0,
                             9.2233720e18,
                             9223372036854775808.0,
                             1.8446744e19,
                             1e30,
                             -1e30,
                             1e-30,
                             3.3333333,
                             std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()};
  std::vector<uint64_t> bits;
  for (const double value : values) {
    bits.push_back(scalar == Scalar::f64 ? std::bit_cast<uint64_t>(value)
                                         : std::bit_cast<uint32_t>(static_cast<float>(value)));
  }
  return bits;
}

// The bits of `value` as two words, stored at out[%place].
std::string stored(const Case& one, int value, int place, int& next) {
  const auto number = [](int n) { return "%" + std::to_string(n); };
  const auto define = [&](const std::string& type, const std::string& what) {
    return "  " + number(next++) + ": " + type + " = " + what + "\n";
  };
  std::string text;
  if (one.to == Scalar::boolean) {
    text = define("u32", "select " + number(value) + ", %4, %3");
    return text + "  store out[" + number(place) + "], " + number(next - 1) + "\n";
  }
  const Scalar whole = ir::unsigned_of(one.to);
  text = define(text_of(whole), "bitcast " + number(value));
  const int bits = next - 1;
  text += define("u32", "convert " + number(bits));
  text += "  store out[" + number(place) + "], " + number(next - 1) + "\n";
  if (ir::bits(one.to) != 64) return text;
  text += define("u64", "constant 32");
  text += define("u64", "shr " + number(bits) + ", " + number(next - 1));
  text += define("u32", "convert " + number(next - 1));
  return text + "  store out[" + number(place) + "]+4, " + number(next - 1) + "\n";
}

// Computes all cases, which share `from`, of a[i], b[i], c[i].
std::string kernel_text(const std::vector<Case>& cases) {
  const std::string from = text_of(cases.front().from);
  std::string text = "kernel arithmetic group(64, 1, 1) {\n  buffer a: " + from + " in\n  buffer b: " + from +
                     " in\n  buffer c: " + from + " in\n  buffer out: bytes(8) out\n" +
                     "  %0: u32 = global_id 0\n  %1: u32 = constant " + std::to_string(cases.size()) +
                     "\n  %2: u32 = mul %0, %1\n  %3: u32 = constant 0\n  %4: u32 = constant 1\n" +
                     "  %5: " + from + " = load a[%0]\n  %6: " + from + " = load b[%0]\n  %7: " + from +
                     " = load c[%0]\n";
  int next = 8;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& one = cases[i];
    std::string what(name(one.op));
    const char* arguments[] = {" %5", ", %6", ", %7"};
    for (uint8_t j = 0; j < arity(one.op); ++j) what += arguments[j];
    const int result = next;
    next += 3;
    text += "  %" + std::to_string(result) + ": " + text_of(one.to) + " = " + what + "\n";
    text += "  %" + std::to_string(result + 1) + ": u32 = constant " + std::to_string(i) + "\n";
    text += "  %" + std::to_string(result + 2) + ": u32 = add %2, %" + std::to_string(result + 1) + "\n";
    text += stored(one, result, result + 2, next);
  }
  return text + "}\n";
}

double number(Scalar scalar, uint64_t bits) {
  return scalar == Scalar::f64 ? std::bit_cast<double>(bits)
                               : std::bit_cast<float>(static_cast<uint32_t>(bits));
}

bool is_tiny(Scalar scalar, double value) {
  return std::fabs(value) <
         (scalar == Scalar::f64 ? std::numeric_limits<double>::min() : std::numeric_limits<float>::min());
}

// The same bits, but for what the APIs leave open: NaN's payload, denormals, and the last bits of f32 / and
// sqrt.
bool agrees(const Case& one, uint64_t expected, uint64_t found) {
  if (expected == found) return true;
  if (!ir::is_float(one.to)) return false;
  const double want = number(one.to, expected);
  const double got = number(one.to, found);
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got);
  if (want != 0 && is_tiny(one.to, want)) return is_tiny(one.to, got);
  const bool rounded = one.to == Scalar::f32 && (one.op == Op::div || one.op == Op::sqrt);
  return rounded && std::isfinite(want) && std::signbit(want) == std::signbit(got) &&
         (expected > found ? expected - found : found - expected) <= 3;
}

template <class Bits>
void run_cases(const collet::Device& device, const collet::emit::Emitted& code, const ir::Kernel& kernel,
               const std::vector<Case>& cases) {
  const Scalar from = cases.front().from;
  const std::vector<uint64_t> values = edges(from);
  std::vector<Bits> a, b, c;
  for (std::size_t i = 0; i < values.size() * values.size() || i % 64 != 0; ++i) {
    a.push_back(static_cast<Bits>(values[i / values.size() % values.size()]));
    b.push_back(static_cast<Bits>(values[i % values.size()]));
    c.push_back(static_cast<Bits>(values[i * 7 % values.size()]));
  }
  auto out = device.buffer<uint64_t>(a.size() * cases.size()).value();
  auto stream = device.stream();
  stream.launch(source_of<In<Bits>, In<Bits>, In<Bits>, Out<uint64_t>>(kernel, code), a.size(),
                device.upload(a).value(), device.upload(b).value(), device.upload(c).value(), out);
  stream.wait().value();
  const std::vector<uint64_t> results = read(device, out);
  int wrong = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Case& one = cases[i % cases.size()];
    const std::size_t item = i / cases.size();
    const auto expected = evaluate(one.op, one.from, one.to, {a[item], b[item], c[item]});
    ASSERT_TRUE(expected);
    if (agrees(one, *expected, results[i]) || ++wrong > 10) continue;
    ADD_FAILURE() << to_string(code.format) << ": " << name(one.op) << " of " << text_of(one.from) << " to "
                  << text_of(one.to) << std::hex << " of 0x" << +a[item] << ", 0x" << +b[item] << ", 0x"
                  << +c[item] << " is 0x" << results[i] << ", expected 0x" << *expected;
  }
  EXPECT_EQ(wrong, 0);
}

// Returns how many emitters refused.
int check_cases(const collet::Device& device, const std::vector<Case>& cases,
                const collet::emit::Target& target) {
  int refused = 0;
  const ir::Kernel kernel = parsed(kernel_text(cases));
  for (const Emitter& emitter : emitters(device)) {
    const auto code = emitter.emit(kernel, target);
    if (!code) {
      say_refused(device, code.error());
      ++refused;
      continue;
    }
    switch (ir::bits(cases.front().from)) {
      case 8: run_cases<uint8_t>(device, *code, kernel, cases); break;
      case 16: run_cases<uint16_t>(device, *code, kernel, cases); break;
      case 32: run_cases<uint32_t>(device, *code, kernel, cases); break;
      default: run_cases<uint64_t>(device, *code, kernel, cases); break;
    }
  }
  return refused;
}

// 64-bit integers are emulated.
bool lacks(const collet::emit::Target& target, Scalar scalar) {
  return scalar == Scalar::f64 && !target.float64;
}

int expected_refusals(const collet::Device& device, const collet::emit::Target& target, Scalar from,
                      Scalar to) {
  return lacks(target, from) || lacks(target, to) ? static_cast<int>(emitters(device).size()) : 0;
}

}  // namespace

CONFORMANCE_TEST(Emit, IntegerOperationsMeanWhatTheIrSays) {
  const auto target = target_of(device);
  for (const Scalar scalar : kIntegers) {
    std::vector<Case> cases;
    for (const Op op : {Op::negate,
                        Op::add,
                        Op::sub,
                        Op::mul,
                        Op::div,
                        Op::rem,
                        Op::min,
                        Op::max,
                        Op::abs,
                        Op::mul_high,
                        Op::bit_not,
                        Op::bit_and,
                        Op::bit_or,
                        Op::bit_xor,
                        Op::shl,
                        Op::shr,
                        Op::count_bits,
                        Op::leading_zeros,
                        Op::trailing_zeros,
                        Op::reverse_bits})
      cases.push_back({op, scalar, scalar});
    for (const Op op : {Op::eq, Op::ne, Op::lt, Op::le, Op::gt, Op::ge})
      cases.push_back({op, scalar, Scalar::boolean});
    EXPECT_EQ(check_cases(device, cases, target), expected_refusals(device, target, scalar, scalar));
  }
}

CONFORMANCE_TEST(Emit, FloatOperationsMeanWhatTheIrSays) {
  const auto target = target_of(device);
  for (const Scalar scalar : kFloats) {
    std::vector<Case> cases;
    for (const Op op : {Op::negate, Op::add, Op::sub, Op::mul, Op::div, Op::rem, Op::min, Op::max, Op::abs,
                        Op::floor, Op::ceil, Op::trunc, Op::round_even, Op::sqrt})
      cases.push_back({op, scalar, scalar});
    for (const Op op : {Op::eq, Op::ne, Op::lt, Op::le, Op::gt, Op::ge})
      cases.push_back({op, scalar, Scalar::boolean});
    EXPECT_EQ(check_cases(device, cases, target), expected_refusals(device, target, scalar, scalar));
  }
}

CONFORMANCE_TEST(Emit, FusedMultiplyAddRoundsOnce) {
  const auto target = target_of(device);
  for (const Scalar scalar : kFloats) {
    const int refused = check_cases(device, {{Op::fma, scalar, scalar}}, target);
    const bool emulated = target.float64 && target.int64 && scalar == Scalar::f32;
    // OpenCL C alone promises that it rounds once.
    const bool promised = device.info().exact_fma.value_or(false);
    EXPECT_EQ(refused, !promised && !emulated ? 1 : expected_refusals(device, target, scalar, scalar));
  }
}

CONFORMANCE_TEST(Emit, ConversionsMeanWhatTheIrSays) {
  const auto target = target_of(device);
  std::vector<Scalar> all(std::begin(kIntegers), std::end(kIntegers));
  all.insert(all.end(), std::begin(kFloats), std::end(kFloats));
  for (const Scalar from : all) {
    // What no device lacks, then the rest; in one kernel where there is all of it.
    std::vector<Case> narrow{{Op::convert, from, Scalar::boolean}};
    std::vector<Case> wide;
    for (const Scalar to : all) (ir::bits(to) < 64 ? narrow : wide).push_back({Op::convert, from, to});
    if (target.int64 && target.float64) {
      narrow.insert(narrow.end(), wide.begin(), wide.end());
      EXPECT_EQ(check_cases(device, narrow, target), 0);
      continue;
    }
    EXPECT_EQ(check_cases(device, narrow, target), expected_refusals(device, target, from, Scalar::u32));
    for (const Case& one : wide)
      EXPECT_EQ(check_cases(device, {one}, target), expected_refusals(device, target, from, one.to));
  }
}

}  // namespace conformance
