// Functions of the kernel language on numbers, the same on every device; native:: are the driver's own, as
// good as it makes them.
//
// An error in ULP counts units in the last place of the exact result. Where a result or an argument is
// denormal, a device may take 0 for it. docs/kernels_math.md has the whole table.
#pragma once

#include "collet/expression.hpp"

namespace collet {

namespace detail {

template <class X>
auto function(ir::Op op, const X& x) {
  using T = ScalarOf<X>;
  return Expr<T>(emit(op, type_of<T>(), {traced<T>(x)}));
}

template <class X>
auto float_function(ir::Op op, const X& x) {
  static_assert(kIsFloat<Component<ScalarOf<X>>>, "This function is for floats; cast integers first.");
  return function(op, x);
}

template <class X>
auto bit_function(ir::Op op, const X& x) {
  static_assert(std::is_integral_v<Component<ScalarOf<X>>>, "This function is for integers.");
  return function(op, x);
}

template <class T>
constexpr void check_f32() {
  static_assert(
      std::is_same_v<Component<T>, float>,
      "This function is computed in f32: write cast<float>(x), or use the driver's own in native::.");
}

// `function` of a scalar, or of each component.
template <class X>
auto math(Expr<float> (*function)(const Expr<float>&), const X& x) {
  using T = ScalarOf<X>;
  check_f32<T>();
  if constexpr (!std::is_same_v<Component<T>, float>) {
    return Expr<T>(traced<T>(x));
  } else {
    const Expr<T> value(traced<T>(x));
    if constexpr (kWidth<T> == 1)
      return function(value);
    else if constexpr (kWidth<T> == 2)
      return compose(function(value.x), function(value.y));
    else if constexpr (kWidth<T> == 3)
      return compose(function(value.x), function(value.y), function(value.z));
    else
      return compose(function(value.x), function(value.y), function(value.z), function(value.w));
  }
}

template <class A, class B>
Expr<float> math(Expr<float> (*function)(const Expr<float>&, const Expr<float>&), const A& a, const B& b) {
  using T = CommonScalar<A, B>;
  check_f32<T>();
  static_assert(!kIsVector<T>, "This function takes scalars; compose() a vector of what it gives.");
  const Expr<float> left(traced<float>(a));
  return function(left, Expr<float>(traced<float>(b)));
}

// clang-format off
#define COLLET_MATH(name) COLLET_API Expr<float> name(const Expr<float>& x);
COLLET_MATH(exp) COLLET_MATH(exp2) COLLET_MATH(log) COLLET_MATH(log2) COLLET_MATH(rsqrt) COLLET_MATH(erf)
COLLET_MATH(sin) COLLET_MATH(cos) COLLET_MATH(tan) COLLET_MATH(asin) COLLET_MATH(acos) COLLET_MATH(atan)
COLLET_MATH(sinh) COLLET_MATH(cosh) COLLET_MATH(tanh)
#undef COLLET_MATH
COLLET_API Expr<float> pow(const Expr<float>& x, const Expr<float>& y);
COLLET_API Expr<float> atan2(const Expr<float>& y, const Expr<float>& x);
// clang-format on

}  // namespace detail

// clang-format off
template <class A, class B> requires detail::Mixed<A, B>
auto min(const A& a, const B& b) { return detail::arithmetic(ir::Op::min, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto max(const A& a, const B& b) { return detail::arithmetic(ir::Op::max, a, b); }
// Of two constants: a constant.
template <class A, class B> requires(std::is_arithmetic_v<A> && std::is_arithmetic_v<B>)
constexpr auto min(const A& a, const B& b) { using T = std::common_type_t<A, B>; return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a); }
template <class A, class B> requires(std::is_arithmetic_v<A> && std::is_arithmetic_v<B>)
constexpr auto max(const A& a, const B& b) { using T = std::common_type_t<A, B>; return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a); }
template <class X, class A, class B> requires detail::Expression<X>
auto clamp(const X& x, const A& low, const B& high) { return min(max(x, low), high); }
template <class X> requires detail::Expression<X>
auto abs(const X& x) { return detail::function(ir::Op::abs, x); }

template <class X> requires detail::Expression<X>
auto floor(const X& x) { return detail::float_function(ir::Op::floor, x); }
template <class X> requires detail::Expression<X>
auto ceil(const X& x) { return detail::float_function(ir::Op::ceil, x); }
template <class X> requires detail::Expression<X>
auto trunc(const X& x) { return detail::float_function(ir::Op::trunc, x); }
// To the nearest integer, halves to the even one.
template <class X> requires detail::Expression<X>
auto round_even(const X& x) { return detail::float_function(ir::Op::round_even, x); }
// To the nearest integer, halves away from zero.
template <class X> requires detail::Expression<X>
auto round(const X& x) {
  using T = detail::ScalarOf<X>;
  using C = detail::Component<T>;
  const Expr<T> value(detail::traced<T>(x));
  const Expr<T> whole = trunc(value);
  const Expr<T> further = select(value < C(0), whole - C(1), whole + C(1));
  return select(abs(value - whole) >= C(0.5f), further, whole);
}
// 3 ULP; 0.5 where the device rounds it right, as all but some Vulkan drivers do.
template <class X> requires detail::Expression<X>
auto sqrt(const X& x) { return detail::float_function(ir::Op::sqrt, x); }

// 2 ULP for all arguments, infinities, zeros and NaN included.
template <class X> requires detail::Expression<X>
auto exp(const X& x) { return detail::math(&detail::exp, x); }
template <class X> requires detail::Expression<X>
auto exp2(const X& x) { return detail::math(&detail::exp2, x); }
template <class X> requires detail::Expression<X>
auto log(const X& x) { return detail::math(&detail::log, x); }
template <class X> requires detail::Expression<X>
auto log2(const X& x) { return detail::math(&detail::log2, x); }
// 1 / sqrt(x)
template <class X> requires detail::Expression<X>
auto rsqrt(const X& x) { return detail::math(&detail::rsqrt, x); }
template <class X> requires detail::Expression<X>
auto erf(const X& x) { return detail::math(&detail::erf, x); }
template <class X> requires detail::Expression<X>
auto sin(const X& x) { return detail::math(&detail::sin, x); }
template <class X> requires detail::Expression<X>
auto cos(const X& x) { return detail::math(&detail::cos, x); }
template <class X> requires detail::Expression<X>
auto tan(const X& x) { return detail::math(&detail::tan, x); }
template <class X> requires detail::Expression<X>
auto asin(const X& x) { return detail::math(&detail::asin, x); }
template <class X> requires detail::Expression<X>
auto acos(const X& x) { return detail::math(&detail::acos, x); }
template <class X> requires detail::Expression<X>
auto atan(const X& x) { return detail::math(&detail::atan, x); }
// The angle of the point (x, y), from -pi to pi.
template <class A, class B> requires detail::Mixed<A, B>
Expr<float> atan2(const A& y, const B& x) { return detail::math(&detail::atan2, y, x); }
// As in C: 1 where x is 1 or y is 0, and NaN where x < 0 and y is no integer.
template <class A, class B> requires detail::Mixed<A, B>
Expr<float> pow(const A& x, const B& y) { return detail::math(&detail::pow, x, y); }

// 3 ULP for all arguments; 2 where the device's division is right.
template <class X> requires detail::Expression<X>
auto sinh(const X& x) { return detail::math(&detail::sinh, x); }
template <class X> requires detail::Expression<X>
auto cosh(const X& x) { return detail::math(&detail::cosh, x); }
template <class X> requires detail::Expression<X>
auto tanh(const X& x) { return detail::math(&detail::tanh, x); }

template <class X> requires detail::Expression<X>
auto count_bits(const X& x) { return detail::bit_function(ir::Op::count_bits, x); }
template <class X> requires detail::Expression<X>
auto leading_zeros(const X& x) { return detail::bit_function(ir::Op::leading_zeros, x); }
template <class X> requires detail::Expression<X>
auto trailing_zeros(const X& x) { return detail::bit_function(ir::Op::trailing_zeros, x); }
template <class X> requires detail::Expression<X>
auto reverse_bits(const X& x) { return detail::bit_function(ir::Op::reverse_bits, x); }
// The upper half of the product of two integers.
template <class A, class B> requires detail::Mixed<A, B>
auto mul_high(const A& a, const B& b) { return detail::bitwise(ir::Op::mul_high, a, b); }
// clang-format on

// a * b + c, rounded once.
template <class A, class B, class C>
  requires(detail::Mixed<A, B> || detail::Mixed<A, C>)
auto fma(const A& a, const B& b, const C& c) {
  using T =
      typename std::conditional_t<detail::Expression<A>, detail::Common<A, B>, detail::Common<B, C>>::Type;
  static_assert(detail::kIsFloat<detail::Component<T>>, "fma is for floats.");
  const detail::Traced x = detail::traced<T>(a);
  const detail::Traced y = detail::traced<T>(b);
  return Expr<T>(detail::emit(ir::Op::fma, detail::type_of<T>(), {x, y, detail::traced<T>(c)}));
}

// Of vectors of floats: the root of the dot product with itself, what is at right angles to both, and the
// vector of the same direction whose length is 1; a vector of zeros has no direction, and gives NaN.
template <class X>
  requires detail::Expression<X>
auto length(const X& x) {
  using V = detail::ScalarOf<X>;
  static_assert(detail::kIsVector<V> && detail::kIsFloat<detail::Component<V>>,
                "length is for vectors of floats.");
  const Expr<V> v(detail::traced<V>(x));
  return sqrt(dot(v, v));
}
template <class A, class B>
  requires detail::Mixed<A, B>
auto cross(const A& a, const B& b) {
  using V = detail::CommonScalar<A, B>;
  static_assert(detail::kWidth<V> == 3, "cross is for vectors of three.");
  const Expr<V> v(detail::traced<V>(a));
  const Expr<V> w(detail::traced<V>(b));
  const auto x = v.y * w.z - v.z * w.y;
  const auto y = v.z * w.x - v.x * w.z;
  const auto z = v.x * w.y - v.y * w.x;
  return compose(x, y, z);
}
template <class X>
  requires detail::Expression<X>
auto normalize(const X& x) {
  using V = detail::ScalarOf<X>;
  const Expr<V> v(detail::traced<V>(x));
  return v / length(v);
}

namespace native {

// clang-format off
template <class X> requires detail::Expression<X>
auto sin(const X& x) { return detail::float_function(ir::Op::native_sin, x); }
template <class X> requires detail::Expression<X>
auto cos(const X& x) { return detail::float_function(ir::Op::native_cos, x); }
template <class X> requires detail::Expression<X>
auto tan(const X& x) { return detail::float_function(ir::Op::native_tan, x); }
template <class X> requires detail::Expression<X>
auto exp(const X& x) { return detail::float_function(ir::Op::native_exp, x); }
template <class X> requires detail::Expression<X>
auto exp2(const X& x) { return detail::float_function(ir::Op::native_exp2, x); }
template <class X> requires detail::Expression<X>
auto log(const X& x) { return detail::float_function(ir::Op::native_log, x); }
template <class X> requires detail::Expression<X>
auto log2(const X& x) { return detail::float_function(ir::Op::native_log2, x); }
template <class X> requires detail::Expression<X>
auto rsqrt(const X& x) { return detail::float_function(ir::Op::native_rsqrt, x); }
template <class A, class B> requires detail::Mixed<A, B>
auto pow(const A& a, const B& b) { return detail::arithmetic(ir::Op::native_pow, a, b); }
// clang-format on

}  // namespace native

}  // namespace collet
