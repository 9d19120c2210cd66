// Two to four numbers of one type, packed tightly, on the host and in kernels.
//
//   collet::float3 v{1, 2, 3};                    the host's: an aggregate of its components
//   Expr<float3> w = compose(x, y, z) * 2.0f;     a kernel's: arithmetic is component by component
//   w.x; dot(v, w); all(v < w);
#pragma once

#include <cstdint>

#include "collet/half.hpp"

namespace collet {

template <class T, int kWidth>
struct vec;  // NOLINT(readability-identifier-naming): a type like float
template <class T>
struct vec<T, 2> {  // NOLINT(readability-identifier-naming)
  T x, y;
  friend constexpr bool operator==(const vec&, const vec&) = default;
};
template <class T>
struct vec<T, 3> {  // NOLINT(readability-identifier-naming)
  T x, y, z;
  friend constexpr bool operator==(const vec&, const vec&) = default;
};
template <class T>
struct vec<T, 4> {  // NOLINT(readability-identifier-naming)
  T x, y, z, w;
  friend constexpr bool operator==(const vec&, const vec&) = default;
};

using float2 = vec<float, 2>;         // NOLINT(readability-identifier-naming)
using float3 = vec<float, 3>;         // NOLINT(readability-identifier-naming)
using float4 = vec<float, 4>;         // NOLINT(readability-identifier-naming)
using half2 = vec<half, 2>;           // NOLINT(readability-identifier-naming)
using half3 = vec<half, 3>;           // NOLINT(readability-identifier-naming)
using half4 = vec<half, 4>;           // NOLINT(readability-identifier-naming)
using double2 = vec<double, 2>;       // NOLINT(readability-identifier-naming)
using double3 = vec<double, 3>;       // NOLINT(readability-identifier-naming)
using double4 = vec<double, 4>;       // NOLINT(readability-identifier-naming)
using int2 = vec<std::int32_t, 2>;    // NOLINT(readability-identifier-naming)
using int3 = vec<std::int32_t, 3>;    // NOLINT(readability-identifier-naming)
using int4 = vec<std::int32_t, 4>;    // NOLINT(readability-identifier-naming)
using uint2 = vec<std::uint32_t, 2>;  // NOLINT(readability-identifier-naming)
using uint3 = vec<std::uint32_t, 3>;  // NOLINT(readability-identifier-naming)
using uint4 = vec<std::uint32_t, 4>;  // NOLINT(readability-identifier-naming)

namespace detail {

// What a vector is made of; a scalar is made of itself.
template <class T>
struct VectorTraits {
  using Component = T;
  static constexpr int kWidth = 1;
};
template <class T, int kCount>
struct VectorTraits<vec<T, kCount>> {
  using Component = T;
  static constexpr int kWidth = kCount;
};
template <class T>
using Component = typename VectorTraits<T>::Component;
template <class T>
inline constexpr int kWidth = VectorTraits<T>::kWidth;
template <class T>
inline constexpr bool kIsVector = kWidth<T> != 1;

// `like` with T for its components.
template <class Like, class T>
struct Shaped {
  using Type = T;
};
template <class Like, class T>
  requires kIsVector<Like>
struct Shaped<Like, T> {
  using Type = vec<T, kWidth<Like>>;
};

template <class T>
inline constexpr bool kIsFloat = std::is_floating_point_v<T> || std::is_same_v<T, half>;

}  // namespace detail

}  // namespace collet
