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

// One component by its number; 0 where there is none of that number.
template <class V, class X>
Expr<Component<V>> component(Traced vector, const X& number) {
  using T = Component<V>;
  if constexpr (HostConstant<X>) {
    if (!std::in_range<std::uint32_t>(number) || static_cast<std::uint32_t>(number) >= kWidth<V>) {
      trace_error("A vector of " + std::to_string(kWidth<V>) + " components has none of the number " +
                  number_text(number) + ".");
      return Expr<T>(T{});
    }
    return extract<T>(vector, static_cast<std::uint64_t>(number));
  } else {
    const Traced asked = index(number);
    Traced found = emit_constant(type_of<T>(), 0);
    for (std::uint32_t i = 0; i < kWidth<V>; ++i) {
      const Traced same = emit(ir::Op::eq, {ir::Scalar::boolean}, {asked, constant<std::uint32_t>(i)});
      found = emit(ir::Op::select, type_of<T>(), {same, extract<T>(vector, i).traced(), found});
    }
    return Expr<T>(found);
  }
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

  // A component by its number: 0 is x. There is 0 where the vector ends.
  template <class X>
  Expr<T> operator[](const X& number) const {
    return detail::component<ColletScalar>(value_, number);
  }

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
