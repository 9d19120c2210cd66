// Values of the kernel language. They look like C++ values and are written down instead of computed.
//
//   Expr<T>  a value; immutable
//   Var<T>   a variable of one item: Var<float> sum = 0.0f; sum += x[i];
//   Once<T>  what an atomic operation found; it becomes a Var before it is used
//
// T is bool, an integer, half, float, double, a vector of them (vector.hpp), or a struct (structure.hpp).
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
#include "collet/vector.hpp"

namespace collet {

template <class T>
class Expr;
template <class T>
class Var;

namespace detail {

template <class T>
constexpr ir::Type type_of() {
  using ir::Scalar;
  if constexpr (kIsVector<T>)
    return {type_of<Component<T>>().scalar, static_cast<std::uint8_t>(kWidth<T>)};
  else if constexpr (std::is_same_v<T, bool>)
    return {Scalar::boolean};
  else if constexpr (std::is_same_v<T, half>)
    return {Scalar::f16};
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

// A scalar or a vector.
template <class T>
concept ScalarType = type_of<T>().scalar != ir::Scalar::none;

template <class T>
std::uint64_t bits_of(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<std::uint32_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<std::uint64_t>(value);
  else if constexpr (std::is_same_v<T, half>)
    return value.bits();
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
concept HostConstant = std::is_arithmetic_v<Component<std::remove_cvref_t<X>>> ||
                       std::is_same_v<Component<std::remove_cvref_t<X>>, half>;

// A value of one component's type stands for all components of a vector.
template <class X, class T>
concept Operand = (Expression<X> && std::is_convertible_v<X, Expr<T>>) || HostConstant<X> ||
                  (kIsVector<T> && Expression<X> && std::is_convertible_v<X, Expr<Component<T>>>);

template <class X>
struct TypeOf {
  using Type = std::remove_cvref_t<X>;
};
template <Expression X>
struct TypeOf<X> {
  using Type = ScalarOf<X>;
};

// The type of an operation with at least one traced side: a vector where one side is, else that of the traced
// side.
template <class A, class B>
struct Common {
  using Left = typename TypeOf<A>::Type;
  using Right = typename TypeOf<B>::Type;
  static constexpr bool kLeft = kIsVector<Left> != kIsVector<Right> ? kIsVector<Left> : Expression<A>;
  using Type = std::conditional_t<kLeft, Left, Right>;
};
template <class A, class B>
using CommonScalar = typename Common<A, B>::Type;

template <class A, class B>
concept Mixed = (Expression<A> && (Expression<B> || HostConstant<B>)) || (HostConstant<A> && Expression<B>);

template <class>
inline constexpr bool kNever = false;

template <class T>
bool never_a_condition() {
  static_assert(
      kNever<T>,
      "if, while, ?: and ! run on the host while a kernel is written down; use if_(), while_(), select() "
      "and operator!.");
  return false;
}

template <class T>
constexpr void never_assigned() {
  static_assert(
      kNever<T>,
      "An Expr, and so what In<T> gives, is a value and can't be assigned to: declare a Var<T>, or make the "
      "buffer an Out<T> or InOut<T>.");
}

// A C++ constant as a T; one that a T can't hold exactly is an error of the trace.
template <class T, class C>
Traced constant(C value) {
  const T converted = static_cast<T>(value);
  bool exact = true;
  if constexpr (std::is_same_v<T, C>)
    exact = true;
  else if constexpr (std::is_integral_v<T> && std::is_integral_v<C> && !std::is_same_v<T, bool> &&
                     !std::is_same_v<C, bool>)
    exact = std::in_range<T>(value);
  else if constexpr (std::is_integral_v<T> && kIsFloat<C>)
    exact = false;
  else if constexpr (kIsFloat<T> && std::is_integral_v<C>)
    exact = static_cast<long double>(converted) == static_cast<long double>(value);
  if (!exact) {
    trace_error("A constant does not fit the type of the value that it is used with; write it in that type.");
  }
  return emit_constant(type_of<T>(), bits_of(converted));
}

// One value for every component.
template <class T>
Traced splat(Traced one) {
  if constexpr (kWidth<T> == 2) return emit(ir::Op::compose, type_of<T>(), {one, one});
  if constexpr (kWidth<T> == 3) return emit(ir::Op::compose, type_of<T>(), {one, one, one});
  if constexpr (kWidth<T> == 4) return emit(ir::Op::compose, type_of<T>(), {one, one, one, one});
}

template <class T, class C>
Traced vector_constant(const C& c) {
  using E = Component<T>;
  static_assert(kWidth<C> == kWidth<T>, "Two vectors of different widths meet.");
  if constexpr (kWidth<T> == 2)
    return emit(ir::Op::compose, type_of<T>(), {constant<E>(c.x), constant<E>(c.y)});
  else if constexpr (kWidth<T> == 3)
    return emit(ir::Op::compose, type_of<T>(), {constant<E>(c.x), constant<E>(c.y), constant<E>(c.z)});
  else
    return emit(ir::Op::compose, type_of<T>(),
                {constant<E>(c.x), constant<E>(c.y), constant<E>(c.z), constant<E>(c.w)});
}

template <class T, class X>
Traced traced(const X& x) {
  if constexpr (HostConstant<X> && kIsVector<X>) {
    return vector_constant<T>(x);
  } else if constexpr (HostConstant<X> && kIsVector<T>) {
    return splat<T>(constant<Component<T>>(x));
  } else if constexpr (HostConstant<X>) {
    return constant<T>(x);
  } else if constexpr (kIsVector<T> && !kIsVector<ScalarOf<X>>) {
    return splat<T>(traced<Component<T>>(x));
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
  static_assert(
      detail::ScalarType<T>,
      "The kernel language has bool, the integers, half, float and double, vectors of them, and structs that "
      "COLLET_STRUCT declared.");

 public:
  using Scalar = T;

  explicit Expr(detail::Traced value) : value_(value) {}
  // A C++ constant.
  Expr(T constant) : value_(detail::emit_constant(detail::type_of<T>(), detail::bits_of(constant))) {}

  Expr(const Expr&) = default;
  // Refused, with a sentence.
  template <class X>
  void operator=(const X&) const {
    detail::never_assigned<X>();
  }
  void operator=(const Expr&) const { detail::never_assigned<T>(); }

  detail::Traced traced() const { return value_; }

  template <class Dummy = void>
  explicit operator bool() const {
    return detail::never_a_condition<Dummy>();
  }

 private:
  detail::Traced value_;
};

namespace detail {

template <class T>
Expr<T> extract(Traced vector, std::uint64_t component) {
  return Expr<T>(emit(ir::Op::extract, type_of<T>(), {vector}, component));
}

// The components of a vector, by name.
template <class T, int kCount>
struct ExprComponents;
template <class T>
struct ExprComponents<T, 2> {
  explicit ExprComponents(Traced v) : x(extract<T>(v, 0)), y(extract<T>(v, 1)) {}
  Expr<T> x, y;
};
template <class T>
struct ExprComponents<T, 3> {
  explicit ExprComponents(Traced v) : x(extract<T>(v, 0)), y(extract<T>(v, 1)), z(extract<T>(v, 2)) {}
  Expr<T> x, y, z;
};
template <class T>
struct ExprComponents<T, 4> {
  explicit ExprComponents(Traced v)
      : x(extract<T>(v, 0)), y(extract<T>(v, 1)), z(extract<T>(v, 2)), w(extract<T>(v, 3)) {}
  Expr<T> x, y, z, w;
};

}  // namespace detail

// A vector that a kernel computes, with its components x, y, z and w.
template <class T, int kCount>
class Expr<vec<T, kCount>> : public detail::ExprComponents<T, kCount> {
 public:
  using Scalar = vec<T, kCount>;

  explicit Expr(detail::Traced value) : detail::ExprComponents<T, kCount>(value), value_(value) {}
  // A C++ constant.
  Expr(const Scalar& constant) : Expr(detail::vector_constant<Scalar>(constant)) {}

  Expr(const Expr&) = default;
  // Refused, with a sentence.
  template <class X>
  void operator=(const X&) const {
    detail::never_assigned<X>();
  }
  void operator=(const Expr&) const { detail::never_assigned<T>(); }

  detail::Traced traced() const { return value_; }

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
    return detail::never_a_condition<Dummy>();
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

// One component of a variable that is a vector; it may be assigned to.
template <class V>
class VarComponent {
 public:
  using Scalar = detail::Component<V>;

  VarComponent(detail::Traced variable, int index) : variable_(variable), index_(index) {}
  VarComponent(const VarComponent&) = delete;

  operator Expr<Scalar>() const { return detail::extract<Scalar>(get(), static_cast<std::uint64_t>(index_)); }

  VarComponent& operator=(const VarComponent& other) { return *this = static_cast<Expr<Scalar>>(other); }
  template <class X>
    requires detail::Operand<X, Scalar>
  VarComponent& operator=(const X& value) {
    const detail::Traced changed = detail::traced<Scalar>(value);
    const detail::Traced old = get();
    const auto part = [&](int i) {
      return i == index_ ? changed : detail::extract<Scalar>(old, static_cast<std::uint64_t>(i)).traced();
    };
    constexpr ir::Type kType = detail::type_of<V>();
    detail::Traced all;
    if constexpr (detail::kWidth<V> == 2) all = detail::emit(ir::Op::compose, kType, {part(0), part(1)});
    if constexpr (detail::kWidth<V> == 3)
      all = detail::emit(ir::Op::compose, kType, {part(0), part(1), part(2)});
    if constexpr (detail::kWidth<V> == 4)
      all = detail::emit(ir::Op::compose, kType, {part(0), part(1), part(2), part(3)});
    detail::emit(ir::Op::set, {}, {variable_, all});
    return *this;
  }

 private:
  detail::Traced get() const { return detail::emit(ir::Op::get, detail::type_of<V>(), {variable_}); }

  detail::Traced variable_;
  int index_;
};

namespace detail {

template <class V, int kCount>
struct VarComponents;
template <class V>
struct VarComponents<V, 2> {
  explicit VarComponents(Traced v) : x(v, 0), y(v, 1) {}
  VarComponent<V> x, y;
};
template <class V>
struct VarComponents<V, 3> {
  explicit VarComponents(Traced v) : x(v, 0), y(v, 1), z(v, 2) {}
  VarComponent<V> x, y, z;
};
template <class V>
struct VarComponents<V, 4> {
  explicit VarComponents(Traced v) : x(v, 0), y(v, 1), z(v, 2), w(v, 3) {}
  VarComponent<V> x, y, z, w;
};

}  // namespace detail

// A variable that is a vector: v.x = 1.0f.
template <class T, int kCount>
class Var<vec<T, kCount>> : public detail::VarComponents<vec<T, kCount>, kCount> {
 public:
  using Scalar = vec<T, kCount>;

  Var() : Var(Scalar{}) {}
  Var(const Scalar& constant) : Var(Expr<Scalar>(constant)) {}
  Var(const Expr<Scalar>& value) : Var(detail::emit_variable(detail::type_of<Scalar>()), value.traced()) {}
  // A variable of its own that begins with the other's value.
  Var(const Var& other) : Var(static_cast<Expr<Scalar>>(other)) {}
  template <class X>
    requires(detail::Expression<X> && !std::is_same_v<X, Var> && !std::is_same_v<X, Expr<Scalar>>)
  Var(const X& value)
      : Var(detail::emit_variable(detail::type_of<Scalar>()), detail::traced<Scalar>(value)) {}

  Var& operator=(const Var& other) { return set(static_cast<Expr<Scalar>>(other).traced()); }
  template <class X>
    requires detail::Operand<X, Scalar>
  Var& operator=(const X& value) {
    return set(detail::traced<Scalar>(value));
  }

  operator Expr<Scalar>() const {
    return Expr<Scalar>(detail::emit(ir::Op::get, detail::type_of<Scalar>(), {variable_}));
  }

 private:
  Var(detail::Traced variable, detail::Traced value)
      : detail::VarComponents<Scalar, kCount>(variable), variable_(variable) {
    set(value);
  }
  Var& set(detail::Traced value) {
    detail::emit(ir::Op::set, {}, {variable_, value});
    return *this;
  }

  detail::Traced variable_;
};

namespace detail {

template <class T>
Expr<T> binary(ir::Op op, Traced a, Traced b) {
  return Expr<T>(emit(op, type_of<T>(), {a, b}));
}

template <class A, class B>
auto arithmetic(ir::Op op, const A& a, const B& b) {
  using T = CommonScalar<A, B>;
  static_assert(!std::is_same_v<Component<T>, bool>, "Booleans have no arithmetic; cast them first.");
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

// clang-format off
template <class V, class X> requires detail::Operand<X, detail::Component<V>>
VarComponent<V>& operator+=(VarComponent<V>& v, const X& x) { return v = v + x; }
template <class V, class X> requires detail::Operand<X, detail::Component<V>>
VarComponent<V>& operator-=(VarComponent<V>& v, const X& x) { return v = v - x; }
template <class V, class X> requires detail::Operand<X, detail::Component<V>>
VarComponent<V>& operator*=(VarComponent<V>& v, const X& x) { return v = v * x; }
template <class V, class X> requires detail::Operand<X, detail::Component<V>>
VarComponent<V>& operator/=(VarComponent<V>& v, const X& x) { return v = v / x; }
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

// `a` where `condition` holds, else `b`. Both are computed. For vectors the condition is one boolean, or one
// for each component.
template <class C, class A, class B>
  requires(detail::Expression<C> && detail::Mixed<A, B>)
auto select(const C& condition, const A& a, const B& b) {
  using T = detail::CommonScalar<A, B>;
  using Mask = typename detail::Shaped<detail::ScalarOf<C>, bool>::Type;
  const detail::Traced decided = detail::traced<Mask>(condition);
  const detail::Traced first = detail::traced<T>(a);
  return Expr<T>(detail::emit(ir::Op::select, detail::type_of<T>(), {decided, first, detail::traced<T>(b)}));
}

// A vector of two to four values of one type, of which the first is no constant.
template <class A, class... Rest>
  requires(detail::Expression<A> && sizeof...(Rest) >= 1 && sizeof...(Rest) <= 3)
auto compose(const A& a, const Rest&... rest) {
  using T = detail::ScalarOf<A>;
  static_assert(!detail::kIsVector<T>, "A vector is composed of scalars.");
  using V = vec<T, 1 + static_cast<int>(sizeof...(Rest))>;
  return Expr<V>(detail::emit(ir::Op::compose, detail::type_of<V>(),
                              {detail::traced<T>(a), detail::traced<T>(rest)...}));
}

// The sum of the products of the components.
template <class A, class B>
  requires detail::Mixed<A, B>
auto dot(const A& a, const B& b) {
  using V = detail::CommonScalar<A, B>;
  static_assert(detail::kIsVector<V>, "dot is for vectors.");
  const Expr<V> p(detail::arithmetic(ir::Op::mul, a, b));
  if constexpr (detail::kWidth<V> == 2)
    return p.x + p.y;
  else if constexpr (detail::kWidth<V> == 3)
    return p.x + p.y + p.z;
  else
    return p.x + p.y + p.z + p.w;
}

// Whether any, or every, component of a vector of booleans holds.
template <class T>
  requires(detail::kIsVector<detail::ScalarOf<T>>)
Expr<bool> any(const T& mask) {
  return Expr<bool>(
      detail::emit(ir::Op::any, {ir::Scalar::boolean}, {detail::traced<detail::ScalarOf<T>>(mask)}));
}
template <class T>
  requires(detail::kIsVector<detail::ScalarOf<T>>)
Expr<bool> all(const T& mask) {
  return Expr<bool>(
      detail::emit(ir::Op::all, {ir::Scalar::boolean}, {detail::traced<detail::ScalarOf<T>>(mask)}));
}

}  // namespace collet
