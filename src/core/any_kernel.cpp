// Kernels that are read at run time, and what is compared when one is launched.

#include "collet/any_kernel.hpp"

#include "core/kernel_state.hpp"
#include "core/stream_state.hpp"
#include "kernel/ir/passes.hpp"
#include "kernel/ir/text.hpp"

namespace collet {
namespace {

using Kind = backend::Parameter::Kind;

// The signature that the text declares.
std::vector<detail::Declared> declared(const ir::Kernel& kernel) {
  std::vector<detail::Declared> all;
  std::size_t memory = 0;
  std::size_t value = 0;
  for (const bool buffer : kernel.buffer_argument) {
    backend::Parameter parameter;
    if (buffer) {
      const ir::Memory& one = kernel.memories[memory++];
      parameter.access = one.access;
      parameter.may_alias = one.may_alias;
      parameter.element_size = one.stride;
    } else {
      const ir::Parameter& one = kernel.parameters[value++];
      parameter = {.kind = Kind::constant, .element_size = one.alignment, .size = one.size};
    }
    all.push_back({.parameter = parameter});
  }
  detail::place_constants(all);
  return all;
}

std::string argument(std::size_t index, const AnyKernel& kernel) {
  return "Argument " + std::to_string(index) + " of " + detail::described(*kernel.state());
}

// Nothing where the arguments are what the kernel asks for.
std::optional<Error> mismatch(const AnyKernel& kernel, std::span<const AnyArgument> arguments) {
  const detail::KernelState& state = *kernel.state();
  if (state.traced != nullptr && !*state.traced) return state.traced->error();
  const auto& asked = state.declared;
  if (asked.size() != arguments.size()) {
    return Error(ErrorCode::invalid_argument, Category::launch, Cause::argument_count,
                 detail::described(*kernel.state()) + " takes " + std::to_string(asked.size()) +
                     " arguments, and " + std::to_string(arguments.size()) + " are passed.");
  }
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const backend::Parameter& parameter = asked[i].parameter;
    const bool passed_buffer = arguments[i].range().buffer != nullptr;
    if (passed_buffer != (parameter.kind == Kind::buffer)) {
      return Error(ErrorCode::invalid_argument, Category::launch, Cause::argument_type,
                   argument(i, kernel) + " is a " + (passed_buffer ? "value" : "buffer") + ", and a " +
                       (passed_buffer ? "buffer" : "value") + " is passed.");
    }
    if (!passed_buffer && arguments[i].bytes().size() != parameter.size) {
      return Error(ErrorCode::invalid_argument, Category::launch, Cause::argument_type,
                   argument(i, kernel) + " has " + std::to_string(parameter.size) + " bytes, and " +
                       std::to_string(arguments[i].bytes().size()) + " are passed.");
    }
    const detail::Range& range = arguments[i].range();
    if (passed_buffer && range.count * range.element_size % parameter.element_size != 0) {
      return Error(ErrorCode::invalid_argument, Category::launch, Cause::argument_type,
                   argument(i, kernel) + " has elements of " + std::to_string(parameter.element_size) +
                       " bytes, and the " + std::to_string(range.count * range.element_size) +
                       " bytes that are passed are no whole number of them.");
    }
  }
  return std::nullopt;
}

}  // namespace

detail::Ref<detail::KernelState> detail::make_kernel(ir::Kernel kernel) {
  Shape shape;
  shape.group.size = kernel.group;
  std::string name = kernel.name;
  auto signature = declared(kernel);
  auto traced = std::make_shared<const TracedCode>(std::move(kernel));
  return Ref(new KernelState(std::move(name), Ref(new ModuleState), std::move(signature), {},
                             std::move(shape), std::move(traced)));
}

Result<AnyKernel> AnyKernel::parse(std::string_view text) {
  COLLET_TRY(kernel, ir::read(text));
  return AnyKernel(detail::make_kernel(std::move(kernel)));
}

std::vector<AnyParameter> AnyKernel::parameters() const {
  std::vector<AnyParameter> all;
  if (state_->traced == nullptr || !*state_->traced) return all;
  const ir::Kernel& kernel = **state_->traced;
  std::size_t memory = 0;
  std::size_t value = 0;
  for (const bool buffer : kernel.buffer_argument) {
    if (buffer) {
      const ir::Memory& one = kernel.memories[memory++];
      all.push_back({.name = one.name,
                     .type = ir::to_string(one.element),
                     .buffer = true,
                     .read = one.access != backend::Access::write,
                     .written = one.access != backend::Access::read,
                     .size = one.stride});
    } else {
      const ir::Parameter& one = kernel.parameters[value++];
      all.push_back({.name = one.name, .type = ir::to_string(one.type), .size = one.size});
    }
  }
  return all;
}

void Stream::launch(const AnyKernel& kernel, const Grid& grid, std::span<const AnyArgument> arguments) {
  if (auto wrong = mismatch(kernel, arguments)) {
    state_->refuse(
        wrong->during("launching " + detail::described(*kernel.state()) + " in " + state_->name()));
    return;
  }
  std::vector<detail::Argument> passed;
  passed.reserve(arguments.size());
  for (const AnyArgument& one : arguments) passed.push_back({one.range(), one.bytes().data()});
  launch_kernel(*kernel.state(), grid, passed);
}

}  // namespace collet
