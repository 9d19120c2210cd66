// Emitting: values and variables. Where two parts have equal operands, one instruction serves both.

#include <algorithm>
#include <array>
#include <functional>

#include "backends/cpu/native/emitter.hpp"
#include "backends/cpu/native/frame.hpp"
#include "backends/cpu/native/operations.hpp"
#include "kernel/ir/eval.hpp"

namespace collet::backend::cpu::native {

using ir::Op;
using ir::Scalar;
using Form = Lanes::Form;

namespace {

bool has_32_bits(Scalar scalar) { return scalar == Scalar::u32 || scalar == Scalar::i32; }

}  // namespace

void Emitter::node(Id id) {
  const Node& node = kernel_.nodes[id];
  const ir::Rule rule = ir::rule(node.op);
  const bool item =
      (node.op == Op::load || node.op == Op::store) && kernel_.memories[node.low()].space == ir::Space::item;
  switch (rule) {
    case ir::Rule::if_: return choose(id);
    case ir::Rule::range:
    case ir::Rule::loop: return loop(id);
    case ir::Rule::jump: return jump(node);
    case ir::Rule::load:
      if (node.op != Op::load) return atomic(id);
      return item ? load_item(id) : load(id);
    case ir::Rule::store:
      if (node.op != Op::store) return atomic(id);
      return item ? store_item(node) : store(node);
    case ir::Rule::atomic:
    case ir::Rule::compare_exchange: return atomic(id);
    case ir::Rule::barrier: return;  // all of the group's vectors are here
    case ir::Rule::fence: return w_.line("fence seq_cst");
    case ir::Rule::variable: return variable(id);
    case ir::Rule::get: return get(id);
    case ir::Rule::set: return set(id);
    default: return value(id);
  }
}

void Emitter::value(Id id) {
  const Node& node = kernel_.nodes[id];
  Value& made = values_[id];
  switch (node.op) {
    case Op::constant: made = {{.name = w_.constant(node.type.scalar, node.immediate, false)}}; return;
    case Op::parameter: made = parameter(node); return;
    case Op::length: {
      // A buffer of 2^32 elements has one too many to be counted.
      const std::string count = "%n" + std::to_string(node.low());
      const std::string over = w_.define({"icmp ugt i64 ", count, ", 4294967295"});
      const std::string most = w_.define({"select i1 ", over, ", i64 4294967295, i64 ", count});
      made = {{.name = w_.define({"trunc i64 ", most, " to i32"})}};
      return;
    }
    case Op::uniform: {
      const Lanes& first = part(node.arguments[0], 0);
      made = {{.name = first.name}};
      if (first.form == Form::vector)
        made[0].name =
            w_.define({"extractelement ", w_.type(node.type.scalar, true), " ", first.name, ", i64 0"});
      return;
    }
    default: break;
  }
  if (ir::rule(node.op) == ir::Rule::builtin) {
    made = builtin(node);
    return;
  }
  std::vector<std::vector<Lanes>> seen;
  bool shared = true;
  for (std::uint8_t i = 0; i < node.count; ++i) shared = shared && values_[node.arguments[i]].size() == 1;
  for (std::size_t p = 0; p < (shared ? 1 : parts()); ++p) {
    std::vector<Lanes> arguments;
    arguments.reserve(node.count);
    for (std::uint8_t i = 0; i < node.count; ++i) arguments.push_back(part(node.arguments[i], p));
    const auto same = std::ranges::find(seen, arguments);
    made.push_back(same != seen.end() ? made[static_cast<std::size_t>(same - seen.begin())]
                                      : pure(node, arguments));
    seen.push_back(std::move(arguments));
  }
}

Value Emitter::parameter(const Node& node) {
  const std::uint32_t at = parameter_at_[node.low()] + node.high();
  const auto [found, added] = parameters_.try_emplace({at, static_cast<std::uint32_t>(node.type.scalar)});
  if (added) {
    const std::string type(scalar_type(node.type.scalar));
    found->second = "%c" + std::to_string(parameters_.size());
    entry_ += "  " + found->second + "p = getelementptr i8, ptr %constants, i64 " + std::to_string(at) +
              "\n  " + found->second + " = load " + type + ", ptr " + found->second + "p, align 1\n";
  }
  return {{.name = found->second}};
}

Value Emitter::local_id(std::uint32_t dimension) const {
  if (kernel_.group[dimension] == 1) return {{.name = "0"}};
  Value made;
  if (dimension == layout_.axes[0]) {
    for (const std::string& x : x_) made.push_back({.form = Form::line, .name = x, .step = "1"});
  } else {
    for (const std::string& place : dimension == layout_.axes[1] ? y_ : z_) made.push_back({.name = place});
  }
  return made;
}

Value Emitter::builtin(const Node& node) {
  const std::uint32_t d = node.low();
  switch (node.op) {
    case Op::local_id: return local_id(d);
    case Op::global_id: {
      const std::string first = w_.define({"mul i32 ", group_[d], ", ", std::to_string(kernel_.group[d])});
      Value made = local_id(d);
      std::map<std::string, std::string> moved;
      for (Lanes& one : made) {
        const auto [found, added] = moved.try_emplace(one.name);
        const auto known = number(one.name);
        if (added)
          found->second = known ? plus(first, *known) : w_.define({"add i32 ", first, ", ", one.name});
        one.name = found->second;
      }
      return made;
    }
    case Op::group_id: return {{.name = group_[d]}};
    case Op::subgroup_size:
    case Op::subgroup_lane:
    case Op::subgroup_id: return subgroup_place(node.op);
    case Op::group_size: return {{.name = std::to_string(kernel_.group[d])}};
    case Op::group_count:
    case Op::element_count: {
      const bool counts = node.op == Op::group_count;
      const std::size_t offset =
          (counts ? offsetof(Frame, count) : offsetof(Frame, extent)) + std::size_t{4} * d;
      const std::string at = w_.define({"getelementptr i8, ptr %frame, i64 ", std::to_string(offset)});
      return {{.name = w_.define({"load i32, ptr ", at})}};
    }
    default: return {};
  }
}

Lanes Emitter::pure(const Node& node, const std::vector<Lanes>& arguments) {
  const bool scalars = std::ranges::all_of(arguments, [](const Lanes& l) { return l.form == Form::scalar; });
  if (!scalars) {
    if (auto found = line(node, arguments)) return *found;
    if (auto found = known(node, arguments)) return *found;
  }
  const bool by_scalar = node.op == Op::select && arguments[0].form == Form::scalar;
  std::array<std::string, 3> operands;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool keep = scalars || (i == 0 && by_scalar);
    operands[i] = keep ? arguments[i].name : vector(arguments[i], scalar(node.arguments[i]));
  }
  return {.form = scalars ? Form::scalar : Form::vector,
          .name = write_operation(w_, node.op, scalar(node.arguments[0]), node.type.scalar, !scalars,
                                  operands, by_scalar, module_.declared)};
}

// What stays a line: arithmetic of 32 bits wraps, so it may be done on the first lane and the step.
std::optional<Lanes> Emitter::line(const Node& node, const std::vector<Lanes>& arguments) {
  const bool bits = has_32_bits(node.type.scalar) && has_32_bits(scalar(node.arguments[0]));
  if (!bits || std::ranges::any_of(arguments, [](const Lanes& l) { return l.form == Form::vector; }))
    return std::nullopt;
  const Lanes zero{.name = "0", .step = "0"};
  Lanes a = arguments[0];
  Lanes b = arguments.size() > 1 ? arguments[1] : zero;
  if (a.form == Form::scalar) a.step = "0";
  if (b.form == Form::scalar) b.step = "0";
  Lanes made{.form = Form::line, .name = {}};
  const auto apply = [&](Op op, const Lanes& left, const Lanes& right) {
    made.name = step(op, left.name, right.name);
  };
  switch (node.op) {
    case Op::convert:
    case Op::bitcast: return a;
    case Op::negate:
      apply(Op::sub, zero, a);
      made.step = step(Op::sub, "0", a.step);
      break;
    case Op::add:
    case Op::sub:
      apply(node.op, a, b);
      made.step = step(node.op, a.step, b.step);
      break;
    case Op::mul:
      if (a.form == Form::scalar) std::swap(a, b);
      if (b.form != Form::scalar) return std::nullopt;
      apply(Op::mul, a, b);
      made.step = step(Op::mul, a.step, b.name);
      break;
    case Op::shl:
      if (b.form != Form::scalar) return std::nullopt;
      apply(Op::shl, a, b);
      made.step = step(Op::shl, a.step, b.name);
      break;
    default: return std::nullopt;
  }
  if (made.step == "0") made.form = Form::scalar;
  if (made.form == Form::scalar) made.step.clear();
  return made;
}

// A comparison of lines that are known, where it comes out the same in all lanes, or true in the first ones
// only.
std::optional<Lanes> Emitter::known(const Node& node, const std::vector<Lanes>& arguments) {
  const Scalar from = scalar(node.arguments[0]);
  if (node.type.scalar != Scalar::boolean || !has_32_bits(from)) return std::nullopt;
  std::array<std::uint32_t, 3> first{};
  std::array<std::uint32_t, 3> steps{};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto at = number(arguments[i].name);
    const auto more = arguments[i].form == Form::line ? number(arguments[i].step) : 0;
    if (arguments[i].form == Form::vector || !at || !more) return std::nullopt;
    first[i] = *at;
    steps[i] = *more;
  }
  std::vector<bool> lanes;
  for (std::uint32_t lane = 0; lane < w_.width(); ++lane) {
    std::array<std::uint64_t, 3> here{};
    for (std::size_t i = 0; i < here.size(); ++i) here[i] = first[i] + lane * steps[i];
    const auto holds = ir::evaluate(node.op, from, Scalar::boolean, here);
    if (!holds) return std::nullopt;
    lanes.push_back(*holds != 0);
  }
  const auto count = static_cast<std::uint32_t>(std::ranges::count(lanes, true));
  if (count == 0 || count == w_.width()) return Lanes{.name = count != 0 ? "true" : "false"};
  if (!std::ranges::is_partitioned(lanes, std::identity())) return std::nullopt;
  std::string mask = "<";
  for (const bool holds : lanes)
    mask += std::string(mask.size() > 1 ? ", " : "") + (holds ? "i1 true" : "i1 false");
  mask += ">";
  first_lanes_[mask] = count;
  return Lanes{.form = Form::vector, .name = std::move(mask)};
}

// Folds numbers.
std::string Emitter::step(Op op, const std::string& a, const std::string& b) {
  const auto x = number(a);
  const auto y = number(b);
  if (x && y) {
    switch (op) {
      case Op::add: return std::to_string(*x + *y);
      case Op::sub: return std::to_string(*x - *y);
      case Op::mul: return std::to_string(*x * *y);
      default: return std::to_string(*x << (*y & 31u));
    }
  }
  if (y == 0u && op != Op::mul) return a;
  if (x == 0u && op == Op::add) return b;
  if (y && op == Op::add) return plus(a, *y);
  if (x && op == Op::add) return plus(b, *x);
  if (y && op == Op::sub) return plus(a, 0u - *y);
  if (op == Op::mul && x == 1u) return b;
  return write_operation(w_, op, Scalar::u32, Scalar::u32, false, {a, b, ""}, false, module_.declared);
}

// A scalar and a number. Remembers what it is made of.
std::string Emitter::plus(const std::string& a, std::uint32_t more) {
  if (more == 0) return a;
  std::string made = w_.define({"add i32 ", a, ", ", std::to_string(more)});
  const auto known = more_than_.find(a);
  const auto root = known != more_than_.end() ? known->second : std::pair(a, 0u);
  more_than_[made] = {root.first, root.second + more};
  return made;
}

std::string Emitter::splat(const std::string& value, Scalar scalar) {
  if (w_.width() > 1 && number(value) && ir::is_integer(scalar) && ir::bits(scalar) == 32)
    return w_.constant(scalar, *number(value), true);
  // Where masks have registers of their own they are words.
  if (scalar == Scalar::boolean && layout_.masked_bits == 8 && w_.width() >= 8) {
    const std::string word = w_.define({"sext i1 ", value, " to ", w_.word_type()});
    return w_.define({"bitcast ", w_.word_type(), " ", word, " to ", w_.vector_of("i1")});
  }
  return w_.splat(scalar_type(scalar), value);
}

std::string Emitter::vector(const Lanes& lanes, Scalar scalar) {
  if (lanes.form == Form::vector) return lanes.name;
  std::string first = splat(lanes.name, scalar);
  if (lanes.form == Form::scalar) return first;
  const std::string type = w_.vector_of("i32");
  std::string more = w_.iota();
  if (lanes.step != "1") more = w_.define({"mul ", type, " ", more, ", ", splat(lanes.step, Scalar::u32)});
  return w_.define({"add ", type, " ", first, ", ", more});
}

std::string Emitter::last(const Lanes& lanes, Scalar scalar, const std::string& mask) {
  if (lanes.form == Form::scalar) return lanes.name;
  const std::string all = vector(lanes, scalar);
  const std::string most = std::to_string(w_.width() - 1);
  std::string lane = "i64 " + most;
  if (!mask.empty() && w_.width() > 1) {  // an i1 has no room for the width, and one lane is the last one
    const std::string bits = w_.word_type();
    // Where no lane is active, the first one: a lane that is none would be read beyond the vector.
    const std::string word = w_.define({"or ", bits, " ", w_.word(mask), ", 1"});
    const std::string name = "@llvm.ctlz." + bits;
    module_.declared.insert("declare " + bits + " " + name + "(" + bits + ", i1)");
    const std::string zeros = w_.define({"call ", bits, " ", name, "(", bits, " ", word, ", i1 false)"});
    lane = bits + " " + w_.define({"sub ", bits, " ", most, ", ", zeros});
  }
  return w_.define({"extractelement ", w_.type(scalar, true), " ", all, ", ", lane});
}

void Emitter::variable(Id id) {
  const Scalar type = scalar(id);
  const bool uniform = shapes_.value[id] == Shape::uniform;
  Value& kept = values_[id];
  const bool fresh = kept.empty();
  for (std::size_t p = 0; p < (uniform ? 1 : parts()); ++p) {
    const std::string text = w_.type(type, !uniform);
    if (fresh) kept.push_back({.name = w_.room(text)});
    w_.line({"store ", text, " ", w_.constant(type, 0, !uniform), ", ptr ", kept[p].name});
  }
}

void Emitter::get(Id id) {
  const Id from = kernel_.nodes[id].arguments[0];
  const bool uniform = shapes_.value[from] == Shape::uniform;
  const std::string text = w_.type(scalar(from), !uniform);
  Value& made = values_[id];
  made.clear();
  for (const Lanes& room : values_[from]) {
    made.push_back({.form = uniform ? Form::scalar : Form::vector,
                    .name = w_.define({"load ", text, ", ptr ", room.name})});
  }
}

void Emitter::set(Id id) {
  const Node& node = kernel_.nodes[id];
  const Id to = node.arguments[0];
  const Scalar type = scalar(to);
  const bool uniform = shapes_.value[to] == Shape::uniform;
  for (std::size_t p = 0; p < values_[to].size(); ++p) {
    if (!uniform && mask_[p] == kNoLanes) continue;
    const std::string& room = values_[to][p].name;
    const Lanes& value = part(node.arguments[1], p);
    const std::string text = w_.type(type, !uniform);
    std::string now = uniform ? value.name : vector(value, type);
    if (!uniform && !shapes_.together[id] && !mask_[p].empty()) {
      const std::string old = w_.define({"load ", text, ", ptr ", room});
      now = w_.define(
          {"select ", w_.vector_of("i1"), " ", mask_[p], ", ", text, " ", now, ", ", text, " ", old});
    }
    w_.line({"store ", text, " ", now, ", ptr ", room});
  }
}

}  // namespace collet::backend::cpu::native
