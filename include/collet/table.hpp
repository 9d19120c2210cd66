// Numbers that a kernel looks up: they are part of its code, and never change.
//
//   const auto weights = constant_table<float>({0.25f, 0.5f, 0.25f});
//   kernel("k", [&](InOut<float> x) { x[global_id()] *= weights[global_id() % 3]; });
#pragma once

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "collet/memory.hpp"

namespace collet {

namespace detail {

struct Table {
  ir::Type type;
  std::vector<std::byte> bytes;
};
using TableContents = std::shared_ptr<const Table>;

// In the trace that is going on, where one table is declared once.
COLLET_API Traced declare_table(const TableContents& contents);

// What a table holds for a number: 32 or 64 bits, of which every number of fewer has one.
template <class T>
using Tabled = std::conditional_t<
    std::is_same_v<T, half> || std::is_same_v<T, bfloat16>, float,
    std::conditional_t<sizeof(T) < 4, std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>,
                       T>>;

}  // namespace detail

// What constant_table() gives. Copies are the same table. Threads: immutable.
template <class T>
class ConstantTable {
  static_assert(std::is_arithmetic_v<T> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16>,
                "A table holds numbers.");

 public:
  explicit ConstantTable(std::span<const T> elements) {
    detail::Table made{.type = detail::type_of<detail::Tabled<T>>(), .bytes = {}};
    for (const T& element : elements) {
      const auto held = static_cast<detail::Tabled<T>>(element);
      const auto* first = reinterpret_cast<const std::byte*>(&held);
      made.bytes.insert(made.bytes.end(), first, first + sizeof(held));
    }
    size_ = elements.size();
    contents_ = std::make_shared<const detail::Table>(std::move(made));
  }

  // 0 beyond the end.
  Expr<detail::Computed<T>> operator[](const detail::Index& index) const {
    using Held = detail::Tabled<T>;
    const detail::Place place{detail::declare_table(contents_), index.value(), 0};
    return cast<detail::Computed<T>>(detail::load<Held>(place));
  }
  std::size_t size() const { return size_; }

 private:
  detail::TableContents contents_;
  std::size_t size_ = 0;
};

// A table of numbers, for any kernel that uses it. All tables of a kernel have 64 KiB together.
template <class T>
ConstantTable<T> constant_table(std::initializer_list<T> elements) {
  return ConstantTable<T>(std::span<const T>(elements.begin(), elements.size()));
}
template <class T>
ConstantTable<T> constant_table(std::span<const T> elements) {
  return ConstantTable<T>(elements);
}

}  // namespace collet
