// One item at a time, by the book: what the interpreter must give for kernels whose items do not meet.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "collet/backend.hpp"
#include "kernel/ir/eval.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::interpreter_reference {

using ir::Id;
using ir::Node;
using ir::Op;
using ir::Scalar;

inline float half_to_float(std::uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const auto mantissa = static_cast<float>(bits & 1023);
  const float sign = (bits & 0x8000) != 0 ? -1.0f : 1.0f;
  if (exponent == 31) return (bits & 1023) != 0 ? std::nanf("") : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(mantissa + 1024.0f, exponent - 25);
}

// Rounds once, to nearest even.
inline std::uint64_t to_half(double value) {
  const std::uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return 0x7e00;
  const double size = std::fabs(value);
  if (size >= 65520.0) return sign | 0x7c00;
  int exponent = 0;
  std::frexp(size, &exponent);
  const int unit = std::max(exponent - 11, -24);
  const double steps = std::nearbyint(std::ldexp(size, -unit));
  const double rounded = std::ldexp(steps, unit);
  if (rounded == 0) return sign;
  if (rounded < std::ldexp(1.0, -14)) return sign | static_cast<std::uint64_t>(std::ldexp(rounded, 24));
  std::frexp(rounded, &exponent);
  return sign | (static_cast<std::uint64_t>(exponent + 14) << 10 |
                 (static_cast<std::uint64_t>(std::ldexp(rounded, 11 - exponent)) & 1023));
}

template <class T>
T native(Op op, T a, T b) {
  switch (op) {
    case Op::native_sin: return std::sin(a);
    case Op::native_cos: return std::cos(a);
    case Op::native_tan: return std::tan(a);
    case Op::native_exp: return std::exp(a);
    case Op::native_exp2: return std::exp2(a);
    case Op::native_log: return std::log(a);
    case Op::native_log2: return std::log2(a);
    case Op::native_rsqrt: return T{1} / std::sqrt(a);
    default: return std::pow(a, b);
  }
}

// ir::evaluate(), and what it leaves to the target: f16 by way of f32, native functions by <cmath>.
inline std::uint64_t component(Op op, Scalar from, Scalar to, std::array<std::uint64_t, 3> values) {
  if (op == Op::select || op == Op::bitcast) return *ir::evaluate(op, from, to, values);
  if (op == Op::convert && from == Scalar::f64 && to == Scalar::f16) {
    return to_half(std::bit_cast<double>(values[0]));
  }
  if (op == Op::convert && from == Scalar::f16 && to == Scalar::f16) return values[0];
  const auto f32_bits = [](std::uint64_t half) {
    return std::uint64_t{std::bit_cast<std::uint32_t>(half_to_float(half))};
  };
  if (from == Scalar::f16 && op == Op::negate) return values[0] ^ 0x8000;
  if (from == Scalar::f16 && op == Op::abs) return values[0] & 0x7fff;
  if (from == Scalar::f16 || to == Scalar::f16) {
    const Scalar wide_from = from == Scalar::f16 ? Scalar::f32 : from;
    const Scalar wide_to = to == Scalar::f16 ? Scalar::f32 : to;
    if (from == Scalar::f16) values = {f32_bits(values[0]), f32_bits(values[1]), f32_bits(values[2])};
    const std::uint64_t bits = component(op, wide_from, wide_to, values);
    if (to != Scalar::f16) return bits;
    return to_half(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  if (op >= Op::native_sin && op <= Op::native_pow) {
    if (from == Scalar::f64) {
      return std::bit_cast<std::uint64_t>(
          native(op, std::bit_cast<double>(values[0]), std::bit_cast<double>(values[1])));
    }
    return std::bit_cast<std::uint32_t>(native(op,
                                               std::bit_cast<float>(static_cast<std::uint32_t>(values[0])),
                                               std::bit_cast<float>(static_cast<std::uint32_t>(values[1]))));
  }
  return ir::evaluate(op, from, to, values).value();
}

inline bool is_nan(Scalar type, std::uint64_t bits) {
  switch (type) {
    case Scalar::f16: return (bits & 0x7fff) > 0x7c00;
    case Scalar::f32: return (bits & 0x7fffffff) > 0x7f800000;
    case Scalar::f64: return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
    default: return false;
  }
}

// Threads: one at a time.
class Item {
 public:
  using Bits = std::array<std::uint64_t, 4>;

  // Private arrays begin filled with `fresh`.
  Item(const ir::Kernel& kernel, const backend::HostGroup& group, std::array<std::uint32_t, 3> local,
       std::byte fresh = std::byte{0})
      : kernel_(kernel), group_(group), local_(local), values_(kernel.nodes.size()) {
    for (const ir::Memory& memory : kernel.memories) {
      arrays_.emplace_back(memory.space == ir::Space::item ? memory.count * memory.stride : 0, fresh);
      if (memory.space == ir::Space::table) arrays_.back() = memory.contents;
    }
  }

  // An index was beyond its memory.
  bool outside() const { return outside_; }

  void run() { block(0); }

 private:
  enum class Flow : std::uint8_t { on, breaks, continues, returns };

  Flow block(std::uint32_t index) {
    for (const Id id : kernel_.blocks[index].nodes) {
      const Flow flow = node(id);
      if (flow != Flow::on) return flow;
    }
    return Flow::on;
  }

  Flow node(Id id) {
    const Node& node = kernel_.nodes[id];
    switch (node.op) {
      case Op::if_:
        if (argument(node, 0)[0] != 0) return block(node.low());
        return node.high() != ir::kNone ? block(node.high()) : Flow::on;
      case Op::range: return range(id);
      case Op::loop:
        for (;;) {
          const Flow flow = block(node.low());
          if (flow == Flow::returns) return flow;
          if (flow == Flow::breaks) return Flow::on;
          if (node.high() != ir::kNone) block(node.high());
        }
      case Op::break_: return Flow::breaks;
      case Op::continue_: return Flow::continues;
      case Op::return_: return Flow::returns;
      case Op::variable: values_[id] = {}; break;
      case Op::get: values_[id] = argument(node, 0); break;
      case Op::set: values_[node.arguments[0]] = argument(node, 1); break;
      case Op::store:
      case Op::atomic_store: store(node); break;
      case Op::fence: break;
      default: values_[id] = value(node); break;
    }
    return Flow::on;
  }

  Flow range(Id id) {
    const Node& node = kernel_.nodes[id];
    const std::uint64_t begin = argument(node, 0)[0];
    const std::uint64_t end = argument(node, 1)[0];
    const std::uint64_t step = argument(node, 2)[0];
    const std::uint64_t all = ir::bits(node.type.scalar) == 64 ? ~std::uint64_t{0} : 0xffffffffu;
    if (component(Op::lt, node.type.scalar, Scalar::boolean, {begin, end}) == 0) return Flow::on;
    const std::uint64_t turns = (((end - begin) & all) - 1) / step + 1;
    for (std::uint64_t k = 0; k < turns; ++k) {
      values_[id] = {(begin + k * step) & all};
      const Flow flow = block(node.low());
      if (flow == Flow::returns) return flow;
      if (flow == Flow::breaks) break;
    }
    return Flow::on;
  }

  const Bits& argument(const Node& node, std::size_t i) const { return values_[node.arguments[i]]; }
  ir::Type type(const Node& node, std::size_t i) const { return kernel_.nodes[node.arguments[i]].type; }

  // Null where the index is beyond the memory.
  std::byte* place(const Node& node) {
    const ir::Memory& memory = kernel_.memories[node.low()];
    const std::uint64_t index = argument(node, 0)[0];
    const bool own = memory.space == ir::Space::item || memory.space == ir::Space::table;
    const std::uint64_t count = own ? memory.count : group_.buffer_sizes[node.low()] / memory.stride;
    if (index >= count) {
      outside_ = true;
      return nullptr;
    }
    std::byte* base = own ? arrays_[node.low()].data() : group_.buffers[node.low()];
    return base + index * memory.stride + node.high();
  }

  void store(const Node& node) {
    std::byte* to = place(node);
    if (to == nullptr) return;
    const std::uint32_t bytes = ir::bits(type(node, 1).scalar) / 8;
    for (std::uint32_t c = 0; c < type(node, 1).width; ++c) {
      std::memcpy(to + c * bytes, &argument(node, 1)[c], bytes);
    }
  }

  // Replaces what is there by after(it); the value before.
  template <class After>
  std::uint64_t replace(const Node& node, const After& after) {
    std::byte* at = place(node);
    if (at == nullptr) return 0;
    const std::uint32_t bytes = ir::bits(node.type.scalar) / 8;
    std::uint64_t before = 0;
    std::memcpy(&before, at, bytes);
    const std::uint64_t value = after(before);
    std::memcpy(at, &value, bytes);
    return before;
  }
  std::uint64_t atomic(const Node& node, Op op) {
    return replace(node, [&](std::uint64_t before) {
      return component(op, node.type.scalar, node.type.scalar, {before, argument(node, 1)[0]});
    });
  }
  std::uint64_t compare_exchange(const Node& node) {
    return replace(node, [&](std::uint64_t before) {
      return before == argument(node, 1)[0] ? argument(node, 2)[0] : before;
    });
  }

  Bits parameter(const Node& node) {
    std::uint64_t at = 0;
    for (std::uint32_t i = 0; i <= node.low(); ++i) {
      const ir::Parameter& one = kernel_.parameters[i];
      at = (at + one.alignment - 1) / one.alignment * one.alignment;
      if (i != node.low()) at += one.size;
    }
    Bits made{};
    const std::uint32_t bytes = ir::bits(node.type.scalar) / 8;
    for (std::uint32_t c = 0; c < node.type.width; ++c) {
      std::memcpy(&made[c], group_.constants + at + node.high() + c * bytes, bytes);
    }
    return made;
  }

  Bits value(const Node& node) {
    Bits made{};
    const auto d = static_cast<std::size_t>(node.low() % 3);
    switch (node.op) {
      case Op::constant: return {node.immediate};
      case Op::global_id: return {group_.id[d] * group_.size[d] + local_[d]};
      case Op::local_id: return {local_[d]};
      case Op::group_id: return {group_.id[d]};
      case Op::group_size: return {group_.size[d]};
      case Op::group_count: return {group_.count[d]};
      case Op::element_count: return {group_.extent[d]};
      case Op::length: return {group_.buffer_sizes[node.low()] / kernel_.memories[node.low()].stride};
      case Op::parameter: return parameter(node);
      case Op::atomic_add: return {atomic(node, Op::add)};
      case Op::atomic_sub: return {atomic(node, Op::sub)};
      case Op::atomic_min: return {atomic(node, Op::min)};
      case Op::atomic_max: return {atomic(node, Op::max)};
      case Op::atomic_and: return {atomic(node, Op::bit_and)};
      case Op::atomic_or: return {atomic(node, Op::bit_or)};
      case Op::atomic_xor: return {atomic(node, Op::bit_xor)};
      case Op::atomic_exchange: return {replace(node, [&](std::uint64_t) { return argument(node, 1)[0]; })};
      case Op::atomic_compare_exchange: return {compare_exchange(node)};
      case Op::compose:
        for (std::size_t c = 0; c < node.count; ++c) made[c] = argument(node, c)[0];
        return made;
      case Op::extract: return {argument(node, 0)[node.immediate]};
      case Op::any:
      case Op::all: {
        std::uint64_t count = 0;
        for (std::size_t c = 0; c < type(node, 0).width; ++c) count += argument(node, 0)[c];
        return {node.op == Op::any ? count != 0 : count == type(node, 0).width};
      }
      case Op::load:
      case Op::atomic_load: {
        const std::byte* from = place(node);
        const std::uint32_t bytes = ir::bits(node.type.scalar) / 8;
        for (std::uint32_t c = 0; from != nullptr && c < node.type.width; ++c) {
          std::memcpy(&made[c], from + c * bytes, bytes);
        }
        return made;
      }
      default: break;
    }
    for (std::size_t c = 0; c < node.type.width; ++c) {
      std::array<std::uint64_t, 3> values{};
      for (std::size_t i = 0; i < node.count; ++i) {
        values[i] = argument(node, i)[type(node, i).width == 1 ? 0 : c];
      }
      made[c] = component(node.op, type(node, 0).scalar, node.type.scalar, values);
    }
    return made;
  }

  const ir::Kernel& kernel_;
  const backend::HostGroup& group_;
  std::array<std::uint32_t, 3> local_;
  std::vector<Bits> values_;
  std::vector<std::vector<std::byte>> arrays_;
  bool outside_ = false;
};

}  // namespace collet::interpreter_reference
