// Which bytes are allocated: device memory, memory of the host that kernels may read, variables of modules.
//
// Device memory is memory of the host, at the address that kernels see. Around each allocation there is
// space that belongs to nobody, so that an access that is a little out of bounds never hits a neighbour.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "numbers.hpp"

namespace collet::cuda_double {

inline constexpr int kEveryDevice = -1;

// Threads: thread-safe.
class Memory {
 public:
  enum class Kind : u8 { device, host, registered, module };
  struct Range {
    u64 begin = 0, size = 0;
    int device = 0;  // or kEveryDevice
    Kind kind = Kind::device;
    int owner = 0;  // the device in whose context it was made, which it does not outlive
  };
  using Ranges = std::vector<Range>;  // by address

  static Memory& instance();

  // A CUresult, and the address. New device memory has no defined content: the first MiB is 0xcd.
  int allocate(Kind kind, int device, u64 size, u64& address);
  // What allocate() gave, once nobody uses it any more.
  int free(Kind kind, u64 address);
  int add(const Range& range);
  int remove(Kind kind, u64 address);
  void free_all(int device);

  // Whether a device may reach all these bytes; kEveryDevice: whether any could. Zero bytes are always there.
  bool holds(u64 address, u64 size, int device);
  std::shared_ptr<const Ranges> ranges();
  u64 generation() const { return generation_.load(std::memory_order_acquire); }
  u64 used(int device);
  // Allocations and registrations of programs.
  std::size_t count();
  void allow_peer(int from, int to);
  void forget_peers(int from) { peers_[static_cast<std::size_t>(from)] = 0; }
  bool peer_allowed(int from, int to) const {
    return (peers_[static_cast<std::size_t>(from)].load() >> to & 1) != 0;
  }

 private:
  int add_locked(const Range& range);

  std::mutex mutex_;
  std::map<u64, Range> map_;
  std::map<u64, std::pair<void*, u64>> blocks_;  // what was mapped around an allocation
  std::shared_ptr<const Ranges> snapshot_;
  std::atomic<u64> generation_{1};
  std::array<std::atomic<unsigned>, 2> peers_{};
  std::array<u64, 2> used_{};
};

// Remembers where the last accesses went. Memory is freed only once no kernel runs, so that what it
// remembers stays true as long as one runs. Threads: one at a time.
class AddressCache {
 public:
  explicit AddressCache(int device) : device_(device) {}

  // The host's address of these bytes; throws Fault where a GPU would stop the kernel.
  u8* resolve(u64 address, u32 size) {
    for (const Entry& entry : entries_) {
      if (address - entry.begin < entry.size && size <= entry.size - (address - entry.begin) &&
          (address & (size - 1)) == 0) {
        return reinterpret_cast<u8*>(static_cast<std::uintptr_t>(address));
      }
    }
    return search(address, size);
  }

 private:
  struct Entry {
    u64 begin = 0, size = 0;
  };
  u8* search(u64 address, u32 size);

  int device_;
  unsigned next_ = 0;
  std::array<Entry, 4> entries_{};
  u64 generation_ = 0;
  std::shared_ptr<const Memory::Ranges> ranges_;
};

}  // namespace collet::cuda_double
