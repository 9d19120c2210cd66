// Greedy shrinking: every change that keeps the fault stays.

#include "fuzz/shrink.hpp"

#include <algorithm>

#include "fuzz/oracle.hpp"
#include "kernel/ir/passes.hpp"
#include "kernel/ir/verify.hpp"

namespace collet::fuzz {
namespace {

using ir::Id;
using ir::Node;
using ir::Op;

// Threads: one at a time.
class Shrinker {
 public:
  Shrinker(Work work, const std::function<bool(const Work&)>& bad, int most)
      : best_(std::move(work)), bad_(bad), left_(most) {}

  Work run() {
    for (bool smaller = true; smaller && left_ > 0;) {
      smaller = false;
      for (std::size_t width = 16; width != 0; width /= 2) smaller = drop(width) || smaller;
      smaller = unwrap() || smaller;
      if (!is_sequential(best_.kernel)) continue;
      smaller = forget_values() || smaller;
      smaller = fewer_items() || smaller;
    }
    return std::move(best_);
  }

 private:
  // Keeps the change where the fault is still there.
  bool keep(Work changed) {
    if (left_ <= 0 || !ir::verify(changed.kernel)) return false;
    if (is_sequential(changed.kernel) && !is_sound(changed)) return false;
    --left_;
    if (!bad_(changed)) return false;
    best_ = std::move(changed);
    return true;
  }

  // What others rely on: meeting, and what is written where private or shared memory is read later.
  bool meets(const ir::Kernel& kernel, const Node& node) const {
    if (is_sequential(kernel)) return false;
    return node.op == Op::barrier ||
           (node.op == Op::store && kernel.memories[node.low()].space != ir::Space::buffer);
  }

  std::uint32_t home(Id id) const {
    for (std::uint32_t block = 0; block < best_.kernel.blocks.size(); ++block) {
      if (std::ranges::find(best_.kernel.blocks[block].nodes, id) != best_.kernel.blocks[block].nodes.end())
        return block;
    }
    return 0;
  }

  // Inside a loop nothing changes: one without its counter would never end.
  bool in_loop(std::uint32_t block) const {
    for (Id id = 0; id < best_.kernel.nodes.size(); ++id) {
      const Node& node = best_.kernel.nodes[id];
      const std::uint32_t blocks = ir::block_count(node.op);
      const bool owns = (blocks >= 1 && node.low() == block) || (blocks == 2 && node.high() == block);
      if (owns && block != 0) return node.op == Op::loop || in_loop(home(id));
    }
    return false;
  }

  bool drop(std::size_t width) {
    bool found = false;
    for (std::uint32_t block = 0; block < best_.kernel.blocks.size(); ++block) {
      if (in_loop(block)) continue;
      for (std::size_t end = best_.kernel.blocks[block].nodes.size(); end >= width && left_ > 0;) {
        Work changed = best_;
        auto& nodes = changed.kernel.blocks[block].nodes;
        const auto first = nodes.begin() + static_cast<std::ptrdiff_t>(end - width);
        if (std::any_of(first, nodes.begin() + static_cast<std::ptrdiff_t>(end),
                        [&](Id id) { return meets(changed.kernel, changed.kernel.nodes[id]); })) {
          --end;
          continue;
        }
        nodes.erase(first, first + static_cast<std::ptrdiff_t>(width));
        found = keep(std::move(changed)) || found;
        if (block >= best_.kernel.blocks.size()) break;
        end = std::min(end - 1, best_.kernel.blocks[block].nodes.size());
      }
    }
    return found;
  }

  // A branch's block in the place of the branch.
  bool unwrap() {
    bool found = false;
    for (std::uint32_t block = 0; block < best_.kernel.blocks.size(); ++block) {
      if (in_loop(block)) continue;
      for (std::size_t at = 0; at < best_.kernel.blocks[block].nodes.size(); ++at) {
        const Node node = best_.kernel.nodes[best_.kernel.blocks[block].nodes[at]];
        if (node.op != Op::if_) continue;
        for (const std::uint32_t inside : {node.low(), node.high()}) {
          if (inside == ir::kNone) continue;
          Work changed = best_;
          auto& nodes = changed.kernel.blocks[block].nodes;
          const std::vector<Id> moved = std::move(changed.kernel.blocks[inside].nodes);
          changed.kernel.blocks[inside].nodes.clear();
          const auto place = nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(at));
          nodes.insert(place, moved.begin(), moved.end());
          if (!keep(std::move(changed))) continue;
          found = true;
          break;
        }
        if (block >= best_.kernel.blocks.size()) return found;
      }
    }
    return found;
  }

  // A constant in the place of a value.
  bool forget_values() {
    bool found = false;
    for (std::size_t id = best_.kernel.nodes.size(); id-- > 0 && left_ > 0;) {
      if (id >= best_.kernel.nodes.size()) continue;
      const Node& node = best_.kernel.nodes[id];
      if (node.op == Op::constant || node.op == Op::variable || node.type == ir::kNothing) continue;
      if (node.type.width != 1 || ir::block_count(node.op) != 0 || in_loop(home(static_cast<Id>(id))))
        continue;
      for (const std::uint64_t bits : {0, 1}) {
        Work changed = best_;
        const bool floats = node.type.scalar == ir::Scalar::f32;
        changed.kernel.nodes[id] = {
            .op = Op::constant, .type = node.type, .immediate = floats && bits != 0 ? 0x3f800000 : bits};
        if (!keep(std::move(changed))) continue;
        found = true;
        break;
      }
    }
    return found;
  }

  bool fewer_items() {
    bool found = false;
    for (std::size_t d = 0; d < 3; ++d) {
      for (const std::uint64_t extent : {std::uint64_t{1}, best_.extent[d] / 2, best_.extent[d] - 1}) {
        if (extent == 0 || extent >= best_.extent[d]) continue;
        Work changed = best_;
        changed.extent[d] = extent;
        found = keep(std::move(changed)) || found;
      }
    }
    return found;
  }

  Work best_;
  const std::function<bool(const Work&)>& bad_;
  int left_;
};

}  // namespace

Work shrink(Work work, const std::function<bool(const Work&)>& bad, int most) {
  return Shrinker(std::move(work), bad, most).run();
}

}  // namespace collet::fuzz
