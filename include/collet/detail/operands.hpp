// What may stand on either side of an operator of the kernel language: traced values, and constants of C++
// that become traced ones.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
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
  } else if constexpr (std::is_enum_v<T>) {
    return type_of<std::underlying_type_t<T>>();
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
  else if constexpr (std::is_enum_v<T>)
    return bits_of(static_cast<std::underlying_type_t<T>>(value));
  else
    return static_cast<std::make_unsigned_t<T>>(value);
}

// Values of the kernel language have a member type ColletScalar and convert to Expr<ColletScalar>. No other
// library has a member of that name, so its types are left alone.
template <class X>
concept Expression = requires { typename std::remove_cvref_t<X>::ColletScalar; };

template <class X>
using ScalarOf = typename std::remove_cvref_t<X>::ColletScalar;

template <class X>
concept HostConstant =
    std::is_arithmetic_v<Component<std::remove_cvref_t<X>>> || std::is_enum_v<std::remove_cvref_t<X>> ||
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

// The type of an operation: a vector where one side is, else that of the traced side, else what two constants
// have in common.
template <class A, class B>
struct Common {
  using Left = typename TypeOf<A>::Type;
  using Right = typename TypeOf<B>::Type;
  static constexpr bool kLeft = kIsVector<Left> != kIsVector<Right> ? kIsVector<Left> : Expression<A>;
  using Type = std::conditional_t<kLeft, Left, Right>;
};
template <HostConstant A, HostConstant B>
struct Common<A, B> {
  static constexpr bool kNumbers = std::is_arithmetic_v<A> && std::is_arithmetic_v<B>;
  static_assert(kNumbers || std::is_same_v<A, B>, "Write both constants in one type.");
  using Type = typename std::conditional_t<kNumbers, std::common_type<A, B>, std::type_identity<A>>::type;
};
template <class A, class B>
using CommonScalar = typename Common<A, B>::Type;

template <class X>
concept TracedOrConstant = Expression<X> || HostConstant<X>;

template <class A, class B>
concept Mixed = TracedOrConstant<A> && TracedOrConstant<B> && (Expression<A> || Expression<B>);

template <class>
inline constexpr bool kNever = false;

template <class T>
bool never_a_condition() {
  static_assert(kNever<T>,
                "if, while, ?: and ! run on the host while a kernel is traced; use if_(), while_(), select() "
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

// For messages.
template <class C>
std::string number_text(C value) {
  if constexpr (std::is_same_v<C, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_enum_v<C>)
    return number_text(static_cast<std::underlying_type_t<C>>(value));
  else if constexpr (std::is_same_v<C, half>)
    return std::to_string(static_cast<float>(value));
  else
    return std::to_string(value);
}

// A C++ constant as a T; one that a T can't hold exactly is an error of the trace.
template <class T, class C>
Traced constant(C value) {
  static_assert(std::is_same_v<T, C> || (!std::is_enum_v<T> && !std::is_enum_v<C>),
                "An enum and a number meet; write cast<T>(value) where you mean to convert.");
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
    trace_error("The constant " + number_text(value) +
                " does not fit the type of the value that it is used with, " + type_name(type_of<T>()) +
                "; write it in that type.");
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

// An index of any integer type as a u32. What is negative or does not fit is beyond the end of every memory.
template <class X>
Traced index(const X& x) {
  if constexpr (HostConstant<X>) {
    return constant<std::uint32_t>(x);
  } else {
    using T = ScalarOf<X>;
    static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>, "An index is an integer.");
    const Traced value = traced<T>(x);
    if constexpr (std::is_same_v<T, std::uint32_t>) return value;
    constexpr ir::Type kU32{ir::Scalar::u32};
    const Traced low = emit(ir::Op::convert, kU32, {value});
    if constexpr (sizeof(T) <= 4) return low;
    constexpr ir::Type kU64{ir::Scalar::u64};
    const Traced wide = std::is_signed_v<T> ? emit(ir::Op::convert, kU64, {value}) : value;
    const Traced last = emit_constant(kU64, std::numeric_limits<std::uint32_t>::max());
    const Traced beyond = emit(ir::Op::gt, {ir::Scalar::boolean}, {wide, last});
    const Traced none = emit_constant(kU32, std::numeric_limits<std::uint32_t>::max());
    return emit(ir::Op::select, kU32, {beyond, none, low});
  }
}

// An index, with the place in the program where it is written.
class Index {
 public:
  template <class X>
    requires(TracedOrConstant<X>)
  Index(const X& x, const std::source_location& where =
                        std::source_location::current())  // NOLINT(google-explicit-constructor)
      : value_((trace_at(where), detail::index(x))) {}
  Traced value() const { return value_; }

 private:
  Traced value_;
};
inline Traced index(const Index& index) { return index.value(); }

}  // namespace detail

}  // namespace collet
