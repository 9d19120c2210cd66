// Native allocations of one device: what the pool cuts up, and the counted door to the driver.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "collet/backend.hpp"
#include "memory/pool.hpp"
#include "memory/tlsf.hpp"

namespace collet::memory {

struct Native;

struct Link {
  Native* before = nullptr;
  Native* after = nullptr;
};

// One native allocation. Belongs to one Heap, whose lock guards it.
struct Native {
  backend::Allocation allocation;
  std::uint64_t size = 0;
  std::uint64_t touched = 0;   // bytes from here on were never handed out
  std::optional<Tlsf> ranges;  // none: it serves one Block at a time
  std::size_t position = 0;    // in the heap's list of all
  std::uint32_t bin = 0;       // the list that by_size is linked into
  Link by_size;
  Link by_age;
};

// A list through the natives themselves, so that joining and leaving it costs no allocation.
template <Link Native::* kLink>
class Chain {
 public:
  Native* front() const { return front_; }
  Native* back() const { return back_; }
  static Native* after(const Native* native) { return (native->*kLink).after; }

  void push_front(Native* native) {
    native->*kLink = {nullptr, front_};
    (front_ != nullptr ? (front_->*kLink).before : back_) = native;
    front_ = native;
  }

  void remove(Native* native) {
    const Link link = native->*kLink;
    (link.before != nullptr ? (link.before->*kLink).after : front_) = link.after;
    (link.after != nullptr ? (link.after->*kLink).before : back_) = link.before;
  }

 private:
  Native* front_ = nullptr;
  Native* back_ = nullptr;
};

// Asks the device for memory and gives it back, and counts what the pool has and uses. Threads: thread-safe.
class Source {
 public:
  Source(backend::Device& device, PoolSetup setup) : device_(device), setup_(std::move(setup)) {}

  // A named error instead of a driver call where Caps::max_allocations are live (0 there: no limit is known),
  // where the pool's limit would be passed, and where the address space of the process has no room (ulimit
  // -v): drivers end the process then.
  Result<std::unique_ptr<Native>> create(std::uint64_t size, backend::Placement placement,
                                         std::string_view label);
  void destroy(std::unique_ptr<Native> native);

  void trace(const MemoryEvent& event) const {
    if (setup_.trace) setup_.trace(event);
  }
  // So many bytes are in use from now on, or no more.
  void use(std::uint64_t bytes) {
    raise(most_used_, used_.fetch_add(bytes, std::memory_order_relaxed) + bytes);
  }
  void unuse(std::uint64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }
  void count_refusal() { refusals_.fetch_add(1, std::memory_order_relaxed); }

  backend::Device& device() const { return device_; }
  const std::string& name() const { return setup_.name; }
  std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }
  void add_to(MemoryUsage& usage) const;

 private:
  bool take_one(std::uint64_t limit);
  bool take_bytes(std::uint64_t size);
  static void raise(std::atomic<std::uint64_t>& most, std::uint64_t to) {
    std::uint64_t known = most.load(std::memory_order_relaxed);
    while (known < to && !most.compare_exchange_weak(known, to, std::memory_order_relaxed)) {
    }
  }

  backend::Device& device_;
  const PoolSetup setup_;
  std::atomic<std::uint64_t> reserved_{0}, most_reserved_{0};
  std::atomic<std::uint64_t> used_{0}, most_used_{0};
  std::atomic<std::uint64_t> count_{0}, created_{0}, refusals_{0};
};

}  // namespace collet::memory
