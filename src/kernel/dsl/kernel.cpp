// Makes a kernel of a C++ function, by tracing it.

#include <algorithm>
#include <optional>
#include <set>

#include "collet/kernel_language.hpp"
#include "core/kernel_state.hpp"
#include "kernel/dsl/trace.hpp"

namespace collet::detail {
namespace {

ir::Kernel frame(const std::string& name, const std::vector<Declared>& declared,
                 const std::vector<ir::Type>& types) {
  ir::Kernel kernel;
  kernel.name = name;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const backend::Parameter& parameter = declared[i].parameter;
    const bool buffer = parameter.kind == backend::Parameter::Kind::buffer;
    kernel.buffer_argument.push_back(buffer);
    if (buffer) {
      ir::Memory memory;
      memory.name = "buffer" + std::to_string(kernel.memories.size());
      memory.element = types[i];
      memory.stride = parameter.element_size;
      memory.access = parameter.access;
      memory.may_alias = parameter.may_alias;
      kernel.memories.push_back(std::move(memory));
    } else {
      kernel.parameters.push_back({.name = "value" + std::to_string(kernel.parameters.size()),
                                   .type = types[i],
                                   .size = parameter.size,
                                   .alignment = parameter.element_size});
    }
  }
  return kernel;
}

// Gives them to the frame; an argument of several parts names the first, and the others after it.
std::optional<std::string> name_arguments(ir::Kernel& frame, const std::vector<std::string>& names,
                                          const std::vector<std::size_t>& sizes) {
  if (names.empty()) return std::nullopt;
  if (names.size() != sizes.size()) {
    return "The kernel has " + std::to_string(sizes.size()) + " arguments and " +
           std::to_string(names.size()) + " names of arguments.";
  }
  std::set<std::string> seen;
  std::size_t next = 0;
  std::size_t buffers = 0;
  std::size_t values = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_name(names[i])) return "An argument has the name \"" + names[i] + "\": " + kNames;
    for (std::size_t part = 0; part < sizes[i]; ++part, ++next) {
      std::string name = names[i] + (part == 0 ? "" : "_shape");
      if (!seen.insert(name).second) return "Two arguments have the name \"" + name + "\".";
      const bool buffer = frame.buffer_argument[next];
      (buffer ? frame.memories[buffers].name : frame.parameters[values].name) = std::move(name);
      ++(buffer ? buffers : values);
    }
  }
  return std::nullopt;
}

}  // namespace

bool is_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !text.empty() && text.size() <= 64 && letter(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

Ref<KernelState> trace_kernel(KernelNames names, std::vector<Declared> declared,
                              const std::vector<ir::Type>& types, const std::vector<std::size_t>& sizes,
                              const std::function<void()>& body) {
  ir::Kernel made = frame(names.kernel, declared, types);
  const std::optional<std::string> wrong = name_arguments(made, names.arguments, sizes);
  Trace trace(std::move(made));
  if (wrong) trace.fail(*wrong);
  body();
  auto traced = std::make_shared<const TracedCode>(trace.finish());
  return Ref(new KernelState(std::move(names.kernel), Ref(new ModuleState), std::move(declared), {}, {},
                             std::move(traced)));
}

}  // namespace collet::detail
