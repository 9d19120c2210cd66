// Native allocations: the driver calls, and the limit on their number.

#include "memory/native.hpp"

#include <string>

namespace collet::memory {

bool Source::take_one(std::uint64_t limit) {
  std::uint64_t live = count();
  do {
    if (limit != 0 && live >= limit) return false;
  } while (!count_.compare_exchange_weak(live, live + 1, std::memory_order_relaxed));
  return true;
}

Result<std::unique_ptr<Native>> Source::create(std::uint64_t size, backend::Placement placement,
                                               std::string_view label) {
  const std::uint64_t limit = device_.caps().max_allocations;
  if (!take_one(limit)) {
    return Error(ErrorCode::out_of_memory, Category::memory, Cause::allocation_failed,
                 device_.info().name + " allows at most " + std::to_string(limit) +
                     " native allocations at once, and as many are live (" + std::to_string(count()) +
                     "); one more of " + std::to_string(size) + " bytes is needed.");
  }
  auto made = device_.create_memory({.size = size, .placement = placement, .label = label});
  if (!made) {
    count_.fetch_sub(1, std::memory_order_relaxed);
    return made.error();
  }
  reserved_.fetch_add(size, std::memory_order_relaxed);
  auto native = std::make_unique<Native>();
  native->allocation = *made;
  native->size = size;
  return native;
}

void Source::destroy(std::unique_ptr<Native> native) {
  device_.destroy_memory(native->allocation.memory);
  reserved_.fetch_sub(native->size, std::memory_order_relaxed);
  count_.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace collet::memory
