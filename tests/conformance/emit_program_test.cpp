// Whole kernels: memory of every shape, control flow, groups that work together, and what a launch adds.

#include <bit>
#include <cmath>
#include <cstdlib>

#include "conformance/emitted.hpp"

namespace conformance {
namespace {

using collet::Count;
using collet::In;
using collet::InOut;
using collet::Out;
using collet::Value;
using collet::emit::Emitted;
using collet::emit::Target;
namespace ir = collet::ir;

// Calls body(kernel, code) for every emitter; a refusal is said and counted.
template <class Body>
int with_emitters(const collet::Device& device, const std::string& text, const Target& target,
                  const Body& body) {
  int refused = 0;
  const ir::Kernel kernel = parsed(text);
  for (const Emitter& emitter : emitters(device)) {
    SCOPED_TRACE(std::string(to_string(emitter.format)));
    const auto code = emitter.emit(kernel, target);
    if (code) {
      body(kernel, *code);
    } else {
      say_refused(device, code.error());
      ++refused;
    }
  }
  return refused;
}

Words ramp(std::size_t count, uint32_t factor) {
  Words words(count);
  for (std::size_t i = 0; i < count; ++i) words[i] = static_cast<uint32_t>(i) * factor;
  return words;
}

constexpr const char* kSaxpy = R"(kernel saxpy group(64, 1, 1) {
  buffer x: f32 in
  buffer y: f32 inout
  value a: f32
  %0: u32 = global_id 0
  %1: u32 = element_count 0
  %2: bool = ge %0, %1
  if %2 {
    return
  }
  %3: f32 = load x[%0]
  %4: f32 = parameter a
  %5: f32 = mul %4, %3
  %6: f32 = load y[%0]
  %7: f32 = add %5, %6
  store y[%0], %7
}
)";

constexpr const char* kMatmul = R"(kernel matmul group(8, 8, 1) {
  buffer a: f32 in
  buffer b: f32 in
  buffer c: f32 out
  value n: u32
  workgroup ta: f32 [64]
  workgroup tb: f32 [64]
  %0: u32 = local_id 0
  %1: u32 = local_id 1
  %2: u32 = global_id 0
  %3: u32 = global_id 1
  %4: u32 = parameter n
  %5: u32 = constant 8
  %6: u32 = constant 0
  %7: u32 = constant 1
  %8: u32 = div %4, %5
  %9: f32 = variable
  %10: u32 = mul %1, %5
  %11: u32 = add %10, %0
  %12: u32 = mul %3, %4
  %13: u32 = range %6, %8, %7 {
    %14: u32 = mul %13, %5
    %15: u32 = add %14, %0
    %16: u32 = add %12, %15
    %17: f32 = load a[%16]
    store ta[%11], %17
    %18: u32 = add %14, %1
    %19: u32 = mul %18, %4
    %20: u32 = add %19, %2
    %21: f32 = load b[%20]
    store tb[%11], %21
    barrier
    %22: u32 = range %6, %5, %7 {
      %23: u32 = add %10, %22
      %24: f32 = load ta[%23]
      %25: u32 = mul %22, %5
      %26: u32 = add %25, %0
      %27: f32 = load tb[%26]
      %28: f32 = mul %24, %27
      %29: f32 = get %9
      %30: f32 = add %29, %28
      set %9, %30
    }
    barrier
  }
  %31: u32 = add %12, %2
  %32: f32 = get %9
  store c[%31], %32
}
)";

constexpr const char* kHistogram = R"(kernel histogram group(64, 1, 1) {
  buffer x: u32 in
  buffer bins: u32 inout
  workgroup local: u32 [16]
  %0: u32 = local_id 0
  %1: u32 = constant 16
  %2: u32 = constant 0
  %3: bool = lt %0, %1
  if %3 {
    store local[%0], %2
  }
  barrier
  %4: u32 = global_id 0
  %5: u32 = load x[%4]
  %6: u32 = rem %5, %1
  %7: u32 = constant 1
  %8: u32 = atomic_add local[%6], %7
  barrier
  if %3 {
    %9: u32 = atomic_load local[%0]
    %10: u32 = atomic_add bins[%0], %9
  }
}
)";

// A Collatz walk with continue, break and a return out of a loop.
constexpr const char* kDivergent = R"(kernel divergent group(64, 1, 1) {
  buffer out: u32 inout
  %0: u32 = global_id 0
  %1: u32 = variable
  %2: u32 = variable
  %3: u32 = constant 1
  %4: u32 = add %0, %3
  set %1, %4
  %5: u32 = constant 2
  %6: u32 = constant 3
  %7: u32 = constant 0
  %8: u32 = constant 100
  loop {
    %9: u32 = get %1
    %10: bool = eq %9, %3
    if %10 {
      break
    }
    %11: u32 = get %2
    %12: bool = ge %11, %8
    if %12 {
      %13: u32 = constant 999
      store out[%0], %13
      return
    }
    %14: u32 = rem %9, %5
    %15: bool = eq %14, %7
    if %15 {
      %16: u32 = div %9, %5
      set %1, %16
      continue
    }
    %17: u32 = mul %9, %6
    %18: u32 = add %17, %3
    set %1, %18
  } continuing {
    %19: u32 = get %2
    %20: u32 = add %19, %3
    set %2, %20
  }
  %21: u32 = get %2
  store out[%0], %21
}
)";

uint32_t collatz(uint32_t value) {
  for (uint32_t steps = 0;; ++steps) {
    if (value == 1) return steps;
    if (steps >= 100) return 999;
    value = value % 2 == 0 ? value / 2 : value * 3 + 1;
  }
}

// Reverses eight values through a private array; the values are vectors.
constexpr const char* kPrivate = R"(kernel reversed group(64, 1, 1) {
  buffer x: f32x4 in
  buffer y: f32x4 out
  item kept: f32x4 [4]
  %0: u32 = global_id 0
  %1: u32 = constant 4
  %2: u32 = mul %0, %1
  %3: u32 = constant 0
  %4: u32 = constant 1
  %5: u32 = range %3, %1, %4 {
    %6: u32 = add %2, %5
    %7: f32x4 = load x[%6]
    %8: f32x4 = add %7, %7
    store kept[%5], %8
  }
  %9: u32 = constant 3
  %10: u32 = range %3, %1, %4 {
    %11: u32 = sub %9, %10
    %12: f32x4 = load kept[%11]
    %13: f32 = extract %12, 3
    %14: f32 = extract %12, 2
    %15: f32 = extract %12, 1
    %16: f32 = extract %12, 0
    %17: f32x4 = compose %13, %14, %15, %16
    %18: u32 = add %2, %10
    store y[%18], %17
  }
}
)";

// A struct of u32, u16, u8, u8, f32x2: accesses of three sizes.
constexpr const char* kStructs = R"(kernel structs group(64, 1, 1) {
  buffer s: bytes(16) inout
  value k: bytes(12, 4)
  value small: u8
  value wide: f32x3
  %0: u32 = global_id 0
  %1: u32 = load s[%0]
  %2: u16 = load s[%0]+4
  %3: u8 = load s[%0]+6
  %4: f32x2 = load s[%0]+8
  %5: u32 = parameter k+4
  %6: u16 = parameter k+10
  %7: u8 = parameter small
  %8: f32 = parameter wide+8
  %9: u32 = add %1, %5
  store s[%0], %9
  %10: u16 = add %2, %6
  store s[%0]+4, %10
  %11: u8 = add %3, %7
  store s[%0]+6, %11
  store s[%0]+7, %3
  %12: f32x2 = compose %8, %8
  %13: f32x2 = mul %4, %12
  store s[%0]+8, %13
}
)";

struct Mixed {
  uint32_t word;
  uint16_t half;
  uint8_t first, second;
  float pair[2];
  friend bool operator==(const Mixed&, const Mixed&) = default;
};
struct Settings {
  uint32_t unused, add;
  uint16_t other, half;
};
struct Triple {
  float x, y, z;
};

// Bytes that neighbours in a word write at once, in a buffer, in workgroup memory and in a private array.
constexpr const char* kBytes = R"(kernel bytes_of group(64, 1, 1) {
  buffer x: u8 in
  buffer y: u8 out
  buffer z: i16 inout
  workgroup w: u8 [64]
  item p: i8 [5]
  %0: u32 = global_id 0
  %1: u32 = element_count 0
  %2: u32 = local_id 0
  %3: u8 = load x[%0]
  store w[%2], %3
  barrier
  %4: bool = lt %0, %1
  if %4 {
    %5: u32 = constant 1
    %6: u32 = bit_xor %2, %5
    %7: u8 = load w[%6]
    %8: u8 = constant 200
    %9: u8 = add %7, %8
    store y[%0], %9
    %10: i8 = convert %3
    %11: u32 = constant 3
    store p[%11], %10
    %12: i8 = load p[%11]
    %13: i16 = load z[%0]
    %14: i16 = convert %12
    %15: i16 = mul %13, %14
    store z[%0], %15
    %16: u32 = length y
    %17: u32 = length z
    %18: u32 = constant 0
    %19: bool = eq %0, %18
    if %19 {
      %20: u8 = convert %16
      store y[%0], %20
      %21: i16 = convert %17
      store z[%0], %21
    }
  }
}
)";

void run_bytes(const collet::Device& device, const Target& target, std::size_t n) {
  std::vector<uint8_t> x(64 * ((n + 63) / 64));
  std::vector<int16_t> z(n);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<uint8_t>(i * 37 + 5);
  for (std::size_t i = 0; i < n; ++i) z[i] = static_cast<int16_t>(i * 1009 - 500);
  with_emitters(device, kBytes, target, [&](const ir::Kernel& kernel, const Emitted& code) {
    ASSERT_EQ(code.counts, std::vector<uint32_t>{0});
    ASSERT_EQ(code.lengths, (std::vector<uint32_t>{1, 2}));
    auto in = device.upload(x).value();
    auto out = device.buffer<uint8_t>(n).value();
    auto both = device.upload(z).value();
    const auto made =
        source_of<In<uint8_t>, Out<uint8_t>, InOut<int16_t>, Count, Value<uint32_t>, Value<uint32_t>>(kernel,
                                                                                                      code);
    if (const auto built = device.compile(made); !built) return say_refused(device, built.error());
    auto stream = device.stream();
    stream.launch(made, n, in, out, both, static_cast<uint32_t>(n), static_cast<uint32_t>(n));
    stream.wait().value();
    const auto bytes = read(device, out);
    const auto shorts = read(device, both);
    for (std::size_t i = 1; i < n; ++i) {
      ASSERT_EQ(bytes[i], static_cast<uint8_t>(x[i ^ 1] + 200)) << i;
      ASSERT_EQ(shorts[i], static_cast<int16_t>(z[i] * static_cast<int8_t>(x[i]))) << i;
    }
    EXPECT_EQ(bytes[0], static_cast<uint8_t>(n));
    EXPECT_EQ(shorts[0], static_cast<int16_t>(n));
  });
}

// Each byte has a writer of its own, and those of one word are in different groups.
constexpr const char* kNeighbours = R"(kernel neighbours group(64, 1, 1) {
  buffer x: u8 out
  value words: u32
  %0: u32 = global_id 0
  %1: u32 = parameter words
  %2: u32 = rem %0, %1
  %3: u32 = div %0, %1
  %4: u32 = constant 4
  %5: u32 = mul %2, %4
  %6: u32 = add %5, %3
  %7: u32 = constant 37
  %8: u32 = mul %6, %7
  %9: u8 = convert %8
  store x[%6], %9
}
)";

// All items write the same few bytes, in a buffer and in workgroup memory: 0x55 by one half, 0xAA by the
// other.
constexpr const char* kOneByte = R"(kernel one_byte group(64, 1, 1) {
  buffer x: u8 inout
  buffer y: u8 out
  workgroup w: u8 [4]
  %0: u32 = local_id 0
  %1: u32 = constant 1
  %2: u32 = bit_and %0, %1
  %3: u32 = constant 85
  %4: u32 = add %2, %1
  %5: u32 = mul %4, %3
  %6: u8 = convert %5
  %7: u32 = shr %0, %1
  %8: u32 = constant 3
  %9: u32 = bit_and %7, %8
  %10: u32 = constant 0
  %11: u32 = constant 50
  %12: u32 = range %10, %11, %1 {
    store x[%9], %6
    store w[%9], %6
  }
  barrier
  %13: u8 = load w[%9]
  %14: u32 = global_id 0
  store y[%14], %13
}
)";

constexpr std::size_t kBytesAtOnce = 1 << 18;

// COLLET_RACING_BYTES is how many bytes race in all.
std::size_t racing_rounds() {
  const char* asked = std::getenv("COLLET_RACING_BYTES");
  const std::size_t bytes = asked != nullptr ? std::strtoull(asked, nullptr, 10) : 0;
  return std::max<std::size_t>((bytes + kBytesAtOnce - 1) / kBytesAtOnce, 1);
}

}  // namespace

CONFORMANCE_TEST(Emit, NoByteOfNeighboursIsLost) {
  with_emitters(device, kNeighbours, target_of(device), [&](const ir::Kernel& kernel, const Emitted& code) {
    auto x = device.buffer<uint8_t>(kBytesAtOnce).value();
    auto stream = device.stream();
    const auto made = source_of<Out<uint8_t>, Value<uint32_t>>(kernel, code);
    std::size_t lost = 0;
    for (std::size_t round = 0; round < racing_rounds(); ++round) {
      stream.fill(x, uint8_t{1});
      stream.launch(made, kBytesAtOnce, x, static_cast<uint32_t>(kBytesAtOnce / 4));
      stream.wait().value();
      const auto found = read(device, x);
      for (std::size_t i = 0; i < found.size(); ++i) lost += found[i] != static_cast<uint8_t>(i * 37) ? 1 : 0;
    }
    EXPECT_EQ(lost, 0u) << "of " << racing_rounds() * kBytesAtOnce;
  });
}

CONFORMANCE_TEST(Emit, AByteThatManyWriteIsOneOfTheirs) {
  constexpr std::size_t kItems = 64 * 100;
  const auto is_one = [](uint8_t byte) { return byte == 0x55 || byte == 0xAA; };
  with_emitters(device, kOneByte, target_of(device), [&](const ir::Kernel& kernel, const Emitted& code) {
    auto x = device.buffer<uint8_t>(4).value();
    auto y = device.buffer<uint8_t>(kItems).value();
    auto stream = device.stream();
    stream.launch(source_of<InOut<uint8_t>, Out<uint8_t>>(kernel, code), kItems, x, y);
    stream.wait().value();
    for (const uint8_t byte : read(device, x)) EXPECT_TRUE(is_one(byte)) << int{byte};
    std::size_t torn = 0;
    for (const uint8_t byte : read(device, y)) torn += is_one(byte) ? 0 : 1;
    EXPECT_EQ(torn, 0u);
  });
}

CONFORMANCE_TEST(Emit, SaxpyWithARaggedLastGroup) {
  std::vector<float> x(1000), y(1000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.1f * static_cast<float>(i), y[i] = 3.0f - x[i];
  with_emitters(device, kSaxpy, target_of(device), [&](const ir::Kernel& kernel, const Emitted& code) {
    ASSERT_EQ(code.counts, std::vector<uint32_t>{0});
    auto dy = device.upload(y).value();
    auto stream = device.stream();
    stream.launch(source_of<In<float>, InOut<float>, Value<float>, Count>(kernel, code), x.size(),
                  device.upload(x).value(), dy, 1.7f);
    stream.wait().value();
    const auto found = read(device, dy);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const volatile float product = 1.7f * x[i];  // not contracted
      ASSERT_EQ(found[i], product + y[i]) << i;
    }
  });
}

CONFORMANCE_TEST(Emit, TiledProductOfMatricesWithBarriers) {
  constexpr uint32_t kSize = 32;
  std::vector<float> a(kSize * kSize), b(kSize * kSize), expected(kSize * kSize);
  for (uint32_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<float>(i % 7), b[i] = static_cast<float>(i % 5) - 2;
  for (uint32_t i = 0; i < kSize; ++i) {
    for (uint32_t j = 0; j < kSize; ++j) {
      for (uint32_t k = 0; k < kSize; ++k) expected[i * kSize + j] += a[i * kSize + k] * b[k * kSize + j];
    }
  }
  with_emitters(device, kMatmul, target_of(device), [&](const ir::Kernel& kernel, const Emitted& code) {
    auto c = device.buffer<float>(a.size()).value();
    auto stream = device.stream();
    stream.launch(source_of<In<float>, In<float>, Out<float>, Value<uint32_t>>(kernel, code),
                  collet::elements(kSize, kSize), device.upload(a).value(), device.upload(b).value(), c,
                  kSize);
    stream.wait().value();
    EXPECT_EQ(read(device, c), expected);
  });
}

CONFORMANCE_TEST(Emit, HistogramWithAtomics) {
  const Words x = pattern(64 * 100);
  Words expected(16);
  for (const uint32_t one : x) ++expected[one % 16];
  with_emitters(device, kHistogram, target_of(device), [&](const ir::Kernel& kernel, const Emitted& code) {
    auto bins = device.buffer<uint32_t>(16).value();
    auto stream = device.stream();
    stream.launch(source_of<In<uint32_t>, InOut<uint32_t>>(kernel, code), x.size(), device.upload(x).value(),
                  bins);
    stream.wait().value();
    EXPECT_EQ(read(device, bins), expected);
  });
}

CONFORMANCE_TEST(Emit, LoopsThatItemsLeaveAtDifferentTimes) {
  with_emitters(device, kDivergent, target_of(device), [&](const ir::Kernel& kernel, const Emitted& code) {
    auto out = device.buffer<uint32_t>(256).value();
    auto stream = device.stream();
    stream.launch(source_of<InOut<uint32_t>>(kernel, code), 256, out);
    stream.wait().value();
    const Words found = read(device, out);
    for (uint32_t i = 0; i < 256; ++i) ASSERT_EQ(found[i], collatz(i + 1)) << i;
  });
}

CONFORMANCE_TEST(Emit, PrivateArraysOfVectors) {
  std::vector<float> x(64 * 16);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  with_emitters(device, kPrivate, target_of(device), [&](const ir::Kernel& kernel, const Emitted& code) {
    auto y = device.buffer<float>(x.size()).value();
    auto stream = device.stream();
    stream.launch(source_of<In<float>, Out<float>>(kernel, code), 64, device.upload(x).value(), y);
    stream.wait().value();
    const auto found = read(device, y);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(found[i], 2 * x[i / 16 * 16 + 15 - i % 16]) << i;
  });
}

CONFORMANCE_TEST(Emit, StructsAndConstantsOfMixedSizes) {
  std::vector<Mixed> before(64), after(64);
  const Settings settings{1, 77, 2, 65000};
  for (uint32_t i = 0; i < 64; ++i) {
    const auto small = static_cast<uint8_t>(i * 4);
    before[i] = {i * 1000003u, static_cast<uint16_t>(i * 999), small, 9, {static_cast<float>(i), -1.5f}};
    after[i] = {before[i].word + 77,
                static_cast<uint16_t>(before[i].half + 65000),
                static_cast<uint8_t>(small + 250),
                small,
                {static_cast<float>(i) * 0.5f, -0.75f}};
  }
  with_emitters(device, kStructs, target_of(device), [&](const ir::Kernel& kernel, const Emitted& code) {
    auto buffer = device.upload(before).value();
    auto stream = device.stream();
    stream.launch(source_of<InOut<Mixed>, Value<Settings>, Value<uint8_t>, Value<Triple>>(kernel, code), 64,
                  buffer, settings, uint8_t{250}, Triple{1, 2, 0.5f});
    stream.wait().value();
    EXPECT_TRUE(read(device, buffer) == after);
  });
}

CONFORMANCE_TEST(Emit, BytesAndShortsThroughWords) {
  for (const std::size_t n : {1, 5, 64, 250}) run_bytes(device, target_of(device), n);
}

CONFORMANCE_TEST(Emit, BytesAndShortsWhereTheDeviceStoresThem) {
  Target target = target_of(device);
  target.storage8 = target.storage16 = true;  // a device that lacks it refuses the module by name
  for (const std::size_t n : {1, 5, 250}) run_bytes(device, target, n);
}

CONFORMANCE_TEST(Emit, RangesNeverWrapAround) {
  const std::string text = R"(kernel ranges group(1, 1, 1) {
  buffer out: u32 inout
  value step: u32
  %0: u32 = constant 4294967280
  %1: u32 = constant 4294967295
  %2: u32 = parameter step
  %3: u32 = variable
  %4: u32 = constant 1
  %5: u32 = constant 0
  %6: u32 = range %0, %1, %2 {
    %7: u32 = get %3
    %8: u32 = add %7, %4
    set %3, %8
  }
  %9: u32 = get %3
  store out[%5], %9
  set %3, %5
  %10: i32 = constant -2147483648
  %11: i32 = constant 2147483647
  %12: i32 = constant 2000000000
  %13: i32 = range %10, %11, %12 {
    %14: u32 = get %3
    %15: u32 = add %14, %4
    set %3, %15
  }
  %16: u32 = get %3
  store out[%4], %16
}
)";
  with_emitters(device, text, target_of(device), [&](const ir::Kernel& kernel, const Emitted& code) {
    // With 5 the end itself would be next.
    for (const uint32_t step : {5u, 7u}) {
      auto out = device.buffer<uint32_t>(2).value();
      auto stream = device.stream();
      stream.launch(source_of<InOut<uint32_t>, Value<uint32_t>>(kernel, code), 1, out, step);
      stream.wait().value();
      EXPECT_EQ(read(device, out), (Words{3, 3})) << step;
    }
  });
}

CONFORMANCE_TEST(Emit, UniformGivesAllItemsTheFirstOnesValue) {
  const std::string text = R"(kernel same group(64, 1, 1) {
  buffer x: u32 in
  buffer out: u32 out
  %0: u32 = global_id 0
  %1: u32 = load x[%0]
  %2: u32 = uniform %1
  %3: u32 = constant 5
  %4: bool = gt %1, %3
  %5: bool = uniform %4
  %6: u32 = convert %5
  %7: u32 = add %2, %6
  store out[%0], %7
}
)";
  const Words x = ramp(256, 3);
  with_emitters(device, text, target_of(device), [&](const ir::Kernel& kernel, const Emitted& code) {
    auto out = device.buffer<uint32_t>(256).value();
    auto stream = device.stream();
    stream.launch(source_of<In<uint32_t>, Out<uint32_t>>(kernel, code), 256, device.upload(x).value(), out);
    stream.wait().value();
    const Words found = read(device, out);
    for (uint32_t i = 0; i < 256; ++i) ASSERT_EQ(found[i], i / 64 * 64 * 3 + (i >= 64 ? 1 : 0)) << i;
  });
}

}  // namespace conformance
