// Control flow: jumps where all lanes agree, masks where they do not.

#include <type_traits>

#include "backends/cpu/interpreter/frame.hpp"
#include "backends/cpu/interpreter/handlers.hpp"

namespace collet::backend::cpu::interpreter {
namespace {

using ir::Scalar;

std::size_t width(const Frame& frame) { return std::size_t{frame.blocks} * kBlock; }

// Sets each byte of `mask` by its lane and counts the ones.
template <class Each>
void make(Frame& frame, std::uint32_t mask, const Each& each) {
  std::uint8_t* to = frame.mask(mask);
  std::uint32_t active = 0;
  for (std::size_t l = 0; l < width(frame); ++l) {
    const std::uint8_t on = each(l);
    to[l] = on;
    active += on;
  }
  frame.active[mask] = active;
}

void to_target_if_empty(Frame& frame, const Instruction& i) {
  if (frame.active[i.mask] == 0) frame.at = i.target;
}

void jump(Frame& frame, const Instruction& i) { frame.at = i.target; }

void branch(Frame& frame, const Instruction& i) {
  if (uniform<std::uint8_t>(frame, i.a) == 0) frame.at = i.target;
}

void split(Frame& frame, const Instruction& i) {
  const std::uint8_t* from = frame.mask(i.other);
  const std::uint8_t* condition = lanes<const std::uint8_t>(frame, i.a);
  std::uint8_t* yes = frame.mask(i.mask);
  std::uint8_t* no = frame.mask(i.mask + 1);
  std::uint32_t active = 0;
  for (std::size_t l = 0; l < width(frame); ++l) {
    const std::uint8_t on = from[l] & condition[l];
    yes[l] = on;
    no[l] = from[l] ^ on;
    active += on;
  }
  frame.active[i.mask] = active;
  frame.active[i.mask + 1] = frame.active[i.other] - active;
  to_target_if_empty(frame, i);
}

void rejoin(Frame& frame, const Instruction& i) {
  if (i.mask != i.other) {
    const std::uint8_t* a = frame.mask(i.mask);
    const std::uint8_t* b = frame.mask(i.other);
    make(frame, i.mask, [&](std::size_t l) { return static_cast<std::uint8_t>(a[l] & b[l]); });
  }
  to_target_if_empty(frame, i);
}

void drop(Frame& frame, const Instruction& i) {
  const std::uint8_t* a = frame.mask(i.mask);
  const std::uint8_t* b = frame.mask(i.other);
  make(frame, i.mask, [&](std::size_t l) { return static_cast<std::uint8_t>(a[l] & (b[l] ^ 1u)); });
}

void enter(Frame& frame, const Instruction& i) {
  const std::uint8_t* from = frame.mask(i.other);
  std::uint8_t* to = frame.mask(i.mask);
  for (std::size_t l = 0; l < width(frame); ++l) to[l] = from[l];
  frame.active[i.mask] = frame.active[i.other];
  to_target_if_empty(frame, i);
}

void call(Frame& frame, const Instruction& i) {
  if (frame.active[i.other] == 0) return;
  set_uniform(frame, i.to, frame.at);
  enter(frame, i);
  frame.at = i.target;
}

void back(Frame& frame, const Instruction& i) { frame.at = uniform<std::uint32_t>(frame, i.a); }

// Whether value + step is still below end; value is.
template <class T>
bool goes_on(T value, T end, T step) {
  using U = std::make_unsigned_t<T>;
  return step > 0 && static_cast<U>(static_cast<U>(end) - static_cast<U>(value)) > static_cast<U>(step);
}

template <class T>
void range_begin(Frame& frame, const Instruction& i) {
  const T begin = uniform<T>(frame, i.a);
  set_uniform(frame, i.to, begin);
  if (!(begin < uniform<T>(frame, i.b))) frame.at = i.target;
}

template <class T>
void range_next(Frame& frame, const Instruction& i) {
  const T value = uniform<T>(frame, i.to);
  const T step = uniform<T>(frame, i.c);
  if (!goes_on(value, uniform<T>(frame, i.b), step)) return;
  set_uniform(frame, i.to, static_cast<T>(value + step));
  frame.at = i.target;
}

// An argument of a range of which each lane may have its own.
template <class T>
struct Bound {
  Bound(const Frame& frame, const Instruction& i, std::uint32_t at, std::uint8_t which)
      : values(lanes<const T>(frame, at)), step(step_of(i, which)) {}
  T operator[](std::size_t lane) const { return values[lane * step]; }

  const T* values;
  std::size_t step;
};

template <class T>
void range_begin_lanes(Frame& frame, const Instruction& i) {
  const Bound<T> begin(frame, i, i.a, Instruction::kA);
  const Bound<T> end(frame, i, i.b, Instruction::kB);
  T* value = lanes<T>(frame, i.to);
  const std::uint8_t* from = frame.mask(i.other);
  make(frame, i.mask, [&](std::size_t l) {
    value[l] = begin[l];
    return static_cast<std::uint8_t>(from[l] & (value[l] < end[l] ? 1u : 0u));
  });
}

template <class T>
void range_next_lanes(Frame& frame, const Instruction& i) {
  using U = std::make_unsigned_t<T>;
  const Bound<T> end(frame, i, i.b, Instruction::kB);
  const Bound<T> step(frame, i, i.c, Instruction::kC);
  T* value = lanes<T>(frame, i.to);
  const std::uint8_t* mask = frame.mask(i.mask);
  make(frame, i.mask, [&](std::size_t l) {
    const bool on = mask[l] != 0 && goes_on(value[l], end[l], step[l]);
    value[l] = static_cast<T>(static_cast<U>(value[l]) + static_cast<U>(step[l]));
    return static_cast<std::uint8_t>(on ? 1 : 0);
  });
}

}  // namespace

Handler find_jump() { return jump; }
Handler find_branch() { return branch; }
Handler find_split() { return split; }
Handler find_skip() { return to_target_if_empty; }
Handler find_rejoin() { return rejoin; }
Handler find_drop() { return drop; }
Handler find_enter() { return enter; }
Handler find_call() { return call; }
Handler find_return() { return back; }

#define COLLET_BY_TYPE(function)                      \
  switch (type) {                                     \
    case Scalar::i32: return function<std::int32_t>;  \
    case Scalar::u32: return function<std::uint32_t>; \
    case Scalar::i64: return function<std::int64_t>;  \
    case Scalar::u64: return function<std::uint64_t>; \
    default: return nullptr;                          \
  }

Handler find_range_begin(Scalar type){COLLET_BY_TYPE(range_begin)} Handler
    find_range_next(Scalar type){COLLET_BY_TYPE(range_next)} Handler
    find_range_begin_lanes(Scalar type){COLLET_BY_TYPE(range_begin_lanes)} Handler
    find_range_next_lanes(Scalar type) {
  COLLET_BY_TYPE(range_next_lanes)
}

#undef COLLET_BY_TYPE

}  // namespace collet::backend::cpu::interpreter
