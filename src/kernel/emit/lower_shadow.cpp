// Code beside each access that leaves a mark, and looks at the marks of others.

#include <algorithm>
#include <array>
#include <numeric>

#include "kernel/emit/check_messages.hpp"
#include "kernel/emit/hidden_buffer.hpp"
#include "kernel/emit/shadow.hpp"

namespace collet::emit {
namespace {

using ir::Message;

constexpr std::uint32_t kMostEras = (1u << (32 - kItemBits)) - 1;  // marks of later ones are not looked at
constexpr std::uint32_t kMostUnrolled = 4;                         // units of one access

Touch touch_of(Op op) {
  switch (op) {
    case Op::store: return Touch::write;
    case Op::load: return Touch::read;
    case Op::atomic_load: return Touch::atomic_read;
    default: return Touch::atomic;
  }
}
constexpr std::array kAllTouches{Touch::write, Touch::read, Touch::atomic, Touch::atomic_read};
constexpr auto kTouches = static_cast<std::uint32_t>(kAllTouches.size());
static_assert(kShadowBytes == kTouches * 8);  // a mark and a place each
constexpr std::uint32_t number(Touch touch) { return static_cast<std::uint32_t>(touch); }

// Of two that nothing orders: one writes, and not both are atomic.
constexpr bool clash(Touch a, Touch b) {
  const auto writes = [](Touch one) { return one == Touch::write || one == Touch::atomic; };
  const auto is_atomic = [](Touch one) { return one == Touch::atomic || one == Touch::atomic_read; };
  return (writes(a) || writes(b)) && !(is_atomic(a) && is_atomic(b));
}

Type accessed(const Kernel& kernel, const Node& node) {
  return node.type == ir::kNothing ? kernel.nodes[node.arguments[1]].type : node.type;
}

// By memory: a number of bytes at whose multiples all accesses begin and end.
std::vector<std::uint32_t> units_of(const Kernel& kernel) {
  std::vector<std::uint32_t> units;
  units.reserve(kernel.memories.size());
  for (const Memory& memory : kernel.memories) units.push_back(memory.stride);
  for (const Node& node : kernel.nodes) {
    if (!ir::is_access(node.op)) continue;
    std::uint32_t& unit = units[node.low()];
    unit = std::gcd(std::gcd(unit, node.high()), ir::bytes(accessed(kernel, node)));
  }
  return units;
}

// Whether an item may order what it did before what another does: one side releases, the other acquires. A
// fence does both; but that behind an atomic_load belongs to it and acquires, and that before an atomic_store
// releases.
bool synchronises(const Kernel& kernel) {
  bool releases = false, acquires = false;
  for (const ir::Block& block : kernel.blocks) {
    Op before = Op::constant;
    for (std::size_t i = 0; i < block.nodes.size(); ++i) {
      const Op op = kernel.nodes[block.nodes[i]].op;
      const bool stores =
          i + 1 < block.nodes.size() && kernel.nodes[block.nodes[i + 1]].op == Op::atomic_store;
      releases = releases || op == Op::atomic_store || (op == Op::fence && before != Op::atomic_load);
      acquires = acquires || op == Op::atomic_load || (op == Op::fence && !stores);
      before = op;
    }
  }
  return releases && acquires;
}

// Threads: one at a time.
class Shadow : public HiddenBuffer {
 public:
  Shadow(const Kernel& from, bool buffers)
      : HiddenBuffer(from),
        units_(units_of(from)),
        races_(!synchronises(from)),
        first_(from.buffer_count(), kNone),
        shadow_(from.memories.size(), kNone),
        messages_(from, std::size_t{2} * kTouches) {
    watched_.assign(from.buffer_count(), 0);
    for (std::size_t i = 0; i < watched_.size() && buffers && races_; ++i) {
      if (from.memories[i].access != backend::Access::read) watched_[i] = units_[i];
    }
    if (std::ranges::any_of(watched_, [](std::uint32_t unit) { return unit != 0; }))
      add("marks", kShadowBytes);
  }

  Shadowed shadowed() {
    Kernel made = run();
    return {.kernel = std::move(made), .units = has_hidden() ? watched_ : std::vector<std::uint32_t>()};
  }

 private:
  std::uint64_t units_per_element(std::uint32_t memory) const {
    return from_.memories[memory].stride / units_[memory];
  }

  void copy_nodes(std::uint32_t old) override {
    if (old == 0) begin();
    Rewriter::copy_nodes(old);
  }

  // Declares the shadows, and makes what all marks need.
  void begin() {
    for (std::uint32_t i = from_.buffer_count(); i < from_.memories.size(); ++i) declare(i);
    item_ = linear(Op::local_id, [&](std::uint64_t d) { return constant(ir::kU32, from_.group[d]); });
    era_ = variable(constant(ir::kU32, 1));
    if (!has_hidden()) return;
    const Id group =
        linear(Op::group_id, [&](std::uint64_t d) { return make(Op::group_count, ir::kU32, {}, d); });
    group_ = with(Op::add, group, 1);
    watching_ = compare_with(Op::gt, make(Op::length, ir::kU32, {}, hidden()), 1);
    Id units = constant(ir::kU32, 0);
    for (std::uint32_t i = 0; i < watched_.size(); ++i) {
      if (watched_[i] == 0) continue;
      first_[i] = units;
      units = binary(Op::add, units, with(Op::mul, length_of(i), units_per_element(i)));
    }
  }
  Id length_of(std::uint32_t buffer) { return make(Op::length, ir::kU32, {}, buffer); }

  // x + sizes(0) * (y + sizes(1) * z)
  template <class Sizes>
  Id linear(Op op, const Sizes& sizes) {
    const auto number = [&](std::uint64_t d) { return make(op, ir::kU32, {}, d); };
    const Id rows = binary(Op::add, number(1), binary(Op::mul, sizes(1), number(2)));
    return binary(Op::add, number(0), binary(Op::mul, sizes(0), rows));
  }

  void declare(std::uint32_t memory) {
    const Memory& of = from_.memories[memory];
    if (of.space == Space::table) return;
    const std::uint64_t units = of.count * units_per_element(memory);
    const bool item = of.space == Space::item;  // a bit for each unit: it was written
    shadow_[memory] = static_cast<std::uint32_t>(to_.memories.size());
    to_.memories.push_back({.space = of.space,
                            .name = "shadow" + std::to_string(memory),
                            .element = item ? ir::kU32 : ir::kNothing,
                            .stride = item ? 4 : kShadowBytes,
                            .count = item ? (units + 31) / 32 : units});
  }

  void visit(Id id) override {
    const Node& node = from_.nodes[id];
    if (ir::is_access(node.op)) look(node);
    Rewriter::visit(id);
    if (node.op != Op::barrier && node.op != Op::uniform) return;
    const Id next = with(Op::add, get(era_), 1);
    set(era_, make(Op::min, ir::kU32, {next, constant(ir::kU32, kMostEras)}));
  }

  // Before an access: what it is to touch, where it is inside.
  void look(const Node& node) {
    const std::uint32_t memory = node.low();
    const Memory& of = from_.memories[memory];
    const bool buffer = of.space == Space::buffer;
    if (buffer ? first_[memory] == kNone : shadow_[memory] == kNone) return;
    const Id index = now_[node.arguments[0]];
    const Id inside = compare(Op::lt, index, buffer ? length_of(memory) : constant(ir::kU32, of.count));
    if_then(buffer ? binary(Op::bit_and, inside, watching_) : inside, [&] {
      const std::uint32_t unit = units_[memory];
      const Id first = with(Op::add, with(Op::mul, index, of.stride / unit), node.high() / unit);
      for_units(buffer ? binary(Op::add, first_[memory], first) : first,
                ir::bytes(accessed(from_, node)) / unit, [&](Id at) {
                  if (of.space == Space::item)
                    look_at_bit(node, index, at);
                  else
                    look_at_marks(node, index, at);
                });
    });
  }

  template <class Body>
  void for_units(Id first, std::uint32_t count, const Body& body) {
    if (count <= kMostUnrolled) {
      for (std::uint32_t i = 0; i < count; ++i) body(i == 0 ? first : with(Op::add, first, i));
      return;
    }
    const Id range = make(Op::range, ir::kU32, {first, with(Op::add, first, count), constant(ir::kU32, 1)});
    const std::uint32_t block = in_block([&] { body(range); });
    to_.nodes[range].immediate = ir::pack(block, kNone);
  }

  void look_at_bit(const Node& node, Id index, Id unit) {
    const std::uint32_t shadow = shadow_[node.low()];
    const Id word = with(Op::shr, unit, 5);
    const Id bit = binary(Op::shl, constant(ir::kU32, 1), with(Op::bit_and, unit, 31));
    const Id held = make(Op::load, ir::kU32, {word}, shadow);
    if (node.op == Op::store) {
      make(Op::store, ir::kNothing, {word, binary(Op::bit_or, held, bit)}, shadow);
      return;
    }
    if_then(compare_with(Op::eq, binary(Op::bit_and, held, bit), 0), [&] { tell_unwritten(node, index); });
  }

  // One unit that an access touches.
  struct Look {
    const Node& node;
    Id index, unit;
    Touch touch;
    bool buffer;
    Id era, mark;  // kNone is the era of a buffer
  };
  struct Mark {
    Id who = kNone, place = kNone;  // that before this access; kNone where nobody asks
  };

  void look_at_marks(const Node& node, Id index, Id unit) {
    const bool buffer = node.low() < watched_.size();
    const Id era = buffer ? kNone : get(era_);
    const Id mark = buffer ? group_ : binary(Op::bit_or, with(Op::shl, era, kItemBits), item_);
    const Look look{node, index, unit, touch_of(node.op), buffer, era, mark};
    std::array<Mark, kTouches> marks;
    Mark& own = marks[number(look.touch)];
    own.who = word(look, Op::atomic_exchange, number(look.touch), {unit, mark});
    own.place = word(look, Op::atomic_exchange, number(look.touch) + kTouches,
                     {unit, constant(ir::kU32, node.place)});
    const bool asks = !buffer && ir::reads_memory(node.op);  // whether anybody wrote it
    for (const Touch other : kAllTouches) {
      const bool wrote = other == Touch::write || other == Touch::atomic;
      if (other != look.touch && ((races_ && clash(look.touch, other)) || (asks && wrote)))
        marks[number(other)].who = word(look, Op::atomic_load, number(other), {unit});
    }
    if (races_) look_for_race(look, marks);
    if (!asks) return;
    const Id written = binary(Op::bit_or, marks[number(Touch::write)].who, marks[number(Touch::atomic)].who);
    if_then(compare_with(Op::eq, written, 0), [&] { tell_unwritten(node, index); });
  }

  void look_for_race(const Look& look, const std::array<Mark, kTouches>& marks) {
    const std::uint32_t own = number(look.touch);
    if (look.touch != Touch::write) {
      if_then(differs(look, marks[own].who), [&] {
        const Id many =
            look.buffer ? constant(ir::kU32, kManyGroups) : with(Op::bit_or, look.mark, kManyItems);
        word(look, Op::atomic_exchange, own, {look.unit, many});
      });
    }
    const Id none = constant(ir::kU32, 0);
    Id who = none, what = none;
    for (const Touch other : kAllTouches) {
      if (!clash(look.touch, other)) continue;
      const Id clashes = differs(look, marks[number(other)].who);
      who = select(clashes, marks[number(other)].who, who);
      what = select(clashes, constant(ir::kU32, number(other)), what);
    }
    if_then(compare(Op::ne, who, none), [&] {
      Id where = none;
      for (const Touch other : kAllTouches) {
        if (!clash(look.touch, other)) continue;
        const Id place = other == look.touch
                             ? marks[own].place
                             : word(look, Op::atomic_load, number(other) + kTouches, {look.unit});
        where = select(compare_with(Op::eq, what, number(other)), place, where);
      }
      tell_race(look.node, {look.index, who, what, where}, look.buffer);
    });
  }

  Id word(const Look& look, Op op, std::uint32_t which, std::initializer_list<Id> arguments) {
    const std::uint32_t shadow = look.buffer ? hidden() : shadow_[look.node.low()];
    return make(op, ir::kU32, arguments, ir::pack(shadow, which * 4));
  }

  // Whether a mark is of another one, and of the same time.
  Id differs(const Look& look, Id who) {
    const Id other = compare(Op::ne, who, look.mark);
    if (look.buffer) return binary(Op::bit_and, other, compare_with(Op::ne, who, 0));
    const Id same = binary(Op::bit_and, compare(Op::eq, with(Op::shr, who, kItemBits), look.era),
                           compare_with(Op::lt, look.era, kMostEras));
    return binary(Op::bit_and, other, same);
  }

  void tell_unwritten(const Node& node, Id index) {
    make(Op::pass, ir::kNothing, {index});
    make(Op::print, ir::kNothing, {}, number_of(node, Message::Kind::unwritten, 1));
  }

  void tell_race(const Node& node, std::initializer_list<Id> values, bool buffer) {
    std::size_t count = values.size();
    for (const Id value : values) make(Op::pass, ir::kNothing, {value});
    for (std::uint64_t d = 0; d < 2 && buffer; ++d, ++count)
      make(Op::pass, ir::kNothing, {make(Op::group_count, ir::kU32, {}, d)});
    make(Op::print, ir::kNothing, {}, number_of(node, Message::Kind::race, count));
  }

  std::uint32_t number_of(const Node& node, Message::Kind kind, std::size_t values) {
    constexpr std::string_view kVerbs[kTouches] = {"writes", "reads", "changes", "reads"};
    const std::string verb(kVerbs[number(touch_of(node.op))]);
    return messages_.number_of(to_, node, kind, verb + " element {}", values);
  }

  const std::vector<std::uint32_t> units_;  // bytes, by memory
  const bool races_;
  std::vector<std::uint32_t> watched_;  // by buffer: units_ or 0
  std::vector<Id> first_;               // by buffer: the first of its units in the hidden one
  std::vector<std::uint32_t> shadow_;   // by memory
  CheckMessages messages_;
  Id item_ = kNone;      // in its group
  Id era_ = kNone;       // a variable
  Id group_ = kNone;     // its mark
  Id watching_ = kNone;  // whether the launch brought room for marks of buffers
};

}  // namespace

Shadowed lower_shadow(const Kernel& kernel, bool buffers) { return Shadow(kernel, buffers).shadowed(); }

}  // namespace collet::emit
