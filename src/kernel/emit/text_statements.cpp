// Which values have a name, and the statements: assignments, branches, loops and calls.

#include "kernel/emit/text_writer.hpp"

#include <algorithm>
#include <sstream>

#include "kernel/emit/coherence.hpp"
#include "kernel/emit/nesting.hpp"
#include "kernel/ir/blocks.hpp"

namespace collet::emit {
namespace {

bool is_logic(Op op) { return op == Op::bit_and || op == Op::bit_or || op == Op::bit_not; }

}  // namespace

TextWriter::TextWriter(const Kernel& kernel, const std::vector<ir::Function>& functions,
                       const Dialect& dialect, bool shows_lines)
    : kernel_(kernel),
      functions_(functions),
      dialect_(dialect),
      shows_lines_(shows_lines),
      uses_(kernel.nodes.size()),
      inlined_(kernel.nodes.size()),
      branches_(kernel.nodes.size()),
      aliased_(std::ranges::any_of(kernel.memories, &Memory::may_alias)),
      coherent_(coherent_buffers(kernel)),
      atomic_(kernel.memories.size()) {
  for (const ir::Block& block : kernel.blocks) {
    for (const Id id : block.nodes) {
      const Node& node = kernel.nodes[id];
      asks_[static_cast<std::size_t>(node.op)] = true;
      for (std::uint8_t i = 0; i < node.count; ++i) ++uses_[node.arguments[i]];
    }
  }
  inlined_ = nested_values(kernel, uses_,
                           {.most = kMostInOne,
                            .exact_names = !dialect.exact.empty(),
                            .repeats_exchange = !dialect.compare_exchange.empty()});
  for (Id id = 0; id < kernel.nodes.size(); ++id) {
    const Node& node = kernel.nodes[id];
    if (node.op == Op::parameter && !is_array(kernel.parameters[node.low()])) inlined_[id] = true;
    if (node.op == Op::if_) inline_condition(node.arguments[0], 0);
    if (ir::is_atomic(node.op)) atomic_[node.low()] = true;
  }
}

// A condition that only a branch asks for stands in the branch, as comparisons joined by && and ||. PoCL
// vectorises kernels with such branches; where the same condition is a value, it often does not.
void TextWriter::inline_condition(Id id, std::size_t level) {
  const Node& node = kernel_.nodes[id];
  const bool compares = ir::rule(node.op) == Rule::equal || ir::rule(node.op) == Rule::order;
  if (level == kMostInOne || uses_[id] != 1 || !(compares || is_logic(node.op))) return;
  if (!inlined_[id]) name_reads(node);
  inlined_[id] = true;
  branches_[id] = true;
  if (compares) return;
  for (std::uint8_t i = 0; i < node.count; ++i) inline_condition(node.arguments[i], level + 1);
}

// Whether its expression reads what may change.
bool TextWriter::reads(Id id) const {
  const Node& node = kernel_.nodes[id];
  if (node.op == Op::load || node.op == Op::get) return true;
  return std::any_of(node.arguments.begin(), node.arguments.begin() + node.count,
                     [&](Id argument) { return inlined_[argument] && reads(argument); });
}

// What the node reads is read where it stands, for the node itself is written further down.
void TextWriter::name_reads(const Node& node) {
  for (std::uint8_t i = 0; i < node.count; ++i) {
    const Id argument = node.arguments[i];
    if (inlined_[argument] && reads(argument)) inlined_[argument] = false;
  }
}

// Where the statement of the node stands in the program, by what it reaches.
const ir::Place* TextWriter::place_of(Id id) const {
  const Node& node = kernel_.nodes[id];
  const bool reaches = ir::is_access(node.op) || ir::is_together(node.op);
  if (reaches && node.place < kernel_.places.size()) return &kernel_.places[node.place];
  for (std::uint8_t i = 0; i < node.count; ++i) {
    const ir::Place* found = inlined_[node.arguments[i]] ? place_of(node.arguments[i]) : nullptr;
    if (found != nullptr) return found;
  }
  return nullptr;
}

void TextWriter::comment(Id id) {
  const ir::Place* place = place_of(id);
  if (place == nullptr || (shown_ != nullptr && *shown_ == *place)) return;
  shown_ = place;
  const std::size_t folder = place->file.find_last_of("/\\");
  line("// " + place->file.substr(folder + 1) + ":" + std::to_string(place->line));
}

void TextWriter::block(std::uint32_t index) {
  for (const Id id : kernel_.blocks[index].nodes) statement(id);
}

// Nothing but values, few enough for one expression. Where only what has a name is exact, floats have names.
bool TextWriter::computes(std::span<const Id> nodes) const {
  return nodes.size() <= kMostInOne && std::ranges::all_of(nodes, [&](Id id) {
           const Node& node = kernel_.nodes[id];
           const bool named = !dialect_.exact.empty() && ir::is_float(node.type.scalar);
           return (ir::is_pure(node.op) || node.op == Op::get) && !named;
         });
}

// How many nodes of a loop's body compute whether the loop is done, where a branch that does nothing but end
// it comes next.
std::optional<std::size_t> TextWriter::head_of(std::uint32_t block) const {
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
std::optional<std::string> TextWriter::step_of(std::uint32_t block) {
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
std::string TextWriter::until(std::span<const Id> head, Id done) {
  for (const Id id : head) inlined_[id] = branches_[id] = true;
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
bool TextWriter::continues(std::uint32_t block) const {
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
void TextWriter::loop(Id id, const Node& node) {
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
  if (first) {
    line(fill(dialect_.variable,
              {{'t', type(Scalar::boolean)}, {'n', again}, {'f', ""}, {'z', zero(Scalar::boolean)}}));
  }
  line(std::string(dialect_.loop));
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
void TextWriter::call(Id id, std::uint32_t number) {
  const std::vector<Scalar>& results = functions_[number].results;
  const std::string name = "r" + std::to_string(id);
  gave_many_ = results.size() > 1;
  const bool by_arguments = gave_many_ && !dialect_.result_argument.empty();
  for (std::size_t i = 0; by_arguments && i < results.size(); ++i) {
    passed_.push_back(name + field(i));
    line(fill(dialect_.result_variable, {{'t', type(results[i])}, {'n', passed_.back()}}));
  }
  std::string text = function_name(number) + "(";
  for (std::size_t i = 0; i < passed_.size(); ++i)
    text += (i == 0 ? "" : std::string(dialect_.argument_separator)) + passed_[i];
  text += ")";
  passed_.clear();
  called_ = std::move(text);
  if (!gave_many_) return;
  if (by_arguments)
    line(called_ + ";");
  else
    line(fill(dialect_.let, {{'t', result_type(number)}, {'n', name}, {'f', ""}, {'e', called_}}));
  called_ = name;
}

// A compare-exchange of several statements.
void TextWriter::exchange(const Node& node, const std::string& name) {
  std::istringstream text(fill(dialect_.compare_exchange, {{'t', type(node.type.scalar)},
                                                           {'n', name},
                                                           {'p', pointer(node)},
                                                           {'b', value(node.arguments[1])},
                                                           {'c', value(node.arguments[2])}}));
  for (std::string one; std::getline(text, one);) line(one);
}

void TextWriter::statement(Id id) {
  if (inlined_[id]) return;
  const Node& node = kernel_.nodes[id];
  if (node.op == Op::constant || node.op == Op::argument) return;
  const std::string name = this->name(id);
  if (shows_lines_) comment(id);
  switch (node.op) {
    case Op::pass: return passed_.push_back(value(node.arguments[0]));
    case Op::give: return given_.push_back(value(node.arguments[0]));
    case Op::call: return call(id, node.low());
    case Op::variable:
      return line(fill(node.immediate == kReadAnew ? dialect_.read_anew : dialect_.variable,
                       {{'t', type(node.type.scalar)},
                        {'n', name},
                        {'f', ir::is_float(node.type.scalar) ? dialect_.exact : ""},
                        {'z', zero(node.type.scalar)}}));
    case Op::set: return line(value(node.arguments[0]) + " = " + whole(node.arguments[1]) + ";");
    case Op::store:
      return line(memory(node.low()) + "[" + index(node) + "] = " + whole(node.arguments[1]) + ";");
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
    case Op::atomic_compare_exchange:
      if (!dialect_.compare_exchange.empty()) return exchange(node, name);
      break;
    default: break;
  }
  if (node.type.scalar == Scalar::none) return line(expression(id) + ";");
  line(fill(dialect_.let, {{'t', type(node.type.scalar)},
                           {'n', name},
                           {'f', is_exact(node) ? dialect_.exact : ""},
                           {'e', expression(id)}}));
}

}  // namespace collet::emit
