// The types of the kernel language: halves, vectors and structs, on the host and in traced kernels.

#include <gtest/gtest.h>
#include <cmath>
#include <collet/collet.hpp>

#include "backends/cpu/interpreter/half.hpp"
#include "core/kernel_state.hpp"
#include "kernel/ir/text.hpp"

namespace types_test {

struct Inner {
  float weight;
  collet::half2 pair;
  std::uint8_t kind;
};
COLLET_STRUCT(Inner, weight, pair, kind)

struct Particle {
  collet::float3 position;
  float mass;
  Inner inner;
};
COLLET_STRUCT(Particle, position, mass, inner)

// What the headers themselves like to call things.
struct Names {
  float place, value, from, to, other, make, each, body, parameter;
};
COLLET_STRUCT(Names, place, value, from, to, other, make, each, body, parameter)

}  // namespace types_test

namespace collet {
namespace {

using types_test::Particle;

template <class... Args>
std::string text(const Kernel<Args...>& kernel) {
  const detail::TracedCode& traced = *kernel.state()->traced;
  return traced ? ir::print(*traced) : traced.error().describe();
}

std::size_t count(const std::string& text, std::string_view word) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++found;
  return found;
}

// The lines between the declarations and the closing brace.
template <class... Args>
std::string body(const Kernel<Args...>& kernel) {
  const std::string all = text(kernel);
  const std::size_t begin = all.find("  %0");
  return begin == std::string::npos ? all : all.substr(begin, all.size() - begin - 2);
}

// A double near the middle of two halves: what the float between them drops decides.
TEST(Half, OfADoubleIsRoundedOnce) {
  namespace interpreter = backend::cpu::interpreter;
  for (std::uint16_t bits = 0; bits < 0x7bff; ++bits) {
    const auto next = static_cast<std::uint16_t>(bits + 1);
    const double middle = (double{half::from_bits(bits)} + double{half::from_bits(next)}) / 2;
    const std::uint16_t even = (bits & 1) == 0 ? bits : next;
    const std::pair<double, std::uint16_t> cases[] = {
        {middle, even}, {middle * (1 - 0x1p-40), bits}, {middle * (1 + 0x1p-40), next}};
    for (const auto& [value, expected] : cases) {
      ASSERT_EQ(half(value).bits(), expected) << value;
      ASSERT_EQ(half(-value).bits(), expected | 0x8000u) << value;
      ASSERT_EQ(interpreter::to_half(value).bits, expected) << value;
      ASSERT_EQ(interpreter::to_half(-value).bits, expected | 0x8000u) << value;
    }
  }
}

TEST(Half, EveryOneBecomesAFloatAndComesBack) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const half one = half::from_bits(static_cast<std::uint16_t>(bits));
    const float wide = one;
    const bool nan = (bits & 0x7fff) > 0x7c00;
    ASSERT_EQ(std::isnan(wide), nan) << bits;
    if (nan) {
      ASSERT_TRUE(std::isnan(static_cast<float>(half(wide)))) << bits;
      continue;
    }
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const auto mantissa = static_cast<double>(bits & 1023);
    double want = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
    if (exponent == 31) want = INFINITY;
    ASSERT_EQ(wide, (bits & 0x8000) != 0 ? -want : want) << bits;
    ASSERT_EQ(half(wide).bits(), bits);
    ASSERT_EQ(half(static_cast<double>(wide)).bits(), bits);
  }
}

TEST(Half, RoundsToTheNearestAndTiesToEven) {
  // Between each finite half and the next: below, at and above the middle.
  for (std::uint32_t bits = 0; bits < 0x7bff; ++bits) {
    const float low = half::from_bits(static_cast<std::uint16_t>(bits));
    const float high = half::from_bits(static_cast<std::uint16_t>(bits + 1));
    const float middle = low + (high - low) / 2;
    const std::uint32_t even = bits + (bits & 1);
    ASSERT_EQ(half(middle).bits(), even) << bits;
    ASSERT_EQ(half(std::nextafter(middle, 0.0f)).bits(), bits) << bits;
    ASSERT_EQ(half(std::nextafter(middle, 1e9f)).bits(), bits + 1) << bits;
    // A double nearer to the middle than any float is.
    ASSERT_EQ(half(std::nextafter(static_cast<double>(middle), 0.0)).bits(), bits) << bits;
    ASSERT_EQ(half(std::nextafter(static_cast<double>(middle), 1e9)).bits(), bits + 1) << bits;
    ASSERT_EQ(half(-middle).bits(), even | 0x8000) << bits;
  }
  EXPECT_EQ(half(65519.0f).bits(), 0x7bff);
  EXPECT_EQ(half(65520.0f).bits(), 0x7c00);
  EXPECT_EQ(half(2049).bits(), half(2048).bits());
}

TEST(Half, IsWhatTheInterpreterTakesItFor) {
  namespace interpreter = backend::cpu::interpreter;
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += 4099) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    ASSERT_EQ(half(value).bits(), interpreter::to_half(value).bits) << bits;
  }
}

TEST(Vectors, ArePackedTightly) {
  EXPECT_EQ(sizeof(float3), 12u);
  EXPECT_EQ(alignof(float4), 4u);
  EXPECT_EQ(sizeof(half3), 6u);
  EXPECT_EQ(sizeof(vec<std::uint8_t, 3>), 3u);
}

TEST(Vectors, ArithmeticIsComponentByComponent) {
  const auto k = kernel("k", [](In<float3> a, Out<float3> out, Value<float> s) {
    const auto i = global_id();
    out[i] = s * a[i] + float3{1, 2, 3};
  });
  EXPECT_EQ(text(k), R"(kernel k group(64, 1, 1) {
  buffer buffer0: f32x3 in
  buffer buffer1: f32x3 out
  value value0: f32
  %0: u32 = global_id 0
  %1: f32 = parameter value0
  %2: f32x3 = compose %1, %1, %1
  %3: f32x3 = load buffer0[%0]
  %4: f32x3 = mul %2, %3
  %5: f32 = constant 1.0
  %6: f32 = constant 2.0
  %7: f32 = constant 3.0
  %8: f32x3 = compose %5, %6, %7
  %9: f32x3 = add %4, %8
  store buffer1[%0], %9
}
)");
}

TEST(Vectors, ComponentsOfVariablesAndElementsAreAssigned) {
  const auto k = kernel("k", [](InOut<uint2> a) {
    Var<uint2> v = a[0u];
    v.y += v.x;
    a[1u] = v;
    a[2u].y = 7u;
  });
  EXPECT_EQ(body(k), R"(  %0: u32x2 = variable
  %1: u32 = constant 0
  %2: u32x2 = load buffer0[%1]
  set %0, %2
  %3: u32x2 = get %0
  %4: u32 = extract %3, 0
  %5: u32x2 = get %0
  %6: u32 = extract %5, 1
  %7: u32x2 = get %0
  %8: u32 = extract %7, 0
  %9: u32 = add %6, %8
  %10: u32x2 = compose %4, %9
  set %0, %10
  %11: u32 = constant 1
  %12: u32x2 = get %0
  store buffer0[%11], %12
  %13: u32 = constant 2
  %14: u32 = constant 7
  store buffer0[%13]+4, %14
)");
}

// Compiled with -Wshadow.
TEST(Structs, MayCallTheirFieldsAnything) {
  using types_test::Names;
  const auto named = kernel("named", [](In<Names> a, Out<Names> b, InOut<Names> c, Value<Names> one) {
    const auto i = global_id();
    Var<Names> x = a[i];
    x.place = x.place + one.value;
    b[i] = x;
    c[i] = x;
    c[i].make = a[i].each;
  });
  EXPECT_EQ(count(text(named), "store buffer2"), 10) << text(named);
}

TEST(Structs, FieldsAreReachedAtTheirOffsets) {
  const auto k = kernel("k", [](In<Particle> in, Out<Particle> out, Value<Particle> value) {
    const auto i = global_id();
    out[i].mass = in[i].inner.weight + value.mass;
    out[i].position.z = in[i].position.y;
  });
  EXPECT_EQ(text(k), R"(kernel k group(64, 1, 1) {
  buffer buffer0: bytes(28) in
  buffer buffer1: bytes(28) out
  value value0: bytes(28, 4)
  %0: u32 = global_id 0
  %1: f32 = load buffer0[%0]+16
  %2: f32 = parameter value0+12
  %3: f32 = add %1, %2
  store buffer1[%0]+12, %3
  %4: f32x3 = load buffer0[%0]
  %5: f32 = extract %4, 1
  store buffer1[%0]+8, %5
}
)");
}

TEST(Structs, AreCopiedAsAWhole) {
  const auto k = kernel("k", [](In<Particle> in, Out<Particle> out) { out[1u] = in[2u]; });
  const std::string printed = text(k);
  for (const char* field : {"]+12", "]+16", "]+20", "]+24", "f32x3", "f16x2", "u8"})
    EXPECT_NE(printed.find(field), std::string::npos) << field << " is not in\n" << printed;
  EXPECT_EQ(count(printed, "store"), 5u) << printed;
}

TEST(Structs, AVariableHoldsOne) {
  const auto k = kernel("k", [](InOut<Particle> p) {
    Var<Particle> v = p[0u];
    Var<Particle> w = v;
    v.mass = 2.0f;
    v = p[1u];
    p[2u] = w;
    p[3u] = v;
    p[4u] = p[5u];
  });
  // Of each of two variables five fields, and three copies of five fields each.
  EXPECT_EQ(count(text(k), "= variable"), 10u) << text(k);
  EXPECT_EQ(count(text(k), "store"), 15u) << text(k);
}

}  // namespace
}  // namespace collet
