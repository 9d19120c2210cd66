// Which bytes are allocated.

#include "memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "abi.hpp"
#include "fault.hpp"
#include "faults.hpp"

namespace collet::cuda_double {
namespace {

constexpr u64 kGuard = 64 * 1024;
constexpr u64 kFilled = 1 << 20;

const Memory::Range* find(const Memory::Ranges& ranges, u64 address) {
  auto after = std::ranges::upper_bound(ranges, address, {}, &Memory::Range::begin);
  return after == ranges.begin() ? nullptr : &*std::prev(after);
}

bool is_in(const Memory::Range& range, u64 address, u64 size) {
  return address - range.begin <= range.size && size <= range.size - (address - range.begin);
}

bool is_open(const Memory::Range& range, int device) {
  return device == kEveryDevice || range.device == kEveryDevice || range.device == device ||
         Memory::instance().peer_allowed(device, range.device);
}

}  // namespace

// Leaked: threads of streams may outlive main().
Memory& Memory::instance() {
  static auto* memory = new Memory;
  return *memory;
}

int Memory::allocate(Kind kind, int device, u64 size, u64& address) {
  if (size == 0) return kErrorInvalidValue;
  if (size > u64{1} << 46) return kErrorOutOfMemory;
  const std::lock_guard lock(mutex_);
  if (kind == Kind::device &&
      size > memory_limit() - std::min(memory_limit(), used_[static_cast<std::size_t>(device)])) {
    return kErrorOutOfMemory;
  }
  const u64 mapped = (size + 4095) / 4096 * 4096 + 2 * kGuard;
  void* block =
      mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (block == MAP_FAILED) return kErrorOutOfMemory;
  address = reinterpret_cast<std::uintptr_t>(block) + kGuard;
  if (kind == Kind::device) {
    std::memset(reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)), 0xcd, std::min(size, kFilled));
    used_[static_cast<std::size_t>(device)] += size;
  }
  blocks_[address] = {block, mapped};
  return add_locked({address, size, kind == Kind::host ? kEveryDevice : device, kind, device});
}

int Memory::free(Kind kind, u64 address) {
  const std::lock_guard lock(mutex_);
  const auto block = blocks_.find(address);
  const auto range = map_.find(address);
  if (block == blocks_.end() || (range != map_.end() && range->second.kind != kind))
    return kErrorInvalidValue;
  if (range != map_.end()) {
    if (kind == Kind::device) used_[static_cast<std::size_t>(range->second.device)] -= range->second.size;
    map_.erase(range);
  }
  munmap(block->second.first, block->second.second);
  blocks_.erase(block);
  snapshot_.reset();
  ++generation_;
  return kSuccess;
}

int Memory::add_locked(const Range& range) {
  const auto after = map_.lower_bound(range.begin);
  if (after != map_.end() && after->first < range.begin + range.size)
    return kErrorHostMemoryAlreadyRegistered;
  if (after != map_.begin()) {
    const Range& before = std::prev(after)->second;
    if (range.begin < before.begin + before.size) return kErrorHostMemoryAlreadyRegistered;
  }
  map_[range.begin] = range;
  snapshot_.reset();
  ++generation_;
  return kSuccess;
}

int Memory::add(const Range& range) {
  const std::lock_guard lock(mutex_);
  return add_locked(range);
}

int Memory::remove(Kind kind, u64 address) {
  const std::lock_guard lock(mutex_);
  const auto range = map_.find(address);
  if (range == map_.end() || range->second.kind != kind) return kErrorHostMemoryNotRegistered;
  map_.erase(range);
  snapshot_.reset();
  ++generation_;
  return kSuccess;
}

void Memory::free_all(int device) {
  const auto all = ranges();
  for (const Range& range : *all) {
    if (range.owner != device) continue;
    if (range.kind == Kind::registered) {
      remove(range.kind, range.begin);
    } else if (range.kind != Kind::module) {
      free(range.kind, range.begin);
    }
  }
}

std::shared_ptr<const Memory::Ranges> Memory::ranges() {
  const std::lock_guard lock(mutex_);
  if (!snapshot_) {
    auto ranges = std::make_shared<Ranges>();
    ranges->reserve(map_.size());
    for (const auto& [begin, range] : map_) ranges->push_back(range);
    snapshot_ = std::move(ranges);
  }
  return snapshot_;
}

bool Memory::holds(u64 address, u64 size, int device) {
  if (size == 0) return true;
  const auto all = ranges();
  const Range* range = find(*all, address);
  return range != nullptr && is_in(*range, address, size) && is_open(*range, device);
}

u64 Memory::used(int device) {
  const std::lock_guard lock(mutex_);
  return used_[static_cast<std::size_t>(device)];
}

std::size_t Memory::count() {
  const auto all = ranges();
  return static_cast<std::size_t>(
      std::ranges::count_if(*all, [](const Range& range) { return range.kind != Kind::module; }));
}

void Memory::allow_peer(int from, int to) { peers_[static_cast<std::size_t>(from)].fetch_or(1U << to); }

u8* AddressCache::search(u64 address, u32 size) {
  const auto say = [&](const char* what) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
    return "Access of " + std::to_string(size) + " bytes at " + text + " " + what;
  };
  if ((address & (size - 1)) != 0) throw Fault{kErrorMisalignedAddress, say("is not aligned.")};
  for (int attempt = 0; attempt < 2; ++attempt) {
    const u64 now = Memory::instance().generation();
    if (generation_ != now) {
      generation_ = now;
      ranges_ = Memory::instance().ranges();
      entries_ = {};
    }
    const Memory::Range* range = find(*ranges_, address);
    if (range != nullptr && is_in(*range, address, size) && is_open(*range, device_)) {
      entries_[next_++ % entries_.size()] = {range->begin, range->size};
      return reinterpret_cast<u8*>(static_cast<std::uintptr_t>(address));
    }
  }
  throw Fault{kErrorIllegalAddress, say("which no live allocation holds.")};
}

}  // namespace collet::cuda_double
