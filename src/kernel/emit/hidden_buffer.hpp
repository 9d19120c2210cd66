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
    to_.memories.insert(to_.memories.begin() + buffer_, {.space = Space::buffer,
                                                         .name = std::move(name),
                                                         .element = ir::kU32,
                                                         .stride = 4,
                                                         .access = backend::Access::read_write});
    to_.buffer_argument.push_back(true);
  }

  // Other memory stands one further behind.
  Id rewrite(const Node& node) override {
    if (!ir::is_access(node.op) || node.low() < buffer_) return append(node);
    Node moved = node;
    moved.immediate = ir::pack(node.low() + 1, node.high());
    return append(moved);
  }

  // An access to a word of the buffer.
  Id at(Op op, Type type, std::initializer_list<Id> arguments) { return make(op, type, arguments, buffer_); }

  std::uint32_t hidden() const { return buffer_; }

 private:
  const std::uint32_t buffer_;
};

}  // namespace collet::emit
