// Memory of a stream for what its work needs in between.
//
//   Scratch scratch = stream.scratch();
//   auto sums = scratch.take<float>(groups).value();
//   stream.launch(partial_sums, n, x, sums);
//   stream.launch(sum_up, 1, sums, result);
//
// A stream works in order, so that what was taken serves the stream's later work as soon as its last Scratch
// is gone, though earlier work may still use it: nothing waits, and nothing is allocated anew. The stream
// keeps the memory until it ends, until Device::trim(), or until other allocations find none.
//
// Threads: as its stream, one at a time. It may outlive the stream, and then gives nothing.
#pragma once

#include <cstdint>

#include "collet/buffer.hpp"
#include "collet/result.hpp"

namespace collet {

class COLLET_API Scratch {
 public:
  explicit Scratch(detail::Ref<detail::ScratchState> state);
  Scratch(Scratch&&) noexcept;
  Scratch& operator=(Scratch&&) noexcept;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();

  // `count` elements, whatever is in them, for work of this stream alone; until this Scratch is gone.
  template <class T>
  Result<View<T>> take(std::uint64_t count) {
    auto range = take_range(count, sizeof(T));
    if (!range) return range.error();
    return detail::BufferAccess::view<T>(*range);
  }

 private:
  Result<detail::Range> take_range(std::uint64_t count, std::uint32_t element_size);

  detail::Ref<detail::ScratchState> state_;
};

}  // namespace collet
