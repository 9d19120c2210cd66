// Corpus: random numbers, the same bits on every device.

#include <bit>
#include <cmath>

#include "conformance/corpus/corpus.hpp"

namespace conformance {
namespace {

// FNV-1a, of the bits.
uint64_t digest(const std::vector<float4>& values) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const float4& four : values) {
    for (const float one : {four.x, four.y, four.z, four.w})
      hash = (hash ^ std::bit_cast<uint32_t>(one)) * 0x100000001b3;
  }
  return hash;
}

}  // namespace

// The known answers that come with the authors' own code.
CONFORMANCE_TEST(Corpus, PhiloxGivesThePublishedWords) {
  const auto words = kernel("words", [](In<uint4> counter, In<uint2> key, Out<uint4> out) {
    const auto i = global_id();
    out[i] = random::philox(counter[i], key[i]);
  });
  const std::vector<uint4> counters{
      {0, 0, 0, 0}, {~0u, ~0u, ~0u, ~0u}, {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}};
  const std::vector<uint2> keys{{0, 0}, {~0u, ~0u}, {0xa4093822, 0x299f31d0}};
  const auto out = device.buffer<uint4>(3).value();
  if (!ran(device, words, 3, device.upload(counters).value(), device.upload(keys).value(), out)) return;
  const std::vector<uint4> want{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
  EXPECT_EQ(read(device, out), want);
}

CONFORMANCE_TEST(Corpus, UniformNumbersAreEvenAndTheSameEverywhere) {
  const auto draw = kernel("draw", [](Out<float4> out, Value<uint32_t> seed) {
    const auto i = global_id();
    out[i] = random::uniform(random::philox(compose(i, 0u, 0u, 0u), compose(seed, 0u)));
  });
  constexpr std::size_t kCount = 1 << 14;
  const auto out = device.buffer<float4>(kCount).value();
  if (!ran(device, draw, kCount, out, 7u)) return;
  const std::vector<float4> got = read(device, out);
  std::vector<int> bins(16);
  for (const float4& four : got) {
    for (const float one : {four.x, four.y, four.z, four.w}) {
      ASSERT_TRUE(one >= 0.0f && one < 1.0f) << one;
      ++bins[static_cast<std::size_t>(one * 16)];
    }
  }
  for (const int bin : bins) EXPECT_NEAR(bin, 4096, 5 * 64);  // five times the deviation
  EXPECT_EQ(digest(got), 16563335550626254734u);
}

CONFORMANCE_TEST(Corpus, NormalNumbersHaveTheirShapeAndAreTheSameEverywhere) {
  const auto draw = kernel("draw", [](Out<float4> out, Value<uint32_t> seed) {
    const auto i = global_id();
    out[i] = random::normal(random::philox(compose(i, 0u, 0u, 0u), compose(seed, 1u)));
  });
  constexpr std::size_t kCount = 1 << 14;
  const auto out = device.buffer<float4>(kCount).value();
  if (!ran(device, draw, kCount, out, 7u)) return;
  const std::vector<float4> got = read(device, out);
  double sum = 0, squares = 0, fourth = 0;
  for (const float4& four : got) {
    for (const double one : {four.x, four.y, four.z, four.w}) {
      ASSERT_LT(std::abs(one), 5.9);
      sum += one;
      squares += one * one;
      fourth += one * one * one * one;
    }
  }
  const double count = 4.0 * kCount;
  EXPECT_NEAR(sum / count, 0, 0.02);
  EXPECT_NEAR(squares / count, 1, 0.03);
  EXPECT_NEAR(fourth / count, 3, 0.2);
  EXPECT_EQ(digest(got), 4356772302348986173u);
}

}  // namespace conformance
