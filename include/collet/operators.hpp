// Operators, casts and select() of the kernel language; for vectors by component.
#pragma once

#include "collet/var.hpp"

namespace collet {

namespace detail {

template <class T>
Expr<T> binary(ir::Op op, Traced a, Traced b) {
  return Expr<T>(emit(op, type_of<T>(), {a, b}));
}

template <class A, class B>
auto arithmetic(ir::Op op, const A& a, const B& b) {
  using T = CommonScalar<A, B>;
  static_assert(!std::is_same_v<Component<T>, bool> && !std::is_enum_v<T>,
                "Booleans and enums have no arithmetic; cast them first.");
  const Traced left = traced<T>(a);
  return binary<T>(op, left, traced<T>(b));
}

template <class A, class B>
auto bitwise(ir::Op op, const A& a, const B& b) {
  using T = CommonScalar<A, B>;
  static_assert(std::is_integral_v<Component<T>>,
                "Bits are for integers; a float's are reached by bit_cast<std::uint32_t>().");
  const Traced left = traced<T>(a);
  return binary<T>(op, left, traced<T>(b));
}

// A boolean for each component.
template <class A, class B>
auto compare(ir::Op op, const A& a, const B& b) {
  using T = CommonScalar<A, B>;
  using Mask = typename Shaped<T, bool>::Type;
  const Traced left = traced<T>(a);
  return Expr<Mask>(emit(op, type_of<Mask>(), {left, traced<T>(b)}));
}

// What stands in the right side itself was traced after the left side. Where the left side is no Expr it is
// traced only now, so anything that was ever read for the right side counts.
template <class A, class B>
Expr<bool> logical(ir::Op op, const A& a, const B& b) {
  const Traced left = traced<bool>(a);
  const Traced right = traced<bool>(b);
  if (reads_memory(right, std::is_same_v<A, Expr<bool>> ? left : Traced{})) {
    trace_error(
        "The right side of && or || reads memory, and both sides are always computed. Use if_() to read only "
        "where the left side allows it, or read before.");
  }
  return binary<bool>(op, left, right);
}

template <class A, class B>
concept ShiftedByOther =
    Expression<A> && Expression<B> && std::is_integral_v<Component<ScalarOf<A>>> &&
    std::is_integral_v<Component<ScalarOf<B>>> && !std::is_same_v<Component<ScalarOf<B>>, bool> &&
    !std::is_same_v<Component<ScalarOf<A>>, Component<ScalarOf<B>>>;

// The right side may have another integer type: its low bits count.
template <class A, class B>
auto shift(ir::Op op, const A& a, const B& b) {
  if constexpr (ShiftedByOther<A, B>) {
    using T = ScalarOf<A>;
    using Amount = typename Shaped<ScalarOf<B>, Component<T>>::Type;
    const Expr<T> left(traced<T>(a));
    return bitwise(op, left,
                   Expr<Amount>(emit(ir::Op::convert, type_of<Amount>(), {traced<ScalarOf<B>>(b)})));
  } else {
    return bitwise(op, a, b);
  }
}

}  // namespace detail

// clang-format off
template <class A, class B> requires detail::Mixed<A, B>
auto operator+(const A& a, const B& b) { return detail::arithmetic(ir::Op::add, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto operator-(const A& a, const B& b) { return detail::arithmetic(ir::Op::sub, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto operator*(const A& a, const B& b) { return detail::arithmetic(ir::Op::mul, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto operator/(const A& a, const B& b) { return detail::arithmetic(ir::Op::div, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto operator%(const A& a, const B& b) { return detail::arithmetic(ir::Op::rem, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto operator&(const A& a, const B& b) { return detail::bitwise(ir::Op::bit_and, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto operator|(const A& a, const B& b) { return detail::bitwise(ir::Op::bit_or, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto operator^(const A& a, const B& b) { return detail::bitwise(ir::Op::bit_xor, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto operator<<(const A& a, const B& b) { return detail::shift(ir::Op::shl, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto operator>>(const A& a, const B& b) { return detail::shift(ir::Op::shr, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto operator==(const A& a, const B& b) { return detail::compare(ir::Op::eq, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto operator!=(const A& a, const B& b) { return detail::compare(ir::Op::ne, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto operator<(const A& a, const B& b) { return detail::compare(ir::Op::lt, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto operator<=(const A& a, const B& b) { return detail::compare(ir::Op::le, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto operator>(const A& a, const B& b) { return detail::compare(ir::Op::gt, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto operator>=(const A& a, const B& b) { return detail::compare(ir::Op::ge, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto operator&&(const A& a, const B& b) { return detail::logical(ir::Op::bit_and, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto operator||(const A& a, const B& b) { return detail::logical(ir::Op::bit_or, a, b); }

template <class A> requires detail::Expression<A>
auto operator-(const A& a) {
  using T = detail::ScalarOf<A>;
  return Expr<T>(detail::emit(ir::Op::negate, detail::type_of<T>(), {detail::traced<T>(a)}));
}
template <class A> requires detail::Expression<A>
auto operator~(const A& a) {
  using T = detail::ScalarOf<A>;
  return Expr<T>(detail::emit(ir::Op::bit_not, detail::type_of<T>(), {detail::traced<T>(a)}));
}
template <class A> requires detail::Expression<A>
Expr<bool> operator!(const A& a) {
  return Expr<bool>(detail::emit(ir::Op::bit_not, {ir::Scalar::boolean}, {detail::traced<bool>(a)}));
}

template <class V, class X> requires detail::AssignableBy<V, X>
V& operator+=(V& v, const X& x) { return v = v + x; }
template <class V, class X> requires detail::AssignableBy<V, X>
V& operator-=(V& v, const X& x) { return v = v - x; }
template <class V, class X> requires detail::AssignableBy<V, X>
V& operator*=(V& v, const X& x) { return v = v * x; }
template <class V, class X> requires detail::AssignableBy<V, X>
V& operator/=(V& v, const X& x) { return v = v / x; }
template <class V, class X> requires detail::AssignableBy<V, X>
V& operator%=(V& v, const X& x) { return v = v % x; }
template <class V, class X> requires detail::AssignableBy<V, X>
V& operator&=(V& v, const X& x) { return v = v & x; }
template <class V, class X> requires detail::AssignableBy<V, X>
V& operator|=(V& v, const X& x) { return v = v | x; }
template <class V, class X> requires detail::AssignableBy<V, X>
V& operator^=(V& v, const X& x) { return v = v ^ x; }
template <class V, class X> requires(detail::AssignableBy<V, X> || (detail::kIsVariable<V> && detail::ShiftedByOther<V, X>))
V& operator<<=(V& v, const X& x) { return v = v << x; }
template <class V, class X> requires(detail::AssignableBy<V, X> || (detail::kIsVariable<V> && detail::ShiftedByOther<V, X>))
V& operator>>=(V& v, const X& x) { return v = v >> x; }

template <class V> requires detail::kIsVariable<V>
V& operator++(V& v) { return v = v + 1; }
template <class V> requires detail::kIsVariable<V>
V& operator--(V& v) { return v = v - 1; }
template <class V> requires detail::kIsVariable<V>
auto operator++(V& v, int) {
  const Expr<detail::ScalarOf<V>> old = v;
  v = old + 1;
  return old;
}
template <class V> requires detail::kIsVariable<V>
auto operator--(V& v, int) {
  const Expr<detail::ScalarOf<V>> old = v;
  v = old - 1;
  return old;
}
// clang-format on

// The value in another type, as in C++; from float to integer it rounds towards zero and saturates.
template <class To, class X>
  requires detail::Expression<X>
Expr<To> cast(const X& value) {
  using From = detail::ScalarOf<X>;
  if constexpr (detail::type_of<From>() == detail::type_of<To>())
    return Expr<To>(detail::traced<From>(value));
  else
    return Expr<To>(detail::emit(ir::Op::convert, detail::type_of<To>(), {detail::traced<From>(value)}));
}

// The same bits as another type of the same size.
template <class To, class X>
  requires detail::Expression<X>
Expr<To> bit_cast(const X& value) {
  using From = detail::ScalarOf<X>;
  static_assert(sizeof(From) == sizeof(To), "bit_cast keeps the bits, so both types have the same size.");
  return Expr<To>(detail::emit(ir::Op::bitcast, detail::type_of<To>(), {detail::traced<From>(value)}));
}

// `a` where `condition` holds, else `b`. Both are computed. For vectors the condition is one boolean, or one
// for each component.
template <class C, class A, class B>
  requires(detail::Expression<C> && detail::TracedOrConstant<A> && detail::TracedOrConstant<B>)
auto select(const C& condition, const A& a, const B& b) {
  using T = detail::CommonScalar<A, B>;
  using Mask = typename detail::Shaped<detail::ScalarOf<C>, bool>::Type;
  const detail::Traced decided = detail::traced<Mask>(condition);
  const detail::Traced first = detail::traced<T>(a);
  return Expr<T>(detail::emit(ir::Op::select, detail::type_of<T>(), {decided, first, detail::traced<T>(b)}));
}

}  // namespace collet
