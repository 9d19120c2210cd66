// Memory through which a stream's copies pass, in chunks that live until the device is done with them.
#pragma once

#include <atomic>
#include <memory>

#include "core/device_state.hpp"

namespace collet::core {

struct StagingUse {
  std::atomic<std::uint64_t> bytes{0};
};

// A chunk from the pool (where the device reaches mapped memory) or from the heap (where it takes host
// pointers).
class StagingChunk final : public detail::Counted {
 public:
  StagingChunk(detail::DeviceState& owner, memory::Block from_pool, std::shared_ptr<StagingUse> counter);
  StagingChunk(detail::DeviceState& owner, std::uint64_t heap_size, std::shared_ptr<StagingUse> counter);
  ~StagingChunk() override;

  detail::DeviceState& device;  // outlives this
  memory::Block block;          // memory.id is 0 for the heap
  std::unique_ptr<std::byte[]> heap;
  std::byte* host = nullptr;
  std::uint64_t size = 0;
  std::uint64_t used = 0;

 private:
  void dispose() noexcept override;
  std::shared_ptr<StagingUse> use_;
};

struct Staged {
  detail::Ref<StagingChunk> chunk;
  std::byte* host = nullptr;
  backend::Slice slice;  // of a pool chunk
};

// Threads: its stream's lock.
class Staging {
 public:
  static constexpr std::uint64_t kPiece = 8 << 20;   // larger copies pass in pieces
  static constexpr std::uint64_t kLimit = 64 << 20;  // what uploads may have in flight

  Staging(detail::DeviceState& device, backend::Placement placement)
      : device_(device), placement_(placement) {}

  Result<Staged> allocate(std::uint64_t size);
  std::uint64_t in_flight() const { return use_->bytes.load(std::memory_order_relaxed); }
  // The next piece comes from a new chunk.
  void reset() { current_ = {}; }

 private:
  detail::DeviceState& device_;
  backend::Placement placement_;
  std::shared_ptr<StagingUse> use_ = std::make_shared<StagingUse>();
  detail::Ref<StagingChunk> current_;
};

}  // namespace collet::core
