// What needs more than one item or a type that few devices have: atomics, subgroups, halves.

#include <bit>
#include <cmath>

#include "conformance/emitted.hpp"

namespace conformance {
namespace {

using collet::In;
using collet::InOut;
using collet::Out;
namespace ir = collet::ir;

// Rounds to the nearest half, ties to even, by arithmetic that needs no table.
uint16_t to_half(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return static_cast<uint16_t>(sign | 0x7e00);
  if (magnitude >= 65520.0f) return static_cast<uint16_t>(sign | 0x7c00);
  if (magnitude == 0) return sign;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int unit = std::max(exponent - 11, -24);  // of the last bit
  const auto steps = static_cast<uint32_t>(std::nearbyint(std::ldexp(magnitude, -unit)));
  return static_cast<uint16_t>(sign | ((static_cast<uint32_t>(unit + 24) << 10) + steps));
}

float from_half(uint16_t half) {
  const int exponent = half >> 10 & 31;
  const int fraction = half & 1023;
  const float sign = (half & 0x8000) != 0 ? -1.0f : 1.0f;
  if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
  return sign * std::ldexp(static_cast<float>(exponent == 0 ? fraction : fraction + 1024),
                           std::max(exponent, 1) - 25);
}

constexpr const char* kHalves = R"(kernel halves group(64, 1, 1) {
  buffer x: f16 in
  buffer y: f16 in
  buffer wide: f32 out
  buffer sum: f16 out
  %0: u32 = global_id 0
  %1: f16 = load x[%0]
  %2: f16 = load y[%0]
  %3: f32 = convert %1
  store wide[%0], %3
  %4: f16 = mul %1, %2
  %5: f16 = add %4, %1
  store sum[%0], %5
}
)";

constexpr const char* kAtomics = R"(kernel atomics group(64, 1, 1) {
  buffer u: u32 inout
  buffer s: i32 inout
  %0: u32 = global_id 0
  %1: u32 = constant 0
  %2: u32 = constant 1
  %3: u32 = constant 2
  %4: u32 = constant 3
  %5: u32 = constant 4
  %6: u32 = constant 5
  %7: u32 = constant 6
  %8: u32 = constant 7
  %9: u32 = atomic_add u[%1], %0
  %10: u32 = atomic_sub u[%2], %2
  %11: u32 = atomic_max u[%3], %0
  %12: u32 = constant 31
  %13: u32 = bit_and %0, %12
  %14: u32 = shl %2, %13
  %15: u32 = atomic_or u[%4], %14
  %16: u32 = bit_not %14
  %17: u32 = atomic_and u[%5], %16
  %18: u32 = atomic_xor u[%6], %0
  loop {
    %19: u32 = atomic_load u[%7]
    %20: u32 = add %19, %3
    %21: u32 = atomic_compare_exchange u[%7], %19, %20
    %22: bool = eq %21, %19
    if %22 {
      break
    }
  }
  %23: u32 = constant 9
  atomic_store u[%8], %23
  %24: i32 = bitcast %0
  %25: i32 = negate %24
  %26: i32 = atomic_min s[%1], %25
  %27: i32 = atomic_max s[%2], %25
  %28: i32 = atomic_exchange s[%3], %24
}
)";

// Constants and expressions of fewer than 32 bits, which a compiler of C takes for ints.
constexpr const char* kSmallBits = R"(kernel small group(1, 1, 1) {
  buffer shorts: u16 in
  buffer out: u32 out
  %0: u32 = constant 0
  %1: u32 = constant 1
  %2: u32 = constant 2
  %3: f16 = constant 0xc880
  %4: i16 = bitcast %3
  %5: i16 = constant 0
  %6: bool = lt %4, %5
  if %6 {
    store out[%0], %1
  }
  %7: u8 = constant 200
  %8: i8 = bitcast %7
  %9: i8 = constant 0
  %10: bool = lt %8, %9
  if %10 {
    store out[%1], %1
  }
  %11: u16 = load shorts[%0]
  %12: u16 = load shorts[%1]
  %13: u16 = select %6, %11, %12
  %14: u16 = add %13, %12
  %15: i16 = bitcast %14
  %16: bool = lt %15, %5
  if %16 {
    store out[%2], %1
  }
}
)";

constexpr const char* kSubgroups = R"(kernel subgroups group(64, 1, 1) {
  buffer out: bytes(32) out
  %0: u32 = global_id 0
  %1: u32 = subgroup_lane 0
  %2: u32 = subgroup_size 0
  %3: u32 = subgroup_add %1
  %4: u32 = subgroup_scan_add %2
  %5: u32 = subgroup_max %1
  %6: u32 = constant 0
  %7: bool = eq %1, %6
  %8: bool = subgroup_any %7
  %9: bool = subgroup_all %7
  %10: u32 = convert %8
  %11: u32 = convert %9
  %12: u32 = constant 1
  %13: u32 = bit_xor %1, %12
  %14: u32 = subgroup_shuffle %1, %13
  %15: u32 = subgroup_broadcast_first %0
  store out[%0], %2
  store out[%0]+4, %3
  store out[%0]+8, %4
  store out[%0]+12, %5
  store out[%0]+16, %10
  store out[%0]+20, %11
  store out[%0]+24, %14
  store out[%0]+28, %15
}
)";

struct Lane {
  uint32_t size, sum, scan, most, any, all, other, first;
};

}  // namespace

CONFORMANCE_TEST(Emit, HalvesAreRoundedAfterEachOperation) {
  std::vector<uint16_t> x(65536), y(65536);
  for (uint32_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<uint16_t>(i), y[i] = static_cast<uint16_t>(i * 40503u);
  const ir::Kernel kernel = parsed(kHalves);
  for (const Emitter& emitter : emitters(device)) {
    const auto code = emitter.emit(kernel, target_of(device)).value();
    auto wide = device.buffer<float>(x.size()).value();
    auto sum = device.buffer<uint16_t>(x.size()).value();
    auto stream = device.stream();
    stream.launch(source_of<In<uint16_t>, In<uint16_t>, Out<float>, Out<uint16_t>>(kernel, code), x.size(),
                  device.upload(x).value(), device.upload(y).value(), wide, sum);
    stream.wait().value();
    const auto floats = read(device, wide);
    const auto halves = read(device, sum);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float a = from_half(x[i]);
      if (std::isnan(a)) {
        ASSERT_TRUE(std::isnan(floats[i])) << i;
        ASSERT_TRUE(std::isnan(from_half(halves[i]))) << i;
        continue;
      }
      ASSERT_EQ(std::bit_cast<uint32_t>(floats[i]), std::bit_cast<uint32_t>(a)) << i;
      const uint16_t expected = to_half(from_half(to_half(a * from_half(y[i]))) + a);
      if (std::isnan(from_half(expected)))
        ASSERT_TRUE(std::isnan(from_half(halves[i]))) << i;
      else
        ASSERT_EQ(halves[i], expected) << i;
    }
  }
}

CONFORMANCE_TEST(Emit, BitsOfSmallNumbersInConditions) {
  const ir::Kernel kernel = parsed(kSmallBits);
  for (const Emitter& emitter : emitters(device)) {
    const auto code = emitter.emit(kernel, target_of(device)).value();
    auto out = device.buffer<uint32_t>(3).value();
    auto stream = device.stream();
    stream.launch(source_of<In<uint16_t>, Out<uint32_t>>(kernel, code), 1,
                  device.upload<uint16_t>({0xffff, 0x8000}).value(), out);
    stream.wait().value();
    EXPECT_EQ(read(device, out), (std::vector<uint32_t>{1, 1, 0}));
  }
}

CONFORMANCE_TEST(Emit, AtomicsOfBothSigns) {
  const ir::Kernel kernel = parsed(kAtomics);
  for (const Emitter& emitter : emitters(device)) {
    const auto code = emitter.emit(kernel, target_of(device)).value();
    auto u = device.upload(Words{0, 1000, 5, 0, ~0u, 0, 0, 0}).value();
    auto s = device.upload(std::vector<int32_t>{-3, -3, -1}).value();
    auto stream = device.stream();
    stream.launch(source_of<InOut<uint32_t>, InOut<int32_t>>(kernel, code), 256, u, s);
    stream.wait().value();
    EXPECT_EQ(read(device, u), (Words{255 * 128, 1000 - 256, 255, ~0u, 0, 0, 512, 9}));
    const auto found = read(device, s);
    EXPECT_EQ(found[0], -255);
    EXPECT_EQ(found[1], 0);
    EXPECT_TRUE(found[2] >= 0 && found[2] < 256) << found[2];
  }
}

CONFORMANCE_TEST(Emit, SubgroupsOrARefusalByName) {
  const ir::Kernel kernel = parsed(kSubgroups);
  const auto target = target_of(device);
  for (const Emitter& emitter : emitters(device)) {
    const auto code = emitter.emit(kernel, target);
    ASSERT_EQ(code.has_value(), target.subgroups && emitter.format != collet::Format::spirv_kernel);
    if (!code) {
      EXPECT_NE(code.error().message().find("needs subgroups"), std::string::npos);
      say_refused(device, code.error());
      continue;
    }
    auto out = device.buffer<Lane>(128).value();
    const auto made = source_of<Out<Lane>>(kernel, *code);
    if (const auto built = device.compile(made); !built) {
      say_refused(device, built.error());
      continue;
    }
    auto stream = device.stream();
    stream.launch(made, 128, out);
    stream.wait().value();
    const auto lanes = read(device, out);
    const uint32_t size = lanes[0].size;
    ASSERT_TRUE(size > 1 && 64 % size == 0) << size;
    for (uint32_t i = 0; i < 128; ++i) {
      const uint32_t lane = i % size;
      const Lane& one = lanes[i];
      ASSERT_EQ(one.sum, size * (size - 1) / 2) << i;
      ASSERT_EQ(one.scan, size * (lane + 1)) << i;
      ASSERT_EQ(one.most, size - 1) << i;
      ASSERT_EQ(one.any, 1u) << i;
      ASSERT_EQ(one.all, 0u) << i;
      ASSERT_EQ(one.other, lane ^ 1) << i;
      ASSERT_EQ(one.first, i - lane) << i;
    }
  }
}

}  // namespace conformance
