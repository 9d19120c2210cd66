// Var<T>, a variable of one item, and its components where it is a vector.
#pragma once

#include "collet/expr.hpp"

namespace collet {

// A variable of one item.
template <class T>
class Var {
 public:
  using ColletScalar = T;

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
  template <class U>
  friend void named(const Var<U>& variable, std::string_view name);

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
  using ColletScalar = detail::Component<V>;

  VarComponent(detail::Traced variable, int index) : variable_(variable), index_(index) {}
  VarComponent(const VarComponent&) = delete;

  operator Expr<ColletScalar>() const {
    return detail::extract<ColletScalar>(get(), static_cast<std::uint64_t>(index_));
  }

  VarComponent& operator=(const VarComponent& other) {
    return *this = static_cast<Expr<ColletScalar>>(other);
  }
  template <class X>
    requires detail::Operand<X, ColletScalar>
  VarComponent& operator=(const X& value) {
    const detail::Traced changed = detail::traced<ColletScalar>(value);
    const detail::Traced old = get();
    const auto part = [&](int i) {
      return i == index_ ? changed
                         : detail::extract<ColletScalar>(old, static_cast<std::uint64_t>(i)).traced();
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
  using ColletScalar = vec<T, kCount>;

  Var() : Var(ColletScalar{}) {}
  Var(const ColletScalar& constant) : Var(Expr<ColletScalar>(constant)) {}
  Var(const Expr<ColletScalar>& value)
      : Var(detail::emit_variable(detail::type_of<ColletScalar>()), value.traced()) {}
  // A variable of its own that begins with the other's value.
  Var(const Var& other) : Var(static_cast<Expr<ColletScalar>>(other)) {}
  template <class X>
    requires(detail::Expression<X> && !std::is_same_v<X, Var> && !std::is_same_v<X, Expr<ColletScalar>>)
  Var(const X& value)
      : Var(detail::emit_variable(detail::type_of<ColletScalar>()), detail::traced<ColletScalar>(value)) {}

  Var& operator=(const Var& other) { return set(static_cast<Expr<ColletScalar>>(other).traced()); }
  template <class X>
    requires detail::Operand<X, ColletScalar>
  Var& operator=(const X& value) {
    return set(detail::traced<ColletScalar>(value));
  }

  operator Expr<ColletScalar>() const {
    return Expr<ColletScalar>(detail::emit(ir::Op::get, detail::type_of<ColletScalar>(), {variable_}));
  }
  // A component by its number, to be read.
  template <class X>
  Expr<T> operator[](const X& number) const {
    return static_cast<Expr<ColletScalar>>(*this)[number];
  }

 private:
  template <class U>
  friend void named(const Var<U>& variable, std::string_view name);

  Var(detail::Traced variable, detail::Traced value)
      : detail::VarComponents<ColletScalar, kCount>(variable), variable_(variable) {
    set(value);
  }
  Var& set(detail::Traced value) {
    detail::emit(ir::Op::set, {}, {variable_, value});
    return *this;
  }

  detail::Traced variable_;
};

// What emitted code calls a variable. The name has letters, digits and underscores, and a letter first.
template <class T>
void named(const Var<T>& variable, std::string_view name) {
  detail::name_variable(variable.variable_, name);
}

namespace detail {

template <class V>
inline constexpr bool kIsVariable = false;
template <class T>
inline constexpr bool kIsVariable<Var<T>> = true;
template <class V>
inline constexpr bool kIsVariable<VarComponent<V>> = true;

// A variable, or a component of one, and what can be added to it and the like.
template <class V, class X>
concept AssignableBy = kIsVariable<V> && Operand<X, ScalarOf<V>>;

}  // namespace detail

}  // namespace collet
