// Functions of the kernel language on numbers. The ones here are exact; native:: are the driver's own, as
// good as it makes them.
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
  static_assert(std::is_floating_point_v<ScalarOf<X>>, "This function is for floats; cast integers first.");
  return function(op, x);
}

template <class X>
auto bit_function(ir::Op op, const X& x) {
  static_assert(std::is_integral_v<ScalarOf<X>>, "This function is for integers.");
  return function(op, x);
}

}  // namespace detail

// clang-format off
template <class A, class B> requires detail::Mixed<A, B>
auto min(const A& a, const B& b) { return detail::arithmetic(ir::Op::min, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto max(const A& a, const B& b) { return detail::arithmetic(ir::Op::max, a, b); }
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
template <class X> requires detail::Expression<X>
auto sqrt(const X& x) { return detail::float_function(ir::Op::sqrt, x); }

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
  static_assert(std::is_floating_point_v<T>, "fma is for floats.");
  const detail::Traced x = detail::traced<T>(a);
  const detail::Traced y = detail::traced<T>(b);
  return Expr<T>(detail::emit(ir::Op::fma, detail::type_of<T>(), {x, y, detail::traced<T>(c)}));
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
