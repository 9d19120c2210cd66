// The passes before emission: each takes away something that not every target has, so that an emitter is left
// with scalars, arrays of scalars, guarded arithmetic, loops, and functions of scalars.
#pragma once

#include <functional>

#include "collet/result.hpp"
#include "kernel/emit/emit.hpp"
#include "kernel/emit/rewriter.hpp"

namespace collet::emit {

// What an emitter's language can say.
struct Language {
  bool has_fmod = false;           // exact, for all floats
  bool fuses = false;              // its fma rounds once
  bool signed_wraps = false;       // overflow of signed integers is defined
  bool constant_block = false;     // all parameters stand in one block; else each is an argument
  bool length_query = false;       // the code can ask for a buffer's length itself
  bool has_mul_high = false;       // the upper word of a product
  bool has_narrow = false;         // values of 8 and 16 bits
  bool casts_atomics = false;      // an atomic operation may see its memory as another type
  bool float_atomics = false;      // an atomic sum of f32
  bool atomic_memory = false;      // memory of atomic operations has a type of its own, as in WGSL
  bool place_as_argument = false;  // only the kernel itself can ask for an item's place
  // Whether buffers, and arrays of a group and of an item, may have elements of 1 and of 2 bytes.
  bool bytes_in_buffers = false, shorts_in_buffers = false, small_in_groups = false, small_in_items = false;
};

// A kernel that emitters take, and what it asks of a launch.
struct Plain {
  Kernel kernel;
  std::vector<std::uint32_t> counts, lengths;
  bool watched = false;
  std::vector<Trust> trusts = {};
  std::vector<ir::Ceiling> terms = {};
  Workarounds applied = {};
  std::vector<std::string> emulated = {};  // names of what the target lacks and the kernel does without
};

// All passes in order. Refuses what the target lacks.
Result<Plain> lower(const Kernel& kernel, const Language& language, const Target& target);

// Names of what the kernel needs, each once; an error where the target has no such thing.
Result<std::vector<std::string>> check_features(const Kernel& plain, const Target& target);

// A kernel for a device that takes IR, and names of what is emulated in it.
struct Portable {
  Kernel kernel;
  std::vector<std::string> emulated;
};
// Refuses what the target lacks and what can't be emulated.
Result<Portable> lower_for_ir(Kernel kernel, const Target& target);

// Vulkan has the driver's own functions for 32-bit floats only, but for one.
Result<void> check_f64_functions(const Kernel& kernel);

// A kernel whose indices stay inside, in launches that keep what it trusts in.
struct Checked {
  Kernel kernel;
  std::vector<Trust> trusts;
  std::vector<ir::Ceiling> terms;
  bool hidden = false;  // some place is hidden from the compiler (Workaround::constant_loads)
};

// An index beyond its memory loads 0, stores nothing and does nothing atomic, where the target asks for the
// check. Takes vectors, structs and ranges.
Checked lower_indices(const Kernel& kernel, const Target& target);
// A range becomes a loop.
Kernel lower_ranges(const Kernel& kernel);
// A value of several components becomes several values.
Kernel lower_vectors(const Kernel& kernel);
// f16 is 16 bits that become f32 and back around every operation.
Kernel lower_halves(const Kernel& kernel);
// Float remainders and fused multiply-adds become exact code where the language has none.
Result<Kernel> lower_floats(const Kernel& kernel, const Language& language, const Target& target);
// u32 becomes f32 through i32, rounded once.
Kernel lower_unsigned(const Kernel& kernel);
// Division, shifts, conversions and the rarer integer operations become forms that have a value for every
// argument.
Kernel lower_total(const Kernel& kernel, const Language& language);
// Integers of 8 and 16 bits are computed in 32.
Kernel lower_small(const Kernel& kernel);
// Integers of 64 bits become pairs of words. A kernel that also has atomic operations or subgroup arithmetic
// on them, or the bits of 64-bit floats, stays as it is.
Kernel lower_wide(const Kernel& kernel, const Language& language);
bool uses_wide(const Kernel& kernel);
// Signed integers add, subtract, multiply and shift left as unsigned ones.
Kernel lower_signed(const Kernel& kernel);
// No zero of a float stands in the code.
Kernel lower_zeros(const Kernel& kernel);
// No compiler finds in float arithmetic what it was made from.
Kernel lower_opaque(const Kernel& kernel);
// Nor that a choice between two floats is by comparing them.
Kernel lower_choices(const Kernel& kernel);
inline bool is_system_fence(const Node& node) {
  return node.op == Op::fence && node.immediate == static_cast<std::uint64_t>(ir::Scope::system);
}
// For items of other groups, at least.
inline bool is_device_fence(const Node& node) {
  return node.op == Op::fence && node.immediate != static_cast<std::uint64_t>(ir::Scope::workgroup);
}
// A fence becomes an atomic operation that changes nothing.
Kernel lower_fences(const Kernel& kernel);
// No barrier stands in a branch.
Kernel lower_branches(const Kernel& kernel);
// In a kernel with barriers, a loop without one that holds branches has an exit that depends on the item and
// is never taken.
Kernel lower_divergent_loops(const Kernel& kernel);
// In a loop with barriers, one stands in front of the first loop without. No barrier stands in a branch
// before.
Kernel lower_leading_loops(const Kernel& kernel);
// In a group of several items that is 1 wide, a barrier stands in front of each loop with barriers.
Kernel lower_narrow_groups(const Kernel& kernel);

// Whether a driver's vectoriser is known to crash at one of the kernel's loops. Its ranges are still there.
bool upsets_vectoriser(const Kernel& kernel);

// The immediate of a variable that is read from memory each time: no compiler may know what it holds.
inline constexpr std::uint64_t kReadAnew = 1;
// Every memory becomes an array of one scalar type, which every access has.
Result<Kernel> lower_memory(const Kernel& kernel, const Language& language);
// Values of 8 and 16 bits are words that hold them.
Kernel lower_narrow(const Kernel& kernel);
// The code of a function stands in the place of each call, but for functions of which `stays` says so; it
// sees them without the calls of those that do not. Fails where that makes more than `most` nodes of the
// kernel or of a function.
using Stays = std::function<bool(const Kernel& body)>;
Result<Kernel> lower_calls(const Kernel& kernel, std::size_t most = ir::kMostNodes, const Stays& stays = {});
// Atomic operations on floats become loops on integers of their bits; or only minimum and maximum. With
// `sums`, those on memory that is used for nothing else but f32 and sums of them stay.
Kernel lower_float_atomics(const Kernel& kernel, bool sums);
Kernel lower_float_extremes(const Kernel& kernel);
// Atomic operations have the type of their memory's elements.
Kernel lower_atomics(const Kernel& kernel);
// Memory that atomic operations reach is reached by nothing else: loads and stores become atomic.
Kernel lower_atomic_memory(const Kernel& kernel);
// uniform() goes through workgroup memory; element counts and lengths become parameters; parameters become
// scalars and arrays of them.
Plain lower_frame(const Kernel& kernel, const Language& language);

}  // namespace collet::emit
