// Expr<T>, a value of the kernel language, and Once<T>, what an atomic operation found.
#pragma once

#include "collet/detail/operands.hpp"

namespace collet {

// A value of type T that a kernel computes.
template <class T>
class Expr {
  static_assert(
      detail::ScalarType<T>,
      "The kernel language has bool, the integers, half, float and double, vectors of them, and structs that "
      "COLLET_STRUCT declared.");

 public:
  using ColletScalar = T;

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
  using ColletScalar = vec<T, kCount>;

  explicit Expr(detail::Traced value) : detail::ExprComponents<T, kCount>(value), value_(value) {}
  // A C++ constant.
  Expr(const ColletScalar& constant) : Expr(detail::vector_constant<ColletScalar>(constant)) {}

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

}  // namespace collet
