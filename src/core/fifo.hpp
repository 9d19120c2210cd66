// A queue of pointers in a ring: cheap to ask for its size, no allocation once it has grown.
#pragma once

#include <cstddef>
#include <vector>

namespace collet::core {

// Threads: one at a time.
template <class T>
class Fifo {
 public:
  bool empty() const { return head_ == tail_; }
  std::size_t size() const { return tail_ - head_; }
  T* front() const { return slots_[head_ & mask()]; }
  // The i-th from the front.
  T* operator[](std::size_t i) const { return slots_[(head_ + i) & mask()]; }

  void push_back(T* value) {
    if (size() == slots_.size()) grow();
    slots_[tail_++ & mask()] = value;
  }
  void pop_front() { ++head_; }
  void clear() { head_ = tail_ = 0; }

 private:
  std::size_t mask() const { return slots_.size() - 1; }
  void grow() {
    std::vector<T*> larger(slots_.empty() ? 8 : slots_.size() * 2);
    const std::size_t count = size();
    for (std::size_t i = 0; i < count; ++i) larger[i] = (*this)[i];
    slots_ = std::move(larger);
    head_ = 0;
    tail_ = count;
  }

  std::vector<T*> slots_;  // a power of two of them
  std::size_t head_ = 0;   // these two only grow, and are masked when used
  std::size_t tail_ = 0;
};

}  // namespace collet::core
