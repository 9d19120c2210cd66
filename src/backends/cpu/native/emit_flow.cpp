// Emitting: control flow. Where lanes agree, branches; where they part, masks.
//
// A lane that leaves by a mask is taken out of the masks of the loops that it leaves (and of those that are
// alive, when it returns) at once; the blocks between learn of it when they end, by rejoin(). Nothing runs
// under masks that are all empty.

#include <algorithm>

#include "backends/cpu/native/emitter.hpp"

namespace collet::backend::cpu::native {

using ir::Op;
using Form = Lanes::Form;

void Emitter::block(std::uint32_t index) {
  const Mask outer = mask_;
  block_ends_.push_back(w_.label());
  for (const Id id : kernel_.blocks[index].nodes) {
    node(id);
    if (std::exchange(ended_, false)) break;
  }
  w_.jump(block_ends_.back());
  w_.begin(block_ends_.back());
  block_ends_.pop_back();
  mask_ = outer;
}

std::vector<std::string> Emitter::mask_rooms() {
  std::vector<std::string> rooms;
  rooms.reserve(parts());
  for (std::size_t p = 0; p < parts(); ++p) rooms.push_back(w_.room(w_.vector_of("i1")));
  return rooms;
}

Mask Emitter::load_mask(const std::vector<std::string>& rooms) {
  Mask mask;
  for (const std::string& room : rooms)
    mask.push_back(w_.define({"load ", w_.vector_of("i1"), ", ptr ", room}));
  return mask;
}

void Emitter::store_mask(const std::vector<std::string>& rooms, const Mask& mask) {
  for (std::size_t p = 0; p < parts(); ++p)
    w_.line({"store ", w_.vector_of("i1"), " ", mask_vector(mask[p]), ", ptr ", rooms[p]});
}

std::string Emitter::mask_vector(const std::string& mask) const {
  return mask.empty() ? w_.constant(ir::Scalar::boolean, 1, true) : mask;
}

std::string Emitter::inverted(const std::string& mask) {
  if (mask.empty()) return std::string(kNoLanes);
  if (mask == kNoLanes) return {};
  return w_.define({"xor ", w_.vector_of("i1"), " ", mask, ", ", mask_vector("")});
}

std::string Emitter::both(const std::string& a, const std::string& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  if (a == kNoLanes || b == kNoLanes) return std::string(kNoLanes);
  return w_.define({"and ", w_.vector_of("i1"), " ", a, ", ", b});
}

// The conjunction of two scalar conditions.
std::string Emitter::both_hold(const std::string& a, const std::string& b) {
  if (a == "true") return b;
  if (b == "true") return a;
  return w_.define({"and i1 ", a, ", ", b});
}

std::string Emitter::any(const std::string& mask) {
  if (mask.empty()) return "true";
  if (mask == kNoLanes) return "false";
  return w_.define({"icmp ne ", w_.word_type(), " ", w_.word(mask), ", 0"});
}

std::string Emitter::any(const Mask& mask) {
  std::string together;
  for (const std::string& one : mask) {
    if (one.empty()) return "true";
    if (one == kNoLanes) continue;
    together = together.empty() ? one : w_.define({"or ", w_.vector_of("i1"), " ", together, ", ", one});
  }
  return together.empty() ? std::string("false") : any(together);
}

std::string Emitter::all(const std::string& mask) {
  if (mask.empty()) return "true";
  if (mask == kNoLanes) return "false";
  return w_.all_set(mask);
}

// As a mask, where a condition holds.
std::string Emitter::chosen_lanes(const Lanes& condition) {
  if (condition.form == Form::scalar && condition.name == "true") return {};
  if (condition.form == Form::scalar && condition.name == "false") return std::string(kNoLanes);
  return vector(condition, ir::Scalar::boolean);
}

// Runs where some lane does.
void Emitter::masked_block(std::uint32_t index, Mask mask) {
  if (std::ranges::count(mask, kNoLanes) == std::ssize(mask)) return;
  w_.when(any(mask), [&] {
    mask_ = std::move(mask);
    block(index);
  });
}

void Emitter::choose(Id id) {
  const Node& node = kernel_.nodes[id];
  const Id condition = node.arguments[0];
  const bool has_else = node.high() != ir::kNone;
  if (!shapes_.divergent[id]) {
    const auto yes = [&] { control_block(id, node.low()); };
    if (has_else) {
      w_.either(part(condition, 0).name, yes, [&] { control_block(id, node.high()); });
    } else {
      w_.when(part(condition, 0).name, yes);
    }
    return rejoin(id);
  }
  const Mask outer = mask_;
  Mask inside;
  Mask others;
  for (std::size_t p = 0; p < parts(); ++p) {
    const std::string chosen = chosen_lanes(part(condition, p));
    inside.push_back(both(outer[p], chosen));
    if (has_else) others.push_back(both(outer[p], inverted(chosen)));
  }
  const bool outer_apart = std::exchange(apart_, true);
  masked_block(node.low(), std::move(inside));
  if (has_else) masked_block(node.high(), std::move(others));
  mask_ = outer;
  apart_ = outer_apart;
  rejoin(id);
}

// After a block that lanes may have left for good.
void Emitter::rejoin(Id id) {
  if (!shapes_.left_by_mask[id] || in_group(id)) return;
  const std::vector<std::string>& left = loops_.empty() ? alive_ : loops_.back().turn;
  if (left.empty()) return;  // a loop that lanes leave together
  const Mask still = load_mask(left);
  for (std::size_t p = 0; p < parts(); ++p) mask_[p] = both(mask_[p], still[p]);
  w_.go_on_if(any(mask_), block_ends_.back());
}

void Emitter::loop(Id id) {
  const Node& node = kernel_.nodes[id];
  const bool range = node.op == Op::range;
  const bool divergent = shapes_.divergent[id];
  const bool each = range && shapes_.value[id] != Shape::uniform;  // lanes count for themselves
  const Mask outer = mask_;
  const bool outer_apart = apart_;
  const std::string top = w_.label();
  Loop made{.divergent = divergent, .end = w_.label(), .next = w_.label()};
  if (divergent) {
    made.live = mask_rooms();
    made.turn = mask_rooms();
    store_mask(made.live, mask_);
    apart_ = true;
  }
  if (each) {
    range_begin_lanes(id, made);
    w_.jump(top);
  } else if (range) {
    range_begin(id, top, made.end);
  } else {
    w_.jump(top);
  }
  loops_.push_back(made);
  w_.begin(top);
  if (divergent) {
    mask_ = load_mask(made.live);
    store_mask(made.turn, mask_);
    w_.go_on_if(any(mask_), made.end);
  }
  if (range) {
    const std::string type = w_.type(node.type.scalar, each);
    Value& counter = values_[id];
    counter.clear();
    for (const Lanes& room : rooms_[id]) {
      counter.push_back({.form = each ? Form::vector : Form::scalar,
                         .name = w_.define({"load ", type, ", ptr ", room.name})});
    }
  }
  control_block(id, node.low());
  w_.jump(made.next);
  w_.begin(made.next);
  if (divergent) mask_ = load_mask(made.live);
  if (each) {
    range_next_lanes(id, made);
    w_.jump(top);
  } else if (range) {
    range_next(id, top, made.end);
  } else {
    if (node.high() != ir::kNone) {
      if (divergent) w_.go_on_if(any(mask_), made.end);
      control_block(id, node.high());
    }
    w_.jump(top);
  }
  w_.begin(made.end);
  loops_.pop_back();
  mask_ = outer;
  apart_ = outer_apart;
  rejoin(id);
}

// Takes the lanes that run now out of masks.
void Emitter::drop(const std::vector<std::string>& rooms) {
  const std::string type = w_.vector_of("i1");
  for (std::size_t p = 0; p < rooms.size(); ++p) {
    if (mask_[p] == kNoLanes) continue;
    std::string left(kNoLanes);
    if (!mask_[p].empty()) {
      const std::string old = w_.define({"load ", type, ", ptr ", rooms[p]});
      left = w_.define({"and ", type, " ", old, ", ", inverted(mask_[p])});
    }
    w_.line({"store ", type, " ", left, ", ptr ", rooms[p]});
  }
}

void Emitter::jump(const Node& node) {
  ended_ = true;
  const bool leaves = node.op == Op::return_;
  const bool apart = leaves ? apart_ : loops_.back().divergent;
  if (!apart) {
    w_.jump(leaves ? turn_end_ : node.op == Op::break_ ? loops_.back().end : loops_.back().next);
    w_.begin(w_.label());  // never reached
    return;
  }
  if (leaves) {
    drop(alive_);
    for (const Loop& loop : loops_) {
      drop(loop.live);
      drop(loop.turn);
    }
    return;
  }
  if (node.op == Op::break_) drop(loops_.back().live);
  drop(loops_.back().turn);
}

// A range whose lanes count together. Its counter is a variable, kept in rooms_.
void Emitter::range_begin(Id id, const std::string& body, const std::string& end) {
  const Node& node = kernel_.nodes[id];
  const std::string type(scalar_type(node.type.scalar));
  if (!rooms_.contains(id)) rooms_[id] = {{.name = w_.room(type)}};
  const std::string& begin = part(node.arguments[0], 0).name;
  w_.line({"store ", type, " ", begin, ", ptr ", rooms_[id][0].name});
  const char* const less = ir::is_signed(node.type.scalar) ? "icmp slt " : "icmp ult ";
  w_.branch(w_.define({less, type, " ", begin, ", ", part(node.arguments[1], 0).name}), body, end);
}

void Emitter::range_next(Id id, const std::string& body, const std::string& end) {
  const Node& node = kernel_.nodes[id];
  const std::string type(scalar_type(node.type.scalar));
  const bool is_signed = ir::is_signed(node.type.scalar);
  const std::string& now = values_[id][0].name;
  const std::string& limit = part(node.arguments[1], 0).name;
  const std::string& step = part(node.arguments[2], 0).name;
  const std::string& room = rooms_[id][0].name;
  if (step == "1") {
    // Below its end, a counter has room for one more.
    const std::string next = w_.define({(is_signed ? "add nsw " : "add nuw "), type, " ", now, ", 1"});
    w_.line({"store ", type, " ", next, ", ptr ", room});
    w_.branch(w_.define({(is_signed ? "icmp slt " : "icmp ult "), type, " ", next, ", ", limit}), body, end);
    return;
  }
  const std::string left = w_.define({"sub ", type, " ", limit, ", ", now});
  const std::string more = w_.define({"icmp ugt ", type, " ", left, ", ", step});
  const std::string forward = w_.define({(is_signed ? "icmp sgt " : "icmp ne "), type, " ", step, ", 0"});
  w_.line({"store ", type, " ", w_.define({"add ", type, " ", now, ", ", step}), ", ptr ", room});
  w_.branch(w_.define({"and i1 ", more, ", ", forward}), body, end);
}

void Emitter::range_begin_lanes(Id id, const Loop& loop) {
  const Node& node = kernel_.nodes[id];
  const ir::Scalar type = node.type.scalar;
  const std::string text = w_.type(type, true);
  const char* const less = ir::is_signed(type) ? "icmp slt " : "icmp ult ";
  const bool fresh = !rooms_.contains(id);
  Mask live;
  for (std::size_t p = 0; p < parts(); ++p) {
    if (fresh) rooms_[id].push_back({.name = w_.room(text)});
    const std::string begin = vector(part(node.arguments[0], p), type);
    const std::string end = vector(part(node.arguments[1], p), type);
    w_.line({"store ", text, " ", begin, ", ptr ", rooms_[id][p].name});
    live.push_back(both(mask_[p], w_.define({less, text, " ", begin, ", ", end})));
  }
  store_mask(loop.live, live);
}

void Emitter::range_next_lanes(Id id, const Loop& loop) {
  const Node& node = kernel_.nodes[id];
  const ir::Scalar type = node.type.scalar;
  const std::string text = w_.type(type, true);
  Mask live;
  for (std::size_t p = 0; p < parts(); ++p) {
    const std::string& now = values_[id][p].name;
    const std::string end = vector(part(node.arguments[1], p), type);
    const std::string step = vector(part(node.arguments[2], p), type);
    const std::string left = w_.define({"sub ", text, " ", end, ", ", now});
    const std::string more = w_.define({"icmp ugt ", text, " ", left, ", ", step});
    const std::string forward =
        w_.define({(ir::is_signed(type) ? "icmp sgt " : "icmp ne "), text, " ", step, ", zeroinitializer"});
    w_.line(
        {"store ", text, " ", w_.define({"add ", text, " ", now, ", ", step}), ", ptr ", rooms_[id][p].name});
    live.push_back(both(mask_[p], both(more, forward)));
  }
  store_mask(loop.live, live);
}

}  // namespace collet::backend::cpu::native
