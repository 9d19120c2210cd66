// What emitted code does about the faults of a driver. A quirk (drivers/quirks.hpp) asks for one of these.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace collet::emit {

enum class Workaround : std::uint8_t {
  none,
  always,                // constants are folded, for every driver; nothing needs to ask for it
  watch_loops,           // a launch fails where the driver ended a loop too early
  u32_through_i32,       // u32 becomes f32 through i32, rounded once
  fences_as_atomics,     // a fence is an atomic operation that changes nothing
  hide_zeros,            // no zero of a float stands in the code
  opaque_floats,         // no compiler finds in float arithmetic what it was made from
  opaque_choices,        // no compiler finds that a choice between two floats is by comparing them
  constant_loads,        // no compiler finds the place of a load from memory to be constant
  flat_barriers,         // no barrier stands in a branch
  divergent_loops,       // beside barriers, a loop with branches has an exit that depends on the item
  barrier_before_loops,  // in a loop with barriers, one stands in front of the first loop without
  narrow_groups,         // in groups that are 1 wide, a barrier stands in front of each loop with barriers
  inline_functions,      // beside barriers, functions stand in the place of their calls
  wide_private_arrays,   // arrays of an item have elements of at least 32 bits
  limit_stack,           // kernels are refused whose groups keep more than a thread's stack holds
  plain_build,           // kernels with loops at which the vectoriser crashes are built without optimisation
};

// A set of them.
class Workarounds {
 public:
  constexpr Workarounds() = default;
  constexpr Workarounds(std::initializer_list<Workaround> all) {
    for (const Workaround one : all) add(one);
  }
  constexpr bool has(Workaround one) const { return (bits_ & bit(one)) != 0; }
  constexpr void add(Workaround one) { bits_ |= bit(one); }
  constexpr void remove(Workaround one) { bits_ &= ~bit(one); }
  constexpr bool operator==(const Workarounds&) const = default;

 private:
  static constexpr std::uint32_t bit(Workaround one) {
    return std::uint32_t{1} << static_cast<std::uint32_t>(one);
  }
  std::uint32_t bits_ = 0;
};

}  // namespace collet::emit
