// Lowering: values and variables.

#include <algorithm>

#include "backends/cpu/interpreter/lowering.hpp"

namespace collet::backend::cpu::interpreter {

using ir::Op;

Operand Lowering::result(Id id, std::size_t component) {
  return result(id, component, shape(id) != Shape::uniform);
}

// The register of a component of a new value. A scalar is wide when its shape says so; of a vector, each
// component for itself.
Operand Lowering::result(Id id, std::size_t component, bool wide) {
  const Node& node = kernel_.nodes[id];
  const Id home = lifetimes_.home[id];
  Operand& to = values_[id].components[component];
  if (home != ir::kNone) {
    to = values_[home].components[component];
  } else {
    const Register taken = reserve(element_bytes(node.type.scalar), wide, lifetimes_.end[id]);
    to = {.at = static_cast<std::uint32_t>(taken.at), .wide = wide};
  }
  return to;
}

Operand Lowering::constant(std::uint32_t bytes, std::uint64_t bits) {
  const auto [found, added] = constants_.try_emplace({bytes, bits});
  if (added) {
    found->second.at = static_cast<std::uint32_t>(registers_.take_new(bytes, false).at);
    program_.constants.push_back({.at = found->second.at, .bytes = bytes, .bits = bits});
  }
  return found->second;
}

// What a group computes once, whoever asks.
Operand Lowering::once(Handler handler, std::uint32_t bytes, std::uint32_t memory, std::uint32_t offset) {
  const auto [found, added] = once_.try_emplace({reinterpret_cast<std::uintptr_t>(handler), memory, offset});
  if (added) {
    found->second.at = static_cast<std::uint32_t>(registers_.take_new(bytes, false).at);
    program_.prologue.push_back({.run = handler, .to = found->second.at, .memory = memory, .offset = offset});
  }
  return found->second;
}

void Lowering::apply(Handler handler, Operand to, std::initializer_list<Operand> arguments) {
  Instruction instruction{.run = handler, .to = to.at, .mask = mask_};
  instruction.wide = to.wide ? Instruction::kTo : 0;
  std::uint8_t bit = Instruction::kA;
  std::uint32_t* place = &instruction.a;
  for (const Operand& argument : arguments) {
    *place = argument.at;
    if (argument.wide) instruction.wide = static_cast<std::uint8_t>(instruction.wide | bit);
    bit = static_cast<std::uint8_t>(bit << 1);
    place = place == &instruction.a ? &instruction.b : &instruction.c;
  }
  emit(instruction);
}

void Lowering::value(Id id) {
  const Node& node = kernel_.nodes[id];
  Value& made = values_[id];
  switch (node.op) {
    case Op::constant: made.components[0] = constant(element_bytes(node.type.scalar), node.immediate); return;
    case Op::parameter: {
      const std::uint32_t bytes = element_bytes(node.type.scalar);
      const std::uint32_t at = parameter_at_[node.low()] + node.high();
      for (std::uint32_t c = 0; c < node.type.width; ++c) {
        made.components[c] = once(find_parameter(bytes), bytes, 0, at + c * bytes);
      }
      return;
    }
    case Op::length: made.components[0] = once(find_length(), 4, node.low(), 0); return;
    case Op::extract: {
      const Operand from = operand(node, 0, node.immediate);
      made.components[0] = from;
      if (shape(id) != Shape::uniform && !from.wide) {
        apply(find_copy(element_bytes(node.type.scalar), isa_), result(id, 0), {from});
      }
      return;
    }
    case Op::compose:
      for (std::uint32_t c = 0; c < node.count; ++c) made.components[c] = operand(node, c, 0);
      return;
    case Op::any:
    case Op::all: return fold_components(id);
    default: break;
  }
  if (ir::rule(node.op) == ir::Rule::builtin) return builtin(id);
  if (shape(id) == Shape::linear) return linear(id);
  if (node.op == Op::bitcast) {
    made.components = values_[node.arguments[0]].components;
    return;
  }
  pure(id);
}

void Lowering::pure(Id id) {
  const Node& node = kernel_.nodes[id];
  const ir::Scalar from = argument(node, 0).type.scalar;
  Handler handler = nullptr;
  switch (ir::rule(node.op)) {
    case ir::Rule::equal:
    case ir::Rule::order: handler = find_comparison(node.op, from, isa_); break;
    case ir::Rule::select: handler = find_select(element_bytes(node.type.scalar), isa_); break;
    case ir::Rule::convert: handler = find_convert(from, node.type.scalar, isa_); break;
    default:
      handler = ir::is_float(from)     ? find_float(node.op, from, isa_)
                : ir::is_integer(from) ? find_integer(node.op, from, isa_)
                                       : find_boolean(node.op, isa_);
      break;
  }
  for (std::size_t c = 0; c < node.type.width; ++c) {
    const Operand a = operand(node, 0, argument(node, 0).type.width == 1 ? 0 : c);
    const Operand b = node.count > 1 ? operand(node, 1, c) : Operand{};
    const Operand d = node.count > 2 ? operand(node, 2, c) : Operand{};
    apply(handler, result(id, c, a.wide || b.wide || d.wide), {a, b, d});
  }
}

// any and all: the components one after the other.
void Lowering::fold_components(Id id) {
  const Node& node = kernel_.nodes[id];
  const Handler handler = find_boolean(node.op == Op::any ? Op::bit_or : Op::bit_and, isa_);
  const Operand to = result(id, 0);
  Operand left = operand(node, 0, 0);
  if (to.wide && !left.wide) {
    apply(find_copy(1, isa_), to, {left});
    left = to;
  }
  for (std::size_t c = 1; c < argument(node, 0).type.width; ++c) {
    apply(handler, to, {left, operand(node, 0, c)});
    left = to;
  }
}

void Lowering::builtin(Id id) {
  const Node& node = kernel_.nodes[id];
  const std::uint32_t dimension = node.low();
  Value& made = values_[id];
  switch (node.op) {
    case Op::subgroup_lane:
    case Op::subgroup_id: return apply(find_builtin(node.op), result(id, 0), {});
    case Op::global_id:
    case Op::local_id: break;
    default: made.components[0] = once(find_builtin(node.op), 4, 0, dimension); return;
  }
  const Operand base = node.op == Op::global_id ? once(find_first_item(), 4, 0, dimension) : constant(4, 0);
  if (shape(id) == Shape::uniform) {
    made.components[0] = base;
    return;
  }
  made.linear.base = node.op == Op::global_id ? Part{.at = base.at} : known(0);
  made.linear.strides.fill(known(0));
  made.linear.strides[axis_[dimension]] = known(1);
  spread(id);
}

Part Lowering::known(std::uint32_t value) { return {.at = constant(4, value).at, .known = value}; }

// a op b, computed now where that is possible.
Part Lowering::part(Op op, Part a, Part b, std::uint32_t until) {
  if (a.known && b.known) {
    switch (op) {
      case Op::add: return known(*a.known + *b.known);
      case Op::sub: return known(*a.known - *b.known);
      case Op::mul: return known(*a.known * *b.known);
      default: return known(*a.known << (*b.known & 31u));
    }
  }
  if (b.known == 0u && op != Op::mul) return a;
  if (a.known == 0u && op == Op::add) return b;
  if (op == Op::mul && b.known == 1u) return a;
  if (op == Op::mul && a.known == 1u) return b;
  if (a.known == 0u && op != Op::sub) return a;
  if (op == Op::mul && b.known == 0u) return b;
  const Register to = reserve(4, false, until);
  const Part made{.at = static_cast<std::uint32_t>(to.at)};
  apply(find_integer(op, ir::Scalar::u32, isa_), {.at = made.at}, {{.at = a.at}, {.at = b.at}});
  return made;
}

Linear Lowering::as_linear(Id id) {
  if (shape(id) == Shape::linear) return values_[id].linear;
  const Node& node = kernel_.nodes[id];
  Linear linear{.base = {.at = values_[id].components[0].at}};
  if (node.op == Op::constant) linear.base.known = static_cast<std::uint32_t>(node.immediate);
  linear.strides.fill(known(0));
  return linear;
}

// Arithmetic of 32 bits wraps, so it may be done on the parts.
void Lowering::linear(Id id) {
  const Node& node = kernel_.nodes[id];
  const std::uint32_t until = lifetimes_.end[id];
  Linear a = as_linear(node.arguments[0]);
  Linear b;
  if (node.count == 2) b = as_linear(node.arguments[1]);
  const bool add = node.op == Op::add || node.op == Op::sub;
  if (node.op == Op::mul && shape(node.arguments[0]) == Shape::uniform) std::swap(a, b);
  if (node.op == Op::negate) {
    b = a;
    a.base = known(0);
    a.strides.fill(known(0));
  }
  const Op op = node.op == Op::negate ? Op::sub : node.op;
  if (node.op != Op::convert && node.op != Op::bitcast) {
    a.base = part(op, a.base, b.base, until);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Part right = add || node.op == Op::negate ? b.strides[axis] : b.base;
      a.strides[axis] = part(op, a.strides[axis], right, until);
    }
  }
  values_[id].linear = a;
  spread(id);
}

// Writes a linear value out, lane by lane, where somebody needs it so.
void Lowering::spread(Id id) {
  if (!shapes_.lanes[id]) return;
  const Linear& linear = values_[id].linear;
  const Operand to = result(id, 0);
  Instruction instruction{.run = find_iota(isa_), .to = to.at, .a = linear.base.at};
  for (std::size_t axis = 0; axis < 3; ++axis) instruction.strides[axis] = linear.strides[axis].at;
  instruction.wide = Instruction::kTo;
  emit(instruction);
}

void Lowering::variable(Id id) {
  const Node& node = kernel_.nodes[id];
  for (std::size_t c = 0; c < node.type.width; ++c) {
    const Operand to = result(id, c);
    if (lifetimes_.cleared[id]) apply(find_clear(element_bytes(node.type.scalar)), to, {});
  }
}

void Lowering::get(Id id) {
  const Node& node = kernel_.nodes[id];
  if (lifetimes_.in_place[id]) {
    values_[id].components = values_[node.arguments[0]].components;
    return;
  }
  for (std::size_t c = 0; c < node.type.width; ++c) {
    const Operand from = operand(node, 0, c);
    apply(find_copy(element_bytes(node.type.scalar), isa_), result(id, c), {from});
  }
}

void Lowering::set(Id id) {
  if (lifetimes_.done[id]) return;
  const Node& node = kernel_.nodes[id];
  const ir::Type type = argument(node, 0).type;
  const std::uint32_t bytes = element_bytes(type.scalar);
  const Handler handler = shapes_.together[id] ? find_copy(bytes, isa_) : find_blend(bytes, isa_);
  // A vector may be made of the variable's own components: all are read before the first is written.
  std::array<Operand, 4> from{};
  for (std::size_t c = 0; c < type.width; ++c) {
    from[c] = operand(node, 1, c);
    const Operand to = operand(node, 0, c);
    const bool own = std::any_of(values_[node.arguments[0]].components.begin(),
                                 values_[node.arguments[0]].components.begin() + type.width,
                                 [&](Operand o) { return o.at == from[c].at && o.at != to.at; });
    if (!own) continue;
    const Register copy = reserve(bytes, from[c].wide, lifetimes_.at[id]);
    const Operand aside{.at = static_cast<std::uint32_t>(copy.at), .wide = from[c].wide};
    apply(find_copy(bytes, isa_), aside, {from[c]});
    from[c] = aside;
  }
  for (std::size_t c = 0; c < type.width; ++c) apply(handler, operand(node, 0, c), {from[c]});
}

void Lowering::between_items(Id id) {
  const Node& node = kernel_.nodes[id];
  for (std::size_t c = 0; c < node.type.width; ++c) {
    const Operand to = result(id, c);
    const Operand a = operand(node, 0, c);
    const Handler handler = find_between_items(node.op, node.type.scalar);
    if (node.count == 2) {
      apply(handler, to, {a, operand(node, 1, 0)});
    } else {
      apply(handler, to, {a});
    }
  }
}

}  // namespace collet::backend::cpu::interpreter
