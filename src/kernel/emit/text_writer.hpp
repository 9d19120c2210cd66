// A plain kernel, or a function of one, as text: a statement for each value that has a name and for each
// effect; other values stand where they are used. Its parts are in text_declarations, text_expressions and
// text_statements.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/emit/dialect.hpp"
#include "kernel/emit/pattern.hpp"

namespace collet::emit {

// Levels of a condition, and nodes, that are written as one expression.
inline constexpr std::size_t kMostInOne = 8;

// Threads: one at a time.
class TextWriter {
 public:
  // `functions` are those that the code calls, and perhaps others.
  TextWriter(const Kernel& code, const std::vector<ir::Function>& functions, const Dialect& dialect,
             bool shows_lines);

  std::string kernel(const std::vector<std::string>& features);
  std::string function(std::uint32_t number);

 private:
  // Names, wherever they are needed.
  std::string_view type(Scalar scalar) const { return dialect_.types[static_cast<std::size_t>(scalar)]; }
  Scalar scalar(Id id) const { return kernel_.nodes[id].type.scalar; }
  std::string name(Id id) const;
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
  // What stands behind a call's name for one of its several results: ".r1", or "_r1".
  std::string field(std::uint64_t number) const;

  // text_declarations.cpp
  std::string structs() const;
  std::string tables() const;
  std::string element(std::uint32_t index) const;
  std::string buffer(std::uint32_t index) const;
  std::string array(std::uint32_t index) const;
  std::string declarations() const;
  std::string arguments() const;
  std::string arrays() const;

  // text_expressions.cpp
  std::string zero(Scalar kind) const { return literal({.op = Op::constant, .type = {kind}}); }
  std::string literal(const Node& node) const;
  // As an operand beside which an expression up to `level` needs no parentheses.
  std::string operand(Id id, Level level) const;
  std::string value(Id id) const { return operand(id, Level::primary); }
  std::string whole(Id id) const;  // without parentheses around it
  bool is_loose(Id id, Level loosest) const;
  std::string_view pattern(Id id) const;
  Level level(Id id) const;
  std::string expression(Id id) const;
  std::string cast(const Node& node) const;
  std::string index(const Node& node) const;
  std::string pointer(const Node& node) const;
  std::string result(const Node& node) const;

  // text_statements.cpp
  // Only arithmetic is contracted. That glslang spreads the word over all that a value was made from is the
  // reason not to write it elsewhere: it does not always come to an end.
  bool is_exact(const Node& node) const {
    return ir::is_arithmetic(node.op) && ir::is_float(node.type.scalar);
  }
  void line(const std::string& text) { out_ += std::string(depth_ * 2, ' ') + text + "\n"; }
  void block(std::uint32_t index);
  void statement(Id id);
  void inline_condition(Id id, std::size_t level);
  bool reads(Id id) const;
  void name_reads(const Node& node);
  bool computes(std::span<const Id> nodes) const;
  bool continues(std::uint32_t block) const;
  std::optional<std::size_t> head_of(std::uint32_t block) const;
  std::optional<std::string> step_of(std::uint32_t block);
  std::string until(std::span<const Id> head, Id done);
  void loop(Id id, const Node& node);
  void call(Id id, std::uint32_t number);
  void exchange(const Node& node, const std::string& name);
  const ir::Place* place_of(Id id) const;
  void comment(Id id);

  const Kernel& kernel_;
  const std::vector<ir::Function>& functions_;
  const Dialect& dialect_;
  const bool shows_lines_;
  const ir::Place* shown_ = nullptr;  // by the last comment
  std::vector<std::string> passed_, given_;
  std::string called_;      // the last call, or the name of what it gave where that is a struct
  bool gave_many_ = false;  // it is one
  std::vector<std::uint32_t> uses_;
  std::vector<bool> inlined_;   // written where it is used, and nowhere else
  std::vector<bool> branches_;  // only a branch or a loop asks for it
  const bool aliased_;          // two of its buffers may be the same memory
  const std::vector<bool> coherent_;
  std::vector<bool> atomic_;  // memories that atomic operations reach
  std::array<bool, kOpCount> asks_{};
  mutable bool zero_used_ = false;  // Dialect::runtime_zero
  std::string out_;
  std::size_t depth_ = 1;
};

}  // namespace collet::emit
