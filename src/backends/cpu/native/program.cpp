// From a kernel to code, and from a row of groups to calls of it.

#include "backends/cpu/native/program.hpp"

#include <algorithm>
#include <new>

#include "backends/cpu/native/emitter.hpp"
#include "backends/cpu/native/frame.hpp"
#include "kernel/emit/lower.hpp"
#include "kernel/ir/passes.hpp"

namespace collet::backend::cpu::native {
namespace {

constexpr std::align_val_t kAlignment{64};
constexpr std::size_t kMostBuffers = 64;  // as Caps::max_bindings
constexpr std::uint64_t kMostIndex = 0xffffffffu;

struct Written {
  Layout layout;
  std::string text;
};

Result<Written> write(const ir::Kernel& kernel, std::uint32_t width) {
  ir::Kernel plain = emit::lower_vectors(kernel);
  ir::fold(plain);
  ir::compact(plain);
  const interpreter::Shapes shapes = interpreter::find_shapes(plain);
  Written written{.layout = find_layout(plain, shapes, width), .text = {}};
  const std::string uncovered = find_uncovered(plain, shapes, written.layout);
  if (!uncovered.empty() || plain.buffer_count() > kMostBuffers) {
    return Error(ErrorCode::unsupported, Category::compilation, Cause::module_failed,
                 "[Kernel \"" + kernel.name + "\"] has " +
                     (uncovered.empty() ? "more than 64 buffers" : uncovered) +
                     ", which native code does not cover yet.");
  }
  written.text = emit(plain, shapes, written.layout);
  return written;
}

// Items along a dimension that exist.
std::uint32_t existing(const HostGroup& group, std::uint32_t dimension) {
  const std::uint64_t first = std::uint64_t{group.id[dimension]} * group.size[dimension];
  const std::uint64_t left = group.extent[dimension] > first ? group.extent[dimension] - first : 0;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(left, group.size[dimension]));
}

}  // namespace

Result<std::string> write_text(const ir::Kernel& kernel, std::uint32_t width) {
  COLLET_TRY(written, write(kernel, width));
  return std::move(written.text);
}

Result<std::shared_ptr<const Program>> compile(const ir::Kernel& kernel, Level level) {
  COLLET_TRY(llvm, load_llvm());
  const Machine machine = find_machine(*llvm, level);
  COLLET_TRY(written, write(kernel, machine.width));
  COLLET_TRY(code, Code::compile(*llvm, machine, written.text));
  auto program = std::make_shared<Program>();
  program->axes = written.layout.axes;
  program->group_bytes = written.layout.group_bytes;
  for (std::uint32_t i = 0; i < kernel.buffer_count(); ++i)
    program->strides.push_back(kernel.memories[i].stride);
  program->code = std::move(code);
  return std::shared_ptr<const Program>(std::move(program));
}

void Scratch::Free::operator()(std::byte* memory) const { ::operator delete[](memory, kAlignment); }

std::byte* Scratch::room(std::uint64_t bytes) {
  if (bytes > size_) {
    bytes_.reset();
    size_ = 0;
    bytes_.reset(static_cast<std::byte*>(::operator new[](bytes, kAlignment)));
    size_ = bytes;
  }
  return bytes_.get();
}

void run(const Program& program, const HostGroup& first, std::uint32_t count, Scratch& scratch) {
  std::array<std::uint64_t, kMostBuffers> counts{};
  for (std::size_t i = 0; i < program.strides.size(); ++i)
    counts[i] = std::min(first.buffer_sizes[i] / program.strides[i], kMostIndex + 1);
  Frame frame{.buffers = first.buffers,
              .counts = counts.data(),
              .constants = first.constants,
              .scratch = scratch.room(program.group_bytes),
              .group = first.id,
              .count = first.count};
  for (std::size_t d = 0; d < 3; ++d)
    frame.extent[d] = static_cast<std::uint32_t>(std::min(first.extent[d], kMostIndex));

  // Groups are whole up to the first that reaches beyond the grid along x, if the row is whole along y and z.
  const bool row = existing(first, 1) == first.size[1] && existing(first, 2) == first.size[2];
  const std::uint64_t inside = first.extent[0] / first.size[0];  // whole groups along x
  const std::uint64_t left = inside > first.id[0] ? inside - first.id[0] : 0;
  frame.groups = row ? static_cast<std::uint32_t>(std::min<std::uint64_t>(left, count)) : 0;
  if (frame.groups != 0) program.code->whole()(&frame);

  HostGroup group = first;
  for (std::uint32_t i = frame.groups; i < count; ++i) {
    group.id[0] = first.id[0] + i;
    Frame one = frame;
    one.group = group.id;
    one.groups = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) one.exists[axis] = existing(group, program.axes[axis]);
    if (std::ranges::count(one.exists, 0u) == 0) program.code->partial()(&one);
  }
}

}  // namespace collet::backend::cpu::native
