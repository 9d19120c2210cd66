// Makes a kernel of a C++ function, by tracing it.

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

}  // namespace

Ref<KernelState> trace_kernel(std::string name, std::vector<Declared> declared,
                              const std::vector<ir::Type>& types, const std::function<void()>& body) {
  Trace trace(frame(name, declared, types));
  body();
  auto traced = std::make_shared<const TracedCode>(trace.finish());
  return Ref(
      new KernelState(std::move(name), Ref(new ModuleState), std::move(declared), {}, {}, std::move(traced)));
}

}  // namespace collet::detail
