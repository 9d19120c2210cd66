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
template <class T>
class In {
 public:
  In() = default;
  explicit In(detail::Traced memory) : memory_(memory) {}
  template <class X>
  Expr<T> operator[](const X& index) const {
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
template <class T>
class Out {
 public:
  Out() = default;
  explicit Out(detail::Traced memory) : memory_(memory) {}
  template <class X>
  OutElement<T> operator[](const X& index) const {
    return OutElement<T>(detail::place<T>(memory_, index));
  }
  Expr<std::uint32_t> size() const { return detail::length(memory_); }

 private:
  detail::Traced memory_;
};

// A buffer that is read and written.
template <class T>
class InOut {
 public:
  InOut() = default;
  explicit InOut(detail::Traced memory) : memory_(memory) {}
  template <class X>
  Element<T> operator[](const X& index) const {
    return Element<T>(detail::place<T>(memory_, index));
  }
  Expr<std::uint32_t> size() const { return detail::length(memory_); }
  detail::Traced memory() const { return memory_; }

 private:
  detail::Traced memory_;
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
