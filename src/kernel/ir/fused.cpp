// The fused multiply-add of the C library, and one in integers.

#include "kernel/ir/fused.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace collet::ir {

#ifdef __SIZEOF_INT128__
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int kTop = 125;  // where the highest bit of a number is put: a sum needs one more

// A number above 0: bits * 2^exponent.
struct Scaled {
  Wide bits;
  int exponent;
};

int highest_bit(Wide bits) {
  const auto high = static_cast<std::uint64_t>(bits >> 64);
  return high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(static_cast<std::uint64_t>(bits));
}

Scaled at_top(Wide bits, int exponent) {
  const int shift = kTop - highest_bit(bits);
  return {bits << shift, exponent - shift};
}

template <class T>
Scaled whole(T value) {
  constexpr int kDigits = std::numeric_limits<T>::digits;
  int exponent = 0;
  const T fraction = std::frexp(std::fabs(value), &exponent);
  return {static_cast<std::uint64_t>(std::ldexp(fraction, kDigits)), exponent - kDigits};
}

// The bits moved down by `distance`; where any are lost, the last one says so.
Wide moved_down(Wide bits, int distance) {
  if (distance > kTop) return 1;
  const Wide kept = bits >> distance;
  return kept << distance == bits ? kept : kept | 1;
}

// The nearest T, the even one of two.
template <class T>
T rounded(const Scaled& sum) {
  constexpr int kDigits = std::numeric_limits<T>::digits;
  constexpr int kLowest = std::numeric_limits<T>::min_exponent - kDigits;  // of the last bit that there is
  int dropped = highest_bit(sum.bits) + 1 - kDigits;
  if (sum.exponent + dropped < kLowest) dropped = kLowest - sum.exponent;
  if (dropped <= 0) return std::ldexp(static_cast<T>(static_cast<std::uint64_t>(sum.bits)), sum.exponent);
  if (dropped > kTop + 2) return 0;
  auto kept = static_cast<std::uint64_t>(sum.bits >> dropped);
  const Wide rest = sum.bits - (Wide{kept} << dropped);
  const Wide half = Wide{1} << (dropped - 1);
  if (rest > half || (rest == half && kept % 2 == 1)) ++kept;
  return std::ldexp(static_cast<T>(kept), sum.exponent + dropped);
}

template <class T>
T in_integers(T a, T b, T c) {
  if (!std::isfinite(a) || !std::isfinite(b) || a == 0 || b == 0) return a * b + c;
  if (!std::isfinite(c)) return c;
  if (c == 0) return a * b;
  const bool negative = std::signbit(a) != std::signbit(b);
  const Scaled left = whole(a);
  const Scaled right = whole(b);
  Scaled product = at_top(left.bits * right.bits, left.exponent + right.exponent);
  const Scaled plain = whole(c);
  Scaled added = at_top(plain.bits, plain.exponent);
  bool sign = negative;
  bool other = std::signbit(c);
  if (added.exponent > product.exponent ||
      (added.exponent == product.exponent && added.bits > product.bits)) {
    std::swap(product, added);
    std::swap(sign, other);
  }
  const Wide less = moved_down(added.bits, product.exponent - added.exponent);
  const Wide sum = sign == other ? product.bits + less : product.bits - less;
  if (sum == 0) return 0;
  const T result = rounded<T>({sum, product.exponent});
  return sign ? -result : result;
}

}  // namespace

float fused_in_integers(float a, float b, float c) { return in_integers(a, b, c); }
double fused_in_integers(double a, double b, double c) { return in_integers(a, b, c); }
#endif

#ifdef __MINGW32__
float fused(float a, float b, float c) { return fused_in_integers(a, b, c); }
double fused(double a, double b, double c) { return fused_in_integers(a, b, c); }
#else
float fused(float a, float b, float c) { return std::fma(a, b, c); }
double fused(double a, double b, double c) { return std::fma(a, b, c); }
#endif

}  // namespace collet::ir
