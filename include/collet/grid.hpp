// How many times a kernel runs, and in which groups.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>

namespace collet {

// Items per workgroup.
struct GroupSize {
  std::array<std::uint32_t, 3> size = {1, 1, 1};
};

constexpr GroupSize group(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1) { return {{x, y, z}}; }

// A number of elements (the last group may be ragged) or a number of whole groups, in one to three
// dimensions.
//
//   stream.launch(kernel, 1000, …);                     // 1,000 elements
//   stream.launch(kernel, collet::elements(640, 480), …);
//   stream.launch(kernel, collet::groups(10, 10), …);
class Grid {
 public:
  enum class Unit : std::uint8_t { elements, groups };

  template <std::integral N>
  constexpr Grid(N count)  // NOLINT(google-explicit-constructor): launch(kernel, n, …) reads well
      : unit_(Unit::elements), size_{as_count(count), 1, 1} {}
  constexpr Grid(Unit unit, std::array<std::uint64_t, 3> size) : unit_(unit), size_(size) {}

  constexpr Unit unit() const { return unit_; }
  constexpr const std::array<std::uint64_t, 3>& size() const { return size_; }
  constexpr bool empty() const { return size_[0] == 0 || size_[1] == 0 || size_[2] == 0; }

 private:
  // A negative count becomes an impossible one, which launch() refuses with its figure.
  template <std::integral N>
  static constexpr std::uint64_t as_count(N count) {
    return static_cast<std::uint64_t>(count);
  }
  Unit unit_;
  std::array<std::uint64_t, 3> size_;
};

constexpr Grid elements(std::uint64_t x, std::uint64_t y = 1, std::uint64_t z = 1) {
  return {Grid::Unit::elements, {x, y, z}};
}
constexpr Grid groups(std::uint64_t x, std::uint64_t y = 1, std::uint64_t z = 1) {
  return {Grid::Unit::groups, {x, y, z}};
}

}  // namespace collet
