// Buffers: made zeroed, given back when nothing uses them.

#include "collet/buffer.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/checked.hpp"
#include "core/buffer_state.hpp"

namespace collet::detail {

BufferState::~BufferState() {
  if (block.memory.id == 0) return;
  if (ready == 0) {
    device->pool.free(block);
  } else {
    device->initialiser.free(block, ready);
  }
}

void BufferState::dispose() noexcept {
  if (!device->is_abandoned()) delete this;
}

std::string BufferState::name() const { return label.empty() ? "[Buffer]" : "[Buffer \"" + label + "\"]"; }

Result<Ref<BufferState>> make_buffer(const Ref<DeviceState>& device, std::uint64_t bytes,
                                     backend::Placement placement, BufferOptions options) {
  const auto failed = [&](const Error& error) {
    const std::string where = device->is_moved_from() ? "" : " on " + device->facts->name;
    return error.during("making [Buffer \"" + options.label + "\"] of " + std::to_string(bytes) + " bytes" +
                        where);
  };
  if (auto usable = device->usable(); !usable) return failed(usable.error());
  memory::Block block;
  if (bytes != 0) {
    auto allocated = device->pool.allocate(bytes, placement, options.label);
    if (!allocated) return failed(allocated.error());
    block = *allocated;
  }
  Ref<BufferState> buffer(new BufferState(device, block, bytes, std::move(options.label)));
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
