// Emitting: what the items of a subgroup take from one another, as loops over items in memory. The order is
// the interpreter's, and so are the bits.

#include <algorithm>

#include "backends/cpu/native/emitter.hpp"
#include "backends/cpu/native/operations.hpp"
#include "backends/cpu/simt/places.hpp"

namespace collet::backend::cpu::native {

using ir::Op;
using ir::Scalar;
using Form = Lanes::Form;

namespace {

std::uint32_t items_of(const Layout& layout) { return layout.row * layout.rows; }

std::uint32_t subgroup_of(const Layout& layout) { return std::min(kSubgroup, items_of(layout)); }

// A loop from `begin` to `end`, both i64; calls body(counter).
template <class Body>
void count(Writer& w, const std::string& begin, const std::string& end, std::uint32_t step,
           const Body& body) {
  const std::string now = w.room("i64");
  const std::string top = w.label();
  const std::string inside = w.label();
  const std::string out = w.label();
  w.line({"store i64 ", begin, ", ptr ", now});
  w.jump(top);
  w.begin(top);
  const std::string at = w.define({"load i64, ptr ", now});
  w.branch(w.define({"icmp ult i64 ", at, ", ", end}), inside, out);
  w.begin(inside);
  body(at);
  w.line({"store i64 ", w.define({"add nuw i64 ", at, ", ", std::to_string(step)}), ", ptr ", now});
  w.jump(top);
  w.begin(out);
}

// As bytes, booleans being 0 or 1.
std::string memory_type(Scalar scalar) {
  return scalar == Scalar::boolean ? "i8" : std::string(scalar_type(scalar));
}

std::string combined(Writer& w, Op op, Scalar scalar, const std::string& sum, const std::string& next) {
  const std::string type = memory_type(scalar);
  const bool floats = scalar == Scalar::f32 || scalar == Scalar::f64;
  const auto choose = [&](const std::string& less, const std::string& a, const std::string& b) {
    const std::string below = w.define({less, " ", type, " ", a, ", ", b});
    return w.define({"select i1 ", below, ", ", type, " ", next, ", ", type, " ", sum});
  };
  const std::string less = floats ? "fcmp olt" : ir::is_signed(scalar) ? "icmp slt" : "icmp ult";
  switch (op) {
    case Op::subgroup_min: return choose(less, next, sum);
    case Op::subgroup_max: return choose(less, sum, next);
    case Op::subgroup_and:
    case Op::subgroup_all: return w.define({"and ", type, " ", sum, ", ", next});
    case Op::subgroup_or:
    case Op::subgroup_any: return w.define({"or ", type, " ", sum, ", ", next});
    default: return w.define({(floats ? "fadd " : "add "), type, " ", sum, ", ", next});
  }
}

}  // namespace

// Of an item's own in rooms that begin at `base`.
std::string Emitter::item_address(Writer& w, const char* base, const std::string& item, Scalar scalar) const {
  const std::uint64_t bytes = room_bytes(layout_, scalar, true) / layout_.width;
  std::string place = item;
  if (layout_.row % layout_.width != 0) {  // lanes past the end of a row hold no item
    const std::string row = w.define({"udiv i64 ", item, ", ", std::to_string(layout_.row)});
    const std::string x = w.define({"urem i64 ", item, ", ", std::to_string(layout_.row)});
    const std::string before =
        w.define({"mul i64 ", row, ", ", std::to_string(std::uint64_t{layout_.columns} * layout_.width)});
    place = w.define({"add i64 ", before, ", ", x});
  }
  const std::string at = w.define({"mul i64 ", place, ", ", std::to_string(bytes)});
  return w.define({"getelementptr i8, ptr ", base, ", i64 ", at});
}

std::string Emitter::between_items_function(const Node& node) {
  const Scalar scalar = node.type.scalar;
  const std::string type = memory_type(scalar);
  const std::string name = "@" + std::string(ir::name(node.op)) + "_" +
                           (ir::is_signed(scalar)       ? "s"
                            : scalar == Scalar::boolean ? "b"
                                                        : "") +
                           type;
  if (module_.functions.contains(name)) return name;
  Writer w(layout_.width);
  const bool shuffles = node.op == Op::subgroup_shuffle;
  const bool scans = node.op == Op::subgroup_scan_add;
  const std::string items = std::to_string(items_of(layout_));
  const auto load = [&](const std::string& item) {
    return w.define({"load ", type, ", ptr ", item_address(w, "%from", item, scalar), ", align 1"});
  };
  const auto store = [&](const std::string& item, const std::string& value) {
    w.line({"store ", type, " ", value, ", ptr ", item_address(w, "%to", item, scalar), ", align 1"});
  };
  count(w, "0", items, subgroup_of(layout_), [&](const std::string& first) {
    const std::string most = w.define({"add nuw i64 ", first, ", ", std::to_string(subgroup_of(layout_))});
    const std::string over = w.define({"icmp ugt i64 ", most, ", ", items});
    const std::string end = w.define({"select i1 ", over, ", i64 ", items, ", i64 ", most});
    if (shuffles) {
      const std::string size = w.define({"sub i64 ", end, ", ", first});
      count(w, first, end, 1, [&](const std::string& item) {
        const std::string lane32 =
            w.define({"load i32, ptr ", item_address(w, "%lanes", item, Scalar::u32), ", align 1"});
        const std::string lane = w.define({"zext i32 ", lane32, " to i64"});
        const std::string ok = w.define({"icmp ult i64 ", lane, ", ", size});
        const std::string near = w.define({"select i1 ", ok, ", i64 ", lane, ", i64 0"});
        const std::string value = load(w.define({"add i64 ", first, ", ", near}));
        store(item, w.define({"select i1 ", ok, ", ", type, " ", value, ", ", type, " ",
                              w.constant(scalar == Scalar::boolean ? Scalar::u8 : scalar, 0, false)}));
      });
      return;
    }
    const std::string sum = w.room(type);
    w.line({"store ", type, " ", load(first), ", ptr ", sum});
    if (scans) store(first, w.define({"load ", type, ", ptr ", sum}));
    if (node.op != Op::subgroup_broadcast_first) {
      count(w, w.define({"add nuw i64 ", first, ", 1"}), end, 1, [&](const std::string& item) {
        const std::string before = w.define({"load ", type, ", ptr ", sum});
        const std::string now = combined(w, node.op, scalar, before, load(item));
        w.line({"store ", type, " ", now, ", ptr ", sum});
        if (scans) store(item, now);
      });
    }
    if (scans) return;
    const std::string all = w.define({"load ", type, ", ptr ", sum});
    count(w, first, end, 1, [&](const std::string& item) { store(item, all); });
  });
  w.line("ret void");
  module_.functions[name] = "define internal void " + name + "(ptr %from, " +
                            (shuffles ? std::string("ptr %lanes, ") : std::string()) +
                            "ptr %to) #0 {\nentry:\n" + w.rooms() + w.body() + "}\n";
  return name;
}

// Subgroups are neighbours in the order of rows.
Value Emitter::subgroup_place(Op op) {
  const std::string size = std::to_string(subgroup_of(layout_));
  if (op == Op::subgroup_size) return {{.name = size}};
  Value made;
  for (std::size_t p = 0; p < parts(); ++p) {
    const std::string planes = w_.define({"mul i32 ", z_[p], ", ", std::to_string(layout_.height)});
    const std::string row = w_.define({"add i32 ", planes, ", ", y_[p]});
    const std::string before = w_.define({"mul i32 ", row, ", ", std::to_string(layout_.row)});
    const std::string first = w_.define({"add i32 ", before, ", ", x_[p]});
    const std::string type = w_.vector_of("i32");
    const std::string items = w_.define({"add ", type, " ", splat(first, Scalar::u32), ", ", w_.iota()});
    made.push_back({.form = Form::vector,
                    .name = w_.define({(op == Op::subgroup_lane ? "urem " : "udiv "), type, " ", items, ", ",
                                       splat(size, Scalar::u32)})});
  }
  return made;
}

}  // namespace collet::backend::cpu::native
