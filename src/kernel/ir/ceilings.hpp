// Upper bounds of values that are known once a launch says how many elements, groups and arguments it has.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace collet::ir {

// A term over what a launch knows. Terms stand in a list and name others by their place in it.
struct Ceiling {
  enum class What : std::uint8_t {
    constant,       // value
    element_count,  // of dimension a
    group_count,    // of dimension a
    parameter,      // a u32 at byte b of parameter a
    length,         // of buffer a
    add,
    mul,
    min,
    max,
    div,    // a by the constant value
    minus,  // a without the constant value, at least 0
    less,   // a; or b - 1 - value, the most that fits where a + value is below b and does not wrap around
  };
  What what = What::constant;
  std::uint32_t a = 0, b = 0;
  std::uint64_t value = 0;

  friend bool operator==(const Ceiling&, const Ceiling&) = default;
};

// What a term is that may be any u32.
inline constexpr std::uint64_t kUnbounded = std::uint64_t{1} << 32;

// What one list holds at the most.
inline constexpr std::size_t kMostCeilings = 512;
using CeilingValues = std::array<std::uint64_t, kMostCeilings>;

// The value of one term whose own terms have theirs in `values`.
inline std::uint64_t evaluate(const Ceiling& term, const CeilingValues& values) {
  using What = Ceiling::What;
  const std::uint64_t a = values[term.a];
  switch (term.what) {
    case What::div: return std::min(a, kUnbounded - 1) / term.value;
    case What::minus: return a == kUnbounded ? a : a - std::min(a, term.value);
    default: break;
  }
  const std::uint64_t b = values[term.b];
  switch (term.what) {
    case What::add: return std::min(a + b, kUnbounded);
    case What::mul: return std::min(a * std::min(b, kUnbounded - 1), kUnbounded);  // below 2^64
    case What::min: return std::min(a, b);
    case What::max: return std::max(a, b);
    default: {
      if (a + term.value >= kUnbounded || b == kUnbounded) return a;
      return std::min(a, b - std::min(b, term.value + 1));
    }
  }
}

// The value of each term, or kUnbounded. `leaf` gives that of a term that names none: a u64. Terms name only
// those before them, so that each is computed once.
template <class Leaf>
void evaluate(std::span<const Ceiling> terms, const Leaf& leaf, CeilingValues& values) {
  using What = Ceiling::What;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Ceiling& term = terms[i];
    values[i] = term.what == What::constant ? std::min(term.value, kUnbounded)
                : term.what < What::add     ? std::min<std::uint64_t>(leaf(term), kUnbounded)
                                            : evaluate(term, values);
  }
}

}  // namespace collet::ir
