// Square matrices of floats, as structs of their rows, on the host and in kernels:
//
//   kernel("turn", [](In<float3> x, Out<float3> y, Value<float3x3> m) {
//     y[global_id()] = m * x[global_id()];
//   });
//
// x, y, z and w are the rows. + and - work element by element; * is the product of matrices, or with a vector
// as a column, or with a number.
#pragma once

#include "collet/functions.hpp"
#include "collet/structure.hpp"

namespace collet {

struct float2x2 {  // NOLINT(readability-identifier-naming): a type like float
  float2 x, y;
  friend constexpr bool operator==(const float2x2&, const float2x2&) = default;
};
struct float3x3 {  // NOLINT(readability-identifier-naming)
  float3 x, y, z;
  friend constexpr bool operator==(const float3x3&, const float3x3&) = default;
};
struct float4x4 {  // NOLINT(readability-identifier-naming)
  float4 x, y, z, w;
  friend constexpr bool operator==(const float4x4&, const float4x4&) = default;
};
COLLET_STRUCT(float2x2, x, y)
COLLET_STRUCT(float3x3, x, y, z)
COLLET_STRUCT(float4x4, x, y, z, w)

namespace detail {

template <class M>
struct MatrixTraits {
  static constexpr int kRows = 0;
};
template <>
struct MatrixTraits<float2x2> {
  static constexpr int kRows = 2;
};
template <>
struct MatrixTraits<float3x3> {
  static constexpr int kRows = 3;
};
template <>
struct MatrixTraits<float4x4> {
  static constexpr int kRows = 4;
};

// The matrix that a kernel's value is one of.
template <class X>
struct MatrixOf {
  using Type = void;
};
template <template <class> class X, class M>
  requires(MatrixTraits<M>::kRows != 0)
struct MatrixOf<X<M>> {
  using Type = M;
};
template <class X>
concept Matrix = !std::is_void_v<typename MatrixOf<X>::Type>;
template <class X>
using MatrixType = typename MatrixOf<X>::Type;
template <class M>
using Row = vec<float, MatrixTraits<M>::kRows>;

template <class M>
struct Rows {
  explicit Rows(const Expr<M>& m) : all{m.x, m.y} {}
  Expr<Row<M>> all[2];
};
template <>
struct Rows<float3x3> {
  explicit Rows(const Expr<float3x3>& m) : all{m.x, m.y, m.z} {}
  Expr<float3> all[3];
};
template <>
struct Rows<float4x4> {
  explicit Rows(const Expr<float4x4>& m) : all{m.x, m.y, m.z, m.w} {}
  Expr<float4> all[4];
};

// The matrix whose rows are row(0), row(1) …
template <class M, class Make>
Expr<M> matrix(const Make& row) {
  FromValues rows;
  for (int i = 0; i < MatrixTraits<M>::kRows; ++i) rows.values[i] = Expr<Row<M>>(row(i)).traced();
  return Expr<M>(rows);
}

// component(0), component(1) … as a vector.
template <class M, class Make>
Expr<Row<M>> row_of(const Make& component) {
  if constexpr (MatrixTraits<M>::kRows == 2)
    return compose(component(0), component(1));
  else if constexpr (MatrixTraits<M>::kRows == 3)
    return compose(component(0), component(1), component(2));
  else
    return compose(component(0), component(1), component(2), component(3));
}

}  // namespace detail

// clang-format off
template <class A, class B> requires(detail::Matrix<A> && std::is_same_v<detail::MatrixType<A>, detail::MatrixType<B>>)
auto operator+(const A& a, const B& b) {
  using M = detail::MatrixType<A>;
  const detail::Rows<M> m(a), n(b);
  return detail::matrix<M>([&](int i) { return m.all[i] + n.all[i]; });
}
template <class A, class B> requires(detail::Matrix<A> && std::is_same_v<detail::MatrixType<A>, detail::MatrixType<B>>)
auto operator-(const A& a, const B& b) {
  using M = detail::MatrixType<A>;
  const detail::Rows<M> m(a), n(b);
  return detail::matrix<M>([&](int i) { return m.all[i] - n.all[i]; });
}
template <class A, class B> requires(detail::Matrix<A> && std::is_same_v<detail::MatrixType<A>, detail::MatrixType<B>>)
auto operator*(const A& a, const B& b) {
  using M = detail::MatrixType<A>;
  const detail::Rows<M> m(a), n(b);
  return detail::matrix<M>([&](int i) {
    detail::Traced sum = (m.all[i][0u] * n.all[0]).traced();
    for (int k = 1; k < detail::MatrixTraits<M>::kRows; ++k)
      sum = (Expr<detail::Row<M>>(sum) + m.all[i][static_cast<std::uint32_t>(k)] * n.all[k]).traced();
    return Expr<detail::Row<M>>(sum);
  });
}
template <class A, class B> requires(detail::Matrix<A> && detail::Expression<B>)
auto operator*(const A& a, const B& b) {
  using M = detail::MatrixType<A>;
  using V = detail::ScalarOf<B>;
  static_assert(std::is_same_v<V, float> || std::is_same_v<V, detail::Row<M>>,
                "A matrix is multiplied by a float, by a vector of as many floats as it has rows, or by a matrix of its size.");
  const detail::Rows<M> m(a);
  const Expr<V> by(detail::traced<V>(b));
  if constexpr (std::is_same_v<V, float>)
    return detail::matrix<M>([&](int i) { return m.all[i] * by; });
  else
    return detail::row_of<M>([&](int i) { return dot(m.all[i], by); });
}
template <class A> requires detail::Matrix<A>
auto operator*(const A& a, float b) { return a * Expr<float>(b); }
template <class A, class B> requires(detail::Matrix<B> && (std::is_same_v<A, float> || detail::Expression<A>))
auto operator*(const A& a, const B& b) {
  static_assert(std::is_same_v<detail::CommonScalar<A, float>, float>, "From the left, a matrix is multiplied by a float.");
  return b * Expr<float>(detail::traced<float>(a));
}
// clang-format on

// Its rows are the columns of `a`.
template <class A>
  requires detail::Matrix<A>
auto transpose(const A& a) {
  using M = detail::MatrixType<A>;
  const detail::Rows<M> m(a);
  return detail::matrix<M>([&](int i) {
    return detail::row_of<M>([&](int k) { return m.all[k][static_cast<std::uint32_t>(i)]; });
  });
}

}  // namespace collet
