// What items know of their place, of their launch, and of one another.

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "backends/cpu/interpreter/handlers.hpp"
#include "backends/cpu/interpreter/loops.hpp"

namespace collet::backend::cpu::interpreter {
namespace {

using ir::Op;
using ir::Scalar;

struct Iota {
  COLLET_INLINE static void run(Frame& frame, const Instruction& i) {
    const auto sx = uniform<std::uint32_t>(frame, i.strides[0]);
    const auto sy = uniform<std::uint32_t>(frame, i.strides[1]);
    const auto sz = uniform<std::uint32_t>(frame, i.strides[2]);
    const auto base = uniform<std::uint32_t>(frame, i.a) + sx * frame.first_x;
    std::uint32_t y = frame.first_row % frame.height;
    std::uint32_t z = frame.first_row / frame.height;
    std::uint32_t* to = lanes<std::uint32_t>(frame, i.to);
    for (std::uint32_t row = 0; row < frame.rows; ++row, to += frame.run) {
      const std::uint32_t first = base + sy * y + sz * z;
      for (std::uint32_t l = 0; l < frame.run; ++l) to[l] = first + l * sx;
      if (++y == frame.height) {
        y = 0;
        ++z;
      }
    }
  }
};

std::uint32_t clamped(std::uint64_t value) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, 0xffffffffu));
}

void group_id(Frame& frame, const Instruction& i) { set_uniform(frame, i.to, frame.group->id[i.offset]); }
void group_size(Frame& frame, const Instruction& i) { set_uniform(frame, i.to, frame.group->size[i.offset]); }
void group_count(Frame& frame, const Instruction& i) {
  set_uniform(frame, i.to, frame.group->count[i.offset]);
}
void element_count(Frame& frame, const Instruction& i) {
  set_uniform(frame, i.to, clamped(frame.group->extent[i.offset]));
}
void subgroup_size(Frame& frame, const Instruction& i) { set_uniform(frame, i.to, frame.subgroup); }

void subgroup_lane(Frame& frame, const Instruction& i) {
  std::uint32_t* to = lanes<std::uint32_t>(frame, i.to);
  for (std::uint32_t l = 0; l < frame.count; ++l) to[l] = l % frame.subgroup;
}
void subgroup_id(Frame& frame, const Instruction& i) {
  std::uint32_t* to = lanes<std::uint32_t>(frame, i.to);
  for (std::uint32_t l = 0; l < frame.count; ++l) to[l] = l / frame.subgroup;
}

void first_item(Frame& frame, const Instruction& i) {
  set_uniform(frame, i.to, frame.group->id[i.offset] * frame.group->size[i.offset]);
}

void length(Frame& frame, const Instruction& i) {
  set_uniform(frame, i.to, clamped(frame.views[i.memory].count));
}

template <class T>
void parameter(Frame& frame, const Instruction& i) {
  T value;
  std::memcpy(&value, frame.group->constants + i.offset, sizeof(T));
  set_uniform(frame, i.to, value);
}

// From here on all lanes take part: the verifier sees to it.

template <class T>
void broadcast(Frame& frame, const Instruction& i) {
  set_uniform(frame, i.to, *lanes<T>(frame, i.a));
}

// Calls body(first, count) for every subgroup.
template <class Body>
void for_subgroups(const Frame& frame, const Body& body) {
  for (std::uint32_t first = 0; first < frame.count; first += frame.subgroup) {
    body(first, std::min(frame.subgroup, frame.count - first));
  }
}

struct Sum {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_same_v<T, Half>) {
      return to_half(to_float(a) + to_float(b));
    } else if constexpr (std::is_floating_point_v<T>) {
      return a + b;
    } else {
      return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    }
  }
};
template <class T>
bool below(T a, T b) {
  if constexpr (std::is_same_v<T, Half>) {
    return to_float(a) < to_float(b);
  } else {
    return a < b;
  }
}
struct Least {
  template <class T>
  static T of(T a, T b) {
    return below(b, a) ? b : a;
  }
};
struct Most {
  template <class T>
  static T of(T a, T b) {
    return below(a, b) ? b : a;
  }
};
struct And {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};

template <class F, class T, bool kScan>
void reduce(Frame& frame, const Instruction& i) {
  const T* a = lanes<const T>(frame, i.a);
  T* to = lanes<T>(frame, i.to);
  const std::size_t each = step_of(i, Instruction::kA);
  for_subgroups(frame, [&](std::uint32_t first, std::uint32_t count) {
    T sum = a[first * each];
    to[first] = sum;
    for (std::uint32_t l = first + 1; l < first + count; ++l) {
      sum = F::of(sum, a[l * each]);
      to[l] = sum;
    }
    if constexpr (!kScan) std::fill_n(to + first, count, sum);
  });
}

template <class T>
void broadcast_first(Frame& frame, const Instruction& i) {
  const T* a = lanes<const T>(frame, i.a);
  T* to = lanes<T>(frame, i.to);
  const std::size_t each = step_of(i, Instruction::kA);
  for_subgroups(frame, [&](std::uint32_t first, std::uint32_t count) {
    std::fill_n(to + first, count, a[first * each]);
  });
}

template <class T>
void shuffle(Frame& frame, const Instruction& i) {
  const T* a = lanes<const T>(frame, i.a);
  const std::uint32_t* from = lanes<const std::uint32_t>(frame, i.b);
  T* to = lanes<T>(frame, i.to);
  const std::size_t each = step_of(i, Instruction::kA);
  const std::size_t each_from = step_of(i, Instruction::kB);
  for_subgroups(frame, [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t l = first; l < first + count; ++l) {
      const std::uint32_t lane = from[l * each_from];
      to[l] = lane < count ? a[(first + lane) * each] : T{};
    }
  });
}

template <class T>
Handler find_numbers(Op op) {
  switch (op) {
    case Op::subgroup_add: return reduce<Sum, T, false>;
    case Op::subgroup_scan_add: return reduce<Sum, T, true>;
    case Op::subgroup_min: return reduce<Least, T, false>;
    case Op::subgroup_max: return reduce<Most, T, false>;
    default: break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (op == Op::subgroup_and) return reduce<And, T, false>;
    if (op == Op::subgroup_or) return reduce<Or, T, false>;
  }
  return nullptr;
}

template <class T>
Handler find_moves(Op op) {
  switch (op) {
    case Op::uniform: return broadcast<T>;
    case Op::subgroup_broadcast_first: return broadcast_first<T>;
    case Op::subgroup_shuffle: return shuffle<T>;
    default: return nullptr;
  }
}

Handler find_votes(Op op) {
  if (op == Op::subgroup_any) return reduce<Or, std::uint8_t, false>;
  if (op == Op::subgroup_all) return reduce<And, std::uint8_t, false>;
  return nullptr;
}

Handler find_move(Op op, Scalar type) {
  switch (type == Scalar::boolean ? 8 : ir::bits(type)) {
    case 8: return find_moves<std::uint8_t>(op);
    case 16: return find_moves<std::uint16_t>(op);
    case 32: return find_moves<std::uint32_t>(op);
    case 64: return find_moves<std::uint64_t>(op);
    default: return nullptr;
  }
}

}  // namespace

Handler find_iota(Isa isa) { return Compiled<Iota>::pick(isa); }

Handler find_builtin(Op op) {
  switch (op) {
    case Op::group_id: return group_id;
    case Op::group_size: return group_size;
    case Op::group_count: return group_count;
    case Op::element_count: return element_count;
    case Op::subgroup_size: return subgroup_size;
    case Op::subgroup_lane: return subgroup_lane;
    case Op::subgroup_id: return subgroup_id;
    default: return nullptr;
  }
}

Handler find_first_item() { return first_item; }
Handler find_length() { return length; }

Handler find_parameter(std::uint32_t bytes) {
  switch (bytes) {
    case 1: return parameter<std::uint8_t>;
    case 2: return parameter<std::uint16_t>;
    case 4: return parameter<std::uint32_t>;
    case 8: return parameter<std::uint64_t>;
    default: return nullptr;
  }
}

Handler find_between_items(Op op, Scalar type) {
  if (Handler move = find_move(op, type)) return move;
  switch (type) {
    case Scalar::boolean: return find_votes(op);
    case Scalar::i8: return find_numbers<std::int8_t>(op);
    case Scalar::u8: return find_numbers<std::uint8_t>(op);
    case Scalar::i16: return find_numbers<std::int16_t>(op);
    case Scalar::u16: return find_numbers<std::uint16_t>(op);
    case Scalar::i32: return find_numbers<std::int32_t>(op);
    case Scalar::u32: return find_numbers<std::uint32_t>(op);
    case Scalar::i64: return find_numbers<std::int64_t>(op);
    case Scalar::u64: return find_numbers<std::uint64_t>(op);
    case Scalar::f16: return find_numbers<Half>(op);
    case Scalar::f32: return find_numbers<float>(op);
    case Scalar::f64: return find_numbers<double>(op);
    default: return nullptr;
  }
}

}  // namespace collet::backend::cpu::interpreter
