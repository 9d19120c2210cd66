// Arithmetic on sizes and offsets that can't wrap, and the verdicts built on it.
#pragma once

#include <cassert>
#include <cstdint>
#include <limits>
#include <optional>

namespace collet::base {

constexpr std::optional<std::uint64_t> checked_add(std::uint64_t a, std::uint64_t b) {
  if (b > std::numeric_limits<std::uint64_t>::max() - a) return std::nullopt;
  return a + b;
}

constexpr std::optional<std::uint64_t> checked_mul(std::uint64_t a, std::uint64_t b) {
  // Two halves of 32 bits can't overflow; that saves the division in nearly every call.
  if (((a | b) >> 32) != 0 && a != 0 && b > std::numeric_limits<std::uint64_t>::max() / a)
    return std::nullopt;
  return a * b;
}

// The smallest multiple of `power_of_two` that is not below `a`.
constexpr std::optional<std::uint64_t> checked_round_up(std::uint64_t a, std::uint64_t power_of_two) {
  assert(power_of_two != 0 && (power_of_two & (power_of_two - 1)) == 0);
  const std::uint64_t mask = power_of_two - 1;
  if (a > std::numeric_limits<std::uint64_t>::max() - mask) return std::nullopt;
  return (a + mask) & ~mask;
}

// Whether elements [offset, offset + count) lie inside a buffer of `buffer_bytes`. An empty range must still
// begin inside the buffer or at its end; elements of size 0 fit everywhere.
constexpr bool range_fits(std::uint64_t offset, std::uint64_t count, std::uint64_t element_size,
                          std::uint64_t buffer_bytes) {
  if (element_size == 0) return true;
  const std::uint64_t capacity = element_size == 1 ? buffer_bytes : buffer_bytes / element_size;
  return offset <= capacity && count <= capacity - offset;
}

// Whether two ranges share a byte. Empty ranges share nothing; a range may reach beyond 2^64 and does not
// wrap.
constexpr bool ranges_overlap(std::uint64_t offset_a, std::uint64_t size_a, std::uint64_t offset_b,
                              std::uint64_t size_b) {
  if (size_a == 0 || size_b == 0) return false;
  return offset_a <= offset_b ? offset_b - offset_a < size_a : offset_a - offset_b < size_b;
}

}  // namespace collet::base
