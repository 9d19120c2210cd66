// Emitting: bodies that are cut into regions. Each is a loop over the group's vectors; branches and loops
// around meeting places run once for the group.
//
// A region begins by importing what it takes from others: from rooms in the scratch, or made anew. What it
// imports holds in it alone.

#include <algorithm>

#include "backends/cpu/native/emitter.hpp"
#include "kernel/ir/blocks.hpp"

namespace collet::backend::cpu::native {

using ir::Op;
using ir::Scalar;
using Form = Lanes::Form;

void Emitter::cut_body() {
  for (std::size_t m = 0; m < kernel_.memories.size(); ++m) {
    const ir::Memory& memory = kernel_.memories[m];
    if (memory.space != ir::Space::item) continue;
    const std::uint64_t bytes = memory.count * memory.stride * layout_.width * layout_.parts * layout_.turns;
    clear(w_.define({"getelementptr i8, ptr %scratch, i64 ", std::to_string(layout_.rooms.memory[m])}),
          bytes);
  }
  group_end_ = w_.label();
  if (returns_) {
    for_turns([&] {
      to_turn_end([&] {
        open_rooms();
        root_mask();
        store_mask(alive_, mask_);
      });
    });
  }
  group_block(0);
  w_.jump(group_end_);
  w_.begin(group_end_);
}

void Emitter::group_block(std::uint32_t index) {
  const std::span<const Id> nodes = kernel_.blocks[index].nodes;
  for (std::size_t at = 0; at < nodes.size();) {
    const std::size_t begin = at;
    const auto stands_alone = [&](Id id) { return in_group(id) || is_between_items(kernel_.nodes[id].op); };
    while (at < nodes.size() && !stands_alone(nodes[at])) ++at;
    if (at != begin) region(nodes.subspan(begin, at - begin));
    if (at == nodes.size()) return;
    const Id id = nodes[at++];
    is_between_items(kernel_.nodes[id].op) ? between_items(id) : group_node(id);
    if (std::exchange(ended_, false)) return;
  }
}

void Emitter::group_node(Id id) {
  const Node& node = kernel_.nodes[id];
  region_ = Regions::kGroup;
  if (node.op == Op::barrier) return;
  if (node.op == Op::uniform) {
    values_[id] = {{.name = first_item(node.arguments[0])}};
    return;
  }
  if (ir::rule(node.op) == ir::Rule::jump) {
    ended_ = true;
    w_.jump(node.op == Op::return_  ? group_end_
            : node.op == Op::break_ ? loops_.back().end
                                    : loops_.back().next);
    w_.begin(w_.label());  // never reached
    return;
  }
  import_arguments(node);
  const auto outer = std::exchange(overwritten_, {});
  mask_.assign(parts(), "");
  node.op == Op::if_ ? choose(id) : loop(id);
  region_ = Regions::kGroup;
  overwritten_ = outer;
  leave();
}

void Emitter::region(std::span<const Id> nodes) {
  region_ = layout_.regions->home[nodes.front()];
  const std::string somebody = returns_ ? w_.room("i1") : std::string();
  if (returns_) w_.line({"store i1 false, ptr ", somebody});
  const auto run = [&] {
    open_rooms();
    import_all(nodes);
    root_mask();
    if (returns_) {
      const Mask alive = load_mask(alive_);
      for (std::size_t p = 0; p < parts(); ++p) mask_[p] = both(mask_[p], alive[p]);
      w_.go_on_if(any(mask_), turn_end_);
      w_.line({"store i1 true, ptr ", somebody});
    }
    block_ends_.push_back(turn_end_);
    for (const Id id : nodes) {
      node(id);
      if (std::exchange(ended_, false)) break;
      keep(id);
    }
    block_ends_.pop_back();
  };
  for_turns([&] {
    to_turn_end(run);
    put_back();
  });
  leave();
  region_ = Regions::kGroup;
  if (!returns_) return;
  // Where nobody is left, nobody says how the group goes on.
  w_.go_on_if(w_.define({"load i1, ptr ", somebody}), group_end_);
}

// In the scratch, of a part of this turn.
std::string Emitter::room_address(std::uint64_t at, std::uint64_t bytes, std::size_t part) {
  const std::string turn = w_.define({"zext i32 ", turn_, " to i64"});
  const std::string rooms = w_.define({"mul nuw nsw i64 ", turn, ", ", std::to_string(bytes * parts())});
  const std::string place = w_.define({"add nuw nsw i64 ", rooms, ", ", std::to_string(at + bytes * part)});
  return w_.define({"getelementptr i8, ptr %scratch, i64 ", place});
}

// This turn's private arrays, and the masks of who has not returned.
void Emitter::open_rooms() {
  for (std::size_t m = 0; m < kernel_.memories.size(); ++m) {
    const ir::Memory& memory = kernel_.memories[m];
    if (memory.space != ir::Space::item) continue;
    arrays_[m].clear();
    for (std::size_t p = 0; p < parts(); ++p) {
      arrays_[m].push_back(
          room_address(layout_.rooms.memory[m], memory.count * memory.stride * layout_.width, p));
    }
  }
  alive_.clear();
  for (std::size_t p = 0; returns_ && p < parts(); ++p)
    alive_.push_back(room_address(layout_.rooms.alive, room_bytes(layout_, Scalar::boolean, true), p));
}

void Emitter::import_all(std::span<const Id> nodes) {
  for (const Id id : nodes) {
    const Node& node = kernel_.nodes[id];
    if (node.op == Op::variable && layout_.regions->shared[id]) import(id);
    import_arguments(node);
    ir::for_blocks(node, [&](std::uint32_t inner) { import_all(kernel_.blocks[inner].nodes); });
  }
}

void Emitter::import_arguments(const Node& node) {
  for (std::uint8_t i = 0; i < node.count; ++i) {
    const Id from = node.arguments[i];
    const std::uint32_t home = layout_.regions->home[from];
    const bool is_shared = kernel_.nodes[from].op == Op::variable && layout_.regions->shared[from];
    if (home != Regions::kGroup && (home != region_ || is_shared)) import(from);
  }
}

void Emitter::import(Id id) {
  if (std::ranges::find(overwritten_, id, &std::pair<Id, Value>::first) != overwritten_.end()) return;
  const Node& node = kernel_.nodes[id];
  const bool uniform = shapes_.value[id] == Shape::uniform;
  overwritten_.emplace_back(id, std::exchange(values_[id], {}));
  if (node.op == Op::variable) {
    import_variable(id);
  } else if (is_known_anywhere(node)) {
    value(id);
  } else if (uniform) {
    values_[id] = {{.name = w_.define({"load ", scalar_type(node.type.scalar), ", ptr ", kept_scalar(id)})}};
  } else if (shapes_.value[id] == Shape::linear) {
    for (std::uint8_t i = 0; i < node.count; ++i) {
      const Id from = node.arguments[i];
      if (layout_.regions->home[from] != Regions::kGroup) import(from);
    }
    value(id);
  } else {
    for (std::size_t p = 0; p < parts(); ++p)
      values_[id].push_back({.form = Form::vector, .name = load_room(id, p)});
  }
}

// A copy in the function's frame, where LLVM finds it easier to keep in registers.
void Emitter::import_variable(Id id) {
  const Scalar scalar = kernel_.nodes[id].type.scalar;
  const bool uniform = shapes_.value[id] == Shape::uniform;
  const std::string type = w_.type(scalar, !uniform);
  Value& rooms = working_[id];
  for (std::size_t p = rooms.size(); p < (uniform ? 1 : parts()); ++p)
    rooms.push_back({.name = w_.room(type)});
  for (std::size_t p = 0; p < rooms.size(); ++p) {
    const std::string at = room_address(layout_.rooms.node[id], room_bytes(layout_, scalar, !uniform), p);
    const std::string now = w_.define({"load ", type, ", ptr ", at, ", align 1"});
    w_.line({"store ", type, " ", now, ", ptr ", rooms[p].name});
  }
  values_[id] = rooms;
}

// What the region did to variables that others use.
void Emitter::put_back() {
  for (const auto& [id, before] : overwritten_) {
    const Node& node = kernel_.nodes[id];
    if (node.op != Op::variable) continue;
    const bool uniform = shapes_.value[id] == Shape::uniform;
    const std::string type = w_.type(node.type.scalar, !uniform);
    for (std::size_t p = 0; p < values_[id].size(); ++p) {
      const std::string now = w_.define({"load ", type, ", ptr ", values_[id][p].name});
      const std::string at =
          room_address(layout_.rooms.node[id], room_bytes(layout_, node.type.scalar, !uniform), p);
      w_.line({"store ", type, " ", now, ", ptr ", at, ", align 1"});
    }
  }
}

// What was imported holds no longer.
void Emitter::leave() {
  for (auto& [id, value] : overwritten_) values_[id] = std::move(value);
  overwritten_.clear();
}

// Lanes of booleans are kept as bytes, so that each has an address.
void Emitter::store_room(Id id, std::size_t part, const Lanes& lanes) {
  const Scalar scalar = kernel_.nodes[id].type.scalar;
  const std::string at = room_address(layout_.rooms.node[id], room_bytes(layout_, scalar, true), part);
  std::string type = w_.type(scalar, true);
  std::string value = vector(lanes, scalar);
  if (scalar == Scalar::boolean) {
    value = w_.define({"zext ", type, " ", value, " to ", w_.vector_of("i8")});
    type = w_.vector_of("i8");
  }
  w_.line({"store ", type, " ", value, ", ptr ", at, ", align 1"});
}

std::string Emitter::load_room(Id id, std::size_t part) {
  const Scalar scalar = kernel_.nodes[id].type.scalar;
  const std::string at = room_address(layout_.rooms.node[id], room_bytes(layout_, scalar, true), part);
  if (scalar != Scalar::boolean)
    return w_.define({"load ", w_.type(scalar, true), ", ptr ", at, ", align 1"});
  const std::string bytes = w_.define({"load ", w_.vector_of("i8"), ", ptr ", at, ", align 1"});
  return w_.define({"trunc ", w_.vector_of("i8"), " ", bytes, " to ", w_.vector_of("i1")});
}

// Where other regions find a value that all lanes share: 0 until somebody came there.
std::string Emitter::kept_scalar(Id id) {
  const auto [room, added] = kept_.try_emplace(id);
  if (added) {
    const Scalar scalar = kernel_.nodes[id].type.scalar;
    room->second = w_.room(std::string(scalar_type(scalar)));
    entry_ += "  store " + std::string(scalar_type(scalar)) + " " + w_.constant(scalar, 0, false) + ", ptr " +
              room->second + "\n";
  }
  return room->second;
}

// Puts a value where other regions find it.
void Emitter::keep(Id id) {
  if (!layout_.regions->kept[id]) return;
  const bool uniform = shapes_.value[id] == Shape::uniform;
  if (uniform)
    w_.line({"store ", scalar_type(kernel_.nodes[id].type.scalar), " ", part(id, 0).name, ", ptr ",
             kept_scalar(id)});
  for (std::size_t p = 0; (!uniform || layout_.regions->spread[id]) && p < parts(); ++p)
    store_room(id, p, part(id, p));
}

// Runs once for the group, item after item, from rooms to rooms.
void Emitter::between_items(Id id) {
  const Node& node = kernel_.nodes[id];
  std::string arguments;
  for (std::uint8_t i = 0; i < node.count; ++i) {
    const Id from = node.arguments[i];
    // What the group has once is in no room yet.
    if (in_group(from)) {
      for_turns([&] {
        for (std::size_t p = 0; p < parts(); ++p) store_room(from, p, part(from, p));
      });
    }
    const std::string at =
        w_.define({"getelementptr i8, ptr %scratch, i64 ", std::to_string(layout_.rooms.node[from])});
    arguments += "ptr " + at + ", ";
  }
  if (!layout_.regions->kept[id]) return;  // nobody asks
  const std::string to =
      w_.define({"getelementptr i8, ptr %scratch, i64 ", std::to_string(layout_.rooms.node[id])});
  w_.line({"call void ", between_items_function(node), "(", arguments, "ptr ", to, ")"});
}

// The value of the group's first item.
std::string Emitter::first_item(Id id) {
  const Scalar scalar = kernel_.nodes[id].type.scalar;
  if (in_group(id)) return values_[id][0].name;
  if (shapes_.value[id] == Shape::uniform) {
    import(id);
    std::string name = values_[id][0].name;
    leave();
    return name;
  }
  const std::string at =
      w_.define({"getelementptr i8, ptr %scratch, i64 ", std::to_string(layout_.rooms.node[id])});
  if (scalar != Scalar::boolean)
    return w_.define({"load ", std::string(scalar_type(scalar)), ", ptr ", at, ", align 1"});
  return w_.define({"trunc i8 ", w_.define({"load i8, ptr ", at}), " to i1"});
}

}  // namespace collet::backend::cpu::native
