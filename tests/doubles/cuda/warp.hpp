// 32 threads that take the same instructions as long as they agree where to go.
//
// Each thread has a place of its own in the program. The threads at the lowest instruction of the innermost
// function go first, so that those that left a loop or took the shorter branch wait for the others where the
// paths meet again. Threads that made the others wait for kPatience instructions let them go ahead: they may
// be waiting for what the others would do.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "numbers.hpp"
#include "ptx_program.hpp"

namespace collet::cuda_double {

class Block;

// One call of a function by some lanes of a warp.
struct Frame {
  const Function* function = nullptr;
  Frame* caller = nullptr;
  const CallSite* site = nullptr;  // in the caller
  u32 return_to = 0;
  u32 depth = 0;
  Lanes lanes = 0;  // that have not returned from it
  u32 local_base = 0;
  std::vector<u64> registers;  // kWarpSize of each
  std::vector<Lanes> predicates;
  std::vector<u8> parameters;  // of each lane, one lane after the other
};

// Threads: one at a time.
class Warp {
 public:
  Warp(Block& block, unsigned index, Lanes lanes);
  Warp(const Warp&) = delete;

  // Runs about `budget` instructions, fewer where all lanes have to wait or ended. Returns how many made
  // progress. Throws Fault.
  u64 run(u64 budget);
  bool is_finished() const { return alive_ == 0; }
  Lanes alive() const { return alive_; }
  // Ends their wait for a barrier.
  void release(Lanes lanes) { blocked_ &= ~lanes; }

  // What follows is for handlers.

  Block& block() { return *block_; }
  unsigned index() const { return index_; }
  Frame& frame() { return *frame_; }
  const u64* read(Operand operand) const {
    return operand >= 0 ? registers_ + static_cast<std::size_t>(operand) * kWarpSize
                        : constants_ + static_cast<std::size_t>(~operand) * kWarpSize;
  }
  u64* write(Operand operand) { return registers_ + static_cast<std::size_t>(operand) * kWarpSize; }
  // Of a predicate; ~0 is false, ~1 is true.
  Lanes predicate(Operand operand) const {
    return operand >= 0 ? predicates_[operand] : operand == ~0 ? 0 : kAllLanes;
  }
  void set_predicate(Operand operand, Lanes lanes, Lanes values) {
    if (operand == kNoOperand) return;
    predicates_[operand] = (predicates_[operand] & ~lanes) | (values & lanes);
  }

  Lanes active() const { return active_; }
  void jump(Lanes lanes, u32 target);
  void exit(Lanes lanes);
  void call(Lanes lanes, u32 function, const CallSite& site);
  // Like call() for `some` of the lanes; the others do this instruction later.
  void call_some(Lanes lanes, Lanes some, u32 function, const CallSite& site);
  void return_from_call(Lanes lanes);
  // The lanes wait behind this instruction until release().
  void block_lanes(Lanes lanes);
  // Which of the lanes, and of those that waited at this instruction, can do it now: those whose mask (the
  // register `masks`) names nobody who is still elsewhere. The others wait here.
  Lanes meet(Lanes lanes, Operand masks);
  // Ends the turn, so that others run.
  void rest() { resting_ = true; }
  // The bytes of a lane's local memory; nullptr where there are none.
  u8* local(unsigned lane, u64 address, u32 size);
  u8* parameters(unsigned lane) {
    return frame_->parameters.data() + static_cast<std::size_t>(lane) * frame_->function->parameter_space;
  }
  std::array<u8, kWarpSize> carry{};  // of .cc

 private:
  static constexpr u64 kPatience = 1'000'000;
  static constexpr u32 kMostLocalBytes = 512 * 1024;

  void enter(Frame& frame);
  void start(Frame& frame);
  Frame* new_frame(const Function& function);
  void leave(Frame& frame, Lanes lanes);
  void store_places();
  bool choose();
  u64 run_group(u64 most);

  Block* block_;
  unsigned index_;
  Lanes alive_, blocked_ = 0,
                gathering_ = 0;          // blocked by a barrier; at an instruction that others must reach
  std::array<u32, kWarpSize> places_{};  // of lanes that are not active
  std::array<Frame*, kWarpSize> frames_{};

  // The lanes that run.
  Lanes active_ = 0, waiting_ = 0;  // waiting_ could run but don't
  Frame* frame_ = nullptr;
  u64* registers_ = nullptr;
  const u64* constants_ = nullptr;
  Lanes* predicates_ = nullptr;
  u32 place_ = 0, limit_ = 0;  // at limit_ other lanes wait
  bool regroup_ = false, resting_ = false, rotate_ = false;
  u64 turn_ = 0, idle_ = 0;
  unsigned last_ = 0;

  std::vector<std::unique_ptr<Frame>> owned_;
  std::vector<Frame*> free_;
  std::vector<u8> local_;
  u32 local_stride_ = 0;
};

}  // namespace collet::cuda_double
