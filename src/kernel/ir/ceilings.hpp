// Upper bounds of values that are known once a launch says how many elements, groups and arguments it has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

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

// The value of `terms[which]`, or kUnbounded. `leaf` gives that of a term that names none: a u64.
template <class Leaf>
std::uint64_t evaluate(const std::vector<Ceiling>& terms, std::uint32_t which, const Leaf& leaf) {
  using What = Ceiling::What;
  const Ceiling& term = terms[which];
  if (term.what == What::constant) return std::min(term.value, kUnbounded);
  if (term.what < What::add) return std::min<std::uint64_t>(leaf(term), kUnbounded);
  const std::uint64_t a = evaluate(terms, term.a, leaf);
  if (term.what == What::div) return std::min(a, kUnbounded - 1) / term.value;
  if (term.what == What::minus) return a == kUnbounded ? a : a - std::min(a, term.value);
  const std::uint64_t b = evaluate(terms, term.b, leaf);
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

}  // namespace collet::ir
