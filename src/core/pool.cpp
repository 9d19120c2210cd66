// Pools that programs make.

#include "collet/pool.hpp"

#include "base/checked.hpp"
#include "core/buffer_state.hpp"
#include "core/pool_state.hpp"

namespace collet::detail {

PoolState::PoolState(Ref<DeviceState> owner, PoolOptions asked)
    : device(std::move(owner)),
      options(std::move(asked)),
      memory(device->pool, {.name = options.label.empty() ? "[Pool]" : "[Pool \"" + options.label + "\"]",
                            .limit = options.memory.limit,
                            .trace = options.memory.trace,
                            .reclaim = [this] { device->reclaim(); }}) {
  device->add_pool(this);  // last: from here on other threads may see it
}

PoolState::~PoolState() {
  device->remove_pool(this);
  device->initialiser.finish(memory);
}

void PoolState::dispose() noexcept {
  if (!device->is_abandoned()) delete this;
}

}  // namespace collet::detail

namespace collet {

Pool::Pool(const Device& device, PoolOptions options)
    : state_(detail::Ref(new detail::PoolState(device.state(), std::move(options)))) {}
Pool::Pool(const Device& device, std::uint64_t limit)
    : Pool(device, PoolOptions{.label = {}, .memory = {.limit = limit}}) {}
Pool::Pool(const Pool&) = default;
Pool::Pool(Pool&&) noexcept = default;
Pool& Pool::operator=(const Pool&) = default;
Pool& Pool::operator=(Pool&&) noexcept = default;
Pool::~Pool() = default;

Result<detail::Ref<detail::BufferState>> Pool::make_buffer(std::uint64_t count, std::uint32_t element_size,
                                                           BufferOptions options) const {
  COLLET_TRY(bytes, detail::bytes_of(count, element_size));
  return detail::make_buffer(state_->device, bytes, backend::Placement::device, std::move(options), state_);
}

MemoryUsage Pool::usage() const {
  if (state_->device->is_abandoned()) return {};
  state_->device->initialiser.collect();
  return state_->memory.usage();
}

void Pool::trim() const {
  if (state_->device->is_abandoned()) return;
  state_->device->initialiser.collect();
  state_->memory.trim();
}

const std::string& Pool::label() const { return state_->options.label; }

double MemoryUsage::reuse() const {
  if (allocations == 0) return 0;
  const double fresh = static_cast<double>(native_allocations) / static_cast<double>(allocations);
  return fresh < 1 ? 1 - fresh : 0;
}

double MemoryUsage::fragmentation() const {
  return reserved == 0 ? 0 : static_cast<double>(scattered) / static_cast<double>(reserved);
}

}  // namespace collet
