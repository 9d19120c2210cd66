// Values: literals, names, operations and what they reach.

#include "kernel/emit/text_writer.hpp"

#include <bit>
#include <charconv>
#include <cmath>

namespace collet::emit {
namespace {

template <class Float>
std::string shortest(Float value) {
  std::array<char, 64> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  std::string number(text.data(), end);
  if (number.find_first_of(".e") == std::string::npos) number += ".0";
  return number;
}

}  // namespace

std::string TextWriter::literal(const Node& node) const {
  const Scalar kind = node.type.scalar;
  const std::uint64_t bits = node.immediate;
  const std::string suffix(dialect_.suffixes[static_cast<std::size_t>(kind)]);
  if (kind == Scalar::boolean) return bits != 0 ? "true" : "false";
  if (kind == Scalar::f32 || kind == Scalar::f64) {
    const double exact = kind == Scalar::f64 ? std::bit_cast<double>(bits)
                                             : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (!std::isfinite(exact)) {
      const Scalar bare = ir::unsigned_of(kind);
      const Node whole{.op = Op::constant, .type = {bare}, .immediate = bits};
      const std::string_view as_bits =
          dialect_.not_finite.empty() ? dialect_.bitcast(bare, kind) : dialect_.not_finite;
      zero_used_ = true;
      return fill(kind == Scalar::f64 ? dialect_.f64_bits : as_bits,
                  {{'t', type(kind)},
                   {'e', literal(whole)},
                   {'l', std::to_string(bits & 0xffffffffu)},
                   {'h', std::to_string(bits >> 32)}});
    }
    const std::string text = kind == Scalar::f64 ? shortest(exact) : shortest(static_cast<float>(exact));
    return std::signbit(exact) ? "(" + text + suffix + ")" : text + suffix;
  }
  if (!ir::is_signed(kind)) return std::to_string(bits) + suffix;
  const std::uint32_t size = ir::bits(kind);
  const auto whole = static_cast<std::int64_t>(bits << (64 - size)) >> (64 - size);
  if (whole >= 0) return std::to_string(whole) + suffix;
  // The least number has no positive counterpart to put a minus before.
  return "(" + std::to_string(whole + 1) + suffix + " - 1)";
}

// Of a variable that has one in the program: that, with a number, since others may have the same.
std::string TextWriter::name(Id id) const {
  const Node& node = kernel_.nodes[id];
  const bool known = node.op == Op::variable && node.place < kernel_.places.size();
  return named('v', id, known ? kernel_.places[node.place].name : "");
}

std::string TextWriter::whole(Id id) const {
  const Node& node = kernel_.nodes[id];
  if (node.op == Op::constant) return literal(node);
  if (node.op == Op::argument) return "a" + std::to_string(node.immediate);
  return inlined_[id] ? expression(id) : name(id);
}

bool TextWriter::is_loose(Id id, Level loosest) const {
  const Op op = kernel_.nodes[id].op;
  return inlined_[id] && op != Op::constant && op != Op::argument && level(id) > loosest;
}

std::string TextWriter::operand(Id id, Level loosest) const {
  return is_loose(id, loosest) ? "(" + whole(id) + ")" : whole(id);
}

std::string TextWriter::index(const Node& node) const {
  const Node& at = kernel_.nodes[node.arguments[0]];
  const Memory& memory = kernel_.memories[node.low()];
  const std::uint64_t most = memory.space == Space::buffer ? std::uint64_t{1} << 31 : memory.count;
  const bool far = at.op == Op::constant && at.immediate >= most && !dialect_.far_index.empty();
  zero_used_ = zero_used_ || far;
  return far ? fill(dialect_.far_index, {{'e', literal(at)}}) : whole(node.arguments[0]);
}

std::string TextWriter::pointer(const Node& node) const {
  const bool store = ir::rule(node.op) == Rule::store;
  const bool buffer = kernel_.memories[node.low()].space == Space::buffer;
  return fill(buffer ? dialect_.buffer_pointer : dialect_.workgroup_pointer,
              {{'t', type(store ? scalar(node.arguments[1]) : node.type.scalar)},
               {'m', memory(node.low())},
               {'i', index(node)}});
}

std::string TextWriter::cast(const Node& node) const {
  const Scalar from = scalar(node.arguments[0]);
  const Scalar to = node.type.scalar;
  const Id held = node.arguments[0];
  if (type(from) == type(to)) return value(held);  // a half is its bits
  const std::string bare = whole(held);
  const std::string text = is_loose(held, Level::primary) ? "(" + bare + ")" : bare;
  if (node.op == Op::convert) return fill(dialect_.convert, {{'t', type(to)}, {'e', text, bare}});
  // A literal or an expression of fewer than 32 bits is an int for C.
  const bool named = kernel_.nodes[held].op != Op::constant && !inlined_[held];
  if (ir::bits(from) >= 32 || named)
    return fill(dialect_.bitcast(from, to), {{'t', type(to)}, {'e', text, bare}});
  const std::string narrow = fill(dialect_.convert, {{'t', type(from)}, {'e', text}});
  return fill(dialect_.bitcast(from, to), {{'t', type(to)}, {'e', narrow}});
}

// Of an operation that has one.
std::string_view TextWriter::pattern(Id id) const {
  const Node& node = kernel_.nodes[id];
  if (node.op == Op::rem && ir::is_float(node.type.scalar)) return dialect_.float_rem;
  if (node.op == Op::ne && ir::is_float(kernel_.nodes[node.arguments[0]].type.scalar))
    return dialect_.float_ne;
  if (node.op == Op::negate && !ir::is_float(node.type.scalar) && !ir::is_signed(node.type.scalar))
    return dialect_.negate_unsigned;
  if (is_system_fence(node)) return dialect_.system_fence;
  if (is_device_fence(node)) return dialect_.device_fence;
  if (node.type.scalar == Scalar::boolean) {
    if (node.op == Op::bit_not) return dialect_.boolean_not;
    if (node.op == Op::bit_and) return branches_[id] ? "{a} && {b}" : dialect_.boolean_and;
    if (node.op == Op::bit_or) return branches_[id] ? "{a} || {b}" : dialect_.boolean_or;
    if (node.op == Op::bit_xor) return dialect_.boolean_xor;
  }
  return dialect_.ops[static_cast<std::size_t>(node.op)];
}

Level TextWriter::level(Id id) const {
  const Node& node = kernel_.nodes[id];
  const bool cast = node.op == Op::convert || node.op == Op::bitcast;
  return cast ? Level::primary : level_of(pattern(id));
}

std::string TextWriter::expression(Id id) const {
  const Node& node = kernel_.nodes[id];
  switch (node.op) {
    case Op::get: return value(node.arguments[0]);
    case Op::argument: return value(id);
    case Op::result: return result(node);
    case Op::load:
      if (kernel_.memories[node.low()].broadcasts && !dialect_.uniform_load.empty())
        return fill(dialect_.uniform_load, {{'m', memory(node.low())}, {'i', index(node)}});
      return memory(node.low()) + "[" + index(node) + "]";
    case Op::convert:
    case Op::bitcast: return cast(node);
    case Op::parameter: {
      const Parameter& one = kernel_.parameters[node.low()];
      const std::uint32_t index = node.high() / ir::bytes(one.type);
      return fill(is_array(one) ? dialect_.parameter_element : dialect_.parameter,
                  {{'n', parameter(node.low())},
                   {'i', std::to_string(index)},
                   {'q', std::to_string(index / 4)},
                   {'m', std::to_string(index % 4)}});
    }
    default: break;
  }
  const std::string_view text = pattern(id);
  const Level own = level_of(text);
  std::array<std::string, 4> operands, wholes;
  for (std::uint8_t i = 0; i < node.count; ++i) {
    const Id argument = node.arguments[i];
    wholes[i] = whole(argument);
    const Level loosest = has_prefix(text) ? Level::primary : operand_level(own, i == 0);
    operands[i] = is_loose(argument, loosest) ? "(" + wholes[i] + ")" : wholes[i];
  }
  const bool atomic = ir::is_atomic(node.op);
  const bool wide = atomic && kernel_.memories[node.low()].stride == 8;
  const bool memory_of = atomic || node.op == Op::length;
  return fill(text, {{'a', operands[0], wholes[0]},
                     {'b', operands[1], wholes[1]},
                     {'c', operands[2], wholes[2]},
                     {'d', std::to_string(node.immediate)},
                     {'g', std::to_string(kernel_.group[node.immediate % 3])},
                     {'l', std::string_view("xyz").substr(node.immediate % 3, 1)},
                     {'t', type(node.type.scalar)},
                     {'x', wide ? dialect_.atomic64 : dialect_.atomic32},
                     {'p', atomic ? pointer(node) : std::string()},
                     {'m', memory_of ? memory(node.low()) : std::string()},
                     {'z', atomic ? zero(kernel_.memories[node.low()].element.scalar) : std::string()}});
}

std::string TextWriter::result(const Node& node) const {
  return gave_many_ ? called_ + field(node.immediate) : called_;
}

}  // namespace collet::emit
