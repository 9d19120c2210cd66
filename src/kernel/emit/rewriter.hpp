// Copies a kernel node by node; a pass says what stands in the place of which nodes.
#pragma once

#include <bit>
#include <initializer_list>
#include <vector>

#include "kernel/ir/ir.hpp"

namespace collet::emit {

using ir::Id;
using ir::Kernel;
using ir::kNone;
using ir::Memory;
using ir::Node;
using ir::Op;
using ir::Parameter;
using ir::Rule;
using ir::Scalar;
using ir::Space;
using ir::Type;

// The bits of a power of two or its negative, which both float types hold.
inline std::uint64_t float_bits(Scalar scalar, double value) {
  return scalar == Scalar::f64 ? std::bit_cast<std::uint64_t>(value)
                               : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

// Threads: one at a time; run() once.
class Rewriter {
 public:
  explicit Rewriter(const Kernel& from);
  Rewriter(const Rewriter&) = delete;
  Rewriter& operator=(const Rewriter&) = delete;
  virtual ~Rewriter() = default;

  Kernel run();

 protected:
  // Says what stands for the node `id` of the old kernel: by default what rewrite() makes of its copy.
  virtual void visit(Id id);
  // Makes the value of `node`, whose arguments are the new kernel's; its blocks, if any, are filled later.
  virtual Id rewrite(const Node& node) { return append(node); }

  Id append(const Node& node);
  Id make(Op op, Type type, std::initializer_list<Id> arguments, std::uint64_t immediate = 0);
  Id constant(Type type, std::uint64_t bits);

  // Short forms of make(), with the type of the first value.
  Id unary(Op op, Id a) { return make(op, type(a), {a}); }
  Id binary(Op op, Id a, Id b) { return make(op, type(a), {a, b}); }
  Id with(Op op, Id a, std::uint64_t bits) { return binary(op, a, constant(type(a), bits)); }
  Id compare(Op op, Id a, Id b) { return make(op, ir::kBool, {a, b}); }
  Id compare_with(Op op, Id a, std::uint64_t bits) { return compare(op, a, constant(type(a), bits)); }
  Id select(Id condition, Id yes, Id no) { return make(Op::select, type(yes), {condition, yes, no}); }
  Id convert(Id a, Scalar to) { return type(a).scalar == to ? a : make(Op::convert, {to}, {a}); }
  Id bitcast(Id a, Scalar to) { return type(a).scalar == to ? a : make(Op::bitcast, {to}, {a}); }
  // Of two unsigned values, for languages without an operation for it.
  Id upper_half_of_product(Id a, Id b);
  // A condition that is false, and no compiler can know it: no group has a number that large.
  Id never();
  // The bits of `word`, as a value of which no compiler knows where it comes from.
  Id unknown(Id word, Type as);
  Id variable(Id initial);
  Id get(Id variable) { return make(Op::get, type(variable), {variable}); }
  void set(Id variable, Id value) { make(Op::set, ir::kNothing, {variable, value}); }

  // Runs body() with a new block as the place where nodes are added, and gives the block.
  template <class Body>
  std::uint32_t in_block(const Body& body) {
    const auto made = static_cast<std::uint32_t>(to_.blocks.size());
    to_.blocks.emplace_back();
    const std::uint32_t outer = block_;
    block_ = made;
    body();
    block_ = outer;
    return made;
  }
  template <class Then, class Else>
  void if_else(Id condition, const Then& then, const Else& otherwise) {
    const Id id = make(Op::if_, ir::kNothing, {condition});
    const std::uint32_t first = in_block(then);
    const std::uint32_t second = in_block(otherwise);
    to_.nodes[id].immediate = ir::pack(first, second);
  }
  template <class Then>
  void if_then(Id condition, const Then& then) {
    const Id id = make(Op::if_, ir::kNothing, {condition});
    const std::uint32_t first = in_block(then);
    to_.nodes[id].immediate = ir::pack(first, kNone);
  }
  template <class Body, class Continuing>
  void loop(const Body& body, const Continuing& continuing) {
    const Id id = make(Op::loop, ir::kNothing, {});
    const std::uint32_t first = in_block(body);
    const std::uint32_t second = in_block(continuing);
    to_.nodes[id].immediate = ir::pack(first, second);
  }

  // Changes a word of memory at once, however many items do: what was there becomes wanted(what was there),
  // by an exchange that is tried until nobody came between. `place` is as in accesses, of the type `word`.
  // Gives the variable that holds what was there.
  template <class Wanted>
  Id exchange(Type word, Id index, std::uint64_t place, const Wanted& wanted) {
    const Id last = variable(make(Op::atomic_load, word, {index}, place));
    loop(
        [&] {
          const Id expected = get(last);
          const Id value = wanted(expected);
          const Id seen = make(Op::atomic_compare_exchange, word, {index, expected, value}, place);
          if_then(compare(Op::eq, seen, expected), [&] { make(Op::break_, ir::kNothing, {}); });
          set(last, seen);
        },
        [] {});
    return last;
  }

  // Copies a block of the old kernel.
  std::uint32_t copy_block(std::uint32_t old);
  virtual void copy_nodes(std::uint32_t old);

  Type type(Id id) const { return to_.nodes[id].type; }
  bool is_constant(Id id) const { return to_.nodes[id].op == Op::constant; }
  std::uint64_t bits_of(Id constant) const { return to_.nodes[constant].immediate; }

  const Kernel& from_;
  Kernel to_;
  std::vector<Id> now_;  // what stands for an old value

 private:
  std::uint32_t block_ = 0;
  std::uint32_t place_ = kNone;  // of the node that is visited
};

}  // namespace collet::emit
