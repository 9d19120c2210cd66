// A block of threads: its warps, its shared memory, its barriers.
#pragma once

#include <array>
#include <deque>
#include <vector>

#include "memory.hpp"
#include "ptx_program.hpp"
#include "warp.hpp"

namespace collet::cuda_double {

using Dim3 = std::array<u32, 3>;

// What the blocks of a launch share. Immutable while they run.
struct Grid {
  const Program* program = nullptr;
  const Function* kernel = nullptr;
  Dim3 blocks{}, threads{};
  u32 dynamic_shared = 0;
  int device = 0;
  u64 number = 0;
  std::vector<u8> arguments;
};

// Threads: one at a time.
class Block {
 public:
  Block(const Grid& grid, u64 number);
  Block(const Block&) = delete;

  // Gives each warp a few turns. Returns how many instructions they did. Throws Fault, also where the threads
  // wait for each other for ever.
  u64 run();
  bool is_finished() const { return unfinished_ == 0; }

  // What follows is for warps and handlers.

  const Program& program() const { return *grid_->program; }
  const Function& kernel() const { return *grid_->kernel; }
  const Grid& grid() const { return *grid_; }
  u64 special(Special special, unsigned thread) const;
  // The host's address of these bytes. Throws Fault where they are not allocated or not aligned.
  u8* global(u64 address, u32 size) { return cache_.resolve(address, size); }
  u8* shared(u64 address, u32 size);
  // Which block and thread, for messages.
  std::string describe() const;

  // Of bar.red.
  enum class Vote : u8 { none, popc, all, any };
  struct Arrival {
    Warp* warp = nullptr;
    Frame* frame = nullptr;
    Lanes lanes = 0;
    Operand result = kNoOperand;
    Vote vote = Vote::none;
  };
  // The lanes come to a barrier that `expected` threads complete, 0: all that have not ended. They wait
  // unless they only say that they were there.
  void arrive(unsigned barrier, u32 expected, Arrival arrival, Lanes votes, bool waits);
  // Threads that ended need not be waited for.
  void lanes_ended() { check_barriers_ = true; }

 private:
  struct Barrier {
    std::vector<Arrival> waiting;
    u32 arrived = 0, votes = 0, expected = 0;
  };
  void complete_if_full(Barrier& barrier);

  const Grid* grid_;
  Dim3 index_{};
  u32 threads_;
  std::vector<u8> shared_;
  std::deque<Warp> warps_;
  std::size_t unfinished_;
  std::array<Barrier, 16> barriers_;
  AddressCache cache_;
  bool check_barriers_ = false;
};

}  // namespace collet::cuda_double
