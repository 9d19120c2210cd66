// Hands out registers and takes them back, so that what is in use stays small.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "backends/cpu/interpreter/program.hpp"

namespace collet::backend::cpu::interpreter {

struct Register {
  std::uint64_t at = 0;
  std::uint8_t bytes = 0;  // of an element: 1, 2, 4 or 8
  bool wide = false;       // an element per lane
};

// Threads: one at a time.
class Registers {
 public:
  // Behind the bytes that others have.
  Registers(std::uint32_t capacity, std::uint64_t others) : capacity_(capacity), size_(others) {}

  // The last one taken back of that size, or a new one.
  Register take(std::uint32_t bytes, bool wide) {
    std::vector<std::uint64_t>& free = free_[slot(bytes, wide)];
    if (free.empty()) return take_new(bytes, wide);
    const Register found{.at = free.back(), .bytes = static_cast<std::uint8_t>(bytes), .wide = wide};
    free.pop_back();
    return found;
  }

  // One that nothing wrote before, for what outlives a part.
  Register take_new(std::uint32_t bytes, bool wide) {
    const Register made{.at = size_, .bytes = static_cast<std::uint8_t>(bytes), .wide = wide};
    size_ += (std::uint64_t{wide ? capacity_ : kBlock} * bytes + 63) / 64 * 64;
    return made;
  }

  void give_back(Register old) { free_[slot(old.bytes, old.wide)].push_back(old.at); }

  std::uint64_t size() const { return size_; }

 private:
  static std::size_t slot(std::uint32_t bytes, bool wide) {
    return (bytes == 8 ? 3u : bytes / 2) + (wide ? 4u : 0u);
  }

  std::uint32_t capacity_;
  std::uint64_t size_;
  std::array<std::vector<std::uint64_t>, 8> free_;
};

}  // namespace collet::backend::cpu::interpreter
