// What the waist, kernels and their IR agree on about parameters.
#pragma once

#include <cstdint>

namespace collet::backend {

// What a kernel does with a buffer.
enum class Access : std::uint8_t { read, write, read_write };

}  // namespace collet::backend

namespace collet::detail {

// Where constants lie in their block: in their order, each at the next multiple of its alignment.
class ConstantPlaces {
 public:
  // The offset of the next constant.
  constexpr std::uint32_t place(std::uint32_t size, std::uint32_t alignment) {
    const std::uint32_t offset = (end_ + alignment - 1) / alignment * alignment;
    end_ = offset + size;
    return offset;
  }
  // Of the last one.
  constexpr std::uint32_t end() const { return end_; }

 private:
  std::uint32_t end_ = 0;
};

}  // namespace collet::detail
