// Values of the kernel language. They look like C++ values and are written down instead of computed.
//
//   Expr<T>  a value; immutable
//   Var<T>   a variable of one item: Var<float> sum = 0.0f; sum += x[i];
//   Once<T>  what an atomic operation found; it becomes a Var before it is used
//
// Types are those of C++, never mixed: `x * 2` takes the constant 2 as x's type where it fits exactly; two
// values of different types need a cast<T>(). Integer arithmetic is total: it wraps, x / 0 is x, x % 0 is 0,
// shifts use the low bits of their right side, and a cast from float saturates.
//
// Threads: a value belongs to the trace, and so to the thread, that made it.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "collet/detail/trace.hpp"

namespace collet {

template <class T>
class Expr;
template <class T>
class Var;

namespace detail {

template <class T>
constexpr ir::Type type_of() {
  using ir::Scalar;
  if constexpr (std::is_same_v<T, bool>)
    return {Scalar::boolean};
  else if constexpr (std::is_same_v<T, float>)
    return {Scalar::f32};
  else if constexpr (std::is_same_v<T, double>)
    return {Scalar::f64};
  else if constexpr (std::is_integral_v<T>) {
    constexpr int kSize = std::countr_zero(sizeof(T));
    const int kind = static_cast<int>(Scalar::i8) + 2 * kSize + (std::is_signed_v<T> ? 0 : 1);
    return {static_cast<Scalar>(kind)};
  } else {
    return {};
  }
}

template <class T>
concept ScalarType = type_of<T>().scalar != ir::Scalar::none;

template <class T>
std::uint64_t bits_of(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<std::uint32_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<std::uint64_t>(value);
  else if constexpr (std::is_same_v<T, bool>)
    return value ? 1 : 0;
  else
    return static_cast<std::make_unsigned_t<T>>(value);
}

// Values of the kernel language have a member Scalar and convert to Expr<Scalar>.
template <class X>
concept Expression = requires { typename std::remove_cvref_t<X>::Scalar; };

template <class X>
using ScalarOf = typename std::remove_cvref_t<X>::Scalar;

template <class X>
concept HostConstant = std::is_arithmetic_v<std::remove_cvref_t<X>>;

template <class X, class T>
concept Operand = (Expression<X> && std::is_convertible_v<X, Expr<T>>) || HostConstant<X>;

// The type of an operation with at least one traced side.
template <class A, class B>
struct Common;
template <class A, class B>
  requires Expression<A>
struct Common<A, B> {
  using Type = ScalarOf<A>;
};
template <class A, class B>
  requires(!Expression<A> && Expression<B>)
struct Common<A, B> {
  using Type = ScalarOf<B>;
};
template <class A, class B>
using CommonScalar = typename Common<A, B>::Type;

template <class A, class B>
concept Mixed = (Expression<A> && (Expression<B> || HostConstant<B>)) || (HostConstant<A> && Expression<B>);

template <class>
inline constexpr bool kNever = false;

// A C++ constant as a T; one that a T can't hold exactly is an error of the trace.
template <class T, class C>
Traced constant(C value) {
  const T converted = static_cast<T>(value);
  bool exact = true;
  if constexpr (std::is_integral_v<T> && std::is_integral_v<C> && !std::is_same_v<T, bool> &&
                !std::is_same_v<C, bool>)
    exact = std::in_range<T>(value);
  else if constexpr (std::is_integral_v<T> && std::is_floating_point_v<C>)
    exact = false;
  else if constexpr (std::is_floating_point_v<T> && std::is_integral_v<C>)
    exact = static_cast<long double>(converted) == static_cast<long double>(value);
  if (!exact) {
    trace_error("A constant does not fit the type of the value that it is used with; write it in that type.");
  }
  return emit_constant(type_of<T>(), bits_of(converted));
}

template <class T, class X>
Traced traced(const X& x) {
  if constexpr (HostConstant<X>) {
    return constant<T>(x);
  } else {
    static_assert(std::is_same_v<ScalarOf<X>, T>,
                  "Two values of different types meet; write cast<T>(value) where you mean to convert.");
    return static_cast<Expr<T>>(x).traced();
  }
}

}  // namespace detail

// A value of type T that a kernel computes.
template <class T>
class Expr {
  static_assert(detail::ScalarType<T>, "The kernel language has bool, the integers, float and double.");

 public:
  using Scalar = T;

  explicit Expr(detail::Traced value) : value_(value) {}
  // A C++ constant.
  Expr(T constant) : value_(detail::emit_constant(detail::type_of<T>(), detail::bits_of(constant))) {}

  Expr(const Expr&) = default;
  Expr& operator=(const Expr&) = delete;  // declare it Var<T>

  detail::Traced traced() const { return value_; }

  template <class Dummy = void>
  explicit operator bool() const {
    static_assert(
        detail::kNever<Dummy>,
        "if, while, ?: and ! run on the host while a kernel is written down; use if_(), while_(), select() "
        "and operator!.");
    return false;
  }

 private:
  detail::Traced value_;
};

// What an atomic operation found. The order of operands in C++ is the compiler's choice, so it is none
// itself.
template <class T>
class [[nodiscard]] Once {
 public:
  explicit Once(detail::Traced value) : value_(value) {}
  Once(const Once&) = delete;
  Once& operator=(const Once&) = delete;

 private:
  friend class Var<T>;
  detail::Traced value_;
};

// A variable of one item.
template <class T>
class Var {
 public:
  using Scalar = T;

  Var() : Var(T{}) {}
  Var(T constant) : Var(Expr<T>(constant)) {}
  Var(const Expr<T>& value) : variable_(detail::emit_variable(detail::type_of<T>())) { set(value.traced()); }
  Var(Once<T>&& found) : variable_(detail::emit_variable(detail::type_of<T>())) { set(found.value_); }
  // A variable of its own that begins with the other's value.
  Var(const Var& other) : Var(static_cast<Expr<T>>(other)) {}
  template <class X>
    requires(detail::Expression<X> && !std::is_same_v<X, Var> && !std::is_same_v<X, Expr<T>>)
  Var(const X& value) : variable_(detail::emit_variable(detail::type_of<T>())) {
    set(detail::traced<T>(value));
  }

  Var& operator=(const Var& other) { return set(static_cast<Expr<T>>(other).traced()); }
  template <class X>
    requires detail::Operand<X, T>
  Var& operator=(const X& value) {
    return set(detail::traced<T>(value));
  }
  Var& operator=(Once<T>&& found) { return set(found.value_); }

  operator Expr<T>() const { return Expr<T>(detail::emit(ir::Op::get, detail::type_of<T>(), {variable_})); }

  template <class Dummy = void>
  explicit operator bool() const {
    static_assert(
        detail::kNever<Dummy>,
        "if, while, ?: and ! run on the host while a kernel is written down; use if_(), while_(), select() "
        "and operator!.");
    return false;
  }

 private:
  Var& set(detail::Traced value) {
    detail::emit(ir::Op::set, {}, {variable_, value});
    return *this;
  }

  detail::Traced variable_;
};

template <class T>
Var(Expr<T>) -> Var<T>;

namespace detail {

template <class T>
Expr<T> binary(ir::Op op, Traced a, Traced b) {
  return Expr<T>(emit(op, type_of<T>(), {a, b}));
}

template <class A, class B>
auto arithmetic(ir::Op op, const A& a, const B& b) {
  using T = CommonScalar<A, B>;
  static_assert(!std::is_same_v<T, bool>, "Booleans have no arithmetic; cast them first.");
  const Traced left = traced<T>(a);
  return binary<T>(op, left, traced<T>(b));
}

template <class A, class B>
auto bitwise(ir::Op op, const A& a, const B& b) {
  using T = CommonScalar<A, B>;
  static_assert(std::is_integral_v<T>,
                "Bits are for integers; a float's are reached by bit_cast<std::uint32_t>().");
  const Traced left = traced<T>(a);
  return binary<T>(op, left, traced<T>(b));
}

template <class A, class B>
Expr<bool> compare(ir::Op op, const A& a, const B& b) {
  using T = CommonScalar<A, B>;
  const Traced left = traced<T>(a);
  return Expr<bool>(emit(op, {ir::Scalar::boolean}, {left, traced<T>(b)}));
}

template <class A, class B>
Expr<bool> logical(ir::Op op, const A& a, const B& b) {
  const Traced left = traced<bool>(a);
  const Traced right = traced<bool>(b);
  if (reads_memory(right)) {
    trace_error(
        "The right side of && or || reads memory, and both sides are always computed. Use if_() to read only "
        "where "
        "the left side allows it.");
  }
  return binary<bool>(op, left, right);
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
auto operator<<(const A& a, const B& b) { return detail::bitwise(ir::Op::shl, a, b); }
template <class A, class B> requires detail::Mixed<A, B>
auto operator>>(const A& a, const B& b) { return detail::bitwise(ir::Op::shr, a, b); }
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

template <class T, class X> requires detail::Operand<X, T>
Var<T>& operator+=(Var<T>& v, const X& x) { return v = v + x; }
template <class T, class X> requires detail::Operand<X, T>
Var<T>& operator-=(Var<T>& v, const X& x) { return v = v - x; }
template <class T, class X> requires detail::Operand<X, T>
Var<T>& operator*=(Var<T>& v, const X& x) { return v = v * x; }
template <class T, class X> requires detail::Operand<X, T>
Var<T>& operator/=(Var<T>& v, const X& x) { return v = v / x; }
template <class T, class X> requires detail::Operand<X, T>
Var<T>& operator%=(Var<T>& v, const X& x) { return v = v % x; }
template <class T, class X> requires detail::Operand<X, T>
Var<T>& operator&=(Var<T>& v, const X& x) { return v = v & x; }
template <class T, class X> requires detail::Operand<X, T>
Var<T>& operator|=(Var<T>& v, const X& x) { return v = v | x; }
template <class T, class X> requires detail::Operand<X, T>
Var<T>& operator^=(Var<T>& v, const X& x) { return v = v ^ x; }
template <class T, class X> requires detail::Operand<X, T>
Var<T>& operator<<=(Var<T>& v, const X& x) { return v = v << x; }
template <class T, class X> requires detail::Operand<X, T>
Var<T>& operator>>=(Var<T>& v, const X& x) { return v = v >> x; }
// clang-format on

// The value in another type, as in C++; from float to integer it rounds towards zero and saturates.
template <class To, class X>
  requires detail::Expression<X>
Expr<To> cast(const X& value) {
  using From = detail::ScalarOf<X>;
  if constexpr (std::is_same_v<From, To>)
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

// `a` where `condition` holds, else `b`. Both are computed.
template <class C, class A, class B>
  requires(detail::Expression<C> && detail::Mixed<A, B>)
auto select(const C& condition, const A& a, const B& b) {
  using T = detail::CommonScalar<A, B>;
  const detail::Traced decided = detail::traced<bool>(condition);
  const detail::Traced first = detail::traced<T>(a);
  return Expr<T>(detail::emit(ir::Op::select, detail::type_of<T>(), {decided, first, detail::traced<T>(b)}));
}

}  // namespace collet
