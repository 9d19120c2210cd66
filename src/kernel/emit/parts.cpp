// Ids and counts of the whole grid, from those of a part and what its launch passes.

#include "kernel/emit/parts.hpp"

#include <algorithm>

#include "kernel/emit/rewriter.hpp"

namespace collet::emit {
namespace {

using What = PartWord::What;

// Threads: one at a time.
class Parts : public Rewriter {
 public:
  explicit Parts(const Kernel& from) : Rewriter(from) {
    for (std::uint32_t d = 0; d < 3; ++d) {
      if (uses(Op::group_id, d) || uses(Op::global_id, d)) add(What::first_group, d);
      if (uses(Op::group_count, d)) add(What::group_count, d);
      if (uses(Op::element_count, d)) add(What::element_count, d);
    }
  }

  Parted parted() { return {.kernel = run(), .words = words_}; }

 private:
  bool uses(Op op, std::uint32_t dimension) const {
    return std::ranges::any_of(
        from_.nodes, [&](const Node& node) { return node.op == op && node.immediate == dimension; });
  }

  void add(What what, std::uint32_t dimension) {
    to_.parameters.push_back(
        {.name = "part" + std::to_string(words_.size()), .type = ir::kU32, .size = 4, .alignment = 4});
    to_.buffer_argument.push_back(false);
    words_.push_back({what, dimension});
  }

  Id word(What what, std::uint32_t dimension) {
    std::size_t index = 0;
    while (words_[index].what != what || words_[index].dimension != dimension) ++index;
    const auto parameter = static_cast<std::uint32_t>(from_.parameters.size() + index);
    return make(Op::parameter, ir::kU32, {}, ir::pack(parameter, 0));
  }

  Id rewrite(const Node& node) override {
    const std::uint32_t d = node.low();
    switch (node.op) {
      case Op::group_id: return binary(Op::add, append(node), word(What::first_group, d));
      case Op::global_id:
        return binary(Op::add, append(node), with(Op::mul, word(What::first_group, d), from_.group[d]));
      case Op::group_count: return word(What::group_count, d);
      case Op::element_count: return word(What::element_count, d);
      default: return append(node);
    }
  }

  std::vector<PartWord> words_;
};

}  // namespace

Parted in_parts(const ir::Kernel& kernel) { return Parts(kernel).parted(); }

}  // namespace collet::emit
