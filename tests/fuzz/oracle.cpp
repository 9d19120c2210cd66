// The three ways to run a kernel without a device.

#include "fuzz/oracle.hpp"

#include <algorithm>

#include "backends/cpu/interpreter/run.hpp"
#include "backends/cpu/native/program.hpp"
#include "fuzz/fenced.hpp"
#include "kernel/emit/lower.hpp"
#include "kernel/ir/passes.hpp"
#include "unit/backends/cpu/interpreter/reference.hpp"

namespace collet::fuzz {
namespace {

// All groups of a launch, on memory that stays the caller's. Threads: one at a time.
class Groups {
 public:
  Groups(const Work& work, std::vector<Bytes>& buffers) {
    for (Bytes& buffer : buffers) {
      data_.push_back(buffer.data());
      sizes_.push_back(buffer.size());
    }
    add(work);
  }
  Groups(const Work& work, const Fenced& buffers) {
    for (std::size_t i = 0; i < buffers.count(); ++i) {
      data_.push_back(buffers.data(i));
      sizes_.push_back(buffers.size(i));
    }
    add(work);
  }
  Groups(const Groups&) = delete;
  Groups& operator=(const Groups&) = delete;

  auto begin() const { return groups_.begin(); }
  auto end() const { return groups_.end(); }

 private:
  void add(const Work& work) {
    backend::HostGroup group{.size = work.kernel.group, .extent = work.extent};
    for (std::size_t d = 0; d < 3; ++d) {
      group.count[d] =
          static_cast<std::uint32_t>((work.extent[d] + work.kernel.group[d] - 1) / work.kernel.group[d]);
    }
    group.buffers = data_.data();
    group.buffer_sizes = sizes_.data();
    group.constants = work.constants.data();
    for (std::uint32_t i = 0; i < group.count[0] * group.count[1] * group.count[2]; ++i) {
      group.id = {i % group.count[0], i / group.count[0] % group.count[1],
                  i / group.count[0] / group.count[1]};
      groups_.push_back(group);
    }
  }

  std::vector<std::byte*> data_;
  std::vector<std::uint64_t> sizes_;
  std::vector<backend::HostGroup> groups_;
};

// Without its prints and what is passed to them.
void silence(ir::Kernel& body) {
  for (ir::Block& block : body.blocks) {
    std::vector<ir::Id> gone, passed;  // values may stand between what is passed
    for (const ir::Id id : block.nodes) {
      const ir::Op op = body.nodes[id].op;
      if (op == ir::Op::pass) passed.push_back(id);
      if (op == ir::Op::print) {
        gone.insert(gone.end(), passed.begin(), passed.end());
        gone.push_back(id);
      }
      if (op == ir::Op::print || op == ir::Op::call) passed.clear();
    }
    std::erase_if(block.nodes, [&](ir::Id id) { return std::ranges::find(gone, id) != gone.end(); });
  }
}

ir::Kernel silent(ir::Kernel kernel) {
  if (kernel.messages.empty()) return kernel;
  silence(kernel);
  for (ir::Function& function : kernel.functions) silence(function.body);
  kernel.messages.clear();
  ir::compact(kernel);
  return kernel;
}

struct Manner {
  bool backward = false;
  std::byte fresh{0};  // what private arrays begin with
};

struct ItemsRun {
  std::vector<Bytes> buffers;
  bool outside = false;
};

ItemsRun items_run(const Work& work, Manner manner) {
  struct Place {
    const backend::HostGroup* group;
    std::array<std::uint32_t, 3> local;
  };
  ItemsRun done{.buffers = work.buffers};
  const Groups groups(work, done.buffers);
  std::vector<Place> places;
  for (const backend::HostGroup& group : groups) {
    const auto exists = [&](std::size_t d, std::uint32_t at) {
      return std::uint64_t{group.id[d]} * group.size[d] + at < group.extent[d];
    };
    for (std::uint32_t z = 0; z < group.size[2]; ++z) {
      for (std::uint32_t y = 0; y < group.size[1]; ++y) {
        for (std::uint32_t x = 0; x < group.size[0]; ++x) {
          if (exists(0, x) && exists(1, y) && exists(2, z)) places.push_back({&group, {x, y, z}});
        }
      }
    }
  }
  if (manner.backward) std::ranges::reverse(places);
  const ir::Kernel whole = emit::lower_calls(silent(work.kernel)).value();
  for (const Place& place : places) {
    interpreter_reference::Item item(whole, *place.group, place.local, manner.fresh);
    item.run();
    done.outside = done.outside || item.outside();
  }
  return done;
}

}  // namespace

Result<std::vector<Bytes>> interpret(const Work& work) {
  COLLET_TRY(program, backend::cpu::interpreter::lower(silent(work.kernel)));
  const Fenced buffers(work.buffers);
  backend::cpu::interpreter::Scratch scratch;
  for (const backend::HostGroup& group : Groups(work, buffers)) {
    COLLET_CHECK(backend::cpu::interpreter::run(program, group, scratch));
  }
  return buffers.contents();
}

Result<std::vector<Bytes>> run_native(const Work& work, backend::cpu::native::Level level) {
  COLLET_TRY(program, backend::cpu::native::compile(silent(work.kernel), level));
  const Fenced buffers(work.buffers);
  backend::cpu::native::Scratch scratch;
  for (const backend::HostGroup& group : Groups(work, buffers)) {
    if (group.id[0] == 0) COLLET_CHECK(backend::cpu::native::run(*program, group, group.count[0], scratch));
  }
  return buffers.contents();
}

bool is_sequential(const ir::Kernel& kernel) {
  return std::ranges::none_of(kernel.nodes, [&](const ir::Node& node) {
    const ir::Rule rule = ir::rule(node.op);
    const bool access = node.op == ir::Op::load || node.op == ir::Op::store || ir::is_atomic(node.op);
    return rule == ir::Rule::barrier || (rule >= ir::Rule::uniform && rule <= ir::Rule::subgroup_shuffle) ||
           (access && kernel.memories[node.low()].space == ir::Space::workgroup);
  });
}

std::vector<Bytes> run_items(const Work& work) { return items_run(work, {}).buffers; }

bool reaches_outside(const Work& work) { return items_run(work, {}).outside; }

bool is_sound(const Work& work) {
  const ItemsRun forward = items_run(work, {});
  const ItemsRun backward = items_run(work, {.backward = true, .fresh = std::byte{0xa5}});
  return !forward.outside && !backward.outside && forward.buffers == backward.buffers;
}

}  // namespace collet::fuzz
