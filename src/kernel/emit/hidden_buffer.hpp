// A pass that gives a kernel one more buffer of words, behind those of its arguments, which its program does
// not know.
#pragma once

#include <string>

#include "kernel/emit/rewriter.hpp"

namespace collet::emit {

// Threads: one at a time.
class HiddenBuffer : public Rewriter {
 protected:
  HiddenBuffer(const Kernel& from, std::string name) : Rewriter(from), buffer_(from.buffer_count()) {
    add(std::move(name), 4);
  }
  // Without one so far.
  explicit HiddenBuffer(const Kernel& from) : Rewriter(from), buffer_(from.buffer_count()) {}

  // Before anything is copied. An element has one word or more.
  void add(std::string name, std::uint32_t stride) {
    to_.memories.insert(to_.memories.begin() + buffer_, {.space = Space::buffer,
                                                         .name = std::move(name),
                                                         .element = stride == 4 ? ir::kU32 : ir::kNothing,
                                                         .stride = stride,
                                                         .access = backend::Access::read_write});
    to_.buffer_argument.push_back(true);
    moved_ = 1;
  }

  // Other memory stands one further behind.
  std::uint32_t moved(std::uint32_t memory) const { return memory < buffer_ ? memory : memory + moved_; }
  Id rewrite(const Node& node) override {
    if (!ir::is_access(node.op)) return append(node);
    Node made = node;
    made.immediate = ir::pack(moved(node.low()), node.high());
    return append(made);
  }

  // An access to a word of the buffer.
  Id at(Op op, Type type, std::initializer_list<Id> arguments) { return make(op, type, arguments, buffer_); }

  std::uint32_t hidden() const { return buffer_; }
  bool has_hidden() const { return moved_ != 0; }

 private:
  const std::uint32_t buffer_;
  std::uint32_t moved_ = 0;
};

}  // namespace collet::emit
