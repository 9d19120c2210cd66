// What a kernel takes: the declared kinds of argument, and what a launch passes for each.
#pragma once

#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>

#include "collet/backend.hpp"
#include "collet/buffer.hpp"
#include "collet/structure.hpp"

namespace collet {

// In a declaration these stand for what a launch passes; in the kernel language they are it.

// A buffer that is read.
template <class T, int kDimensions = 1>
class In {
  static_assert(kDimensions == 1, "A buffer has one, two or three dimensions.");

 public:
  In() = default;
  explicit In(detail::Traced memory) : memory_(memory) {}
  Expr<detail::Computed<T>> operator[](const detail::Index& index) const {
    if constexpr (detail::StructType<T>)
      return Expr<T>(detail::place<T>(memory_, index));
    else
      return detail::load<T>(detail::place<T>(memory_, index));
  }
  Expr<std::uint32_t> size() const { return detail::length(memory_); }

 private:
  detail::Traced memory_;
};

// A buffer that is written and not read.
template <class T, int kDimensions = 1>
class Out {
  static_assert(kDimensions == 1, "A buffer has one, two or three dimensions.");

 public:
  Out() = default;
  explicit Out(detail::Traced memory) : memory_(memory) {}
  OutElement<T> operator[](const detail::Index& index) const {
    return OutElement<T>(detail::place<T>(memory_, index));
  }
  Expr<std::uint32_t> size() const { return detail::length(memory_); }

 private:
  detail::Traced memory_;
};

// A buffer that is read and written.
template <class T, int kDimensions = 1>
class InOut {
  static_assert(kDimensions == 1, "A buffer has one, two or three dimensions.");

 public:
  using ColletElement = T;
  InOut() = default;
  explicit InOut(detail::Traced memory) : memory_(memory) {}
  Element<T> operator[](const detail::Index& index) const {
    return Element<T>(detail::place<T>(memory_, index));
  }
  Expr<std::uint32_t> size() const { return detail::length(memory_); }
  detail::Traced memory() const { return memory_; }

 private:
  detail::Traced memory_;
};

namespace detail {

// A buffer of two or three dimensions in a kernel. Threads: one at a time.
template <int kDimensions>
class ShapedMemory {
 public:
  ShapedMemory() = default;
  ShapedMemory(Traced memory, Traced extents) : memory_(memory), extents_(extents) {}

  // How many there are along each dimension, the slowest first.
  Expr<std::uint32_t> extent(std::uint32_t dimension) const {
    if (dimension < kDimensions) return number(dimension);
    trace_error("A buffer of " + std::to_string(kDimensions) + " dimensions has no extent(" +
                std::to_string(dimension) + ").");
    return 0;
  }
  Expr<std::uint32_t> columns() const { return number(kDimensions - 1); }
  Expr<std::uint32_t> rows() const { return number(kDimensions - 2); }
  Expr<std::uint32_t> planes() const
    requires(kDimensions == 3)
  {
    return number(0);
  }

 protected:
  // Beyond the end of the buffer where one is beyond its extent.
  Place place(const std::array<Traced, kDimensions>& at) const {
    Traced inside = (Expr<std::uint32_t>(at[0]) < number(0)).traced();
    Traced sum = at[kDimensions - 1];
    for (std::uint32_t i = 0; i < kDimensions; ++i) {
      const Expr<std::uint32_t> one(at[i]);
      if (i != 0) inside = (Expr<bool>(inside) & (one < number(i))).traced();
      if (i + 1 < kDimensions) sum = (Expr<std::uint32_t>(sum) + one * number(kDimensions + i)).traced();
    }
    const Expr<std::uint32_t> none(~0u);
    return {memory_, select(Expr<bool>(inside), Expr<std::uint32_t>(sum), none).traced(), 0};
  }

 private:
  Expr<std::uint32_t> number(std::uint32_t which) const {
    return Expr<std::uint32_t>(
        emit_at(ir::Op::parameter, {ir::Scalar::u32}, extents_, which * sizeof(std::uint32_t), {}));
  }

  Traced memory_, extents_;
};

// A vector of x and y, or of x, y and z, as indices; with the place in the program where it is written.
template <int kDimensions>
class VectorIndex {
 public:
  template <class X>
    requires Expression<X>
  VectorIndex(const X& x, const std::source_location& where = std::source_location::current()) {  // NOLINT
    using V = ScalarOf<X>;
    static_assert(std::is_same_v<V, vec<std::uint32_t, kDimensions>>,
                  "An element has an index of as many u32 as its buffer has dimensions.");
    trace_at(where);
    const Expr<V> v(traced<V>(x));
    if constexpr (kDimensions == 2)
      all_ = {v.y.traced(), v.x.traced()};
    else
      all_ = {v.z.traced(), v.y.traced(), v.x.traced()};
  }
  const std::array<Traced, kDimensions>& all() const { return all_; }

 private:
  std::array<Traced, kDimensions> all_;
};

}  // namespace detail

// The same of two or three dimensions: image(y, x), volume(z, y, x). Indices are refused one by one, so that
// no row is reached from another. A launch passes View<T>::as_rows() or as_planes().
template <class T, int kDimensions>
  requires(kDimensions == 2 || kDimensions == 3)
class In<T, kDimensions> : public detail::ShapedMemory<kDimensions> {
 public:
  using detail::ShapedMemory<kDimensions>::ShapedMemory;
  Expr<detail::Computed<T>> operator()(const detail::Index& y, const detail::Index& x) const
    requires(kDimensions == 2)
  {
    if constexpr (detail::StructType<T>)
      return Expr<T>(this->place({y.value(), x.value()}));
    else
      return detail::load<T>(this->place({y.value(), x.value()}));
  }
  Expr<detail::Computed<T>> operator()(const detail::Index& z, const detail::Index& y,
                                       const detail::Index& x) const
    requires(kDimensions == 3)
  {
    if constexpr (detail::StructType<T>)
      return Expr<T>(this->place({z.value(), y.value(), x.value()}));
    else
      return detail::load<T>(this->place({z.value(), y.value(), x.value()}));
  }
  // By a vector of x and y, or of x, y and z: image[global_id_xy()].
  Expr<detail::Computed<T>> operator[](const detail::VectorIndex<kDimensions>& at) const {
    if constexpr (detail::StructType<T>)
      return Expr<T>(this->place(at.all()));
    else
      return detail::load<T>(this->place(at.all()));
  }
};
template <class T, int kDimensions>
  requires(kDimensions == 2 || kDimensions == 3)
class Out<T, kDimensions> : public detail::ShapedMemory<kDimensions> {
 public:
  using detail::ShapedMemory<kDimensions>::ShapedMemory;
  OutElement<T> operator()(const detail::Index& y, const detail::Index& x) const
    requires(kDimensions == 2)
  {
    return OutElement<T>(this->place({y.value(), x.value()}));
  }
  OutElement<T> operator()(const detail::Index& z, const detail::Index& y, const detail::Index& x) const
    requires(kDimensions == 3)
  {
    return OutElement<T>(this->place({z.value(), y.value(), x.value()}));
  }
  // By a vector of x and y, or of x, y and z: image[global_id_xy()].
  OutElement<T> operator[](const detail::VectorIndex<kDimensions>& at) const {
    return OutElement<T>(this->place(at.all()));
  }
};
template <class T, int kDimensions>
  requires(kDimensions == 2 || kDimensions == 3)
class InOut<T, kDimensions> : public detail::ShapedMemory<kDimensions> {
 public:
  using detail::ShapedMemory<kDimensions>::ShapedMemory;
  Element<T> operator()(const detail::Index& y, const detail::Index& x) const
    requires(kDimensions == 2)
  {
    return Element<T>(this->place({y.value(), x.value()}));
  }
  Element<T> operator()(const detail::Index& z, const detail::Index& y, const detail::Index& x) const
    requires(kDimensions == 3)
  {
    return Element<T>(this->place({z.value(), y.value(), x.value()}));
  }
  // By a vector of x and y, or of x, y and z: image[global_id_xy()].
  Element<T> operator[](const detail::VectorIndex<kDimensions>& at) const {
    return Element<T>(this->place(at.all()));
  }
};

// A scalar or plain struct.
template <class T>
class Value {};
template <class T>
  requires detail::ScalarType<T>
class Value<T> {
 public:
  using ColletScalar = T;
  Value() = default;
  explicit Value(detail::Traced parameter) : parameter_(parameter) {}
  operator Expr<T>() const {
    return Expr<T>(detail::emit_at(ir::Op::parameter, detail::type_of<T>(), parameter_, 0, {}));
  }

 private:
  detail::Traced parameter_;
};

// A vector has its components, a struct its fields.
template <class T, int kCount>
class Value<vec<T, kCount>> : public Expr<vec<T, kCount>> {
 public:
  explicit Value(detail::Traced parameter)
      : Expr<vec<T, kCount>>(
            detail::emit_at(ir::Op::parameter, detail::type_of<vec<T, kCount>>(), parameter, 0, {})) {}
};
template <class T>
  requires detail::StructType<T>
class Value<T> : public Expr<T> {
 public:
  explicit Value(detail::Traced collet_parameter) : Expr<T>(detail::FromParameter{collet_parameter, 0}) {}
};

// An In, Out or InOut that may overlap another argument of the launch.
template <class Buffer>
class MayAlias : public Buffer {
 public:
  using Buffer::Buffer;
};
// A std::uint32_t that the launch itself fills in with its number of elements along x, y or z. A launch
// passes nothing for it.
struct Count {};
struct CountY {};
struct CountZ {};

namespace detail {

// One argument of one launch.
struct Argument {
  Range range;                  // buffers
  const void* value = nullptr;  // scalars: its bytes during the call
};

template <class Declared>
struct ArgumentTraits;

template <class T, backend::Access kAccess>
struct BufferTraits {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>);
  using Actual = View<T>;
  using Host = std::span<std::conditional_t<kAccess == backend::Access::read, const T, T>>;
  static constexpr bool kPassed = true;
  static constexpr backend::Parameter parameter() {
    return {.kind = backend::Parameter::Kind::buffer, .access = kAccess, .element_size = sizeof(T)};
  }
  static Argument argument(const Actual& view) { return {.range = view.range(), .value = nullptr}; }
  static Host host(const backend::HostGroup& group, std::uint32_t buffer, std::uint32_t) {
    using Pointed = typename Host::element_type;
    return {reinterpret_cast<Pointed*>(group.buffers[buffer]),
            static_cast<std::size_t>(group.buffer_sizes[buffer] / sizeof(T))};
  }
};

template <class T>
struct ArgumentTraits<In<T>> : BufferTraits<T, backend::Access::read> {};
template <class T>
struct ArgumentTraits<Out<T>> : BufferTraits<T, backend::Access::write> {};
template <class T>
struct ArgumentTraits<InOut<T>> : BufferTraits<T, backend::Access::read_write> {};
template <class B>
struct ArgumentTraits<MayAlias<B>> : ArgumentTraits<B> {
  static constexpr backend::Parameter parameter() {
    backend::Parameter aliased = ArgumentTraits<B>::parameter();
    aliased.may_alias = true;
    return aliased;
  }
};

template <class T>
struct ConstantTraits {
  static_assert(std::is_trivially_copyable_v<T>, "A Value is a trivially copyable type.");
  static_assert(!std::is_same_v<T, bool>, "bool has no layout that every device shares; use std::uint32_t.");
  static_assert(!std::is_pointer_v<T>, "A pointer means nothing on a device; pass a Buffer.");
  using Actual = T;
  using Host = T;
  static constexpr bool kPassed = true;
  static constexpr backend::Parameter parameter() {
    return {.kind = backend::Parameter::Kind::constant, .element_size = alignof(T), .size = sizeof(T)};
  }
  static Argument argument(const Actual& value) { return {.range = {}, .value = &value}; }
  static Host host(const backend::HostGroup& group, std::uint32_t, std::uint32_t offset) {
    std::remove_const_t<T> value;
    __builtin_memcpy(&value, group.constants + offset, sizeof value);
    return value;
  }
};

template <class T>
struct ArgumentTraits<Value<T>> : ConstantTraits<T> {};

// What the arguments of a kernel are as parameters: of one with rows, the buffer and its extents.
template <class Arg>
struct FlatArgument {
  using Type = std::tuple<Arg>;
};
template <template <class, int> class Buffer, class T, int kDimensions>
  requires(kDimensions > 1)
struct FlatArgument<Buffer<T, kDimensions>> {
  using Type = std::tuple<Buffer<T, 1>, Value<Extents<kDimensions>>>;
};
template <template <class, int> class Buffer, class T, int kDimensions>
  requires(kDimensions > 1)
struct FlatArgument<MayAlias<Buffer<T, kDimensions>>> {
  using Type = std::tuple<MayAlias<Buffer<T, 1>>, Value<Extents<kDimensions>>>;
};
template <class Arg>
inline constexpr std::size_t kParameters = std::tuple_size_v<typename FlatArgument<Arg>::Type>;
template <class... Args>
using FlatArguments = decltype(std::tuple_cat(std::declval<typename FlatArgument<Args>::Type>()...));

template <template <class, int> class Buffer, class T, int kDimensions>
  requires(kDimensions > 1)
struct ArgumentTraits<Buffer<T, kDimensions>> {
  using Actual = View<T, kDimensions>;
  static constexpr bool kPassed = true;
};
template <template <class, int> class Buffer, class T, int kDimensions>
  requires(kDimensions > 1)
struct ArgumentTraits<MayAlias<Buffer<T, kDimensions>>> : ArgumentTraits<Buffer<T, kDimensions>> {};

template <std::uint32_t kDimension>
struct CountTraits : ConstantTraits<std::uint32_t> {
  static constexpr bool kPassed = false;
  static constexpr std::uint32_t kCounted = kDimension;
};
template <>
struct ArgumentTraits<Count> : CountTraits<0> {};
template <>
struct ArgumentTraits<CountY> : CountTraits<1> {};
template <>
struct ArgumentTraits<CountZ> : CountTraits<2> {};

}  // namespace detail

// What a launch passes for a declared argument: a View for buffers (a Buffer converts), a T for Value<T>.
template <class Declared>
using Actual = typename detail::ArgumentTraits<Declared>::Actual;

}  // namespace collet
