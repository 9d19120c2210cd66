// Plain structs in the kernel language, by one line after the struct, in its namespace:
//
//   struct Particle { float3 position, velocity; float mass; };
//   COLLET_STRUCT(Particle, position, velocity, mass)
//
//   kernel("step", [](InOut<Particle> p, Value<Step> step) {
//     auto i = global_id();
//     p[i].position = p[i].position + p[i].velocity * step.time;
//   });
//
// The layout is the compiler's. Each field is reached at its own offset, so that one that is not used costs
// nothing. A field's type is a scalar, a vector, another such struct, or an array of these; up to 200 fields.
// All fields are named, in their order. They may have any name that does not begin with "collet_": such are
// the parameters below.
#pragma once

#include <array>
#include <cstddef>

#include "collet/detail/for_each.hpp"
#include "collet/memory.hpp"

namespace collet {

namespace detail {

template <class T>
concept StructType = requires(const T* t) { collet_fields_of(t); };

template <class T>
using FieldsOf = decltype(collet_fields_of(static_cast<const T*>(nullptr)));

template <class T, template <class> class M>
using Members = typename FieldsOf<T>::template Members<M>;

// A field's type as the language knows it: T[n] for std::array too.
template <class T>
struct FieldType {
  using Type = T;
};
template <class T, std::size_t kCount>
struct FieldType<T[kCount]> {
  using Type = typename FieldType<T>::Type[kCount];
};
template <class T, std::size_t kCount>
struct FieldType<std::array<T, kCount>> : FieldType<T[kCount]> {};
template <class T>
using Field = typename FieldType<T>::Type;

template <class T>
concept FieldScalar = ScalarType<std::remove_all_extents_t<T>> || StructType<std::remove_all_extents_t<T>>;

struct FieldPlace {
  std::size_t offset, size, alignment;
};

// Whether the fields are where they would be if there were no others.
template <std::size_t kCount>
constexpr bool covers(const FieldPlace (&fields)[kCount], std::size_t size, std::size_t alignment) {
  const auto up = [](std::size_t value, std::size_t to) { return (value + to - 1) / to * to; };
  std::size_t end = 0;
  for (const FieldPlace& field : fields) {
    if (field.offset != up(end, field.alignment)) return false;
    end = field.offset + field.size;
  }
  return size == up(end, alignment);
}

// What makes the members of a struct that a kernel holds: fields in memory, of a parameter, of variables.
struct FromMemory {
  Place place;
  template <class Member, class T>
  Member collet_make(std::size_t offset) const {
    if constexpr (std::is_array_v<T>)
      return Member(FromMemory{place.at(offset)});
    else if constexpr (std::is_same_v<Member, Expr<T>> && !StructType<T>)
      return load<T>(place.at(offset));
    else
      return Member(place.at(offset));
  }
};
struct FromParameter {
  Traced parameter;
  std::uint32_t base = 0;
  template <class Member, class T>
  Member collet_make(std::size_t offset) const {
    const std::uint32_t at = base + static_cast<std::uint32_t>(offset);
    if constexpr (StructType<T> || std::is_array_v<T>)
      return Member(FromParameter{parameter, at});
    else
      return Member(emit_at(ir::Op::parameter, type_of<T>(), parameter, at, {}));
  }
};
// Values of one size, of a struct that has nothing else, in their order.
struct FromValues {
  std::array<Traced, 4> values;
  template <class Member, class T>
  Member collet_make(std::size_t offset) const {
    return Member(values[offset / sizeof(T)]);
  }
};
// Variables that begin with 0.
struct Fresh {
  template <class Member, class T>
  Member collet_make(std::size_t) const {
    if constexpr (std::is_array_v<T>)
      return Member(Fresh{});
    else
      return Member();
  }
};

// The members come from others of the same names.
struct FieldByField {};

// Remembers the mistake as the kernel's.
COLLET_API void no_such_element(std::int64_t number, std::uint64_t count);

// The elements of an array that is a field.
template <template <class> class M, class T, std::size_t kCount>
class FieldArray {
  using Moved = std::conditional_t<std::is_same_v<M<T>, Expr<T>>, Expr<T>, M<T>&&>;

 public:
  template <class From>
    requires requires { &From::template collet_make<M<float>, float>; }
  explicit FieldArray(const From& from) : FieldArray(from, std::make_index_sequence<kCount>()) {}
  template <template <class> class N>
  explicit(!std::is_same_v<M<T>, Expr<T>>) FieldArray(const FieldArray<N, T, kCount>& other)
      : FieldArray(other, std::make_index_sequence<kCount>()) {}
  FieldArray(const FieldArray&) = default;

  // By a number that is known now: loops over the elements are C++'s.
  template <std::integral I>
  const M<T>& operator[](I number) const& {
    return all_[checked(number)];
  }
  template <std::integral I>
  M<T>& operator[](I number) & {
    return all_[checked(number)];
  }
  template <std::integral I>
  Moved operator[](I number) && {
    return std::move(all_[checked(number)]);
  }
  // By one that the kernel computes, for reading only; 0 beyond the end.
  template <class X>
    requires Expression<X>
  Expr<T> operator[](const X& number) const {
    static_assert(ScalarType<T>, "An array of structs or of arrays is indexed by C++ numbers.");
    const auto at = index(number);
    Traced found = Expr<T>(T{}).traced();
    for (std::uint32_t i = 0; i < kCount; ++i) {
      const Expr<bool> here(emit(ir::Op::eq, {ir::Scalar::boolean}, {at, traced<std::uint32_t>(i)}));
      found = select(here, Expr<T>(all_[i]), Expr<T>(found)).traced();
    }
    return Expr<T>(found);
  }

  void assign(const FieldArray<Expr, T, kCount>& from) {
    for (std::size_t i = 0; i < kCount; ++i) std::move(all_[i]) = from[i];
  }

 private:
  template <class From, std::size_t... kIndex>
    requires requires { &From::template collet_make<M<float>, float>; }
  FieldArray(const From& from, std::index_sequence<kIndex...>)
      : all_{from.template collet_make<M<T>, T>(kIndex * sizeof(T))...} {}
  template <template <class> class N, std::size_t... kIndex>
  FieldArray(const FieldArray<N, T, kCount>& other, std::index_sequence<kIndex...>)
      : all_{M<T>(static_cast<Expr<T>>(other[kIndex]))...} {}
  template <class I>
  static std::size_t checked(I number) {
    if (std::cmp_greater_equal(number, 0) && std::cmp_less(number, kCount))
      return static_cast<std::size_t>(number);
    no_such_element(static_cast<std::int64_t>(number), kCount);
    return 0;
  }

  M<T> all_[kCount];
};

}  // namespace detail

template <class T, std::size_t kCount>
class Expr<T[kCount]> : public detail::FieldArray<Expr, T, kCount> {
 public:
  using detail::FieldArray<Expr, T, kCount>::FieldArray;
};
template <class T, std::size_t kCount>
class Var<T[kCount]> : public detail::FieldArray<Var, T, kCount> {
 public:
  using detail::FieldArray<Var, T, kCount>::FieldArray;
  Var(const Expr<T[kCount]>& other)
      : detail::FieldArray<Var, T, kCount>(static_cast<const detail::FieldArray<Expr, T, kCount>&>(other)) {}
  void operator=(const Expr<T[kCount]>& from) { this->assign(from); }
};
template <class T, std::size_t kCount>
class OutElement<T[kCount]> : public detail::FieldArray<OutElement, T, kCount> {
 public:
  using detail::FieldArray<OutElement, T, kCount>::FieldArray;
  void operator=(const Expr<T[kCount]>& from) && { this->assign(from); }
};
template <class T, std::size_t kCount>
class Element<T[kCount]> : public detail::FieldArray<Element, T, kCount> {
 public:
  using detail::FieldArray<Element, T, kCount>::FieldArray;
  void operator=(const Expr<T[kCount]>& from) && { this->assign(from); }
};

// A struct that a kernel computes: its fields are members of the same names.
template <class T>
  requires detail::StructType<T>
class Expr<T> : public detail::Members<T, Expr> {
  using Members = detail::Members<T, Expr>;

 public:
  explicit Expr(const detail::Place& collet_place) : Members(detail::FromMemory{collet_place}) {}
  explicit Expr(const detail::FromParameter& collet_from) : Members(collet_from) {}
  explicit Expr(const detail::FromValues& collet_from) : Members(collet_from) {}
  template <template <class> class M>
  Expr(detail::FieldByField, const typename detail::FieldsOf<T>::template Members<M>& collet_from)
      : Members(collet_from) {}
  Expr(const Expr&) = default;
  void operator=(const Expr&) const { detail::never_assigned<T>(); }
};

// A variable for each field.
template <class T>
  requires detail::StructType<T>
class Var<T> : public detail::Members<T, Var> {
  using Members = detail::Members<T, Var>;

 public:
  Var() : Members(detail::Fresh{}) {}
  Var(const Expr<T>& collet_value) : Members(static_cast<const detail::Members<T, Expr>&>(collet_value)) {}
  Var(const Element<T>& collet_value) : Var(static_cast<Expr<T>>(collet_value)) {}
  Var(const Var& collet_other) : Members(static_cast<const Members&>(collet_other)) {}
  Var& operator=(const Expr<T>& collet_value) {
    Members::collet_each(*this, collet_value,
                         [](auto& collet_to, const auto& collet_from) { collet_to = collet_from; });
    return *this;
  }
  Var& operator=(const Var& collet_other) { return *this = static_cast<Expr<T>>(collet_other); }
  Var& operator=(const Element<T>& collet_value) { return *this = static_cast<Expr<T>>(collet_value); }
  operator Expr<T>() const { return Expr<T>(detail::FieldByField{}, static_cast<const Members&>(*this)); }
};

// An element that is only written, as a whole or by its fields.
template <class T>
  requires detail::StructType<T>
class OutElement<T> : public detail::Members<T, OutElement> {
  using Members = detail::Members<T, OutElement>;

 public:
  explicit OutElement(const detail::Place& collet_place) : Members(detail::FromMemory{collet_place}) {}
  OutElement(const OutElement&) = delete;
  void operator=(const Expr<T>& collet_value) && {
    Members::collet_each(*this, collet_value, [](auto& collet_to, const auto& collet_from) {
      std::move(collet_to) = collet_from;
    });
  }
  void operator=(const OutElement&) = delete;
};

// An element that is read where it is named, and may be assigned to there, as a whole or by its fields.
template <class T>
  requires detail::StructType<T>
class Element<T> : public detail::Members<T, Element> {
  using Members = detail::Members<T, Element>;

 public:
  explicit Element(const detail::Place& collet_place) : Members(detail::FromMemory{collet_place}) {}
  Element(const Element&) = delete;
  operator Expr<T>() const { return Expr<T>(detail::FieldByField{}, static_cast<const Members&>(*this)); }
  void operator=(const Expr<T>& collet_value) && {
    Members::collet_each(*this, collet_value, [](auto& collet_to, const auto& collet_from) {
      std::move(collet_to) = collet_from;
    });
  }
  void operator=(const Element& collet_other) && { std::move(*this) = static_cast<Expr<T>>(collet_other); }
};

}  // namespace collet

// clang-format off
#define COLLET_FIELD_PLACE(S, field) {offsetof(S, field), sizeof(S::field), alignof(decltype(S::field))},
#define COLLET_FIELD_CHECK(S, field) static_assert(::collet::detail::FieldScalar<::collet::detail::Field<decltype(S::field)>>, \
    "The field " #S "::" #field " has a type that kernels do not have.");
#define COLLET_FIELD_MEMBER(S, field) M<::collet::detail::Field<decltype(S::field)>> field;
#define COLLET_FIELD_MAKE(S, field) , field(collet_from.template collet_make<M<::collet::detail::Field<decltype(S::field)>>, ::collet::detail::Field<decltype(S::field)>>(offsetof(S, field)))
#define COLLET_FIELD_COPY(S, field) , field(static_cast<::collet::Expr<::collet::detail::Field<decltype(S::field)>>>(collet_other.field))
#define COLLET_FIELD_PAIR(S, field) collet_body(collet_to.field, collet_from.field);
// clang-format on

// Declares a struct to the kernel language; see the top of this file.
#define COLLET_STRUCT(S, ...)                                                                    \
  struct S##_collet_fields {                                                                     \
    static_assert(std::is_trivially_copyable_v<S> && std::is_standard_layout_v<S>,               \
                  "A struct of the kernel language is plain: " #S " is not.");                   \
    static constexpr ::collet::detail::FieldPlace kPlaces[] = {                                  \
        COLLET_FOR_EACH(COLLET_FIELD_PLACE, S, __VA_ARGS__)};                                    \
    static_assert(::collet::detail::covers(kPlaces, sizeof(S), alignof(S)),                      \
                  "COLLET_STRUCT names all fields of " #S ", in their order.");                  \
    COLLET_FOR_EACH(COLLET_FIELD_CHECK, S, __VA_ARGS__)                                          \
    struct Begin {};                                                                             \
    template <template <class> class M>                                                          \
    struct Members : Begin {                                                                     \
      template <class From>                                                                      \
        requires requires { &From::template collet_make<M<float>, float>; }                      \
      explicit Members(const From& collet_from)                                                  \
          : Begin() COLLET_FOR_EACH(COLLET_FIELD_MAKE, S, __VA_ARGS__) {}                        \
      template <template <class> class N>                                                        \
      explicit Members(const Members<N>& collet_other)                                           \
          : Begin() COLLET_FOR_EACH(COLLET_FIELD_COPY, S, __VA_ARGS__) {}                        \
      COLLET_FOR_EACH(COLLET_FIELD_MEMBER, S, __VA_ARGS__)                                       \
      template <class To, class From, class Body>                                                \
      static void collet_each(To& collet_to, const From& collet_from, const Body& collet_body) { \
        COLLET_FOR_EACH(COLLET_FIELD_PAIR, S, __VA_ARGS__)                                       \
      }                                                                                          \
    };                                                                                           \
  };                                                                                             \
  [[maybe_unused]] inline S##_collet_fields collet_fields_of(const S*) { return {}; }
