// Emitting: loads, stores and atomic operations. An index beyond its memory loads 0 and stores nothing.

#include <algorithm>

#include "backends/cpu/native/emitter.hpp"

namespace collet::backend::cpu::native {

using ir::Scalar;
using Form = Lanes::Form;

Emitter::Place Emitter::place(const Node& node, Scalar scalar) {
  const ir::Memory& memory = kernel_.memories[node.low()];
  Place made{.memory = &memory, .number = node.low(), .offset = node.high(), .scalar = scalar};
  if (memory.space == ir::Space::buffer) {
    made.base = "%buffer" + std::to_string(node.low());
    made.count = "%n" + std::to_string(node.low());
    return made;
  }
  made.count = std::to_string(memory.count);
  const auto& interval = intervals_[node.arguments[0]];
  made.inside = interval && interval->high < memory.count;
  if (memory.space == ir::Space::workgroup) {
    made.base =
        w_.define({"getelementptr i8, ptr %scratch, i64 ", std::to_string(layout_.memory_at[node.low()])});
  }
  return made;
}

// Of an element, `index` being an i64, or a vector of them.
std::string Emitter::address(const Place& place, const std::string& index) {
  const std::string bytes =
      w_.define({"mul nuw nsw i64 ", index, ", ", std::to_string(place.memory->stride)});
  const std::string at = w_.define({"add nuw nsw i64 ", bytes, ", ", std::to_string(place.offset)});
  return w_.define({"getelementptr i8, ptr ", place.base, ", i64 ", at});
}

// Neighbouring lanes are neighbours in memory.
bool Emitter::in_row(const Place& place, const Lanes& index) const {
  return index.form == Form::line && index.step == "1" && place.memory->stride == ir::bits(place.scalar) / 8;
}

std::string Emitter::gather(const Place& from, const Lanes& index, const std::string& mask,
                            std::string_view attributes) {
  return w_.define({"call ", w_.type(from.scalar, true), " ", gather_function(from), "(ptr ", from.base,
                    ", i64 ", from.count, ", ", w_.vector_of("i32"), " ", vector(index, Scalar::u32), ", ",
                    w_.vector_of("i1"), " ", mask_vector(mask), ")", attributes});
}

void Emitter::scatter(const Place& to, const Lanes& index, const std::string& value, const std::string& mask,
                      std::string_view attributes) {
  w_.line({"call void ", scatter_function(to),
           "(ptr ",      to.base,
           ", i64 ",     to.count,
           ", ",         w_.vector_of("i32"),
           " ",          vector(index, Scalar::u32),
           ", ",         w_.type(to.scalar, true),
           " ",          value,
           ", ",         w_.vector_of("i1"),
           " ",          mask_vector(mask),
           ")",          attributes});
}

void Emitter::load(Id id) {
  const Node& node = kernel_.nodes[id];
  const Place from = place(node, node.type.scalar);
  const Value& index = values_[node.arguments[0]];
  Value& made = values_[id];
  made.clear();
  for (std::size_t p = 0; p < index.size(); ++p) {
    // Lanes that are masked off get what they like, so that only the index counts where it is not gathered.
    const auto end = index.begin() + static_cast<std::ptrdiff_t>(p);
    const auto same = std::find(index.begin(), end, index[p]);
    const bool shared = same != end && (index[p].form == Form::scalar || in_row(from, index[p]));
    made.push_back(shared ? made[static_cast<std::size_t>(same - index.begin())]
                          : load(from, index[p], mask_[p]));
  }
}

Lanes Emitter::load(const Place& from, const Lanes& index, const std::string& mask) {
  const std::string align = ", align " + std::to_string(ir::bits(from.scalar) / 8);
  const std::string type(scalar_type(from.scalar));
  if (index.form == Form::scalar) {
    const std::string at = wide(index.name);
    std::string address_of = address(from, at);
    if (!from.inside) {
      const std::string ok = w_.define({"icmp ult i64 ", at, ", ", from.count});
      address_of = w_.define({"select i1 ", ok, ", ptr ", address_of, ", ptr @zeros"});
    }
    return {.name = w_.define({"load ", type, ", ptr ", address_of, align})};
  }
  const std::string vectors = w_.vector_of(type);
  if (!in_row(from, index)) return {.form = Form::vector, .name = gather(from, index, mask)};
  const std::string first = wide(index.name);
  if (from.inside && layout_.row % layout_.width == 0)
    return {.form = Form::vector,
            .name = w_.define({"load ", vectors, ", ptr ", address(from, first), align})};

  const std::string fast = w_.label();
  const std::string slow = w_.label();
  const std::string end = w_.label();
  const std::string last = w_.define({"add nuw nsw i64 ", first, ", ", std::to_string(w_.width() - 1)});
  w_.branch(w_.define({"icmp ult i64 ", last, ", ", from.count}), fast, slow);
  w_.begin(fast);
  const std::string whole = w_.define({"load ", vectors, ", ptr ", address(from, first), align});
  w_.jump(end);
  w_.begin(slow);
  // All lanes, so that parts with other masks can share it.
  const std::string some = gather(from, index, "", " #1");
  w_.jump(end);
  w_.begin(end);
  return {.form = Form::vector,
          .name = w_.define({"phi ", vectors, " [", whole, ", %", fast, "], [", some, ", %", slow, "]"})};
}

void Emitter::store(const Node& node) {
  const Place to = place(node, scalar(node.arguments[1]));
  for (std::size_t p = 0; p < parts(); ++p) {
    const Lanes& index = part(node.arguments[0], p);
    const Lanes& value = part(node.arguments[1], p);
    if (index.form == Form::scalar) {
      store_scalar(to, index.name, value, mask_[p]);
    } else if (in_row(to, index)) {
      store_row(to, index, value, mask_[p]);
    } else {
      scatter(to, index, vector(value, to.scalar), mask_[p]);
    }
  }
}

// Of all lanes that store to one place, the last one's value stays.
void Emitter::store_scalar(const Place& to, const std::string& index, const Lanes& value,
                           const std::string& mask) {
  const std::string at = wide(index);
  const std::string run = w_.label();
  const std::string end = w_.label();
  const std::string ok = to.inside ? std::string("true") : w_.define({"icmp ult i64 ", at, ", ", to.count});
  w_.branch(w_.define({"and i1 ", ok, ", ", any(mask)}), run, end);
  w_.begin(run);
  const std::string type(scalar_type(to.scalar));
  const std::string stored = last(value, to.scalar, mask);
  w_.line({"store ", type, " ", stored, ", ptr ", address(to, at), ", align ",
           std::to_string(ir::bits(to.scalar) / 8)});
  w_.jump(end);
  w_.begin(end);
}

void Emitter::store_row(const Place& to, const Lanes& index, const Lanes& value, const std::string& mask) {
  const std::string vectors = w_.type(to.scalar, true);
  const std::string stored = vector(value, to.scalar);
  const std::string first = wide(index.name);
  const std::string align = ", align " + std::to_string(ir::bits(to.scalar) / 8);
  const auto whole = [&] { w_.line({"store ", vectors, " ", stored, ", ptr ", address(to, first), align}); };
  std::string ok = "true";
  if (!to.inside || layout_.row % layout_.width != 0) {
    const std::string last = w_.define({"add nuw nsw i64 ", first, ", ", std::to_string(w_.width() - 1)});
    ok = w_.define({"icmp ult i64 ", last, ", ", to.count});
  } else if (mask.empty()) {
    return whole();
  }
  if (!mask.empty()) ok = w_.define({"and i1 ", ok, ", ", all(mask)});
  const std::string fast = w_.label();
  const std::string slow = w_.label();
  const std::string end = w_.label();
  w_.branch(ok, fast, slow);
  w_.begin(fast);
  whole();
  w_.jump(end);
  w_.begin(slow);
  scatter(to, index, stored, mask, " #1");
  w_.jump(end);
  w_.begin(end);
}

// Private arrays: word after word, each a vector of the lanes' own. Gives the address of the lanes' words,
// or of zeros; `ok` says which, "" where the index is known to be inside.
std::string Emitter::item_address(const Place& at, const Lanes& index, std::string& ok) {
  const ItemArray& array = layout_.arrays[at.number];
  const std::string element = wide(index.name);
  const std::string words =
      w_.define({"mul nuw nsw i64 ", element, ", ", std::to_string(at.memory->stride / array.word)});
  const std::string word =
      w_.define({"add nuw nsw i64 ", words, ", ", std::to_string(at.offset / array.word)});
  std::string found =
      w_.define({"getelementptr ", w_.type(at.scalar, true), ", ptr ", at.base, ", i64 ", word});
  ok.clear();
  if (at.inside) return found;
  ok = w_.define({"icmp ult i64 ", element, ", ", at.count});
  return w_.define({"select i1 ", ok, ", ptr ", found, ", ptr @zeros"});
}

void Emitter::load_item(Id id) {
  const Node& node = kernel_.nodes[id];
  Place from = place(node, node.type.scalar);
  const std::string vectors = w_.type(from.scalar, true);
  const std::string align = ", align " + std::to_string(ir::bits(from.scalar) / 8);
  Value& made = values_[id];
  made.clear();
  for (std::size_t p = 0; p < parts(); ++p) {
    const Lanes& index = part(node.arguments[0], p);
    from.base = arrays_[from.number][p];
    std::string loaded;
    if (index.form == Form::scalar && layout_.arrays[from.number].words != 0) {
      std::string ok;
      const std::string at = item_address(from, index, ok);
      loaded = w_.define({"load ", vectors, ", ptr ", at, align});
    } else {
      loaded = gather(from, index, mask_[p]);
    }
    made.push_back({.form = Form::vector, .name = loaded});
  }
}

void Emitter::store_item(const Node& node) {
  Place to = place(node, scalar(node.arguments[1]));
  const std::string vectors = w_.type(to.scalar, true);
  const std::string align = ", align " + std::to_string(ir::bits(to.scalar) / 8);
  for (std::size_t p = 0; p < parts(); ++p) {
    const Lanes& index = part(node.arguments[0], p);
    to.base = arrays_[to.number][p];
    std::string value = vector(part(node.arguments[1], p), to.scalar);
    if (index.form != Form::scalar || layout_.arrays[to.number].words == 0) {
      scatter(to, index, value, mask_[p]);
      continue;
    }
    std::string ok;
    const std::string at = item_address(to, index, ok);
    const std::string end = w_.label();
    if (!ok.empty()) {
      const std::string run = w_.label();
      w_.branch(ok, run, end);
      w_.begin(run);
    }
    if (!mask_[p].empty()) {
      const std::string old = w_.define({"load ", vectors, ", ptr ", at, align});
      value = w_.define(
          {"select ", w_.vector_of("i1"), " ", mask_[p], ", ", vectors, " ", value, ", ", vectors, " ", old});
    }
    w_.line({"store ", vectors, " ", value, ", ptr ", at, align});
    if (!ok.empty()) {
      w_.jump(end);
      w_.begin(end);
    }
  }
}

void Emitter::atomic(Id id) {
  const Node& node = kernel_.nodes[id];
  const bool stores = node.type == ir::kNothing;
  const Scalar type = stores ? scalar(node.arguments[1]) : node.type.scalar;
  const Place at = place(node, type);
  const std::string vectors = w_.type(type, true);
  Value& made = values_[id];
  made.clear();
  for (std::size_t p = 0; p < parts(); ++p) {
    const auto operand = [&](std::uint8_t i) {
      return vectors + " " +
             (node.count > i ? vector(part(node.arguments[i], p), type) : std::string("zeroinitializer"));
    };
    const std::string a = operand(1);
    const std::string b = operand(2);
    const std::string found = w_.define({"call ",  vectors,
                                         " ",      atomic_function(at, node.op),
                                         "(ptr ",  at.base,
                                         ", i64 ", at.count,
                                         ", ",     w_.vector_of("i32"),
                                         " ",      vector(part(node.arguments[0], p), Scalar::u32),
                                         ", ",     a,
                                         ", ",     b,
                                         ", ",     w_.vector_of("i1"),
                                         " ",      mask_vector(mask_[p]),
                                         ")"});
    if (!stores) made.push_back({.form = Form::vector, .name = found});
  }
}

}  // namespace collet::backend::cpu::native
