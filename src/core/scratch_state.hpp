// What a stream keeps for its Scratch: chunks of memory, cut from front to back, and free again all at once.
#pragma once

#include <mutex>
#include <vector>

#include "collet/scratch.hpp"
#include "core/buffer_state.hpp"
#include "core/device_state.hpp"

namespace collet::detail {

// Threads: thread-safe. Its lock is taken after a stream's, and none while it is held.
class ScratchState final : public Counted {
 public:
  explicit ScratchState(Ref<DeviceState> owner);
  ~ScratchState() override;

  // A Scratch begins and ends. With the last one everything that was taken is free.
  void begin();
  void end();
  // The stream is gone: nothing can be taken any more.
  void close();
  // Where 0 elements are asked for, a part of no size.
  Result<Range> take(std::uint64_t count, std::uint32_t element_size);
  // Gives back the chunks of which nothing is taken.
  void release_idle();

  const Ref<DeviceState> device;

 private:
  struct Chunk {
    Ref<BufferState> memory;
    std::uint64_t taken = 0;
  };

  void dispose() noexcept override;
  // From a chunk that has room; nothing where none has.
  std::optional<Range> cut_locked(std::uint64_t bytes, std::uint64_t count, std::uint32_t element_size);
  Result<Ref<BufferState>> make_chunk(std::uint64_t bytes, std::uint64_t wanted) const;

  std::mutex mutex_;
  std::vector<Chunk> chunks_;
  std::uint64_t live_ = 0;  // objects of Scratch
  bool closed_ = false;
};

}  // namespace collet::detail
