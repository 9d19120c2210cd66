// The walk that all passes share.

#include "kernel/emit/rewriter.hpp"

namespace collet::emit {

Rewriter::Rewriter(const Kernel& from) : from_(from), to_(from), now_(from.nodes.size(), kNone) {
  to_.nodes.clear();
  to_.blocks.clear();
  to_.blocks.emplace_back();
}

Kernel Rewriter::run() {
  copy_nodes(0);
  return std::move(to_);
}

void Rewriter::copy_nodes(std::uint32_t old) {
  for (const Id id : from_.blocks[old].nodes) visit(id);
}

std::uint32_t Rewriter::copy_block(std::uint32_t old) {
  return in_block([&] { copy_nodes(old); });
}

void Rewriter::visit(Id id) {
  Node node = from_.nodes[id];
  place_ = node.place;
  for (std::uint8_t i = 0; i < node.count; ++i) node.arguments[i] = now_[node.arguments[i]];
  const std::uint32_t blocks = ir::block_count(node.op);
  const Id made = blocks != 0 ? append(node) : rewrite(node);
  now_[id] = made;
  if (blocks == 0) return;
  const std::uint32_t first = copy_block(node.low());
  const std::uint32_t second = blocks == 2 && node.high() != kNone ? copy_block(node.high()) : kNone;
  to_.nodes[made].immediate = ir::pack(first, second);
}

Id Rewriter::append(const Node& node) {
  const auto id = static_cast<Id>(to_.nodes.size());
  to_.nodes.push_back(node);
  to_.blocks[block_].nodes.push_back(id);
  return id;
}

Id Rewriter::make(Op op, Type type, std::initializer_list<Id> arguments, std::uint64_t immediate) {
  Node node{.op = op, .type = type, .place = place_, .immediate = immediate};
  for (const Id argument : arguments) node.arguments[node.count++] = argument;
  return append(node);
}

Id Rewriter::constant(Type type, std::uint64_t bits) { return make(Op::constant, type, {}, bits); }

// By halves of the two, whose products fit.
Id Rewriter::upper_half_of_product(Id a, Id b) {
  const std::uint32_t half = ir::bits(type(a).scalar) / 2;
  const auto low = [&](Id x) { return with(Op::bit_and, x, (std::uint64_t{1} << half) - 1); };
  const auto high = [&](Id x) { return with(Op::shr, x, half); };
  const Id bottom = binary(Op::mul, low(a), low(b));
  const Id middle = binary(Op::add, binary(Op::mul, high(a), low(b)), high(bottom));
  const Id other = binary(Op::add, binary(Op::mul, low(a), high(b)), low(middle));
  const Id top = binary(Op::add, binary(Op::mul, high(a), high(b)), high(middle));
  return binary(Op::add, top, high(other));
}

Id Rewriter::never() {
  const Id group = make(Op::group_id, ir::kU32, {}, 0);
  return compare(Op::ge, group, make(Op::group_count, ir::kU32, {}, 0));
}

Id Rewriter::unknown(Id word, Type as) {
  const Id none = select(never(), constant(type(word), 1), constant(type(word), 0));
  return make(Op::bitcast, as, {binary(Op::bit_or, word, none)});
}

Id Rewriter::variable(Id initial) {
  const Id made = make(Op::variable, type(initial), {});
  set(made, initial);
  return made;
}

}  // namespace collet::emit
