// What only vectors have: compose(), dot(), any() and all().
#pragma once

#include "collet/operators.hpp"

namespace collet {

namespace detail {

// The type of the first traced value, else what all constants have in common.
template <class A, class... Rest>
struct Composed {
  using Type = typename TypeOf<A>::Type;
};
template <HostConstant A, class B, class... Rest>
struct Composed<A, B, Rest...> : Composed<std::conditional_t<Expression<B>, B, CommonScalar<A, B>>, Rest...> {
};

}  // namespace detail

// A vector of two to four values of one type; constants take the type of the others.
template <class... Parts>
  requires(sizeof...(Parts) >= 2 && sizeof...(Parts) <= 4 && (detail::TracedOrConstant<Parts> && ...))
auto compose(const Parts&... parts) {
  using T = typename detail::Composed<Parts...>::Type;
  static_assert(!detail::kIsVector<T>, "A vector is composed of scalars.");
  using V = vec<T, static_cast<int>(sizeof...(Parts))>;
  return Expr<V>(detail::emit(ir::Op::compose, detail::type_of<V>(), {detail::traced<T>(parts)...}));
}

namespace detail {

// The names of components, as a template argument.
template <std::size_t kLength>
struct ComponentNames {
  consteval ComponentNames(const char (&names)[kLength]) {  // NOLINT(google-explicit-constructor)
    for (std::size_t i = 0; i < kLength; ++i) name[i] = names[i];
  }
  static constexpr std::size_t kCount = kLength - 1;
  // Which one it is: 0 to 3, and 4 for what is no component.
  constexpr int number(std::size_t at) const {
    for (int i = 0; i < 4; ++i)
      if ("xyzw"[i] == name[at]) return i;
    return 4;
  }
  constexpr bool within(int width) const {
    for (std::size_t i = 0; i < kCount; ++i)
      if (number(i) >= width) return false;
    return true;
  }
  char name[kLength] = {};
};

}  // namespace detail

// Components in another order: swizzle<"zyx">(v); one may stand there more than once.
template <detail::ComponentNames kNames, class X>
  requires detail::Expression<X>
auto swizzle(const X& x) {
  using V = detail::ScalarOf<X>;
  static_assert(detail::kIsVector<V>, "swizzle is for vectors.");
  static_assert(kNames.kCount >= 2 && kNames.kCount <= 4, "A swizzle names two to four components.");
  static_assert(kNames.within(detail::kWidth<V>),
                "The swizzle names a component that the vector does not have.");
  const detail::Traced vector = detail::traced<V>(x);
  const auto part = [&](std::size_t i) {
    return detail::extract<detail::Component<V>>(vector, static_cast<std::uint64_t>(kNames.number(i)));
  };
  if constexpr (kNames.kCount == 2) return compose(part(0), part(1));
  if constexpr (kNames.kCount == 3) return compose(part(0), part(1), part(2));
  if constexpr (kNames.kCount == 4) return compose(part(0), part(1), part(2), part(3));
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
