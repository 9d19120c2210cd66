// The loop around a ring's handler, while it is traced.
#pragma once

#include <cstdint>
#include <functional>

#include "collet/arguments.hpp"
#include "collet/items.hpp"

namespace collet::detail {

// One run of a handler: the slot of its message, and whether it sent a reply.
//
// Threads: the trace's.
class COLLET_API RingRun {
 public:
  RingRun(const Expr<std::uint32_t>& slot, bool alone) : slot_(slot), alone_(alone) {}
  const Expr<std::uint32_t>& slot() const { return slot_; }
  // Traces `store` for the group's first item.
  void send(const std::function<void()>& store);
  Expr<bool> replied() const { return Expr<std::uint32_t>(replied_) != 0u; }

 private:
  Expr<std::uint32_t> slot_;
  bool alone_;
  Var<std::uint32_t> replied_;
};

// How a ring's kernel finds its messages.
struct RingLoop {
  // Messages come while it runs; otherwise there are `most` of them when it begins.
  bool live = true;
  std::uint32_t group = 1;  // items
};

// What a launch passes.
struct RingLaunch {
  Expr<std::uint32_t> first;   // the number of the first message
  Expr<std::uint32_t> most;    // messages that this launch handles
  Expr<std::uint32_t> shift;   // the number of slots is 1 << shift
  Expr<std::uint32_t> linger;  // rounds without a message, one after the other, before the kernel leaves
};

COLLET_API void trace_ring(const RingLoop& loop, const InOut<std::uint32_t>& control,
                           const RingLaunch& launch, const std::function<void(RingRun&)>& handler);

}  // namespace collet::detail
