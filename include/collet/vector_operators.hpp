// What only vectors have: compose(), dot(), any() and all().
#pragma once

#include "collet/operators.hpp"

namespace collet {

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
