// One submission, while it is gathered and while it is in flight.
#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "collet/backend.hpp"
#include "collet/detail/ref.hpp"
#include "collet/receipt.hpp"
#include "core/arena.hpp"
#include "core/messages.hpp"

namespace collet::core {

// Once the device has written `from`, `size` bytes of it, from `mapped` on, go to the caller's `to`.
struct HostRead {
  backend::Slice from;  // no memory: the device wrote to the caller's itself
  const std::byte* mapped = nullptr;
  std::byte* to = nullptr;
  std::uint64_t size = 0;
};

// A word that a kernel made 1 where the driver cut one of its loops.
struct LoopWatch {
  backend::Slice slice;
  const std::byte* mapped = nullptr;
  const KernelFacts* kernel = nullptr;           // of one that is kept alive
  detail::Ref<detail::BufferState> buffer = {};  // where the host can't reach what the device writes
};

// Recycled: clear() keeps the memory. Threads: its stream's lock.
struct Batch {
  Batch() = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch() { clear(); }

  std::vector<backend::Command> commands;
  std::vector<backend::Point> waits;
  Arena arena;                                            // what the commands' spans point to
  std::vector<const detail::Counted*> keep;               // alive until the device is done
  std::vector<HostRead> reads;                            // to copy when it is done
  std::vector<LoopWatch> watches;                         // to check then
  std::vector<MessageRead> messages;                      // to tell then
  std::vector<detail::Ref<detail::EventState>> blockers;  // must be done before it may be submitted
  std::function<Result<void>()> host_call;  // runs on the host in its place, once all before it is done
  std::uint64_t value = 0;
  bool borrows = false;  // reads or writes the caller's memory

  bool empty() const { return commands.empty() && waits.empty() && blockers.empty() && !host_call; }

  void keep_alive(const detail::Counted* object) {
    object->retain();
    keep.push_back(object);
  }

  void clear() {
    for (const detail::Counted* object : keep) object->release();
    keep.clear();
    commands.clear();
    arena.reset();
    value = 0;
    if (!reads.empty()) reads.clear();
    if (!watches.empty()) watches.clear();
    if (!messages.empty()) messages.clear();
    if (!waits.empty()) waits.clear();
    if (!blockers.empty()) blockers.clear();
    if (host_call) host_call = nullptr;
    borrows = false;
  }
};

}  // namespace collet::core
