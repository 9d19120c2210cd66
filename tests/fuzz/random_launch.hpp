// Grid, buffers and constants of a random kernel.
#pragma once

#include <cstring>
#include <utility>

#include "fuzz/random_nodes.hpp"
#include "kernel/ir/table.hpp"

namespace collet::fuzz {

// Threads: one at a time.
class RandomLaunch : public RandomNodes {
 protected:
  using RandomNodes::RandomNodes;
  ~RandomLaunch() = default;

  void choose_extent() {
    items_ = 1;
    ragged_ = false;
    const bool whole = meets_ && chance(60);
    for (std::size_t d = 0; d < 3; ++d) {
      const std::uint32_t size = kernel_.group[d];
      const std::uint32_t most = items_ > 500 ? 1 : 2;
      extent_[d] = whole ? std::uint64_t{size} * (1 + below(most)) : 1 + below(size * most);
      ragged_ = ragged_ || extent_[d] % size != 0;
      items_ *= (extent_[d] + size - 1) / size * size;
    }
    // Items that do not exist leave no value in workgroup memory, and with one dimension it is known which.
    const bool one_dimension = kernel_.group[1] == 1 && kernel_.group[2] == 1;
    if (ragged_ && !one_dimension) meets_ = false;
  }

  // What small devices lack is left out of most kernels, so that they run most of them.
  void choose_features() {
    halves_ = chance(20);
    doubles_ = chance(15);
    long_atomics_ = long_ints_ && chance(20);
    subgroups_ = meets_ && chance(30);
  }

  // Up to 64 groups, ragged in all dimensions.
  void choose_wide_extent() {
    const std::uint32_t size = kernel_.group[0] * kernel_.group[1] * kernel_.group[2];
    const bool whole = chance(25);
    std::uint32_t left = std::min(kMostGroups, kMostItems / size);
    for (std::size_t d = 0; d < 3; ++d) {
      const std::uint32_t count = 1 + below(d == 2 || chance(30) ? left : std::min(left, 4u));
      left /= count;
      extent_[d] = std::uint64_t{kernel_.group[d]} * (count - 1) +
                   (whole ? kernel_.group[d] : 1 + below(kernel_.group[d]));
      ragged_ = ragged_ || extent_[d] % kernel_.group[d] != 0;
      items_ *= std::uint64_t{count} * kernel_.group[d];
    }
  }

  void add_buffer(ir::Memory memory, Bytes contents) {
    kernel_.memories.push_back(std::move(memory));
    kernel_.buffer_argument.push_back(true);
    buffers_.push_back(std::move(contents));
  }
  Bytes tricky_bytes(std::size_t size) {
    Bytes made((size + 3) / 4 * 4);
    for (std::size_t at = 0; at < made.size(); at += 4) {
      const auto word = static_cast<std::uint32_t>(tricky(Scalar::u32));
      std::memcpy(made.data() + at, &word, sizeof word);
    }
    made.resize(size);
    return made;
  }

  void declare_wild() {
    const Type none{};
    add_buffer({.name = "in", .element = none, .stride = 32, .access = backend::Access::read},
               tricky_bytes(32 * kInCount));
    add_buffer({.name = "numbers", .element = ir::kU32, .stride = 4}, tricky_bytes(4 * kNumberCount));
    add_buffer({.name = "out", .element = none, .stride = 32}, Bytes(items_ * kSlots * 32));
    own_ = declare(Space::item, "own", none, 32, 1 + below(5));
    declare_table();
  }

  void declare_portable() {
    const Type none{};
    add_buffer({.name = "in", .element = none, .stride = 32, .access = backend::Access::read},
               tricky_bytes(32 * kInCount));
    Bytes numbers(4 * kNumberCount);
    for (std::size_t at = 0; at < numbers.size(); at += 4) {
      const auto bits = static_cast<std::uint32_t>(whole_float(Scalar::f32));
      std::memcpy(numbers.data() + at, &bits, sizeof bits);
    }
    add_buffer({.name = "numbers", .element = ir::kF32, .stride = 4, .access = backend::Access::read},
               std::move(numbers));
    add_buffer({.name = "out", .element = none, .stride = 32}, Bytes(items_ * kSlots * 32));
    add_buffer({.name = "bytes", .element = {Scalar::u8}, .stride = 1, .access = backend::Access::read},
               tricky_bytes(kByteCount));
    add_buffer({.name = "shorts", .element = {Scalar::i16}, .stride = 2}, tricky_bytes(items_ * 2));
    add_buffer({.name = "pairs", .element = none, .stride = 8}, tricky_bytes(items_ * 8));
    add_buffer({.name = "sums", .element = ir::kU32, .stride = 4}, tricky_bytes(kCellCount * 4));
    add_buffer({.name = "marks", .element = ir::kI32, .stride = 4}, tricky_bytes(kCellCount * 4));
    for (Op& chosen : atomics_) chosen = one_of(kAtomics);
    add_parameter("a", ir::kU32, 4, tricky(Scalar::u32));
    add_parameter("b", ir::kI32, 4, tricky(Scalar::i32));
    add_parameter("c", ir::kF32, 4, whole_float(Scalar::f32));
    add_parameter("d", none, kStructBytes, random_());

    if (meets_) {
      static constexpr std::array<Scalar, 6> kTiles{Scalar::u32, Scalar::i16, Scalar::u8,
                                                    Scalar::f32, Scalar::i32, Scalar::u64};
      const Scalar tile = wide_ ? number().scalar : kTiles[below(long_ints_ ? 6 : 5)];
      const std::uint32_t size = kernel_.group[0] * kernel_.group[1] * kernel_.group[2];
      tile_ = declare(Space::workgroup, "tile", {tile}, ir::bits(tile) / 8, size);
      counts_ = declare(Space::workgroup, "counts", ir::kU32, 4, std::min(size, 8u));
    }
    own_ = declare(Space::item, "own", none, 32, 1 + below(4));
    floats_ = declare(Space::item, "floats", ir::kF32, 4, 1 + below(4));
    declare_table();
  }

  std::uint32_t declare(Space space, const char* name, Type element, std::uint32_t stride,
                        std::uint64_t count) {
    kernel_.memories.push_back(
        {.space = space, .name = name, .element = element, .stride = stride, .count = count});
    return static_cast<std::uint32_t>(kernel_.memories.size() - 1);
  }
  // In some kernels.
  void declare_table() {
    static constexpr std::array<Scalar, 4> kTypes{Scalar::u32, Scalar::f32, Scalar::i32, Scalar::u64};
    if (!chance(30)) return;
    ir::Memory made{.space = Space::table,
                    .name = "table_" + kernel_.name,
                    .element = {kTypes[below(long_ints_ ? 4 : 3)]},
                    .access = backend::Access::read};
    made.stride = ir::bytes(made.element);
    for (std::uint32_t left = 1 + below(20); left != 0; --left)
      ir::add_element(made, tricky(made.element.scalar));
    table_ = static_cast<std::uint32_t>(kernel_.memories.size());
    kernel_.memories.push_back(std::move(made));
  }

  // Its name is the kernel's own: several kernels may stand in one program.
  void add_parameter(const char* name, Type t, std::uint32_t size, std::uint64_t bits) {
    kernel_.parameters.push_back(
        {.name = name + std::string("_") + kernel_.name, .type = t, .size = size, .alignment = 4});
    kernel_.buffer_argument.push_back(false);
    for (std::uint32_t i = 0; i < size; ++i) {
      constants_.push_back(static_cast<std::byte>(bits >> (i % 8 * 8) & 0xff));
    }
  }

  std::array<std::uint64_t, 3> extent_{1, 1, 1};
  std::uint64_t items_ = 1;  // of all groups, existing or not
  bool meets_ = false;
  bool ragged_ = false;
  std::vector<Bytes> buffers_;
  Bytes constants_;
  std::uint32_t own_ = 0, floats_ = 0, tile_ = 0, counts_ = 0;  // memories
  std::uint32_t table_ = kNone;                                 // where there is one
  std::array<Op, 2> atomics_{Op::atomic_add, Op::atomic_add};   // of sums and counts, of marks
};

}  // namespace collet::fuzz
