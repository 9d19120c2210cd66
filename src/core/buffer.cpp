// Buffers: made zeroed, given back when nothing uses them.

#include "collet/buffer.hpp"

#include <cstring>

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

const std::string& label(const BufferState& buffer) { return buffer.label; }

Range retyped(const Range& range, std::uint32_t element_size) {
  const auto first = base::checked_mul(range.first, range.element_size);
  const auto bytes = base::checked_mul(range.count, range.element_size);
  if (!first || !bytes || *first % element_size != 0 || *bytes % element_size != 0)
    return {range.buffer, kNoElements, kNoElements, element_size};
  return {range.buffer, *first / element_size, *bytes / element_size, element_size};
}

bool is_inside(const Range& range) {
  return base::range_fits(range.first, range.count, range.element_size, range.buffer->bytes);
}

}  // namespace collet::detail
