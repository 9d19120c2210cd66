// From a kernel to text for LLVM.

#include "backends/cpu/native/form.hpp"

#include "backends/cpu/native/emitter.hpp"
#include "kernel/emit/lower.hpp"
#include "kernel/ir/passes.hpp"

namespace collet::backend::cpu::native {
namespace {

ir::Kernel without_vectors(const ir::Kernel& kernel) {
  ir::Kernel plain = collet::emit::lower_vectors(collet::emit::lower_float_extremes(kernel));
  ir::fold(plain);
  ir::compact(plain);
  return plain;
}

// Nodes that calls may make of a kernel: more take LLVM longer than they save.
constexpr std::size_t kMostWithCallees = 40'000;

}  // namespace

Result<ir::Kernel> without_calls(const ir::Kernel& kernel) {
  return collet::emit::lower_calls(kernel, kMostWithCallees);
}

KernelForm::KernelForm(const ir::Kernel& any, const Vectors& vectors)
    : kernel(without_vectors(any)),
      shapes(find_shapes(kernel)),
      layout(find_layout(kernel, shapes, vectors)) {}

Result<void> KernelForm::check() const {
  std::string uncovered = find_uncovered(kernel, shapes, layout);
  if (kernel.buffer_count() > kMostBuffers)
    uncovered = "more than " + std::to_string(kMostBuffers) + " buffers";
  if (uncovered.empty()) return {};
  return Error(
      ErrorCode::unsupported, Category::compilation, Cause::module_failed,
      "[Kernel \"" + kernel.name + "\"] has " + uncovered + ", which native code does not cover yet.");
}

std::string KernelForm::text(bool partial) const { return emit(kernel, shapes, layout, partial); }

Result<std::string> write_text(const ir::Kernel& kernel, const Vectors& vectors) {
  COLLET_TRY(whole, without_calls(kernel));
  const KernelForm form(whole, vectors);
  COLLET_CHECK(form.check());
  return form.text(false);
}

}  // namespace collet::backend::cpu::native
