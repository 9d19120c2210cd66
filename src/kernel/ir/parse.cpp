// From text to a kernel. Nothing is assumed of the text but that it ends.

#include <bit>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "kernel/ir/message.hpp"
#include "kernel/ir/table.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

namespace collet::ir {
namespace {

constexpr std::size_t kMostText = 64u << 20;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string at_line(std::uint32_t line) { return "Line " + std::to_string(line) + " of the IR text: "; }

std::optional<Op> find_op(std::string_view word) {
  for (std::size_t i = 0; i <= static_cast<std::size_t>(Op::return_); ++i) {
    if (name(static_cast<Op>(i)) == word) return static_cast<Op>(i);
  }
  return std::nullopt;
}

// Where the parts of a kernel begin in its text: lines from 1, by the numbers that the parts have.
struct Lines {
  std::uint32_t head = 1;
  std::vector<std::uint32_t> memories, parameters, messages, functions;
  std::vector<std::uint32_t> nodes;
  std::vector<std::vector<std::uint32_t>> function_nodes;  // of each function
};

// Threads: one at a time.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Kernel> run();
  std::uint32_t line() const { return static_cast<std::uint32_t>(line_); }
  const Lines& lines() const { return lines_; }

 private:
  Error wrong(const std::string& what) const {
    std::string_view rest = text_.substr(at_, 24);
    rest = rest.substr(0, rest.find('\n'));
    return Error(ErrorCode::invalid_argument, Category::kernel, Cause::module_failed,
                 at_line(line()) + what + " before \"" + std::string(rest) + "\".");
  }

  void skip();
  bool take(std::string_view token);  // a word only where it ends there
  Result<void> expect(std::string_view token);
  Result<std::string_view> word(const char* what);
  Result<std::uint64_t> number(const char* what);
  Result<Type> type();
  Result<std::uint64_t> literal(Type type);

  Result<void> header();
  Result<bool> declaration();
  Result<void> buffer();
  Result<void> value_parameter();
  Result<void> array(Space space);
  Result<void> table();
  Result<void> element(Type& type, std::uint32_t& stride);
  Result<void> message();
  Result<std::string> string();
  Result<void> function();
  Result<std::vector<Scalar>> scalars();
  Result<void> body();
  Result<void> block(std::uint32_t index);
  Result<bool> statement(std::uint32_t index);
  Result<void> operands(Node& node);
  Result<Id> value();
  Result<void> place(Node& node);
  Result<void> immediate(Node& node);
  Result<void> blocks(Id id);
  // Numbers of memories, or of parameters, by their names; the text holds the names. Ordered: whoever writes
  // the text could choose names that a hash table puts into one bucket.
  using Names = std::map<std::string_view, std::uint32_t>;
  Result<void> declare(Names& names, std::string_view name);
  Result<std::uint32_t> memory_named(std::string_view name) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t depth_ = 0;
  Kernel kernel_;
  Lines lines_;
  std::map<std::uint64_t, Id> values_;
  Names memories_;
  Names parameters_;
  Names functions_;
  std::uint64_t given_ = 0;  // by the function that is read
};

void Parser::skip() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '#') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      if (c == '\n') ++line_;
      ++at_;
    } else {
      return;
    }
  }
}

bool Parser::take(std::string_view token) {
  skip();
  if (!text_.substr(at_).starts_with(token)) return false;
  const std::size_t end = at_ + token.size();
  if (is_word(token.back()) && end < text_.size() && is_word(text_[end])) return false;
  at_ = end;
  return true;
}

Result<void> Parser::expect(std::string_view token) {
  if (take(token)) return {};
  return wrong("\"" + std::string(token) + "\" is missing");
}

Result<std::string_view> Parser::word(const char* what) {
  skip();
  std::size_t end = at_;
  while (end < text_.size() && is_word(text_[end])) ++end;
  if (end == at_) return wrong(std::string(what) + " is missing");
  const std::string_view found = text_.substr(at_, end - at_);
  at_ = end;
  return found;
}

Result<std::uint64_t> Parser::number(const char* what) {
  COLLET_TRY(digits, word(what));
  std::uint64_t parsed = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), parsed);
  if (error != std::errc() || end != digits.data() + digits.size())
    return wrong("\"" + std::string(digits) + "\" is no number, but " + what + " is one");
  return parsed;
}

Result<Type> Parser::type() {
  COLLET_TRY(found, word("a type"));
  const auto parsed = parse_type(found);
  if (!parsed) return wrong("\"" + std::string(found) + "\" is no type");
  return *parsed;
}

template <class Float, class Bits>
std::optional<std::uint64_t> float_bits(std::string_view text) {
  Float parsed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return std::bit_cast<Bits>(parsed);
}

Result<std::uint64_t> Parser::literal(Type type) {
  skip();
  std::size_t end = at_;
  while (end < text_.size() &&
         (is_word(text_[end]) || text_[end] == '-' || text_[end] == '+' || text_[end] == '.'))
    ++end;
  const std::string_view found = text_.substr(at_, end - at_);
  std::optional<std::uint64_t> parsed;
  const auto integer = [&](std::string_view digits, auto kind, int base) -> std::optional<std::uint64_t> {
    decltype(kind) value = 0;
    const auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc() || last != digits.data() + digits.size()) return std::nullopt;
    return static_cast<std::uint64_t>(value);
  };
  if (type.scalar == Scalar::boolean) {
    if (found == "true") parsed = 1;
    if (found == "false") parsed = 0;
  } else if (found.starts_with("0x")) {
    parsed = integer(found.substr(2), std::uint64_t{}, 16);
  } else if (type.scalar == Scalar::f32) {
    parsed = float_bits<float, std::uint32_t>(found);
  } else if (type.scalar == Scalar::f64) {
    parsed = float_bits<double, std::uint64_t>(found);
  } else if (is_signed(type.scalar)) {
    parsed = integer(found, std::int64_t{}, 10);
    const std::uint32_t size = bits(type.scalar);
    if (parsed && size < 64) {
      const auto value = static_cast<std::int64_t>(*parsed);
      const std::int64_t most = std::int64_t{1} << (size - 1);
      if (value < -most || value >= most)
        parsed.reset();
      else
        *parsed &= (std::uint64_t{1} << size) - 1;
    }
  } else if (is_integer(type.scalar)) {
    parsed = integer(found, std::uint64_t{}, 10);
  }
  if (!parsed) return wrong("\"" + std::string(found.substr(0, 40)) + "\" is no " + to_string(type));
  at_ = end;
  return *parsed;
}

Result<Kernel> Parser::run() {
  if (text_.size() > kMostText) return wrong("the text has more than 64 MiB");
  kernel_.blocks.emplace_back();
  COLLET_CHECK(header());
  COLLET_CHECK(body());
  skip();
  if (at_ != text_.size()) return wrong("something follows the kernel");
  return std::move(kernel_);
}

Result<void> Parser::header() {
  COLLET_CHECK(expect("kernel"));
  lines_.head = line();
  COLLET_TRY(found, word("the kernel's name"));
  kernel_.name = found;
  COLLET_CHECK(expect("group"));
  COLLET_CHECK(expect("("));
  for (std::size_t d = 0; d < 3; ++d) {
    if (d != 0) COLLET_CHECK(expect(","));
    COLLET_TRY(size, number("a group size"));
    if (size > 0xffffffffu) return wrong("the group is too large");
    kernel_.group[d] = static_cast<std::uint32_t>(size);
  }
  COLLET_CHECK(expect(")"));
  COLLET_CHECK(expect("{"));
  for (;;) {
    COLLET_TRY(more, declaration());
    if (!more) return {};
  }
}

Result<bool> Parser::declaration() {
  Result<void> done;
  skip();
  const std::uint32_t begin = line();
  if (take("buffer"))
    done = buffer();
  else if (take("value"))
    done = value_parameter();
  else if (take("workgroup"))
    done = array(Space::workgroup);
  else if (take("item"))
    done = array(Space::item);
  else if (take("table"))
    done = table();
  else if (take("message"))
    done = message();
  else if (take("function"))
    done = function();
  else
    return false;
  COLLET_CHECK(done);
  // One of these has become longer.
  lines_.memories.resize(kernel_.memories.size(), begin);
  lines_.parameters.resize(kernel_.parameters.size(), begin);
  lines_.messages.resize(kernel_.messages.size(), begin);
  lines_.functions.resize(kernel_.functions.size(), begin);
  return true;
}

Result<void> Parser::element(Type& element_type, std::uint32_t& stride) {
  if (take("bytes")) {
    COLLET_CHECK(expect("("));
    COLLET_TRY(size, number("a size"));
    COLLET_CHECK(expect(")"));
    if (size > 0xffffffffu) return wrong("the element is too large");
    stride = static_cast<std::uint32_t>(size);
    return {};
  }
  COLLET_TRY(found, type());
  element_type = found;
  stride = bytes(found);
  if (take("stride")) {
    COLLET_CHECK(expect("("));
    COLLET_TRY(size, number("a stride"));
    COLLET_CHECK(expect(")"));
    if (size > 0xffffffffu) return wrong("the stride is too large");
    stride = static_cast<std::uint32_t>(size);
  }
  return {};
}

Result<void> Parser::declare(Names& names, std::string_view name) {
  if (names.emplace(name, static_cast<std::uint32_t>(names.size())).second) return {};
  return wrong(std::string(name) + " is declared twice");
}

Result<void> Parser::buffer() {
  Memory memory;
  COLLET_TRY(found, word("a buffer's name"));
  memory.name = found;
  COLLET_CHECK(expect(":"));
  COLLET_CHECK(element(memory.element, memory.stride));
  if (take("inout"))
    memory.access = backend::Access::read_write;
  else if (take("in"))
    memory.access = backend::Access::read;
  else if (take("out"))
    memory.access = backend::Access::write;
  else
    return wrong("in, out or inout is missing");
  memory.may_alias = take("may_alias");
  if (!kernel_.memories.empty() && kernel_.memories.back().space != Space::buffer)
    return wrong("buffers come before other memory");
  COLLET_CHECK(declare(memories_, found));
  kernel_.memories.push_back(std::move(memory));
  kernel_.buffer_argument.push_back(true);
  return {};
}

Result<void> Parser::value_parameter() {
  Parameter parameter;
  COLLET_TRY(found, word("a value's name"));
  parameter.name = found;
  COLLET_CHECK(expect(":"));
  if (take("bytes")) {
    COLLET_CHECK(expect("("));
    COLLET_TRY(size, number("a size"));
    COLLET_CHECK(expect(","));
    COLLET_TRY(alignment, number("an alignment"));
    COLLET_CHECK(expect(")"));
    if (size > 0xffffffffu || alignment > 0xffffffffu) return wrong("the value is too large");
    parameter.size = static_cast<std::uint32_t>(size);
    parameter.alignment = static_cast<std::uint32_t>(alignment);
  } else {
    COLLET_TRY(of, type());
    parameter.type = of;
    parameter.size = bytes(of);
    parameter.alignment = bits(of.scalar) / 8;
  }
  COLLET_CHECK(declare(parameters_, found));
  kernel_.parameters.push_back(std::move(parameter));
  kernel_.buffer_argument.push_back(false);
  return {};
}

Result<void> Parser::array(Space space) {
  Memory memory;
  memory.space = space;
  COLLET_TRY(found, word("a name"));
  memory.name = found;
  COLLET_CHECK(expect(":"));
  COLLET_CHECK(element(memory.element, memory.stride));
  COLLET_CHECK(expect("["));
  COLLET_TRY(count, number("a number of elements"));
  COLLET_CHECK(expect("]"));
  memory.count = count;
  COLLET_CHECK(declare(memories_, found));
  kernel_.memories.push_back(std::move(memory));
  return {};
}

Result<void> Parser::table() {
  Memory memory;
  memory.space = Space::table;
  memory.access = backend::Access::read;
  COLLET_TRY(found, word("a name"));
  memory.name = found;
  COLLET_CHECK(expect(":"));
  COLLET_TRY(of, type());
  if (of.width != 1 || !is_number(of.scalar) || bits(of.scalar) < 32)
    return wrong("a table holds numbers of 32 or 64 bits");
  memory.element = of;
  memory.stride = bytes(of);
  COLLET_CHECK(expect("["));
  while (!take("]")) {
    if (memory.count != 0) COLLET_CHECK(expect(","));
    COLLET_TRY(element, literal(of));
    if (memory.contents.size() >= kMostTableBytes) return wrong("the table is too large");
    add_element(memory, element);
  }
  COLLET_CHECK(declare(memories_, found));
  kernel_.memories.push_back(std::move(memory));
  return {};
}

// In parentheses, with commas between them.
Result<std::vector<Scalar>> Parser::scalars() {
  std::vector<Scalar> all;
  COLLET_CHECK(expect("("));
  while (!take(")")) {
    if (!all.empty()) COLLET_CHECK(expect(","));
    COLLET_TRY(one, type());
    if (one.width != 1) return wrong("what is passed is a scalar");
    all.push_back(one.scalar);
    if (all.size() > kMostNodes) return wrong("more than a million values are listed");
  }
  return all;
}

// In quotes, as in_quotes() writes it.
Result<std::string> Parser::string() {
  skip();
  const auto found = from_quotes(text_.substr(at_));
  if (!found) return wrong("a text in quotes is missing or does not end");
  at_ += found->length;
  return found->text;
}

Result<void> Parser::message() {
  Message made;
  if (take("assert"))
    made.kind = Message::Kind::assertion;
  else
    COLLET_CHECK(expect("print"));
  COLLET_TRY(values, scalars());
  made.values = std::move(values);
  COLLET_TRY(text, string());
  made.text = std::move(text);
  COLLET_CHECK(expect("at"));
  COLLET_TRY(file, string());
  made.file = std::move(file);
  COLLET_CHECK(expect(","));
  COLLET_TRY(line, number("a line"));
  if (line > 0xffffffffu) return wrong("the line is too large");
  made.line = static_cast<std::uint32_t>(line);
  if (kernel_.messages.size() >= kMostMessages) return wrong("the kernel has too many messages");
  kernel_.messages.push_back(std::move(made));
  return {};
}

// Its nodes are put together as if they were the kernel's, and moved from there.
Result<void> Parser::function() {
  COLLET_TRY(found, word("a function's name"));
  Function made{.name = std::string(found), .arguments = {}, .results = {}, .body = {}};
  COLLET_TRY(arguments, scalars());
  made.arguments = std::move(arguments);
  COLLET_CHECK(expect("->"));
  COLLET_TRY(results, scalars());
  made.results = std::move(results);
  COLLET_CHECK(expect("{"));
  given_ = 0;
  COLLET_CHECK(block(0));
  made.body.nodes = std::exchange(kernel_.nodes, {});
  made.body.blocks = std::exchange(kernel_.blocks, std::vector<Block>(1));
  lines_.function_nodes.push_back(std::exchange(lines_.nodes, {}));
  values_.clear();
  COLLET_CHECK(declare(functions_, found));
  kernel_.functions.push_back(std::move(made));
  return {};
}

Result<void> Parser::body() { return block(0); }

// Up to and with the closing brace.
Result<void> Parser::block(std::uint32_t index) {
  if (++depth_ > kMostDepth) return wrong("blocks nest more than " + std::to_string(kMostDepth) + " deep");
  for (;;) {
    if (take("}")) {
      --depth_;
      return {};
    }
    COLLET_TRY(more, statement(index));
    if (!more) return wrong("a statement or \"}\" is missing");
  }
}

Result<bool> Parser::statement(std::uint32_t index) {
  skip();
  if (at_ == text_.size()) return false;
  if (kernel_.nodes.size() >= kMostNodes) return wrong("the kernel has more than a million nodes");
  const std::uint32_t begin = line();
  Node node;
  std::optional<std::uint64_t> named;
  if (take("%")) {
    COLLET_TRY(number_of, number("a value's number"));
    named = number_of;
    COLLET_CHECK(expect(":"));
    COLLET_TRY(of, type());
    node.type = of;
    COLLET_CHECK(expect("="));
  }
  COLLET_TRY(op_word, word("an operation"));
  const auto op = find_op(op_word);
  if (!op) return wrong("\"" + std::string(op_word) + "\" is no operation");
  node.op = *op;
  COLLET_CHECK(operands(node));
  const auto id = static_cast<Id>(kernel_.nodes.size());
  kernel_.nodes.push_back(node);
  lines_.nodes.push_back(begin);
  kernel_.blocks[index].nodes.push_back(id);
  if (named && !values_.emplace(*named, id).second)
    return wrong("%" + std::to_string(*named) + " is defined twice");
  COLLET_CHECK(blocks(id));
  return true;
}

Result<Id> Parser::value() {
  COLLET_CHECK(expect("%"));
  COLLET_TRY(found, number("a value's number"));
  const auto known = values_.find(found);
  if (known == values_.end()) return wrong("%" + std::to_string(found) + " is not defined");
  return known->second;
}

Result<std::uint32_t> Parser::memory_named(std::string_view found) const {
  const auto known = memories_.find(found);
  if (known == memories_.end()) return wrong("there is no memory called " + std::string(found));
  return known->second;
}

Result<void> Parser::place(Node& node) {
  COLLET_TRY(found, word("a memory's name"));
  const auto line = static_cast<std::uint32_t>(line_);
  COLLET_TRY(memory, memory_named(found));
  COLLET_CHECK(expect("["));
  COLLET_TRY(index, value());
  COLLET_CHECK(expect("]"));
  std::uint64_t offset = 0;
  if (take("+")) {
    COLLET_TRY(bytes_in, number("an offset"));
    offset = bytes_in;
  }
  if (offset > 0xffffffffu) return wrong("the offset is too large");
  node.arguments[0] = index;
  node.count = 1;
  node.immediate = pack(memory, static_cast<std::uint32_t>(offset));
  if (kernel_.places.empty() || kernel_.places.back().line != line)
    kernel_.places.push_back({"IR text", line});
  node.place = static_cast<std::uint32_t>(kernel_.places.size() - 1);
  return {};
}

Result<void> Parser::operands(Node& node) {
  if (is_access(node.op)) COLLET_CHECK(place(node));
  const std::uint8_t least = arity(node.op);
  const std::uint8_t most = node.op == Op::compose ? 4 : least;
  while (node.count < most) {
    if (node.count != 0) {
      if (node.count >= least && !take(",")) break;
      if (node.count < least) COLLET_CHECK(expect(","));
    }
    COLLET_TRY(argument, value());
    node.arguments[node.count++] = argument;
  }
  return immediate(node);
}

Result<void> Parser::immediate(Node& node) {
  switch (rule(node.op)) {
    case Rule::constant: {
      COLLET_TRY(bits_of, literal(node.type));
      node.immediate = bits_of;
      return {};
    }
    case Rule::builtin: {
      COLLET_TRY(dimension, number("a dimension"));
      node.immediate = dimension;
      return {};
    }
    case Rule::print:
    case Rule::result:
    case Rule::argument: {
      COLLET_TRY(which, number("a number"));
      node.immediate = which;
      return {};
    }
    case Rule::give: node.immediate = given_++; return {};
    case Rule::call: {
      COLLET_TRY(found, word("a function's name"));
      const auto known = functions_.find(found);
      if (known == functions_.end()) return wrong("there is no function called " + std::string(found));
      node.immediate = known->second;
      return {};
    }
    case Rule::extract: {
      COLLET_CHECK(expect(","));
      COLLET_TRY(component, number("a component"));
      node.immediate = component;
      return {};
    }
    case Rule::fence:
      if (take("workgroup")) return {};
      node.immediate = static_cast<std::uint64_t>(take("system") ? Scope::system : Scope::device);
      return node.immediate == static_cast<std::uint64_t>(Scope::system) ? Result<void>() : expect("device");
    case Rule::length: {
      COLLET_TRY(found, word("a buffer's name"));
      COLLET_TRY(memory, memory_named(found));
      node.immediate = memory;
      return {};
    }
    case Rule::parameter: {
      COLLET_TRY(found, word("a value's name"));
      std::uint64_t offset = 0;
      if (take("+")) {
        COLLET_TRY(bytes_in, number("an offset"));
        offset = bytes_in;
      }
      if (offset > 0xffffffffu) return wrong("the offset is too large");
      const auto known = parameters_.find(found);
      if (known == parameters_.end()) return wrong("there is no value called " + std::string(found));
      node.immediate = pack(known->second, static_cast<std::uint32_t>(offset));
      return {};
    }
    default: return {};
  }
}

Result<void> Parser::blocks(Id id) {
  const Op op = kernel_.nodes[id].op;
  if (block_count(op) == 0) return {};
  COLLET_CHECK(expect("{"));
  const auto first = static_cast<std::uint32_t>(kernel_.blocks.size());
  kernel_.blocks.emplace_back();
  COLLET_CHECK(block(first));
  std::uint32_t second = kNone;
  if (block_count(op) == 2 && take(op == Op::if_ ? "else" : "continuing")) {
    COLLET_CHECK(expect("{"));
    second = static_cast<std::uint32_t>(kernel_.blocks.size());
    kernel_.blocks.emplace_back();
    COLLET_CHECK(block(second));
  }
  kernel_.nodes[id].immediate = pack(first, second);
  return {};
}

std::uint32_t line_of(const Part& part, const Lines& lines) {
  switch (part.kind) {
    case Part::Kind::kernel: break;
    case Part::Kind::memory: return lines.memories[part.index];
    case Part::Kind::parameter: return lines.parameters[part.index];
    case Part::Kind::message: return lines.messages[part.index];
    case Part::Kind::function: return lines.functions[part.index];
    case Part::Kind::node:
      return part.function == kNone ? lines.nodes[part.index]
                                    : lines.function_nodes[part.function][part.index];
  }
  return lines.head;
}

// The same error, which begins with the line.
Error on_line(const Error& error, std::uint32_t line) {
  Error made = Error(error.code(), error.category(), error.cause(), at_line(line) + error.message())
                   .with_hint(error.hint());
  for (const std::string& doing : error.context()) made = made.during(doing);
  return made;
}

}  // namespace

Result<Kernel> parse(std::string_view text) { return Parser(text).run(); }

Result<Kernel> read(std::string_view text, std::uint32_t* line) {
  Parser parser(text);
  auto kernel = parser.run();
  const auto fails = [&](const Error& error, std::uint32_t at) {
    if (line != nullptr) *line = at;
    return error;
  };
  if (!kernel) return fails(kernel.error(), parser.line());
  Part part;
  const auto valid = verify(*kernel, &part);
  if (valid) return kernel;
  const std::uint32_t at = line_of(part, parser.lines());
  return fails(on_line(valid.error(), at), at);
}

}  // namespace collet::ir
