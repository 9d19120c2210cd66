// Calls become the code of what they call, where the function does not stay.

#include "kernel/emit/lower.hpp"
#include "kernel/ir/blocks.hpp"

namespace collet::emit {
namespace {

// A function of the old kernel in the new one.
struct Callee {
  std::uint32_t number = kNone;  // among those that stay
  Kernel body;                   // where it does not stay
};

// Threads: one at a time.
class Calls : public Rewriter {
 public:
  Calls(const Kernel& from, const std::vector<Callee>& callees) : Rewriter(from), callees_(callees) {}

 private:
  void visit(Id id) override {
    const Node& node = from_.nodes[id];
    switch (node.op) {
      case Op::pass: passed_.push_back(now_[node.arguments[0]]); return;
      case Op::call: return call(callees_[node.low()]);
      case Op::print: pass_on(); return Rewriter::visit(id);
      case Op::result: now_[id] = stays_ ? append(node) : given_[node.low()]; return;
      default: Rewriter::visit(id);
    }
  }

  void pass_on() {
    for (const Id value : passed_) make(Op::pass, ir::kNothing, {value});
    passed_.clear();
  }

  void call(const Callee& callee) {
    stays_ = callee.number != kNone;
    given_.clear();
    if (stays_) {
      pass_on();
      make(Op::call, ir::kNothing, {}, callee.number);
    } else {
      std::vector<Id> made(callee.body.nodes.size(), kNone);
      copy(callee.body, 0, made);
    }
    passed_.clear();
  }

  // The nodes of a block of the function; `made` is what stands for each.
  void copy(const Kernel& body, std::uint32_t block, std::vector<Id>& made) {
    for (const Id id : body.blocks[block].nodes) {
      Node node = body.nodes[id];
      for (std::uint8_t i = 0; i < node.count; ++i) node.arguments[i] = made[node.arguments[i]];
      if (node.op == Op::argument) {
        made[id] = passed_[node.low()];
      } else if (node.op == Op::give) {
        given_.push_back(node.arguments[0]);
      } else {
        made[id] = append(node);
        std::array<std::uint32_t, 2> blocks{kNone, kNone};
        std::size_t next = 0;
        ir::for_blocks(
            node, [&](std::uint32_t inner) { blocks[next++] = in_block([&] { copy(body, inner, made); }); });
        if (next != 0) to_.nodes[made[id]].immediate = ir::pack(blocks[0], blocks[1]);
      }
    }
  }

  const std::vector<Callee>& callees_;
  std::vector<Id> passed_, given_;
  bool stays_ = false;  // the function that was called last
};

// How many nodes the code has with the functions that do not stay in it.
std::size_t size_with_callees(const Kernel& code, const std::vector<Callee>& callees) {
  std::size_t size = code.nodes.size();
  for (const Node& node : code.nodes) {
    if (node.op == Op::call) size += callees[node.low()].body.nodes.size();
  }
  return size;
}

}  // namespace

Result<Kernel> lower_calls(const Kernel& kernel, std::size_t most, const Stays& stays) {
  if (kernel.functions.empty()) return kernel;
  std::vector<Callee> callees;
  std::vector<ir::Function> left;
  const auto rewritten = [&](const Kernel& code) -> Result<Kernel> {
    if (size_with_callees(code, callees) <= most) return Calls(code, callees).run();
    return Error(ErrorCode::unsupported, Category::compilation, Cause::module_failed,
                 "[Kernel \"" + kernel.name + "\"] has more than " + std::to_string(most) +
                     " nodes with the code of its functions in the place of each call.");
  };
  for (const ir::Function& function : kernel.functions) {
    COLLET_TRY(body, rewritten(function.body));
    if (stays && stays(body)) {
      callees.push_back({.number = static_cast<std::uint32_t>(left.size()), .body = {}});
      left.push_back({function.name, function.arguments, function.results, std::move(body)});
    } else {
      callees.push_back({.number = kNone, .body = std::move(body)});
    }
  }
  COLLET_TRY(made, rewritten(kernel));
  made.functions = std::move(left);
  return std::move(made);
}

}  // namespace collet::emit
