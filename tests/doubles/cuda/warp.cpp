// 32 threads: which of them run next, and calls.

#include "warp.hpp"

#include <algorithm>
#include <string>

#include "abi.hpp"
#include "block.hpp"
#include "fault.hpp"

namespace collet::cuda_double {

Warp::Warp(Block& block, unsigned index, Lanes lanes) : block_(&block), index_(index), alive_(lanes) {
  Frame* frame = new_frame(block.kernel());
  frame->lanes = lanes;
  start(*frame);
  frames_.fill(frame);
}

Frame* Warp::new_frame(const Function& function) {
  if (free_.empty()) {
    owned_.push_back(std::make_unique<Frame>());
    free_.push_back(owned_.back().get());
  }
  Frame* frame = free_.back();
  free_.pop_back();
  frame->function = &function;
  frame->caller = nullptr;
  frame->site = nullptr;
  frame->depth = 0;
  frame->local_base = 0;
  frame->registers.resize(static_cast<std::size_t>(function.registers) * kWarpSize);
  frame->predicates.resize(function.predicates);
  frame->parameters.resize(static_cast<std::size_t>(function.parameter_space) * kWarpSize);
  return frame;
}

// Local memory and what hidden registers hold.
void Warp::start(Frame& frame) {
  const u32 needed = (frame.local_base + frame.function->local_bytes + 15) / 16 * 16;
  if (needed > kMostLocalBytes) throw Fault{kErrorLaunchFailed, "The stack of a thread overflowed."};
  if (needed > local_stride_) {
    std::vector<u8> larger(static_cast<std::size_t>(needed) * kWarpSize);
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
      std::copy_n(local_.data() + lane * local_stride_, local_stride_, larger.data() + lane * needed);
    }
    local_ = std::move(larger);
    local_stride_ = needed;
  }
  for (const SpecialRegister& special : frame.function->specials) {
    u64* registers = frame.registers.data() + static_cast<std::size_t>(special.destination) * kWarpSize;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const u64 value = special.special == Special::local_address
                            ? frame.local_base
                            : block_->special(special.special, index_ * kWarpSize + lane);
      registers[lane] = value + special.value;
    }
  }
}

void Warp::enter(Frame& frame) {
  frame_ = &frame;
  registers_ = frame.registers.data();
  constants_ = frame.function->constants.data();
  predicates_ = frame.predicates.data();
}

void Warp::store_places() {
  for_lanes(active_, [&](unsigned lane) { places_[lane] = place_; });
}

// Makes a group of lanes that are at the same instruction the active ones. False: none can run.
bool Warp::choose() {
  regroup_ = false;
  Lanes ready = alive_ & ~blocked_ & ~gathering_;
  if (ready == 0) {
    // Some may have ended since, and need not be waited for any more.
    ready = gathering_ & ~blocked_;
    gathering_ = 0;
    if (ready == 0) {
      active_ = 0;
      return false;
    }
  }
  unsigned first = static_cast<unsigned>(std::countr_zero(ready));
  if (rotate_) {
    rotate_ = false;
    const Lanes later = ready & ~((Lanes{2} << last_) - 1);
    if (later != 0) first = static_cast<unsigned>(std::countr_zero(later));
  } else {
    for_lanes(ready, [&](unsigned lane) {
      const u32 depth = frames_[lane]->depth, best = frames_[first]->depth;
      if (depth > best || (depth == best && places_[lane] < places_[first])) first = lane;
    });
  }
  last_ = first;
  place_ = places_[first];
  limit_ = std::numeric_limits<u32>::max();
  active_ = 0;
  for_lanes(ready, [&](unsigned lane) {
    if (frames_[lane] != frames_[first]) return;
    if (places_[lane] == place_) {
      active_ |= Lanes{1} << lane;
    } else if (places_[lane] > place_) {
      limit_ = std::min(limit_, places_[lane]);
    }
  });
  waiting_ = ready & ~active_;
  if (waiting_ == 0) turn_ = 0;
  enter(*frames_[first]);
  return true;
}

// The active lanes, until they part, others wait where they come to, or they did `most` instructions.
u64 Warp::run_group(u64 most) {
  const Instruction* code = frame_->function->code.data();
  u64 steps = 0;
  try {
    while (steps < most) {
      const Instruction& instruction = code[place_];
      ++place_;
      ++steps;
      Lanes lanes = active_;
      if (instruction.guard >= 0) {
        const Lanes guard = predicates_[instruction.guard];
        lanes &= instruction.guard_negated ? ~guard : guard;
      }
      if (lanes != 0) instruction.handler(*this, instruction, lanes);
      if (regroup_ || place_ >= limit_ || resting_) break;
    }
  } catch (Fault& fault) {
    fault.text += " At line " + std::to_string(code[place_ - 1].line) + " of the PTX.";
    throw;
  }
  return steps;
}

u64 Warp::run(u64 budget) {
  u64 done = 0;
  idle_ = 0;
  resting_ = false;
  active_ = 0;
  bool gathered = false;
  while (done < budget && !resting_) {
    const u64 before = idle_;
    // Lanes that gather get one more try, since what they wait for may have ended.
    if ((alive_ & ~blocked_ & ~gathering_) == 0) {
      if (gathered) break;
      gathered = true;
    }
    if (!choose()) break;
    const u64 most =
        std::min(budget - done, waiting_ != 0 ? kPatience - std::min(turn_, kPatience - 1) : budget);
    const u64 steps = run_group(most);
    store_places();
    done += steps;
    if (idle_ == before) gathered = false;
    if (waiting_ != 0) {
      turn_ += steps;
      if (turn_ >= kPatience) {
        turn_ = 0;
        rotate_ = true;
      }
    }
  }
  return done - std::min(idle_, done);
}

void Warp::jump(Lanes lanes, u32 target) {
  if (lanes == active_) {
    place_ = target;
    return;
  }
  for_lanes(lanes, [&](unsigned lane) { places_[lane] = target; });
  active_ &= ~lanes;
  regroup_ = true;
}

// The lanes are done with the frame; without lanes it can be used again.
void Warp::leave(Frame& frame, Lanes lanes) {
  frame.lanes &= ~lanes;
  if (frame.lanes == 0) free_.push_back(&frame);
}

void Warp::exit(Lanes lanes) {
  for (Frame* frame = frame_; frame != nullptr;) {
    Frame* caller = frame->caller;
    leave(*frame, lanes);
    frame = caller;
  }
  alive_ &= ~lanes;
  active_ &= ~lanes;
  regroup_ = true;
  block_->lanes_ended();
}

void Warp::call(Lanes lanes, u32 function, const CallSite& site) {
  const Function& callee = block_->program().functions[function];
  Frame* frame = new_frame(callee);
  frame->caller = frame_;
  frame->site = &site;
  frame->return_to = place_;
  frame->depth = frame_->depth + 1;
  frame->lanes = lanes;
  frame->local_base = (frame_->local_base + frame_->function->local_bytes + 15) & ~15U;
  start(*frame);
  for_lanes(lanes, [&](unsigned lane) {
    const u8* from = parameters(lane);
    u8* to = frame->parameters.data() + static_cast<std::size_t>(lane) * callee.parameter_space;
    for (std::size_t k = 0; k < site.in.size(); ++k) {
      std::copy_n(from + site.in[k].offset, site.in[k].size, to + callee.parameters[k].offset);
    }
    frames_[lane] = frame;
    places_[lane] = 0;
  });
  active_ &= ~lanes;
  regroup_ = true;
}

void Warp::call_some(Lanes lanes, Lanes some, u32 function, const CallSite& site) {
  if (lanes != some) jump(lanes & ~some, place_ - 1);
  call(some, function, site);
}

void Warp::return_from_call(Lanes lanes) {
  Frame* const frame = frame_;
  if (frame->caller == nullptr) {
    exit(lanes);
    return;
  }
  Frame* const caller = frame->caller;
  for_lanes(lanes, [&](unsigned lane) {
    const u8* from = parameters(lane);
    u8* to = caller->parameters.data() + static_cast<std::size_t>(lane) * caller->function->parameter_space;
    for (std::size_t k = 0; k < frame->site->out.size(); ++k) {
      const Parameter& out = frame->site->out[k];
      std::copy_n(from + frame->function->results[k].offset, out.size, to + out.offset);
    }
    frames_[lane] = caller;
    places_[lane] = frame->return_to;
  });
  active_ &= ~lanes;
  regroup_ = true;
  leave(*frame, lanes);
}

void Warp::block_lanes(Lanes lanes) {
  for_lanes(lanes, [&](unsigned lane) { places_[lane] = place_; });
  blocked_ |= lanes;
  active_ &= ~lanes;
  regroup_ = true;
}

Lanes Warp::meet(Lanes lanes, Operand masks) {
  const u64* named = read(masks);
  Lanes here = lanes;
  for_lanes(gathering_, [&](unsigned lane) {
    if (frames_[lane] == frame_ && places_[lane] == place_ - 1) here |= Lanes{1} << lane;
  });
  Lanes able = 0;
  for_lanes(here, [&](unsigned lane) {
    const Lanes mask = static_cast<Lanes>(named[lane]);
    if ((mask >> lane & 1) == 0) {
      throw Fault{kErrorLaunchFailed,
                  "A thread calls a function of warps with a mask that does not name it."};
    }
    if ((mask & alive_ & ~here) == 0) able |= Lanes{1} << lane;
  });
  const Lanes left = here & ~able;
  // From now on they go with the others.
  active_ |= able;
  gathering_ = (gathering_ & ~able) | left;
  if (left != 0) {
    for_lanes(left, [&](unsigned lane) { places_[lane] = place_ - 1; });
    active_ &= ~left;
    regroup_ = true;
    if (able == 0) ++idle_;
  }
  return able;
}

u8* Warp::local(unsigned lane, u64 address, u32 size) {
  if (address > local_stride_ || size > local_stride_ - address) return nullptr;
  return local_.data() + static_cast<std::size_t>(lane) * local_stride_ + address;
}

}  // namespace collet::cuda_double
