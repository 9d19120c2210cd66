// From a kernel to its text.

#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include "kernel/ir/message.hpp"
#include "kernel/ir/table.hpp"
#include "kernel/ir/text.hpp"

namespace collet::ir {
namespace {

std::string hexadecimal(std::uint64_t bits) {
  std::array<char, 24> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), bits, 16);
  return "0x" + std::string(text.data(), end);
}

template <class Float>
std::string shortest(Float value, std::uint64_t bits) {
  if (!std::isfinite(value)) return hexadecimal(bits);
  std::array<char, 64> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  std::string number(text.data(), end);
  if (number.find_first_of(".e") == std::string::npos) number += ".0";
  return number;
}

std::string constant(Type type, std::uint64_t bits) {
  switch (type.scalar) {
    case Scalar::boolean: return bits != 0 ? "true" : "false";
    case Scalar::i8: return std::to_string(static_cast<std::int8_t>(bits));
    case Scalar::i16: return std::to_string(static_cast<std::int16_t>(bits));
    case Scalar::i32: return std::to_string(static_cast<std::int32_t>(bits));
    case Scalar::i64: return std::to_string(static_cast<std::int64_t>(bits));
    case Scalar::f16: return hexadecimal(bits);
    case Scalar::f32: return shortest(std::bit_cast<float>(static_cast<std::uint32_t>(bits)), bits);
    case Scalar::f64: return shortest(std::bit_cast<double>(bits), bits);
    default: return std::to_string(bits);
  }
}

std::string_view access_word(backend::Access access) {
  switch (access) {
    case backend::Access::read: return "in";
    case backend::Access::write: return "out";
    default: return "inout";
  }
}

std::string element(Type type, std::uint32_t stride) {
  if (type.scalar == Scalar::none) return "bytes(" + std::to_string(stride) + ")";
  std::string text = to_string(type);
  if (bytes(type) != stride) text += " stride(" + std::to_string(stride) + ")";
  return text;
}

// Threads: one at a time.
class Printer {
 public:
  explicit Printer(const Kernel& kernel) : Printer(kernel, kernel.functions) {}
  // A function's body, which calls others of the same kernel.
  Printer(const Kernel& body, const std::vector<Function>& functions)
      : kernel_(body), functions_(functions), number_(body.nodes.size(), kNone) {}

  std::string kernel() {
    out_ = "kernel " + kernel_.name + " group(" + std::to_string(kernel_.group[0]) + ", " +
           std::to_string(kernel_.group[1]) + ", " + std::to_string(kernel_.group[2]) + ") {\n";
    arguments();
    for (const Memory& memory : kernel_.memories) {
      if (memory.space == Space::buffer) continue;
      if (memory.space == Space::table) {
        table(memory);
        continue;
      }
      out_ += std::string("  ") + (memory.space == Space::workgroup ? "workgroup " : "item ") + memory.name +
              ": " + element(memory.element, memory.stride) + " [" + std::to_string(memory.count) + "]\n";
    }
    for (const Message& message : kernel_.messages) this->message(message);
    for (const Function& function : functions_) out_ += Printer(function.body, functions_).function(function);
    block(0, 1);
    return out_ + "}\n";
  }

  std::string function(const Function& of) {
    out_ = "  function " + of.name + "(" + listed(of.arguments) + ") -> (" + listed(of.results) + ") {\n";
    block(0, 2);
    return out_ + "  }\n";
  }

  std::string one(Id id) {
    if (id >= kernel_.nodes.size()) return "node ?";
    for (Id i = 0; i < number_.size(); ++i) number_[i] = i;
    return line(id);
  }

 private:
  void table(const Memory& of) {
    out_ += "  table " + of.name + ": " + to_string(of.element) + " [";
    for (std::uint64_t i = 0; i < of.count; ++i)
      out_ += (i == 0 ? "" : ", ") + constant(of.element, table_element(of, i));
    out_ += "]\n";
  }

  // One of checked mode prints as an assert; it never leaves the passes.
  void message(const Message& of) {
    out_ += of.kind == Message::Kind::print ? "  message print" : "  message assert";
    out_ += "(" + listed(of.values) + ") " + in_quotes(of.text) + " at " + in_quotes(of.file) + ", " +
            std::to_string(of.line) + "\n";
  }

  static std::string listed(const std::vector<Scalar>& scalars) {
    std::string text;
    for (const Scalar scalar : scalars) text += (text.empty() ? "" : ", ") + to_string(Type{scalar});
    return text;
  }

  void arguments() {
    std::size_t memory = 0;
    std::size_t parameter = 0;
    for (const bool buffer : kernel_.buffer_argument) {
      if (buffer) {
        const Memory& m = kernel_.memories[memory++];
        out_ += "  buffer " + m.name + ": " + element(m.element, m.stride) + " ";
        out_ += access_word(m.access);
        out_ += m.may_alias ? " may_alias\n" : "\n";
      } else {
        const Parameter& p = kernel_.parameters[parameter++];
        const bool plain = p.type.scalar != Scalar::none;
        out_ += "  value " + p.name + ": " +
                (plain ? to_string(p.type)
                       : "bytes(" + std::to_string(p.size) + ", " + std::to_string(p.alignment) + ")") +
                "\n";
      }
    }
  }

  void block(std::uint32_t index, std::size_t depth) {
    const std::string indent(depth * 2, ' ');
    for (const Id id : kernel_.blocks[index].nodes) {
      const Node& node = kernel_.nodes[id];
      if (node.type.scalar != Scalar::none) number_[id] = next_++;
      out_ += indent + line(id);
      if (block_count(node.op) == 0) {
        out_ += "\n";
        continue;
      }
      out_ += " {\n";
      block(node.low(), depth + 1);
      out_ += indent + "}";
      if (block_count(node.op) == 2 && node.high() != kNone) {
        out_ += node.op == Op::if_ ? " else {\n" : " continuing {\n";
        block(node.high(), depth + 1);
        out_ += indent + "}";
      }
      out_ += "\n";
    }
  }

  std::string value(Id id) const {
    return id < number_.size() && number_[id] != kNone ? "%" + std::to_string(number_[id]) : "%?";
  }

  std::string place(const Node& node) const {
    const std::string memory =
        node.low() < kernel_.memories.size() ? kernel_.memories[node.low()].name : std::string("?");
    const std::string offset = node.high() != 0 ? "+" + std::to_string(node.high()) : "";
    return memory + "[" + value(node.arguments[0]) + "]" + offset;
  }

  std::string operands(const Node& node) const {
    std::string text;
    const bool memory = is_access(node.op);
    if (memory) text = " " + place(node);
    for (std::uint8_t i = memory ? 1 : 0; i < node.count && i < node.arguments.size(); ++i) {
      text += (text.empty() ? " " : ", ") + value(node.arguments[i]);
    }
    return text;
  }

  std::string immediate(const Node& node) const {
    switch (rule(node.op)) {
      case Rule::constant: return " " + constant(node.type, node.immediate);
      case Rule::builtin:
      case Rule::print:
      case Rule::result:
      case Rule::argument: return " " + std::to_string(node.immediate);
      case Rule::call: return " " + (node.immediate < functions_.size() ? functions_[node.low()].name : "?");
      case Rule::extract: return ", " + std::to_string(node.immediate);
      case Rule::fence:
        return node.immediate == 0 ? " workgroup" : node.immediate == 1 ? " device" : " system";
      case Rule::length:
        return " " + (node.low() < kernel_.memories.size() ? kernel_.memories[node.low()].name : "?");
      case Rule::parameter:
        return " " + (node.low() < kernel_.parameters.size() ? kernel_.parameters[node.low()].name : "?") +
               (node.high() != 0 ? "+" + std::to_string(node.high()) : "");
      default: return "";
    }
  }

  std::string line(Id id) const {
    const Node& node = kernel_.nodes[id];
    if (node.op > Op::return_) return "node ?";
    std::string text;
    if (node.type.scalar != Scalar::none) text = value(id) + ": " + to_string(node.type) + " = ";
    return text + std::string(name(node.op)) + operands(node) + immediate(node);
  }

  const Kernel& kernel_;
  const std::vector<Function>& functions_;
  std::vector<std::uint32_t> number_;
  std::uint32_t next_ = 0;
  std::string out_;
};

}  // namespace

std::string print(const Kernel& kernel) { return Printer(kernel).kernel(); }

std::string quote(const Kernel& kernel, Id id) { return quote(kernel, kernel.functions, id); }
std::string quote(const Kernel& body, const std::vector<Function>& functions, Id id) {
  return "\"" + Printer(body, functions).one(id) + "\"";
}

}  // namespace collet::ir
