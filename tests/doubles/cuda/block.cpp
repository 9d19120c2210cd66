// A block of threads: turns of its warps, its barriers, the values of special registers.

#include "block.hpp"

#include <algorithm>
#include <string>

#include "abi.hpp"
#include "device_facts.hpp"
#include "fault.hpp"

namespace collet::cuda_double {
namespace {

constexpr u64 kTurn = 4096;  // instructions of a warp before the next one
constexpr int kRounds = 8;   // over all warps before another block may run

}  // namespace

Block::Block(const Grid& grid, u64 number)
    : grid_(&grid),
      threads_(grid.threads[0] * grid.threads[1] * grid.threads[2]),
      shared_(grid.program->dynamic_shared + grid.dynamic_shared),
      cache_(grid.device) {
  index_ = {static_cast<u32>(number % grid.blocks[0]),
            static_cast<u32>(number / grid.blocks[0] % grid.blocks[1]),
            static_cast<u32>(number / grid.blocks[0] / grid.blocks[1])};
  for (u32 first = 0; first < threads_; first += kWarpSize) {
    const u32 lanes = std::min(threads_ - first, kWarpSize);
    warps_.emplace_back(*this, first / kWarpSize, lanes == kWarpSize ? kAllLanes : (Lanes{1} << lanes) - 1);
  }
  unfinished_ = warps_.size();
}

u64 Block::run() {
  u64 done = 0;
  for (int round = 0; round < kRounds && unfinished_ != 0; ++round) {
    u64 of_round = 0;
    unfinished_ = 0;
    for (Warp& warp : warps_) {
      if (warp.is_finished()) continue;
      of_round += warp.run(kTurn);
      if (!warp.is_finished()) ++unfinished_;
    }
    if (check_barriers_) {
      check_barriers_ = false;
      for (Barrier& barrier : barriers_) complete_if_full(barrier);
    } else if (of_round == 0 && unfinished_ != 0) {
      throw Fault{
          kErrorLaunchFailed,
          "The threads of a block wait for each other for ever: at a barrier or a function of warps that "
          "not all of them reach."};
    }
    done += of_round;
  }
  return done;
}

u64 Block::special(Special special, unsigned thread) const {
  const Dim3& size = grid_->threads;
  const unsigned lane = thread % kWarpSize;
  const u32 below = (u32{1} << lane) - 1, itself = u32{1} << lane;
  switch (special) {
    case Special::tid_x: return thread % size[0];
    case Special::tid_y: return thread / size[0] % size[1];
    case Special::tid_z: return thread / size[0] / size[1];
    case Special::ntid_x: return size[0];
    case Special::ntid_y: return size[1];
    case Special::ntid_z: return size[2];
    case Special::ctaid_x: return index_[0];
    case Special::ctaid_y: return index_[1];
    case Special::ctaid_z: return index_[2];
    case Special::nctaid_x: return grid_->blocks[0];
    case Special::nctaid_y: return grid_->blocks[1];
    case Special::nctaid_z: return grid_->blocks[2];
    case Special::laneid: return lane;
    case Special::warpid: return thread / kWarpSize;
    case Special::nwarpid: return kMostThreads / kWarpSize;
    case Special::smid: return index_[0] % kProcessors;
    case Special::nsmid: return kProcessors;
    case Special::gridid: return grid_->number;
    case Special::lanemask_eq: return itself;
    case Special::lanemask_lt: return below;
    case Special::lanemask_le: return below | itself;
    case Special::lanemask_gt: return ~(below | itself);
    case Special::lanemask_ge: return ~below;
    case Special::dynamic_smem_size: return grid_->dynamic_shared;
    case Special::total_smem_size: return shared_.size();
    case Special::local_address: break;  // the warp's
  }
  return 0;
}

u8* Block::shared(u64 address, u32 size) {
  if (address > shared_.size() || size > shared_.size() - address) {
    throw Fault{kErrorIllegalAddress, "Access of " + std::to_string(size) + " bytes at " +
                                          std::to_string(address) + " of shared memory, which has " +
                                          std::to_string(shared_.size()) + "."};
  }
  if (address % size != 0) {
    throw Fault{kErrorMisalignedAddress, "Access of " + std::to_string(size) + " bytes at " +
                                             std::to_string(address) + " of shared memory is not aligned."};
  }
  return shared_.data() + address;
}

std::string Block::describe() const {
  return "block (" + std::to_string(index_[0]) + ", " + std::to_string(index_[1]) + ", " +
         std::to_string(index_[2]) + ") of kernel \"" + grid_->kernel->name + "\"";
}

void Block::arrive(unsigned barrier, u32 expected, Arrival arrival, Lanes votes, bool waits) {
  Barrier& at = barriers_[barrier];
  at.arrived += static_cast<u32>(std::popcount(arrival.lanes));
  at.votes += static_cast<u32>(std::popcount(votes & arrival.lanes));
  at.expected = expected;
  if (waits) {
    arrival.warp->block_lanes(arrival.lanes);
    at.waiting.push_back(arrival);
  }
  complete_if_full(at);
}

void Block::complete_if_full(Barrier& barrier) {
  if (barrier.arrived == 0) return;
  u32 needed = barrier.expected;
  if (needed == 0) {
    for (const Warp& warp : warps_) needed += static_cast<u32>(std::popcount(warp.alive()));
  }
  if (barrier.arrived < needed) return;
  for (const Arrival& arrival : barrier.waiting) {
    if (arrival.vote == Vote::popc) {
      u64* result = arrival.frame->registers.data() + static_cast<std::size_t>(arrival.result) * kWarpSize;
      for_lanes(arrival.lanes, [&](unsigned lane) { result[lane] = barrier.votes; });
    } else if (arrival.vote != Vote::none) {
      const bool value = arrival.vote == Vote::all ? barrier.votes == barrier.arrived : barrier.votes != 0;
      Lanes& result = arrival.frame->predicates[static_cast<std::size_t>(arrival.result)];
      result = value ? result | arrival.lanes : result & ~arrival.lanes;
    }
    arrival.warp->release(arrival.lanes);
  }
  barrier.waiting.clear();
  barrier.arrived = barrier.votes = 0;
}

}  // namespace collet::cuda_double
