// Buffers: made zeroed, given back when nothing uses them.

#include "collet/buffer.hpp"

#include <cstring>

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

}  // namespace collet::detail
