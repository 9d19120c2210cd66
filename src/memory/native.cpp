// Native allocations: the driver calls, and the limit on their number.

#include "memory/native.hpp"

#include <algorithm>
#include <string>

#include "platform/address_space.hpp"

namespace collet::memory {
namespace {

// What is left to drivers, whose compilers end the process where they get no memory: PoCL's takes 125 MiB for
// a small kernel.
constexpr std::uint64_t kReserve = std::uint64_t{256} << 20;

// An error where the process may not map `size` bytes more and leave the drivers their part.
Result<void> check_address_space(std::uint64_t size) {
  const auto space = platform::address_space();
  if (!space) return {};
  const std::uint64_t reserve = std::min(kReserve, space->limit / 4);
  const std::uint64_t kept = std::min(space->used + reserve, space->limit);
  if (size <= space->limit - kept) return {};
  return Error(ErrorCode::out_of_memory, Category::memory, Cause::allocation_failed,
               std::to_string(size) +
                   " bytes do not fit into the address space of this process: its limit is " +
                   std::to_string(space->limit) + " bytes, of which " + std::to_string(space->used) +
                   " are used and " + std::to_string(reserve) + " are left to drivers.")
      .with_hint("Raise the limit (ulimit -v), or ask for less.");
}

}  // namespace

// Counted before the driver is asked, so that threads side by side do not pass the limit together.
bool Source::take_bytes(std::uint64_t size) {
  std::uint64_t reserved = reserved_.load(std::memory_order_relaxed);
  do {
    if (setup_.limit != 0 && (reserved > setup_.limit || size > setup_.limit - reserved)) return false;
  } while (!reserved_.compare_exchange_weak(reserved, reserved + size, std::memory_order_relaxed));
  return true;
}

bool Source::take_one(std::uint64_t limit) {
  std::uint64_t live = count();
  do {
    if (limit != 0 && live >= limit) return false;
  } while (!count_.compare_exchange_weak(live, live + 1, std::memory_order_relaxed));
  return true;
}

Result<std::unique_ptr<Native>> Source::create(std::uint64_t size, backend::Placement placement,
                                               std::string_view label) {
  COLLET_CHECK(check_address_space(size));
  const std::uint64_t limit = device_.caps().max_allocations;
  if (!take_one(limit)) {
    return Error(ErrorCode::out_of_memory, Category::memory, Cause::allocation_failed,
                 device_.info().name + " allows at most " + std::to_string(limit) +
                     " native allocations at once, and as many are live (" + std::to_string(count()) +
                     "); one more of " + std::to_string(size) + " bytes is needed.");
  }
  if (!take_bytes(size)) {
    count_.fetch_sub(1, std::memory_order_relaxed);
    return Error(ErrorCode::out_of_memory, Category::memory, Cause::allocation_failed,
                 (setup_.name.empty() ? "The device's pool" : setup_.name) + " may take " +
                     std::to_string(setup_.limit) + " bytes of " + device_.info().name + " and has taken " +
                     std::to_string(reserved_.load()) + "; " + std::to_string(size) + " more are needed.")
        .with_hint("Raise MemoryOptions::limit, or drop buffers first.");
  }
  auto made = device_.create_memory({.size = size, .placement = placement, .label = label});
  if (!made) {
    count_.fetch_sub(1, std::memory_order_relaxed);
    reserved_.fetch_sub(size, std::memory_order_relaxed);
    return made.error();
  }
  created_.fetch_add(1, std::memory_order_relaxed);
  raise(most_reserved_, reserved_.load(std::memory_order_relaxed));
  trace({.kind = MemoryEvent::Kind::reserved, .bytes = size, .label = label, .memory = made->memory.id});
  auto native = std::make_unique<Native>();
  native->allocation = *made;
  native->size = size;
  return native;
}

void Source::destroy(std::unique_ptr<Native> native) {
  trace({.kind = MemoryEvent::Kind::returned, .bytes = native->size, .memory = native->allocation.memory.id});
  device_.destroy_memory(native->allocation.memory);
  reserved_.fetch_sub(native->size, std::memory_order_relaxed);
  count_.fetch_sub(1, std::memory_order_relaxed);
}

void Source::add_to(MemoryUsage& usage) const {
  const auto read = [](const std::atomic<std::uint64_t>& one) { return one.load(std::memory_order_relaxed); };
  usage.limit = setup_.limit;
  usage.reserved += read(reserved_);
  usage.used += read(used_);
  usage.blocks += read(count_);
  usage.most_reserved += read(most_reserved_);
  usage.most_used += read(most_used_);
  usage.native_allocations += read(created_);
  usage.refusals += read(refusals_);
}

}  // namespace collet::memory
