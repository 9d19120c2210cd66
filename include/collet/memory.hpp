// Memory in the kernel language: elements of buffers, of workgroup memory and of an item's own arrays.
#pragma once

#include "collet/bfloat16.hpp"
#include "collet/expression.hpp"
#include "collet/items.hpp"

namespace collet {

namespace detail {

// A place in memory.
struct Place {
  Traced memory;
  Traced index;
  std::uint32_t offset = 0;  // of what is reached, in bytes of the element

  Place at(std::size_t more) const { return {memory, index, offset + static_cast<std::uint32_t>(more)}; }
};

template <class T, class X>
Place place(Traced memory, const X& index) {
  return {memory, detail::index(index), 0};
}

// What elements are computed as, and what memory holds of them.
template <class T>
using Computed = std::conditional_t<std::is_same_v<T, bfloat16>, float, T>;
template <class T>
using Held = std::conditional_t<std::is_same_v<T, bfloat16>, std::uint16_t, T>;

template <class T>
Expr<Computed<T>> load(const Place& from) {
  const Traced found = emit_at(ir::Op::load, type_of<Held<T>>(), from.memory, from.offset, {from.index});
  if constexpr (std::is_same_v<T, bfloat16>)
    return bit_cast<float>(cast<std::uint32_t>(Expr<std::uint16_t>(found)) << 16);
  else
    return Expr<T>(found);
}

inline Expr<std::uint32_t> length(Traced memory) {
  return Expr<std::uint32_t>(emit_at(ir::Op::length, {ir::Scalar::u32}, memory, 0, {}));
}

// To the nearest, ties to even, as bfloat16 does on the host.
inline Expr<std::uint16_t> rounded_to_bfloat16(const Expr<float>& value) {
  const auto all = bit_cast<std::uint32_t>(value);
  const auto high = all >> 16;
  const auto is_nan = (all & 0x7fffffffu) > 0x7f800000u;
  return cast<std::uint16_t>(select(is_nan, high | 0x40u, (all + 0x7fffu + (high & 1u)) >> 16));
}

template <class T, class X>
void store(const Place& to, const X& value) {
  Traced stored = traced<Computed<T>>(value);
  if constexpr (std::is_same_v<T, bfloat16>) stored = rounded_to_bfloat16(Expr<float>(stored)).traced();
  emit_at(ir::Op::store, {}, to.memory, to.offset, {to.index, stored});
}

}  // namespace detail

template <class T>
class OutElement;
template <class T>
class Element;

namespace detail {

// Nothing for a scalar; for a vector its components x, y, z and w, each an element of its own.
template <template <class> class M, class T>
struct ElementComponents {
  explicit ElementComponents(const Place&) {}
};
template <template <class> class M, class T>
struct ElementComponents<M, vec<T, 2>> {
  explicit ElementComponents(const Place& p) : x(p), y(p.at(sizeof(T))) {}
  M<T> x, y;
};
template <template <class> class M, class T>
struct ElementComponents<M, vec<T, 3>> {
  explicit ElementComponents(const Place& p) : x(p), y(p.at(sizeof(T))), z(p.at(2 * sizeof(T))) {}
  M<T> x, y, z;
};
template <template <class> class M, class T>
struct ElementComponents<M, vec<T, 4>> {
  explicit ElementComponents(const Place& p)
      : x(p), y(p.at(sizeof(T))), z(p.at(2 * sizeof(T))), w(p.at(3 * sizeof(T))) {}
  M<T> x, y, z, w;
};

}  // namespace detail

// An element that is only written: out[i] = value.
template <class T>
class OutElement : public detail::ElementComponents<OutElement, T> {
 public:
  explicit OutElement(detail::Place place) : detail::ElementComponents<OutElement, T>(place), place_(place) {}
  OutElement(const OutElement&) = delete;

  template <class X>
    requires detail::Operand<X, detail::Computed<T>>
  void operator=(const X& value) && {
    detail::store<T>(place_, value);
  }
  void operator=(const OutElement&) = delete;

 private:
  detail::Place place_;
};

// An element that is read where it is named, and may be assigned to there: y[i] = 2.0f * y[i].
template <class T>
class Element : public detail::ElementComponents<Element, T> {
 public:
  using ColletScalar = detail::Computed<T>;

  explicit Element(detail::Place place)
      : detail::ElementComponents<Element, T>(place), place_(place), value_(detail::load<T>(place)) {}
  Element(const Element&) = delete;

  operator Expr<detail::Computed<T>>() const { return value_; }
  detail::Place place() const { return place_; }

  template <class X>
    requires detail::Operand<X, detail::Computed<T>>
  void operator=(const X& value) && {
    detail::store<T>(place_, value);
  }
  void operator=(const Element& other) && { detail::store<T>(place_, other.value_); }

  // clang-format off
  template <class X> requires detail::Operand<X, detail::Computed<T>> void operator+=(const X& x) && { detail::store<T>(place_, value_ + x); }
  template <class X> requires detail::Operand<X, detail::Computed<T>> void operator-=(const X& x) && { detail::store<T>(place_, value_ - x); }
  template <class X> requires detail::Operand<X, detail::Computed<T>> void operator*=(const X& x) && { detail::store<T>(place_, value_ * x); }
  template <class X> requires detail::Operand<X, detail::Computed<T>> void operator/=(const X& x) && { detail::store<T>(place_, value_ / x); }
  template <class X> requires detail::Operand<X, detail::Computed<T>> void operator%=(const X& x) && { detail::store<T>(place_, value_ % x); }
  template <class X> requires detail::Operand<X, detail::Computed<T>> void operator&=(const X& x) && { detail::store<T>(place_, value_ & x); }
  template <class X> requires detail::Operand<X, detail::Computed<T>> void operator|=(const X& x) && { detail::store<T>(place_, value_ | x); }
  template <class X> requires detail::Operand<X, detail::Computed<T>> void operator^=(const X& x) && { detail::store<T>(place_, value_ ^ x); }
  template <class X> requires(detail::Operand<X, detail::Computed<T>> || detail::ShiftedByOther<Element, X>) void operator<<=(const X& x) && { detail::store<T>(place_, value_ << x); }
  template <class X> requires(detail::Operand<X, detail::Computed<T>> || detail::ShiftedByOther<Element, X>) void operator>>=(const X& x) && { detail::store<T>(place_, value_ >> x); }
  void operator++() && { detail::store<T>(place_, value_ + 1); }
  void operator--() && { detail::store<T>(place_, value_ - 1); }
  // clang-format on

 private:
  detail::Place place_;
  Expr<detail::Computed<T>> value_;
};

// Memory of a whole group: shared<float>(256).
template <class T>
class Shared {
 public:
  using ColletElement = T;
  explicit Shared(detail::Traced memory) : memory_(memory) {}
  Element<T> operator[](const detail::Index& index) const {
    return Element<T>(detail::place<T>(memory_, index));
  }
  detail::Traced memory() const { return memory_; }

 private:
  detail::Traced memory_;
};

// An item's own array: array<float>(8).
template <class T>
class Array {
 public:
  explicit Array(detail::Traced memory) : memory_(memory) {}
  Element<T> operator[](const detail::Index& index) const {
    return Element<T>(detail::place<T>(memory_, index));
  }

 private:
  detail::Traced memory_;
};

// `count` elements for the whole group. What is in them at the start is not known.
template <class T>
Shared<T> shared(std::uint64_t count) {
  return Shared<T>(detail::declare_workgroup({detail::type_of<detail::Held<T>>(), sizeof(T)}, count));
}
// `count` elements for each item, not cleared.
template <class T>
Array<T> array(std::uint64_t count) {
  return Array<T>(detail::declare_item({detail::type_of<detail::Held<T>>(), sizeof(T)}, count));
}

namespace detail {

template <class T, class M, class I, class X>
Once<T> atomic(ir::Op op, const M& memory, const I& index, const X& value) {
  static_assert((std::is_integral_v<T> || std::is_floating_point_v<T>) && sizeof(T) >= 4,
                "Atomic operations are for integers and floats of 32 or 64 bits.");
  const Traced at = detail::index(index);
  return Once<T>(emit_at(op, type_of<T>(), memory.memory(), 0, {at, traced<T>(value)}));
}

template <class T, class M, class I, class X>
Once<T> atomic_bits(ir::Op op, const M& memory, const I& index, const X& value) {
  static_assert(std::is_integral_v<T> && sizeof(T) >= 4,
                "This atomic operation is for integers of 32 or 64 bits.");
  return atomic<T>(op, memory, index, value);
}

// Orders the accesses of the items that reach the memory: those of a group, or all.
template <class T>
void fence_around(const Shared<T>&) {
  fence(FenceScope::workgroup);
}
template <class M>
void fence_around(const M&) {
  fence(FenceScope::device);
}

}  // namespace detail

// Atomic operations on memory[index]: an InOut buffer or Shared memory. Each gives what was there before.
// Floats have add, sub, min, max and exchange; in which order a sum of floats is made is up to the device. Of
// NaN, min and max keep what was there.
// clang-format off
template <class M, class X, class T = typename M::ColletElement>
Once<T> atomic_add(const M& memory, const detail::Index& index, const X& value) { return detail::atomic<T>(ir::Op::atomic_add, memory, index, value); }
template <class M, class X, class T = typename M::ColletElement>
Once<T> atomic_sub(const M& memory, const detail::Index& index, const X& value) { return detail::atomic<T>(ir::Op::atomic_sub, memory, index, value); }
template <class M, class X, class T = typename M::ColletElement>
Once<T> atomic_min(const M& memory, const detail::Index& index, const X& value) { return detail::atomic<T>(ir::Op::atomic_min, memory, index, value); }
template <class M, class X, class T = typename M::ColletElement>
Once<T> atomic_max(const M& memory, const detail::Index& index, const X& value) { return detail::atomic<T>(ir::Op::atomic_max, memory, index, value); }
template <class M, class X, class T = typename M::ColletElement>
Once<T> atomic_and(const M& memory, const detail::Index& index, const X& value) { return detail::atomic_bits<T>(ir::Op::atomic_and, memory, index, value); }
template <class M, class X, class T = typename M::ColletElement>
Once<T> atomic_or(const M& memory, const detail::Index& index, const X& value) { return detail::atomic_bits<T>(ir::Op::atomic_or, memory, index, value); }
template <class M, class X, class T = typename M::ColletElement>
Once<T> atomic_xor(const M& memory, const detail::Index& index, const X& value) { return detail::atomic_bits<T>(ir::Op::atomic_xor, memory, index, value); }
template <class M, class X, class T = typename M::ColletElement>
Once<T> atomic_exchange(const M& memory, const detail::Index& index, const X& value) { return detail::atomic<T>(ir::Op::atomic_exchange, memory, index, value); }
// clang-format on
// Writes `desired` where memory[index] equals `expected`.
template <class M, class X, class Y, class T = typename M::ColletElement>
Once<T> atomic_compare_exchange(const M& memory, const detail::Index& index, const X& expected,
                                const Y& desired) {
  static_assert(std::is_integral_v<T> && sizeof(T) >= 4,
                "This atomic operation is for integers of 32 or 64 bits.");
  const detail::Traced at = detail::index(index);
  const detail::Traced compared = detail::traced<T>(expected);
  return Once<T>(detail::emit_at(ir::Op::atomic_compare_exchange, detail::type_of<T>(), memory.memory(), 0,
                                 {at, compared, detail::traced<T>(desired)}));
}

// A load that acquires and a store that releases, for all items of the device, or of the group where it is
// Shared memory: who loads what another item stored sees all that the other wrote before. The other atomic
// operations order nothing; see fence().
template <class M, class T = typename M::ColletElement>
Once<T> atomic_load(const M& memory, const detail::Index& index) {
  static_assert(std::is_integral_v<T> && sizeof(T) >= 4,
                "This atomic operation is for integers of 32 or 64 bits.");
  const detail::Traced at = detail::index(index);
  const detail::Traced found =
      detail::emit_at(ir::Op::atomic_load, detail::type_of<T>(), memory.memory(), 0, {at});
  detail::fence_around(memory);
  return Once<T>(found);
}
template <class M, class X, class T = typename M::ColletElement>
void atomic_store(const M& memory, const detail::Index& index, const X& value) {
  static_assert(std::is_integral_v<T> && sizeof(T) >= 4,
                "This atomic operation is for integers of 32 or 64 bits.");
  const detail::Traced at = detail::index(index);
  const detail::Traced stored = detail::traced<T>(value);
  detail::fence_around(memory);
  detail::emit_at(ir::Op::atomic_store, {}, memory.memory(), 0, {at, stored});
}

}  // namespace collet
