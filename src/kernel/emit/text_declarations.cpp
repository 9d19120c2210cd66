// What stands around the code: the kernel itself, its functions, arguments and memories.

#include "kernel/emit/text_writer.hpp"
#include "kernel/ir/sizes.hpp"
#include "kernel/ir/table.hpp"

namespace collet::emit {

std::string TextWriter::kernel(const std::vector<std::string>& features) {
  std::string head(dialect_.prologue);
  for (const Dialect::Need& need : dialect_.needs) {
    for (const std::string& feature : features) {
      if (need.feature == feature) head += need.line;
    }
  }
  out_ = arrays();
  block(0);
  if (zero_used_) out_.insert(0, dialect_.runtime_zero);
  const auto size = [&](std::size_t d) { return std::to_string(kernel_.group[d]); };
  std::string functions;
  for (std::uint32_t i = 0; i < functions_.size(); ++i)
    functions += TextWriter(functions_[i].body, functions_, dialect_, shows_lines_).function(i);
  return head + structs() + tables() + declarations() + functions +
         fill(dialect_.kernel, {{'n', kernel_.name},
                                {'x', size(0)},
                                {'y', size(1)},
                                {'z', size(2)},
                                {'a', arguments()},
                                {'b', out_}});
}

std::string TextWriter::result_type(std::uint32_t number) const {
  const std::vector<Scalar>& results = functions_[number].results;
  return results.size() == 1 ? std::string(type(results[0])) : function_name(number) + "_t";
}

std::string TextWriter::function(std::uint32_t number) {
  const ir::Function& own = functions_[number];
  std::string arguments;
  for (std::size_t i = 0; i < own.arguments.size(); ++i) {
    if (i != 0) arguments += dialect_.argument_separator;
    arguments +=
        fill(dialect_.function_argument, {{'t', type(own.arguments[i])}, {'n', "a" + std::to_string(i)}});
  }
  block(0);
  if (zero_used_) out_.insert(0, dialect_.runtime_zero);
  std::string head;
  std::string given = result_type(number);
  if (given_.size() == 1) {
    line("return " + given_[0] + ";");
  } else if (!dialect_.result_argument.empty()) {
    for (std::size_t i = 0; i < given_.size(); ++i) {
      const std::string name = "all" + field(i);
      arguments += arguments.empty() ? "" : dialect_.argument_separator;
      arguments += fill(dialect_.result_argument, {{'t', type(own.results[i])}, {'n', name}});
      line(name + " = " + given_[i] + ";");
    }
    given = "void";
  } else {
    std::string fields;
    line(fill(dialect_.result_variable, {{'t', given}, {'n', "all"}}));
    for (std::size_t i = 0; i < given_.size(); ++i) {
      fields += fill(dialect_.result_field, {{'t', type(own.results[i])}, {'n', "r" + std::to_string(i)}});
      line("all" + field(i) + " = " + given_[i] + ";");
    }
    line("return all;");
    head = fill(dialect_.results, {{'b', fields}, {'n', given}});
  }
  return head +
         fill(dialect_.function, {{'t', given}, {'n', function_name(number)}, {'a', arguments}, {'b', out_}});
}

std::string TextWriter::field(std::uint64_t number) const {
  return (dialect_.result_argument.empty() ? ".r" : "_r") + std::to_string(number);
}

std::string TextWriter::structs() const {
  std::string text;
  for (std::uint32_t i = 0; i < kernel_.parameters.size(); ++i) {
    const Parameter& one = kernel_.parameters[i];
    if (!is_array(one)) continue;
    text += fill(dialect_.value_struct, {{'t', type(one.type.scalar)},
                                         {'n', parameter(i)},
                                         {'c', std::to_string(one.size / ir::bytes(one.type))},
                                         {'q', std::to_string((one.size / ir::bytes(one.type) + 3) / 4)},
                                         {'i', std::to_string(kernel_.buffer_count())}});
  }
  return text;
}

std::string TextWriter::tables() const {
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

// The type of a memory's elements.
std::string TextWriter::element(std::uint32_t index) const {
  const std::string plain(type(kernel_.memories[index].element.scalar));
  const bool own = atomic_[index] && !dialect_.atomic_element.empty();
  return own ? fill(dialect_.atomic_element, {{'t', plain}}) : plain;
}

std::string TextWriter::buffer(std::uint32_t index) const {
  const Memory& one = kernel_.memories[index];
  std::string promises(aliased_ ? dialect_.aliased : dialect_.unaliased);
  if (coherent_[index]) promises.insert(0, dialect_.coherent);
  const bool read = one.access == backend::Access::read && !atomic_[index];
  return fill(read ? dialect_.buffer_in : dialect_.buffer_out,
              {{'t', element(index)}, {'n', memory(index)}, {'i', std::to_string(index)}, {'r', promises}});
}

std::string TextWriter::array(std::uint32_t index) const {
  const Memory& one = kernel_.memories[index];
  return fill(one.space == Space::workgroup ? dialect_.workgroup_array : dialect_.item_array,
              {{'t', element(index)}, {'n', memory(index)}, {'c', std::to_string(one.count)}}) +
         "\n";
}

std::string TextWriter::declarations() const {
  if (!dialect_.module_scope) return {};
  std::string text;
  for (std::uint32_t i = 0; i < kernel_.memories.size(); ++i) {
    const Space space = kernel_.memories[i].space;
    if (space == Space::buffer) text += buffer(i);
    if (space == Space::workgroup) text += array(i);
  }
  return text;
}

std::string TextWriter::arguments() const {
  std::string text;
  const auto add = [&](const std::string& one) {
    text += (text.empty() ? "" : std::string(dialect_.argument_separator)) + one;
  };
  std::uint32_t buffers = 0;
  std::uint32_t parameters = 0;
  for (const bool is_buffer : kernel_.buffer_argument) {
    if (dialect_.module_scope) break;
    if (is_buffer) {
      add(buffer(buffers++));
      continue;
    }
    const Parameter& one = kernel_.parameters[parameters];
    add(fill(is_array(one) ? dialect_.value_array : dialect_.value,
             {{'t', type(one.type.scalar)},
              {'n', parameter(parameters)},
              {'i', std::to_string(kernel_.buffer_count())}}));
    ++parameters;
  }
  for (const Dialect::Builtin& one : dialect_.builtins) {
    if (!one.argument.empty() && asks_[static_cast<std::size_t>(one.op)]) add(std::string(one.argument));
  }
  return text;
}

std::string TextWriter::arrays() const {
  std::string text;
  for (std::uint32_t i = kernel_.buffer_count(); i < kernel_.memories.size(); ++i) {
    const Space space = kernel_.memories[i].space;
    const bool declared = space == Space::table || (dialect_.module_scope && space == Space::workgroup);
    if (!declared) text += "  " + array(i);
  }
  return text;
}

}  // namespace collet::emit
