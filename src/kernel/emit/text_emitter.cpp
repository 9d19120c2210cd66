// The text emitter: one statement per node, but for conditions and what a loop does at its head.

#include "kernel/emit/text_emitter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>

#include "kernel/emit/coherence.hpp"
#include "kernel/emit/dialect_glsl.hpp"
#include "kernel/emit/dialect_opencl.hpp"
#include "kernel/ir/blocks.hpp"
#include "kernel/ir/sizes.hpp"
#include "kernel/ir/table.hpp"

namespace collet::emit {
namespace {

struct Field {
  char key;
  std::string_view text;
};

// Replaces {k} by the field of that key; braces around anything else stay.
std::string fill(std::string_view pattern, std::initializer_list<Field> fields) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const Field* found = nullptr;
    if (pattern[i] == '{' && i + 2 < pattern.size() && pattern[i + 2] == '}') {
      for (const Field& field : fields) {
        if (field.key == pattern[i + 1]) found = &field;
      }
    }
    if (found == nullptr) {
      out += pattern[i];
    } else {
      out += found->text;
      i += 2;
    }
  }
  return out;
}

template <class Float>
std::string shortest(Float value) {
  std::array<char, 64> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  std::string number(text.data(), end);
  if (number.find_first_of(".e") == std::string::npos) number += ".0";
  return number;
}

// Levels of a condition, and nodes of a loop's head, that are written as one expression.
constexpr std::size_t kMostInOne = 8;

// Languages keep names with two underscores to themselves.
std::string named(char kind, std::uint32_t index, std::string_view name) {
  std::string text = kind + std::to_string(index) + "_";
  for (const char c : name) {
    if (c != '_' || text.back() != '_') text += c;
  }
  return text;
}

bool is_logic(Op op) { return op == Op::bit_and || op == Op::bit_or || op == Op::bit_not; }

// Threads: one at a time.
class TextEmitter {
 public:
  // `functions` are those that the code calls, and perhaps others.
  TextEmitter(const Kernel& code, const std::vector<ir::Function>& functions, const Dialect& dialect);

  std::string kernel(const std::vector<std::string>& features);
  std::string function(std::uint32_t number);

 private:
  std::string_view type(Scalar scalar) const { return dialect_.types[static_cast<std::size_t>(scalar)]; }
  Scalar scalar(Id id) const { return kernel_.nodes[id].type.scalar; }
  std::string memory(std::uint32_t index) const { return named('m', index, kernel_.memories[index].name); }
  std::string parameter(std::uint32_t index) const {
    return named('p', index, kernel_.parameters[index].name);
  }
  bool is_array(const Parameter& parameter) const {
    return dialect_.language.constant_block || parameter.size != ir::bytes(parameter.type);
  }

  std::string function_name(std::uint32_t number) const {
    return named('f', number, functions_[number].name);
  }
  // What a call of it gives: a scalar's type, or that of the struct of its results.
  std::string result_type(std::uint32_t number) const;

  std::string structs() const;
  std::string tables() const;
  std::string buffer(std::uint32_t index) const;
  std::string array(std::uint32_t index) const;
  std::string declarations() const;
  std::string arguments() const;
  std::string arrays() const;
  std::string zero(Scalar kind) const { return literal({.op = Op::constant, .type = {kind}}); }
  std::string literal(const Node& node) const;
  std::string value(Id id) const;
  // Without parentheses.
  std::string whole(Id id) const { return inlined_[id] ? expression(id) : value(id); }
  std::string expression(Id id) const;
  std::string cast(const Node& node) const;
  std::string index(const Node& node) const;
  std::string pointer(const Node& node) const;
  void line(const std::string& text) { out_ += std::string(depth_ * 2, ' ') + text + "\n"; }
  void block(std::uint32_t index);
  void statement(Id id);
  void inline_condition(Id id, std::size_t level);
  bool computes(std::span<const Id> nodes) const;
  bool continues(std::uint32_t block) const;
  std::optional<std::size_t> head_of(std::uint32_t block) const;
  std::optional<std::string> step_of(std::uint32_t block);
  std::string until(std::span<const Id> head, Id done);
  void loop(Id id, const Node& node);
  void call(Id id, std::uint32_t number);
  std::string result(const Node& node) const;

  const Kernel& kernel_;
  const std::vector<ir::Function>& functions_;
  const Dialect& dialect_;
  std::vector<std::string> passed_, given_;
  std::string called_;      // the last call, or the name of what it gave where that is a struct
  bool gave_many_ = false;  // it is one
  std::vector<std::uint32_t> uses_;
  std::vector<bool> inlined_;  // written where it is used, and nowhere else
  const bool aliased_;         // two of its buffers may be the same memory
  const std::vector<bool> coherent_;
  std::vector<bool> atomic_;  // memories that atomic operations reach
  std::string out_;
  std::size_t depth_ = 1;
};

TextEmitter::TextEmitter(const Kernel& kernel, const std::vector<ir::Function>& functions,
                         const Dialect& dialect)
    : kernel_(kernel),
      functions_(functions),
      dialect_(dialect),
      uses_(kernel.nodes.size()),
      inlined_(kernel.nodes.size()),
      aliased_(std::ranges::any_of(kernel.memories, &Memory::may_alias)),
      coherent_(coherent_buffers(kernel)),
      atomic_(kernel.memories.size()) {
  for (const ir::Block& block : kernel.blocks) {
    for (const Id id : block.nodes) {
      const Node& node = kernel.nodes[id];
      for (std::uint8_t i = 0; i < node.count; ++i) ++uses_[node.arguments[i]];
    }
  }
  for (const Node& node : kernel.nodes) {
    if (node.op == Op::if_) inline_condition(node.arguments[0], 0);
    if (ir::is_atomic(node.op)) atomic_[node.low()] = true;
  }
}

// A condition that only a branch asks for stands in the branch, as comparisons joined by && and ||. PoCL
// vectorises kernels with such branches; where the same condition is a value, it often does not.
void TextEmitter::inline_condition(Id id, std::size_t level) {
  const Node& node = kernel_.nodes[id];
  const bool compares = ir::rule(node.op) == Rule::equal || ir::rule(node.op) == Rule::order;
  if (level == kMostInOne || uses_[id] != 1 || !(compares || is_logic(node.op))) return;
  inlined_[id] = true;
  if (compares) return;
  for (std::uint8_t i = 0; i < node.count; ++i) inline_condition(node.arguments[i], level + 1);
}

std::string TextEmitter::kernel(const std::vector<std::string>& features) {
  std::string head(dialect_.prologue);
  for (const Dialect::Need& need : dialect_.needs) {
    for (const std::string& feature : features) {
      if (need.feature == feature) head += need.line;
    }
  }
  out_ = arrays();
  block(0);
  const auto size = [&](std::size_t d) { return std::to_string(kernel_.group[d]); };
  std::string functions;
  for (std::uint32_t i = 0; i < functions_.size(); ++i)
    functions += TextEmitter(functions_[i].body, functions_, dialect_).function(i);
  return head + structs() + tables() + declarations() + functions +
         fill(dialect_.kernel, {{'n', kernel_.name},
                                {'x', size(0)},
                                {'y', size(1)},
                                {'z', size(2)},
                                {'a', arguments()},
                                {'b', out_}});
}

std::string TextEmitter::result_type(std::uint32_t number) const {
  const std::vector<Scalar>& results = functions_[number].results;
  return results.size() == 1 ? std::string(type(results[0])) : function_name(number) + "_t";
}

std::string TextEmitter::function(std::uint32_t number) {
  const ir::Function& own = functions_[number];
  std::string arguments;
  for (std::size_t i = 0; i < own.arguments.size(); ++i) {
    if (i != 0) arguments += dialect_.argument_separator;
    arguments +=
        fill(dialect_.function_argument, {{'t', type(own.arguments[i])}, {'n', "a" + std::to_string(i)}});
  }
  block(0);
  std::string head;
  const std::string given = result_type(number);
  if (given_.size() == 1) {
    line("return " + given_[0] + ";");
  } else {
    std::string fields;
    line(given + " all;");
    for (std::size_t i = 0; i < given_.size(); ++i) {
      const std::string field = "r" + std::to_string(i);
      fields += std::string(type(own.results[i])) + " " + field + "; ";
      line("all." + field + " = " + given_[i] + ";");
    }
    line("return all;");
    head = fill(dialect_.results, {{'b', fields}, {'n', given}});
  }
  return head +
         fill(dialect_.function, {{'t', given}, {'n', function_name(number)}, {'a', arguments}, {'b', out_}});
}

std::string TextEmitter::structs() const {
  std::string text;
  for (std::uint32_t i = 0; i < kernel_.parameters.size(); ++i) {
    const Parameter& one = kernel_.parameters[i];
    if (!is_array(one)) continue;
    text += fill(dialect_.value_struct, {{'t', type(one.type.scalar)},
                                         {'n', parameter(i)},
                                         {'c', std::to_string(one.size / ir::bytes(one.type))}});
  }
  return text;
}

std::string TextEmitter::tables() const {
  std::string text;
  for (std::uint32_t i = kernel_.buffer_count(); i < kernel_.memories.size(); ++i) {
    const Memory& one = kernel_.memories[i];
    if (one.space != Space::table) continue;
    std::string elements;
    for (std::uint64_t k = 0; k < one.count; ++k) {
      elements += (k == 0 ? "" : ", ") +
                  literal({.op = Op::constant, .type = one.element, .immediate = ir::table_element(one, k)});
    }
    text += fill(dialect_.table, {{'t', type(one.element.scalar)},
                                  {'n', memory(i)},
                                  {'c', std::to_string(one.count)},
                                  {'e', elements}});
  }
  return text;
}

std::string TextEmitter::buffer(std::uint32_t index) const {
  const Memory& one = kernel_.memories[index];
  std::string promises(aliased_ ? dialect_.aliased : dialect_.unaliased);
  if (coherent_[index]) promises.insert(0, dialect_.coherent);
  const bool read = one.access == backend::Access::read && !atomic_[index];
  return fill(
      read ? dialect_.buffer_in : dialect_.buffer_out,
      {{'t', type(one.element.scalar)}, {'n', memory(index)}, {'i', std::to_string(index)}, {'r', promises}});
}

std::string TextEmitter::array(std::uint32_t index) const {
  const Memory& one = kernel_.memories[index];
  return fill(one.space == Space::workgroup ? dialect_.workgroup_array : dialect_.item_array,
              {{'t', type(one.element.scalar)}, {'n', memory(index)}, {'c', std::to_string(one.count)}}) +
         "\n";
}

std::string TextEmitter::declarations() const {
  if (!dialect_.module_scope) return {};
  std::string text;
  for (std::uint32_t i = 0; i < kernel_.memories.size(); ++i) {
    const Space space = kernel_.memories[i].space;
    if (space == Space::buffer) text += buffer(i);
    if (space == Space::workgroup) text += array(i);
  }
  return text;
}

std::string TextEmitter::arguments() const {
  if (dialect_.module_scope) return {};
  std::string text;
  std::uint32_t buffers = 0;
  std::uint32_t parameters = 0;
  for (const bool is_buffer : kernel_.buffer_argument) {
    if (!text.empty()) text += dialect_.argument_separator;
    if (is_buffer) {
      text += buffer(buffers++);
    } else {
      const Parameter& one = kernel_.parameters[parameters];
      text += fill(is_array(one) ? dialect_.value_array : dialect_.value,
                   {{'t', type(one.type.scalar)}, {'n', parameter(parameters)}});
      ++parameters;
    }
  }
  return text;
}

std::string TextEmitter::arrays() const {
  std::string text;
  for (std::uint32_t i = kernel_.buffer_count(); i < kernel_.memories.size(); ++i) {
    const Space space = kernel_.memories[i].space;
    const bool declared = space == Space::table || (dialect_.module_scope && space == Space::workgroup);
    if (!declared) text += "  " + array(i);
  }
  return text;
}

std::string TextEmitter::literal(const Node& node) const {
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
      return fill(kind == Scalar::f64 ? dialect_.f64_bits : dialect_.bitcast(bare, kind),
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

std::string TextEmitter::value(Id id) const {
  const Node& node = kernel_.nodes[id];
  if (node.op == Op::constant) return literal(node);
  if (node.op == Op::argument) return "a" + std::to_string(node.immediate);
  if (!inlined_[id]) return "v" + std::to_string(id);
  const bool word = node.op == Op::get || node.op == Op::parameter;
  return word ? expression(id) : "(" + expression(id) + ")";
}

std::string TextEmitter::index(const Node& node) const {
  const Node& at = kernel_.nodes[node.arguments[0]];
  const Memory& memory = kernel_.memories[node.low()];
  const std::uint64_t most = memory.space == Space::buffer ? std::uint64_t{1} << 31 : memory.count;
  const bool far = at.op == Op::constant && at.immediate >= most && !dialect_.far_index.empty();
  return far ? fill(dialect_.far_index, {{'e', literal(at)}}) : value(node.arguments[0]);
}

std::string TextEmitter::pointer(const Node& node) const {
  const bool store = ir::rule(node.op) == Rule::store;
  const bool buffer = kernel_.memories[node.low()].space == Space::buffer;
  return fill(buffer ? dialect_.buffer_pointer : dialect_.workgroup_pointer,
              {{'t', type(store ? scalar(node.arguments[1]) : node.type.scalar)},
               {'m', memory(node.low())},
               {'i', index(node)}});
}

std::string TextEmitter::cast(const Node& node) const {
  const Scalar from = scalar(node.arguments[0]);
  const Scalar to = node.type.scalar;
  std::string held = value(node.arguments[0]);
  if (type(from) == type(to)) return held;  // a half is its bits
  if (node.op == Op::convert) return fill(dialect_.convert, {{'t', type(to)}, {'e', held}});
  // A literal or an expression of fewer than 32 bits is an int for C.
  const bool named = kernel_.nodes[node.arguments[0]].op != Op::constant && !inlined_[node.arguments[0]];
  if (ir::bits(from) < 32 && !named) held = fill(dialect_.convert, {{'t', type(from)}, {'e', held}});
  return fill(dialect_.bitcast(from, to), {{'t', type(to)}, {'e', held}});
}

std::string TextEmitter::expression(Id id) const {
  const Node& node = kernel_.nodes[id];
  switch (node.op) {
    case Op::get: return value(node.arguments[0]);
    case Op::argument: return value(id);
    case Op::result: return result(node);
    case Op::load: return memory(node.low()) + "[" + index(node) + "]";
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
  std::string_view pattern = dialect_.ops[static_cast<std::size_t>(node.op)];
  if (node.op == Op::rem && ir::is_float(node.type.scalar)) pattern = dialect_.float_rem;
  if (is_device_fence(node)) pattern = dialect_.device_fence;
  if (node.type.scalar == Scalar::boolean) {
    if (node.op == Op::bit_not) pattern = dialect_.boolean_not;
    if (node.op == Op::bit_and) pattern = inlined_[id] ? "{a} && {b}" : dialect_.boolean_and;
    if (node.op == Op::bit_or) pattern = inlined_[id] ? "{a} || {b}" : dialect_.boolean_or;
    if (node.op == Op::bit_xor) pattern = dialect_.boolean_xor;
  }
  std::array<std::string, 4> arguments;
  for (std::uint8_t i = 0; i < node.count; ++i) arguments[i] = value(node.arguments[i]);
  const bool atomic = ir::is_atomic(node.op);
  const bool wide = atomic && kernel_.memories[node.low()].stride == 8;
  const bool memory_of = atomic || node.op == Op::length;
  return fill(pattern, {{'a', arguments[0]},
                        {'b', arguments[1]},
                        {'c', arguments[2]},
                        {'d', std::to_string(node.immediate)},
                        {'l', std::string_view("xyz").substr(node.immediate % 3, 1)},
                        {'x', wide ? dialect_.atomic64 : dialect_.atomic32},
                        {'p', atomic ? pointer(node) : std::string()},
                        {'m', memory_of ? memory(node.low()) : std::string()},
                        {'z', atomic ? zero(kernel_.memories[node.low()].element.scalar) : std::string()}});
}

void TextEmitter::block(std::uint32_t index) {
  for (const Id id : kernel_.blocks[index].nodes) statement(id);
}

// Nothing but values, few enough for one expression. Where only what has a name is exact, floats have names.
bool TextEmitter::computes(std::span<const Id> nodes) const {
  return nodes.size() <= kMostInOne && std::ranges::all_of(nodes, [&](Id id) {
           const Node& node = kernel_.nodes[id];
           const bool named = !dialect_.exact.empty() && ir::is_float(node.type.scalar);
           return (ir::is_pure(node.op) || node.op == Op::get) && !named;
         });
}

// How many nodes of a loop's body compute whether the loop is done, where a branch that does nothing but end
// it comes next.
std::optional<std::size_t> TextEmitter::head_of(std::uint32_t block) const {
  const std::vector<Id>& nodes = kernel_.blocks[block].nodes;
  const auto is_branch = [&](Id id) { return kernel_.nodes[id].op == Op::if_; };
  const auto found = std::ranges::find_if(nodes, is_branch);
  if (found == nodes.end() || !computes({nodes.begin(), found})) return std::nullopt;
  const Node& branch = kernel_.nodes[*found];
  const std::vector<Id>& then = kernel_.blocks[branch.low()].nodes;
  const bool ends = then.size() == 1 && kernel_.nodes[then.front()].op == Op::break_;
  if (!ends || branch.high() != kNone) return std::nullopt;
  return static_cast<std::size_t>(found - nodes.begin());
}

// A continuing block as one assignment, or as nothing; absent where it is more.
std::optional<std::string> TextEmitter::step_of(std::uint32_t block) {
  if (block == kNone || kernel_.blocks[block].nodes.empty()) return "";
  const std::span<const Id> nodes = kernel_.blocks[block].nodes;
  const Node& last = kernel_.nodes[nodes.back()];
  const auto values = nodes.first(nodes.size() - 1);
  if (last.op != Op::set || !computes(values)) return std::nullopt;
  for (const Id id : values) inlined_[id] = true;
  return value(last.arguments[0]) + " = " + whole(last.arguments[1]);
}

// The condition under which a loop goes on. What its body uses of the head, too, is left for the body to
// name.
std::string TextEmitter::until(std::span<const Id> head, Id done) {
  for (const Id id : head) inlined_[id] = true;
  const Node& node = kernel_.nodes[done];
  const bool negated = inlined_[done] && node.op == Op::bit_not;
  std::string text =
      negated ? whole(node.arguments[0]) : fill(dialect_.boolean_not, {{'a', "(" + whole(done) + ")"}});
  --uses_[done];
  for (auto id = head.rbegin(); id != head.rend(); ++id) {
    inlined_[*id] = uses_[*id] == 0;
    if (uses_[*id] != 0) continue;
    const Node& unused = kernel_.nodes[*id];
    for (std::uint8_t i = 0; i < unused.count; ++i) --uses_[unused.arguments[i]];
  }
  return text;
}

// Whether the block continues the loop around it.
bool TextEmitter::continues(std::uint32_t block) const {
  return std::ranges::any_of(kernel_.blocks[block].nodes, [&](Id id) {
    const Node& node = kernel_.nodes[id];
    bool found = node.op == Op::continue_;
    if (node.op == Op::if_)
      ir::for_blocks(node, [&](std::uint32_t inner) { found = found || continues(inner); });
    return found;
  });
}

// Most loops say at their head when they are done and step once a round: these become a `for` with both,
// which compilers know best. In others the continuing block ends the body or, where items continue, runs
// before every round but the first, so that `continue` needs nothing of its own. (PoCL's compiler ends the
// process at loops with barriers in the last form.)
void TextEmitter::loop(Id id, const Node& node) {
  const auto head = head_of(node.low());
  const auto step = head ? step_of(node.high()) : std::nullopt;
  if (step) {
    const std::span<const Id> nodes = kernel_.blocks[node.low()].nodes;
    const Id done = kernel_.nodes[nodes[*head]].arguments[0];
    line("for (; " + until(nodes.first(*head), done) + "; " + *step + ") {");
    ++depth_;
    for (const Id value : nodes.first(*head)) statement(value);
    for (const Id rest : nodes.subspan(*head + 1)) statement(rest);
    --depth_;
    return line("}");
  }
  const bool continuing = node.high() != kNone && !kernel_.blocks[node.high()].nodes.empty();
  const bool first = continuing && continues(node.low());
  const std::string again = "again" + std::to_string(id);
  if (first) line(std::string(type(Scalar::boolean)) + " " + again + " = false;");
  line("for (;;) {");
  ++depth_;
  if (first) {
    line("if (" + again + ") {");
    ++depth_;
    block(node.high());
    --depth_;
    line("}");
    line(again + " = true;");
  }
  block(node.low());
  if (continuing && !first) block(node.high());
  --depth_;
  line("}");
}

// A function that gives one value is called where that is named.
void TextEmitter::call(Id id, std::uint32_t number) {
  std::string text = function_name(number) + "(";
  for (std::size_t i = 0; i < passed_.size(); ++i)
    text += (i == 0 ? "" : std::string(dialect_.argument_separator)) + passed_[i];
  text += ")";
  passed_.clear();
  called_ = std::move(text);
  gave_many_ = functions_[number].results.size() > 1;
  if (!gave_many_) return;
  const std::string name = "r" + std::to_string(id);
  line(fill(dialect_.let, {{'t', result_type(number)}, {'n', name}, {'f', ""}, {'e', called_}}));
  called_ = name;
}

std::string TextEmitter::result(const Node& node) const {
  return gave_many_ ? called_ + ".r" + std::to_string(node.immediate) : called_;
}

void TextEmitter::statement(Id id) {
  if (inlined_[id]) return;
  const Node& node = kernel_.nodes[id];
  const std::string name = "v" + std::to_string(id);
  switch (node.op) {
    case Op::constant:
    case Op::argument: return;
    case Op::pass: return passed_.push_back(value(node.arguments[0]));
    case Op::give: return given_.push_back(value(node.arguments[0]));
    case Op::call: return call(id, node.low());
    case Op::variable:
      return line(fill(node.immediate == kReadAnew ? dialect_.read_anew : dialect_.variable,
                       {{'t', type(node.type.scalar)},
                        {'n', name},
                        {'f', ir::is_float(node.type.scalar) ? dialect_.exact : ""},
                        {'z', zero(node.type.scalar)}}));
    case Op::set: return line(value(node.arguments[0]) + " = " + value(node.arguments[1]) + ";");
    case Op::store:
      return line(memory(node.low()) + "[" + index(node) + "] = " + value(node.arguments[1]) + ";");
    case Op::loop: return loop(id, node);
    case Op::if_:
      line("if (" + whole(node.arguments[0]) + ") {");
      ++depth_;
      block(node.low());
      --depth_;
      if (node.high() != kNone) {
        line("} else {");
        ++depth_;
        block(node.high());
        --depth_;
      }
      return line("}");
    default: break;
  }
  if (node.type.scalar == Scalar::none) return line(expression(id) + ";");
  line(fill(dialect_.let, {{'t', type(node.type.scalar)},
                           {'n', name},
                           {'f', ir::is_float(node.type.scalar) ? dialect_.exact : ""},
                           {'e', expression(id)}}));
}

}  // namespace

Result<Emitted> emit_text(const Kernel& kernel, const Dialect& dialect, const Target& target) {
  const std::string own = target.entry.empty() ? kernel.name : target.entry;
  const std::string entry = dialect.entry.empty() ? own : std::string(dialect.entry);
  if (dialect.reserved.find(" " + entry + " ") != std::string_view::npos) {
    return Error(ErrorCode::unsupported, Category::compilation, Cause::module_failed,
                 "[Kernel \"" + kernel.name + "\"] has a name that is a word of " +
                     std::string(to_string(dialect.format)) + ".")
        .with_hint("Give the kernel another name.");
  }
  Language language = dialect.language;
  language.fuses = language.fuses || target.fused_multiply_add;
  COLLET_TRY(plain, lower(kernel, language, target));
  COLLET_TRY(features, check_features(plain.kernel, target));
  plain.kernel.name = entry;
  return Emitted{.format = dialect.format,
                 .bytes = TextEmitter(plain.kernel, plain.kernel.functions, dialect).kernel(features),
                 .features = std::move(features),
                 .emulated = std::move(plain.emulated),
                 .counts = std::move(plain.counts),
                 .lengths = std::move(plain.lengths),
                 .entry = entry,
                 .shared_bytes = ir::workgroup_bytes(plain.kernel),
                 .watched = plain.watched,
                 .trusts = std::move(plain.trusts),
                 .terms = std::move(plain.terms),
                 .applied = plain.applied};
}

Result<Emitted> emit_opencl_c(const Kernel& kernel, const Target& target) {
  return emit_text(kernel, kOpenClC, target);
}

Result<Emitted> emit_glsl_vulkan(const Kernel& kernel, const Target& target) {
  COLLET_CHECK(check_f64_functions(kernel));
  return emit_text(kernel, kGlslVulkan, target);
}

}  // namespace collet::emit
