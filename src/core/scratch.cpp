// Scratch: memory that a stream's work uses in between, and that its next work uses again.

#include "collet/scratch.hpp"

#include <algorithm>
#include <numeric>

#include "base/checked.hpp"
#include "core/scratch_state.hpp"

namespace collet::detail {
namespace {

constexpr std::uint64_t kFirstChunk = 64 << 10;

}  // namespace

ScratchState::ScratchState(Ref<DeviceState> owner) : device(std::move(owner)) { device->add_scratch(this); }

ScratchState::~ScratchState() { device->remove_scratch(this); }

void ScratchState::dispose() noexcept {
  if (!device->is_abandoned()) delete this;
}

void ScratchState::begin() {
  const std::lock_guard lock(mutex_);
  ++live_;
}

void ScratchState::end() {
  {
    const std::lock_guard lock(mutex_);
    if (--live_ != 0) return;
    for (Chunk& chunk : chunks_) chunk.taken = 0;
    if (!closed_) return;
  }
  release_idle();
}

void ScratchState::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  release_idle();
}

void ScratchState::release_idle() {
  std::vector<Chunk> idle;  // dropped without the lock
  const std::lock_guard lock(mutex_);
  const auto first = std::ranges::partition(chunks_, [](const Chunk& chunk) { return chunk.taken != 0; });
  std::ranges::move(first, std::back_inserter(idle));
  chunks_.erase(first.begin(), first.end());
}

std::optional<Range> ScratchState::cut_locked(std::uint64_t bytes, std::uint64_t count,
                                              std::uint32_t element_size) {
  const backend::Caps& caps = device->caps;
  const std::uint64_t alignment = std::max({caps.offset_alignment, caps.copy_alignment, 64u});
  // A view counts in elements from the beginning of its buffer.
  const std::uint64_t step = std::lcm(alignment, std::uint64_t{element_size});
  for (Chunk& chunk : chunks_) {
    const std::uint64_t begin = (chunk.taken + step - 1) / step * step;
    // Without mixed_access, a kernel may not read one part and write another.
    if (chunk.taken != 0 && !caps.mixed_access) continue;
    if (begin > chunk.memory->bytes || bytes > chunk.memory->bytes - begin) continue;
    chunk.taken = begin + bytes;
    return Range{chunk.memory.get(), begin / element_size, count, element_size};
  }
  return std::nullopt;
}

// `wanted` bytes so that later takes have room, or at least `bytes`.
Result<Ref<BufferState>> ScratchState::make_chunk(std::uint64_t bytes, std::uint64_t wanted) const {
  const auto make = [&](std::uint64_t size) {
    return make_buffer(device, size, backend::Placement::device, {.label = "scratch", .zeroed = false});
  };
  if (wanted <= bytes) return make(bytes);
  auto roomy = make(wanted);
  if (roomy || roomy.error().code() != ErrorCode::out_of_memory) return roomy;
  return make(bytes);
}

Result<Range> ScratchState::take(std::uint64_t count, std::uint32_t element_size) {
  COLLET_TRY(asked, bytes_of(count, element_size));
  const std::uint64_t bytes = std::max<std::uint64_t>(asked, 1);
  std::uint64_t kept = 0;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) {
      return Error(
          ErrorCode::invalid_argument, Category::memory,
          "Scratch memory of " + std::to_string(asked) + " bytes is asked for, and its stream is gone.");
    }
    if (const auto range = cut_locked(bytes, count, element_size)) return *range;
    for (const Chunk& chunk : chunks_) kept += chunk.memory->bytes;
  }
  // Without the lock: where memory runs out, idle scratch memory is given back.
  COLLET_TRY(memory, make_chunk(bytes, device->caps.mixed_access ? std::max(kept, kFirstChunk) : bytes));
  const std::lock_guard lock(mutex_);
  chunks_.push_back({.memory = std::move(memory), .taken = bytes});
  return Range{chunks_.back().memory.get(), 0, count, element_size};
}

}  // namespace collet::detail

namespace collet {

Scratch::Scratch(detail::Ref<detail::ScratchState> state) : state_(std::move(state)) { state_->begin(); }
Scratch::Scratch(Scratch&& other) noexcept = default;
Scratch& Scratch::operator=(Scratch&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}
Scratch::~Scratch() {
  if (state_) state_->end();
}

Result<detail::Range> Scratch::take_range(std::uint64_t count, std::uint32_t element_size) {
  if (!state_)
    return Error(ErrorCode::invalid_argument, Category::memory, "The Scratch was moved from.")
        .with_hint("Use the Scratch that it was moved to.");
  return state_->take(count, element_size);
}

}  // namespace collet
