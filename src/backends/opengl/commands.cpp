#include "backends/opengl/commands.hpp"

#include <algorithm>
#include <cstring>

#include "backends/common/fill.hpp"

namespace collet::backend::opengl {
namespace {

constexpr std::uint64_t kRingBytes = 1 << 20;
constexpr gl::Enum kGpuDisjoint = 0x8FBB;
// Whatever a kernel wrote is there for kernels, copies and the host.
constexpr gl::Bits kBarrier = gl::kStorageBarrier | gl::kBufferUpdateBarrier | gl::kMappedBarrier;

// OpenGL ES fills no buffers.
constexpr std::string_view kFillCode = R"(#version 310 es
layout(local_size_x = 64) in;
layout(std430, binding = 0) writeonly buffer Words { uint words[]; };
layout(std140, binding = 0) uniform Constants { uint first; uint count; uint pattern; uint unused; };
void main() {
  for (uint i = gl_GlobalInvocationID.x; i < count; i += gl_NumWorkGroups.x * 64u) words[first + i] = pattern;
}
)";

const MemoryState& state(Memory memory) { return *reinterpret_cast<const MemoryState*>(memory.id); }

gl::Offset signed_of(std::uint64_t bytes) { return static_cast<gl::Offset>(bytes); }

}  // namespace

Result<void> Commands::prepare() {
  gl_.GenBuffers(1, &ring_);
  gl_.BindBuffer(gl::kUniformBuffer, ring_);
  ring_used_ = kRingBytes;  // so that the first use gives it memory
  return check(gl_, kSubmit);
}

void Commands::delete_discarded() {
  for (const gl::Uint program : native_.discarded.take()) gl_.DeleteProgram(program);
}

void Commands::give_back() {
  delete_discarded();
  gl_.DeleteBuffers(1, &ring_);
  gl_.DeleteQueries(static_cast<gl::Size>(queries_.size()), queries_.data());
  if (fill_.program != 0) gl_.DeleteProgram(fill_.program);
}

Result<void> Commands::look_for_reset() {
  if (!native_.features.reset) return {};
  const gl::Enum status = gl_.GetGraphicsResetStatus();
  return common::check<GlCodes>(status, kSubmit);
}

Result<void> Commands::give(std::span<const Command> commands, InFlight& flight) {
  flight_ = &flight;
  bound_ = 0;
  delete_discarded();
  auto done = look_for_reset();
  if (done) done = give_all(commands);
  // A buffer that stays bound outlives its end.
  for (std::uint32_t i = 0; i < bound_; ++i) gl_.BindBufferBase(gl::kStorageBuffer, i, 0);
  if (bound_ != 0) gl_.UseProgram(0);
  if (done) done = check(gl_, kSubmit);
  if (done) {
    if (std::exchange(unordered_writes_, false)) gl_.MemoryBarrier(kBarrier);
    flight.fence = gl_.FenceSync(gl::kCommandsComplete, 0);
    gl_.Flush();
    if (flight.fence != nullptr) return {};
    done = check(gl_, kSubmit);
    if (done) done = Error(ErrorCode::device_lost, Category::stream, "OpenGL gives no fence.");
  }
  gl_.Finish();
  for (const auto& [slot, query] : flight.stamps) queries_.push_back(query);
  return native_.health.note(done.error());
}

Result<void> Commands::give_all(std::span<const Command> commands) {
  for (const Command& command : commands) {
    if (command.ordered && std::exchange(unordered_writes_, false)) gl_.MemoryBarrier(kBarrier);
    COLLET_CHECK(std::visit(
        [this](const auto& what) -> Result<void> {
          if constexpr (std::is_void_v<decltype(give_one(what))>) {
            give_one(what);
            return {};
          } else {
            return give_one(what);
          }
        },
        command.what));
  }
  return {};
}

Result<bool> Commands::ended(InFlight& flight) {
  const gl::Enum status = gl_.ClientWaitSync(flight.fence, gl::kFlushCommands, 0);
  if (status == gl::kTimeoutExpired) return false;
  if (status == gl::kWaitFailed) return native_.health.note(common::check<GlCodes>(status, kWait).error());
  gl_.DeleteSync(flight.fence);
  gl::Int disjoint = 0;
  if (!flight.stamps.empty() && native_.features.disjoint) gl_.GetIntegerv(kGpuDisjoint, &disjoint);
  for (const auto& [slot, query] : flight.stamps) {
    *slot = 0;
    gl_.GetQueryObjectui64v(query, gl::kQueryResult, slot);
    if (disjoint != 0) *slot = 0;
    queries_.push_back(query);
  }
  return true;
}

void Commands::give_one(const Copy& copy) {
  gl_.BindBuffer(gl::kCopyReadBuffer, state(copy.from.memory).buffer);
  gl_.BindBuffer(gl::kCopyWriteBuffer, state(copy.to.memory).buffer);
  gl_.CopyBufferSubData(gl::kCopyReadBuffer, gl::kCopyWriteBuffer, signed_of(copy.from.offset),
                        signed_of(copy.to.offset), signed_of(copy.to.size));
  gl_.BindBuffer(gl::kCopyReadBuffer, 0);
  gl_.BindBuffer(gl::kCopyWriteBuffer, 0);
}

void Commands::give_one(const Write& write) {
  gl_.BindBuffer(gl::kCopyWriteBuffer, state(write.to.memory).buffer);
  gl_.BufferSubData(gl::kCopyWriteBuffer, signed_of(write.to.offset), signed_of(write.to.size), write.from);
  gl_.BindBuffer(gl::kCopyWriteBuffer, 0);
}

// Waits for what was given so far: only devices without mapped memory read in this way.
Result<void> Commands::give_one(const Read& read) {
  gl_.BindBuffer(gl::kCopyReadBuffer, state(read.from.memory).buffer);
  const void* bytes = gl_.MapBufferRange(gl::kCopyReadBuffer, signed_of(read.from.offset),
                                         signed_of(read.from.size), gl::kMapRead);
  bool whole = false;
  if (bytes != nullptr) {
    std::memcpy(read.to, bytes, read.from.size);
    whole = gl_.UnmapBuffer(gl::kCopyReadBuffer) != 0;
  }
  gl_.BindBuffer(gl::kCopyReadBuffer, 0);
  if (whole) return {};
  COLLET_CHECK(check(gl_, kSubmit));
  return Error(ErrorCode::device_lost, Category::memory, "OpenGL does not give a buffer's bytes back.");
}

Result<void> Commands::give_one(const Fill& fill) {
  if (native_.features.clear) {
    gl_.BindBuffer(gl::kCopyWriteBuffer, state(fill.to.memory).buffer);
    gl_.ClearBufferSubData(gl::kCopyWriteBuffer, gl::kR32Uint, signed_of(fill.to.offset),
                           signed_of(fill.to.size), gl::kRedInteger, gl::kUnsignedInt, &fill.pattern);
    gl_.BindBuffer(gl::kCopyWriteBuffer, 0);
    return {};
  }
  COLLET_TRY(kernel, fill_kernel());
  const common::FillLimits limits{.memory_size = state(fill.to.memory).size,
                                  .max_binding = native_.limits.max_buffer_block,
                                  .alignment = native_.limits.buffer_alignment,
                                  .max_groups = native_.max_groups};
  return common::fill_by_kernel(
      fill, limits, [&](const Slice& slice, const common::FillConstants& constants, std::uint32_t groups) {
        return give_one(Dispatch{.kernel = Kernel{reinterpret_cast<std::uintptr_t>(kernel)},
                                 .groups = {groups, 1, 1},
                                 .slices = {&slice, 1},
                                 .constants = std::as_bytes(std::span(&constants, 1)),
                                 .label = {}});
      });
}

Result<const KernelState*> Commands::fill_kernel() {
  if (fill_.program == 0) {
    std::string log;
    COLLET_TRY(shader, compile_shader(gl_, kFillCode, log));
    auto linked = link_program(gl_, shader);
    gl_.DeleteShader(shader);
    if (!linked) return linked.error();
    fill_ = {.program = *linked, .constants_size = sizeof(common::FillConstants)};
  }
  return &fill_;
}

// A ring whose memory is the driver's to replace while kernels still read the old one.
void Commands::bind_constants(std::span<const std::byte> constants, std::uint32_t size) {
  const std::uint64_t step =
      (size + native_.limits.uniform_alignment - 1) & ~(native_.limits.uniform_alignment - 1);
  if (ring_used_ + step > kRingBytes) {
    gl_.BufferData(gl::kUniformBuffer, signed_of(kRingBytes), nullptr, gl::kStreamDraw);
    ring_used_ = 0;
  }
  gl_.BufferSubData(gl::kUniformBuffer, signed_of(ring_used_), signed_of(constants.size()), constants.data());
  gl_.BindBufferRange(gl::kUniformBuffer, 0, ring_, signed_of(ring_used_), signed_of(size));
  ring_used_ += step;
}

Result<void> Commands::give_one(const Dispatch& dispatch) {
  const auto& kernel = *reinterpret_cast<const KernelState*>(dispatch.kernel.id);
  gl_.UseProgram(kernel.program);
  const auto count = static_cast<std::uint32_t>(dispatch.slices.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const Slice& slice = dispatch.slices[i];
    gl_.BindBufferRange(gl::kStorageBuffer, i, state(slice.memory).buffer, signed_of(slice.offset),
                        signed_of((slice.size + 3) & ~std::uint64_t{3}));
  }
  if (kernel.constants_size != 0) bind_constants(dispatch.constants, kernel.constants_size);
  gl_.DispatchCompute(dispatch.groups[0], dispatch.groups[1], dispatch.groups[2]);
  bound_ = std::max({bound_, count, 1u});
  unordered_writes_ = true;
  return {};
}

void Commands::give_one(const Timestamp& timestamp) {
  if (!native_.features.timer) {
    *timestamp.slot = 0;
    return;
  }
  gl::Uint query = 0;
  if (queries_.empty()) {
    gl_.GenQueries(1, &query);
  } else {
    query = queries_.back();
    queries_.pop_back();
  }
  gl_.QueryCounter(query, gl::kTimestamp);
  flight_->stamps.emplace_back(timestamp.slot, query);
}

}  // namespace collet::backend::opengl
