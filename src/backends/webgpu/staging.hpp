// Buffers through which a submission's Reads and Timestamps reach the host.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "backends/webgpu/device.hpp"

namespace collet::backend::webgpu {

// One that the host can map. Callbacks point at it, so it lives until the library has answered.
struct Readback {
  abi::Buffer buffer = nullptr;
  std::uint64_t size = 0;
  std::uint64_t used = 0;
  std::atomic<bool> answered{false};
  bool mapped = false;  // set before `answered`

  // What goes where once it is mapped.
  struct Part {
    std::uint64_t at = 0;
    std::uint64_t size = 0;
    std::byte* to = nullptr;
  };
  std::vector<Part> parts;
};

// Threads: one at a time.
class Readbacks {
 public:
  explicit Readbacks(const Native& native) : native_(native) {}
  ~Readbacks();
  Readbacks(const Readbacks&) = delete;
  Readbacks& operator=(const Readbacks&) = delete;

  // An empty one with room for `size` bytes, made or used again.
  Result<std::unique_ptr<Readback>> acquire(std::uint64_t size);
  // Asks the library for the host's address; `answered` says when it has one.
  void map(Readback& readback) const;
  // Copies the parts to where they belong and takes the buffer back.
  Result<void> collect(std::unique_ptr<Readback> readback);
  // Takes a buffer back that was never mapped.
  void recycle(std::unique_ptr<Readback> readback);

 private:
  const Native& native_;
  std::vector<std::unique_ptr<Readback>> spare_;
};

}  // namespace collet::backend::webgpu
