// Random numbers by Philox, and what is made of its words.

#include "collet/random.hpp"

#include "kernel/dsl/math.hpp"

namespace collet::random {
namespace {

using detail::F;
using detail::U;

constexpr std::uint32_t kRounds = 10;
constexpr std::uint32_t kLeft = 0xd2511f53u, kRight = 0xcd9e8d57u;

struct Words {
  U x, y, z, w;
};

// After `rounds` rounds; each has the key a step further.
Words mix(const Words& counter, const Expr<uint2>& key, std::uint32_t rounds) {
  if (rounds == 0) return counter;
  const Words c = mix(counter, key, rounds - 1);
  const std::uint32_t steps = rounds - 1;
  return {mul_high(c.z, kRight) ^ c.y ^ (key.x + steps * 0x9e3779b9u), c.z * kRight,
          mul_high(c.x, kLeft) ^ c.w ^ (key.y + steps * 0xbb67ae85u), c.x * kLeft};
}

// Two numbers of the normal distribution, of two words.
struct Two {
  F first, second;
};

Two box_muller(const U& a, const U& b) {
  const F above = (cast<float>(a >> 9) + 0.5f) * 0x1p-23f;  // neither 0 nor 1
  const F square = -2.0f * log(above);
  const F radius = square * rsqrt(square);
  const F angle = cast<float>(b >> 8) * (0x1p-24f * 2.0f * detail::kPi);
  return {radius * cos(angle), radius * sin(angle)};
}

}  // namespace

Expr<uint4> philox(const Expr<uint4>& counter, const Expr<uint2>& key) {
  const Words mixed = mix({counter.x, counter.y, counter.z, counter.w}, key, kRounds);
  return compose(mixed.x, mixed.y, mixed.z, mixed.w);
}

Expr<float4> uniform(const Expr<uint4>& words) {
  const auto one = [](const U& word) { return cast<float>(word >> 8) * 0x1p-24f; };
  return compose(one(words.x), one(words.y), one(words.z), one(words.w));
}

Expr<float4> normal(const Expr<uint4>& words) {
  const Two a = box_muller(words.x, words.y);
  const Two b = box_muller(words.z, words.w);
  return compose(a.first, a.second, b.first, b.second);
}

}  // namespace collet::random
