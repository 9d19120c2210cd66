// From a kernel to code, and from a row of groups to calls of it.

#include "backends/cpu/native/program.hpp"

#include <algorithm>
#include <new>
#include <string>

#include "backends/cpu/native/frame.hpp"
#include "backends/cpu/simt/places.hpp"
#include "kernel/emit/guard.hpp"

// clang's sanitizer of calls reads a mark in front of the function that is called; LLVM's code has none.
#ifdef __clang__
#define COLLET_RUNS_MADE_CODE [[clang::no_sanitize("function")]]
#else
#define COLLET_RUNS_MADE_CODE
#endif

namespace collet::backend::cpu::native {
namespace {

constexpr std::align_val_t kAlignment{128};
constexpr std::uint64_t kMostIndex = 0xffffffffu;

}  // namespace

Program::Program(const Llvm& llvm, Machine machine, const ir::Kernel& kernel)
    : llvm_(llvm), machine_(std::move(machine)), form_(kernel, machine_.vectors) {}

Result<Runnable> Program::compiled(const KernelForm& form, bool partial) const {
  COLLET_CHECK(form.check());
  COLLET_TRY(code, Code::compile(llvm_, machine_, form.text(partial)));
  return Runnable{.code = std::move(code), .scratch_bytes = form.layout.scratch_bytes};
}

Result<void> Program::start() {
  // Partial groups come later; whether they can is known now.
  if (form_.shapes.whole_group) COLLET_CHECK(guarded().check());
  COLLET_TRY(made, compiled(form_, false));
  whole_ = std::move(made);
  return {};
}

KernelForm Program::guarded() const {
  return KernelForm(collet::emit::guard(form_.kernel), machine_.vectors);
}

// Where items meet, all of them run.
Result<Runnable> Program::compile_partial() const {
  const Compiling compiling(form_.kernel.name);
  COLLET_CHECK(compiling.allowed());
  return form_.shapes.whole_group ? compiled(guarded(), false) : compiled(form_, true);
}

const Result<Runnable>& Program::partial() const {
  std::call_once(partial_made_, [&] { partial_ = compile_partial(); });
  return partial_;
}

Result<std::shared_ptr<const Program>> compile(const ir::Kernel& kernel, Level level) {
  const Compiling compiling(kernel.name);  // from here on: loading it is the longest part
  COLLET_CHECK(compiling.allowed());
  COLLET_TRY(llvm, load_llvm());
  COLLET_TRY(machine, find_machine(*llvm, level));
  COLLET_TRY(whole, without_calls(kernel));
  auto program = std::make_shared<Program>(*llvm, std::move(machine), whole);
  COLLET_CHECK(program->start());
  return std::shared_ptr<const Program>(std::move(program));
}

void Scratch::Free::operator()(std::byte* memory) const { ::operator delete[](memory, kAlignment); }

Result<std::byte*> Scratch::room(std::uint64_t bytes) {
  if (bytes > size_) {
    bytes_.reset();
    size_ = 0;
    bytes_.reset(static_cast<std::byte*>(::operator new[](bytes, kAlignment, std::nothrow)));
    if (bytes_ == nullptr) {
      return Error(ErrorCode::out_of_memory, Category::memory, Cause::allocation_failed,
                   "There is no memory for the " + std::to_string(bytes) +
                       " bytes that a workgroup of the kernel needs to run.")
          .with_hint("Use smaller groups, smaller private arrays or less workgroup memory.");
    }
    size_ = bytes;
  }
  return bytes_.get();
}

COLLET_RUNS_MADE_CODE
Result<void> run(const Program& program, const HostGroup& first, std::uint32_t count, Scratch& scratch) {
  std::array<std::uint64_t, kMostBuffers> counts{};
  const ir::Kernel& kernel = program.kernel();
  for (std::size_t i = 0; i < kernel.memories.size() && kernel.memories[i].space == ir::Space::buffer; ++i)
    counts[i] = std::min(first.buffer_sizes[i] / kernel.memories[i].stride, kMostIndex + 1);
  COLLET_TRY(room, scratch.room(program.whole().scratch_bytes));
  Frame frame{.buffers = first.buffers,
              .counts = counts.data(),
              .constants = first.constants,
              .scratch = room,
              .group = first.id,
              .count = first.count};
  for (std::size_t d = 0; d < 3; ++d)
    frame.extent[d] = static_cast<std::uint32_t>(std::min(first.extent[d], kMostIndex));

  // Groups are whole up to the first that reaches beyond the grid along x, if the row is whole along y and z.
  const bool row = existing(first, 1) == first.size[1] && existing(first, 2) == first.size[2];
  const std::uint64_t inside = first.extent[0] / first.size[0];  // whole groups along x
  const std::uint64_t left = inside > first.id[0] ? inside - first.id[0] : 0;
  frame.groups = row ? static_cast<std::uint32_t>(std::min<std::uint64_t>(left, count)) : 0;
  if (frame.groups != 0) program.whole().code->entry()(&frame);

  HostGroup group = first;
  for (std::uint32_t i = frame.groups; i < count; ++i) {
    group.id[0] = first.id[0] + i;
    Frame one = frame;
    one.group = group.id;
    one.groups = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) one.exists[axis] = existing(group, program.axes()[axis]);
    if (std::ranges::count(one.exists, 0u) != 0) continue;
    const Result<Runnable>& partial = program.partial();
    if (!partial) return partial.error();
    COLLET_TRY(enough, scratch.room(partial->scratch_bytes));
    one.scratch = enough;
    partial->code->entry()(&one);
  }
  return {};
}

}  // namespace collet::backend::cpu::native
