// Where an item stands in its grid, and what items of a group do together.
#pragma once

#include <source_location>

#include "collet/expression.hpp"

namespace collet {

namespace detail {

inline Expr<std::uint32_t> builtin(ir::Op op, std::uint32_t dimension) {
  return Expr<std::uint32_t>(emit(op, {ir::Scalar::u32}, {}, dimension));
}

}  // namespace detail

// In dimension 0 (x), 1 (y) or 2 (z).
inline Expr<std::uint32_t> global_id(std::uint32_t dimension = 0) {
  return detail::builtin(ir::Op::global_id, dimension);
}
inline Expr<std::uint32_t> local_id(std::uint32_t dimension = 0) {
  return detail::builtin(ir::Op::local_id, dimension);
}
inline Expr<std::uint32_t> group_id(std::uint32_t dimension = 0) {
  return detail::builtin(ir::Op::group_id, dimension);
}
inline Expr<std::uint32_t> group_size(std::uint32_t dimension = 0) {
  return detail::builtin(ir::Op::group_size, dimension);
}
inline Expr<std::uint32_t> group_count(std::uint32_t dimension = 0) {
  return detail::builtin(ir::Op::group_count, dimension);
}
// Elements that the launch asked for; items beyond them do not exist.
inline Expr<std::uint32_t> element_count(std::uint32_t dimension = 0) {
  return detail::builtin(ir::Op::element_count, dimension);
}

// The same of two or three dimensions at once, x first.
inline Expr<uint2> global_id_xy() { return compose(global_id(0), global_id(1)); }
inline Expr<uint3> global_id_xyz() { return compose(global_id(0), global_id(1), global_id(2)); }
inline Expr<uint2> local_id_xy() { return compose(local_id(0), local_id(1)); }
inline Expr<uint3> local_id_xyz() { return compose(local_id(0), local_id(1), local_id(2)); }

// All items of a group wait for each other here, and see what the others wrote to workgroup memory and
// buffers. Every item of the group must come by: not inside an if_ or loop that depends on the item.
inline void barrier(const std::source_location& where = std::source_location::current()) {
  detail::trace_at(where);
  detail::emit(ir::Op::barrier, {}, {});
}

enum class FenceScope : std::uint8_t { workgroup, device };
// Orders this item's accesses for others, without waiting.
inline void fence(FenceScope scope) {
  detail::emit(ir::Op::fence, {}, {}, static_cast<std::uint64_t>(scope));
}

// The first item's value, for all items of the group.
template <class X>
  requires detail::Expression<X>
auto uniform(const X& value, const std::source_location& where = std::source_location::current()) {
  using T = detail::ScalarOf<X>;
  detail::trace_at(where);
  return Expr<T>(detail::emit(ir::Op::uniform, detail::type_of<T>(), {detail::traced<T>(value)}));
}

// Items that run in step: how many, and which one of them this is.
inline Expr<std::uint32_t> subgroup_size() { return detail::builtin(ir::Op::subgroup_size, 0); }
inline Expr<std::uint32_t> subgroup_lane() { return detail::builtin(ir::Op::subgroup_lane, 0); }
inline Expr<std::uint32_t> subgroup_id() { return detail::builtin(ir::Op::subgroup_id, 0); }

namespace detail {

template <class X>
auto subgroup(ir::Op op, const X& value, const std::source_location& where) {
  using T = ScalarOf<X>;
  trace_at(where);
  return Expr<T>(emit(op, type_of<T>(), {traced<T>(value)}));
}

}  // namespace detail

// clang-format off
template <class X> requires detail::Expression<X>
auto subgroup_add(const X& value, const std::source_location& where = std::source_location::current()) { return detail::subgroup(ir::Op::subgroup_add, value, where); }
template <class X> requires detail::Expression<X>
auto subgroup_min(const X& value, const std::source_location& where = std::source_location::current()) { return detail::subgroup(ir::Op::subgroup_min, value, where); }
template <class X> requires detail::Expression<X>
auto subgroup_max(const X& value, const std::source_location& where = std::source_location::current()) { return detail::subgroup(ir::Op::subgroup_max, value, where); }
// The sum of this lane's value and of all lanes' before it.
template <class X> requires detail::Expression<X>
auto subgroup_scan_add(const X& value, const std::source_location& where = std::source_location::current()) { return detail::subgroup(ir::Op::subgroup_scan_add, value, where); }
template <class X> requires detail::Expression<X>
Expr<bool> subgroup_any(const X& value, const std::source_location& where = std::source_location::current()) { return detail::subgroup(ir::Op::subgroup_any, value, where); }
template <class X> requires detail::Expression<X>
Expr<bool> subgroup_all(const X& value, const std::source_location& where = std::source_location::current()) { return detail::subgroup(ir::Op::subgroup_all, value, where); }
template <class X> requires detail::Expression<X>
auto subgroup_broadcast_first(const X& value, const std::source_location& where = std::source_location::current()) { return detail::subgroup(ir::Op::subgroup_broadcast_first, value, where); }
// clang-format on
// The value of another lane.
template <class X, class L>
  requires detail::Expression<X>
auto subgroup_shuffle(const X& value, const L& lane,
                      const std::source_location& where = std::source_location::current()) {
  using T = detail::ScalarOf<X>;
  detail::trace_at(where);
  const detail::Traced mine = detail::traced<T>(value);
  return Expr<T>(detail::emit(ir::Op::subgroup_shuffle, detail::type_of<T>(),
                              {mine, detail::traced<std::uint32_t>(lane)}));
}

}  // namespace collet
