// Buffers: made zeroed, given back when nothing uses them.

#include "collet/buffer.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "base/checked.hpp"
#include "core/buffer_state.hpp"
#include "core/pool_state.hpp"

namespace collet::detail {

namespace {

constexpr std::uint64_t kMostAlignment = 65'536;

Result<void> check_alignment(std::uint64_t alignment) {
  if (std::has_single_bit(alignment) && alignment <= kMostAlignment) return {};
  return Error(ErrorCode::invalid_argument, Category::memory,
               "An alignment of " + std::to_string(alignment) + " bytes is no power of two up to " +
                   std::to_string(kMostAlignment) + ".");
}

// From the pool, as often as the program finds something to give back.
Result<memory::Block> allocate(memory::Pool& pool, const MemoryOptions& memory, std::uint64_t bytes,
                               backend::Placement placement, const BufferOptions& options) {
  for (;;) {
    auto block = pool.allocate(bytes, placement, options.label, options.alignment);
    if (block || block.error().code() != ErrorCode::out_of_memory || !memory.retry || !memory.retry(bytes))
      return block;
  }
}

}  // namespace

BufferState::BufferState(Ref<DeviceState> owner, memory::Block memory, std::uint64_t size, std::string name,
                         Ref<PoolState> from)
    : device(std::move(owner)), pool(std::move(from)), block(memory), bytes(size), label(std::move(name)) {}

BufferState::~BufferState() {
  if (block.memory.id == 0) return;
  memory::Pool& from = pool ? pool->memory : device->pool;
  if (ready == 0) {
    from.free(block);
  } else {
    device->initialiser.free(from, block, ready);
  }
}

void BufferState::dispose() noexcept {
  if (!device->is_abandoned()) delete this;
}

std::string BufferState::name() const { return label.empty() ? "[Buffer]" : "[Buffer \"" + label + "\"]"; }

Result<Ref<BufferState>> make_buffer(const Ref<DeviceState>& device, std::uint64_t bytes,
                                     backend::Placement placement, BufferOptions options,
                                     const Ref<PoolState>& pool) {
  const auto failed = [&](const Error& error) {
    const std::string where = device->is_moved_from() ? "" : " on " + device->facts->name;
    return error.during("making [Buffer \"" + options.label + "\"] of " + std::to_string(bytes) + " bytes" +
                        where);
  };
  if (auto usable = device->usable(); !usable) return failed(usable.error());
  if (auto valid = check_alignment(options.alignment); !valid) return failed(valid.error());
  memory::Block block;
  if (bytes != 0) {
    auto allocated =
        allocate(pool ? pool->memory : device->pool, pool ? pool->options.memory : device->options.memory,
                 bytes, placement, options);
    if (!allocated) return failed(allocated.error());
    block = *allocated;
  }
  Ref<BufferState> buffer(new BufferState(device, block, bytes, std::move(options.label), pool));
  if (!options.zeroed || bytes == 0 || block.zeroed) return buffer;
  if (block.host != nullptr) {
    std::memset(block.host, 0, block.size);
    COLLET_CHECK(device->native->sync_host_range(
        {block.memory, block.offset, block.size, backend::Access::write}, true));
  } else {
    COLLET_TRY(ready, device->initialiser.zero(block));
    buffer->ready = ready;
  }
  return buffer;
}

Result<std::uint64_t> bytes_of(std::uint64_t count, std::uint32_t element_size) {
  if (const auto bytes = base::checked_mul(count, element_size)) return *bytes;
  return Error(ErrorCode::invalid_argument, Category::memory, Cause::allocation_failed,
               std::to_string(count) + " elements of " + std::to_string(element_size) +
                   " bytes are more than 2^64 bytes.");
}

const std::string& label(const BufferState& buffer) { return buffer.label; }

Range retyped(const Range& range, std::uint32_t element_size) {
  const auto first = base::checked_mul(range.first, range.element_size);
  const auto bytes = base::checked_mul(range.count, range.element_size);
  if (!first || !bytes || *first % element_size != 0 || *bytes % element_size != 0)
    return {range.buffer, kNoElements, kNoElements, element_size};
  return {range.buffer, *first / element_size, *bytes / element_size, element_size};
}

Range shaped(const Range& range, std::span<const std::uint64_t> size, std::span<const std::uint64_t> pitch) {
  const Range none{range.buffer, kNoElements, range.count, range.element_size};
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (std::ranges::any_of(size, [](std::uint64_t one) { return one > kMost; })) return none;
  if (std::ranges::any_of(size, [](std::uint64_t one) { return one == 0; }))
    return {range.buffer, range.first, 0, range.element_size};
  std::uint64_t last = size.back() - 1;  // the number of the last element of the inner dimensions
  for (std::size_t i = pitch.size(); i-- > 0;) {
    if (pitch[i] > kMost || pitch[i] <= last) return none;  // rows would overlap
    last += (size[i] - 1) * pitch[i];
    if (last >= kMost) return none;
  }
  if (last >= range.count) return none;
  return {range.buffer, range.first, last + 1, range.element_size};
}

bool is_inside(const Range& range) {
  return base::range_fits(range.first, range.count, range.element_size, range.buffer->bytes);
}

}  // namespace collet::detail
