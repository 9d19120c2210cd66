// Memory that is given out in pieces and taken back all at once.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace collet::core {

// Pieces stay where they are until reset(), which keeps the memory for reuse. Threads: one at a time.
class Arena {
 public:
  // Aligned to 16 bytes; uninitialised.
  std::byte* allocate(std::size_t size) {
    size = (size + 15) & ~std::size_t{15};
    if (size > left_) [[unlikely]]
      grow(size);
    std::byte* piece = next_;
    next_ += size;
    left_ -= size;
    return piece;
  }

  template <class T>
  std::span<T> array(std::size_t count) {
    static_assert(alignof(T) <= 16);
    return {reinterpret_cast<T*>(allocate(count * sizeof(T))), count};
  }

  void reset() {
    block_ = 0;
    next_ = nullptr;
    left_ = 0;
    if (!blocks_.empty()) use(0);
  }

 private:
  static constexpr std::size_t kBlockSize = 16 << 10;
  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size;
  };

  void use(std::size_t index) {
    block_ = index;
    next_ = blocks_[index].bytes.get();
    left_ = blocks_[index].size;
  }
  void grow(std::size_t size) {
    std::size_t index = next_ == nullptr ? 0 : block_ + 1;
    while (index < blocks_.size() && blocks_[index].size < size) ++index;
    if (index >= blocks_.size()) {
      const std::size_t wanted = size > kBlockSize ? size : kBlockSize;
      blocks_.push_back({std::make_unique_for_overwrite<std::byte[]>(wanted), wanted});
      index = blocks_.size() - 1;
    }
    use(index);
  }

  std::vector<Block> blocks_;
  std::size_t block_ = 0;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace collet::core
