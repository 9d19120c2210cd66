// Emitting: loads, stores and atomic operations. An index beyond its memory loads 0 and stores nothing.

#include <algorithm>
#include <utility>

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
    made.reached = reached_.contains(static_cast<Id>(&node - kernel_.nodes.data()));
    return made;
  }
  made.count = std::to_string(memory.count);
  const auto& interval = intervals_[node.arguments[0]];
  made.inside = interval && interval->high < memory.count;
  if (memory.space == ir::Space::workgroup) {
    made.base =
        w_.define({"getelementptr i8, ptr %scratch, i64 ", std::to_string(layout_.memory_at[node.low()])});
  }
  if (memory.space == ir::Space::table) made.base = "@table" + std::to_string(node.low());
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

std::string Emitter::rows_inside(const Place& at, const std::vector<std::string>& firsts) {
  if (at.reached || (at.inside && layout_.row % layout_.width == 0)) return "true";
  // Of the rows that are known to lie so far apart, the least and the last tell of all: up to the memory's
  // end nothing wraps around.
  struct Span {
    std::int32_t low, high;  // more than the scalar
    std::string first;       // of the row that is lowest
  };
  std::map<std::string, Span> spans;
  for (const std::string& first : firsts) {
    const auto fixed = number(first);
    if (fixed && at.memory->space != ir::Space::buffer &&
        std::uint64_t{*fixed} + w_.width() <= at.memory->count)
      continue;
    const auto known = more_than_.find(first);
    const auto [root, more] = known != more_than_.end() ? known->second : std::pair(first, 0u);
    const auto away = static_cast<std::int32_t>(more);
    const auto [found, added] = spans.try_emplace(root, Span{away, away, first});
    Span& span = found->second;
    if (away < span.low) span = {away, span.high, first};
    span.high = std::max(span.high, away);
  }
  std::string all = "true";
  for (const auto& [root, span] : spans) {
    const std::int64_t last = std::int64_t{span.high} - span.low + w_.width() - 1;
    all = both_hold(all, w_.define({"icmp ult i64 ", wide(span.first), ", ", count_without(at, last)}));
  }
  return all;
}

// How many elements the memory has before its last `few`, or 0; computed once, at the beginning.
std::string Emitter::count_without(const Place& at, std::int64_t few) {
  if (at.memory->space != ir::Space::buffer)
    return std::to_string(std::max<std::int64_t>(0, static_cast<std::int64_t>(at.memory->count) - few));
  const std::string name = at.count + "less" + std::to_string(few);
  if (less_.insert(name).second) {
    module_.declared.insert("declare i64 @llvm.usub.sat.i64(i64, i64)");
    entry_ += "  " + name + " = call i64 @llvm.usub.sat.i64(i64 " + at.count + ", i64 " +
              std::to_string(few) + ")\n";
  }
  return name;
}

std::string Emitter::gather(const Place& from, const Lanes& index, const std::string& mask) {
  return w_.define({"call ", w_.type(from.scalar, true), " ", gather_function(from), "(ptr ", from.base,
                    ", i64 ", from.count, ", ", w_.vector_of("i32"), " ", vector(index, Scalar::u32), ", ",
                    w_.vector_of("i1"), " ", mask_vector(mask), ")"});
}

void Emitter::scatter(const Place& to, const Lanes& index, const std::string& value,
                      const std::string& mask) {
  w_.line({"call void ", scatter_function(to), "(ptr ", to.base, ", i64 ", to.count, ", ",
           w_.vector_of("i32"), " ", vector(index, Scalar::u32), ", ", w_.type(to.scalar, true), " ", value,
           ", ", w_.vector_of("i1"), " ", mask_vector(mask), ")"});
}

void Emitter::load(Id id) {
  const Node& node = kernel_.nodes[id];
  const Place from = place(node, node.type.scalar);
  const Value& index = values_[node.arguments[0]];
  Value made(index.size());
  std::vector<std::size_t> rows;
  std::vector<std::pair<std::size_t, std::size_t>> equal;
  for (std::size_t p = 0; p < index.size(); ++p) {
    const bool scalar = index[p].form == Form::scalar;
    if (!scalar && mask_[p] == kNoLanes) {
      made[p] = {.form = Form::vector, .name = w_.constant(from.scalar, 0, true)};
      continue;
    }
    if (!scalar && !in_row(from, index[p])) {
      made[p] = {.form = Form::vector, .name = gather(from, index[p], mask_[p])};
      continue;
    }
    if (is_short_row(from, index[p], mask_[p])) {
      made[p] = {.form = Form::vector, .name = load_short_row(from, index[p], first_lanes_.at(mask_[p]))};
      continue;
    }
    // Lanes that are masked off get what they like, so that only the index counts.
    std::size_t same = 0;
    while (index[same] != index[p] ||
           (!scalar && (mask_[same] == kNoLanes || is_short_row(from, index[same], mask_[same]))))
      ++same;
    if (same != p) {
      equal.emplace_back(p, same);
    } else if (scalar) {
      made[p] = load_scalar(from, index[p].name);
    } else {
      rows.push_back(p);
    }
  }
  load_rows(from, index, rows, made);
  for (const auto& [p, same] : equal) made[p] = made[same];
  values_[id] = std::move(made);
}

Lanes Emitter::load_scalar(const Place& from, const std::string& index) {
  const std::string at = wide(index);
  std::string address_of = address(from, at);
  if (!from.inside) {
    const std::string ok = w_.define({"icmp ult i64 ", at, ", ", from.count});
    address_of = w_.define({"select i1 ", ok, ", ptr ", address_of, ", ptr @zeros"});
  }
  return {.name = w_.define({"load ", std::string(scalar_type(from.scalar)), ", ptr ", address_of, ", align ",
                             std::to_string(ir::bits(from.scalar) / 8)})};
}

// Only the first lanes run, and they are known to be inside. A load of few bytes is served
// from the stores before it; a load of a whole vector over them would have to wait for memory.
bool Emitter::is_short_row(const Place& at, const Lanes& index, const std::string& mask) const {
  const auto lanes = first_lanes_.find(mask);
  const auto first = number(index.name);
  return lanes != first_lanes_.end() && in_row(at, index) && at.memory->space != ir::Space::buffer && first &&
         std::uint64_t{*first} + lanes->second <= at.memory->count;
}

std::string Emitter::load_short_row(const Place& from, const Lanes& index, std::uint32_t lanes) {
  const std::string few = "<" + std::to_string(lanes) + " x " + std::string(scalar_type(from.scalar)) + ">";
  const std::string align = ", align " + std::to_string(ir::bits(from.scalar) / 8);
  const std::string found = w_.define({"load ", few, ", ptr ", address(from, wide(index.name)), align});
  // Behind the lanes that run, zeros.
  return w_.define({"shufflevector ", few, " ", found, ", ", few, " zeroinitializer, ", w_.vector_of("i32"),
                    " ", Writer::iota(w_.width(), lanes)});
}

void Emitter::store_short_row(const Place& to, const Lanes& index, const Lanes& value, std::uint32_t lanes) {
  const std::string all = w_.type(to.scalar, true);
  const std::string few = "<" + std::to_string(lanes) + " x " + std::string(scalar_type(to.scalar)) + ">";
  const std::string stored =
      w_.define({"shufflevector ", all, " ", vector(value, to.scalar), ", ", all, " poison, <",
                 std::to_string(lanes), " x i32> ", Writer::iota(lanes)});
  w_.line({"store ", few, " ", stored, ", ptr ", address(to, wide(index.name)), ", align ",
           std::to_string(ir::bits(to.scalar) / 8)});
}

// How far ahead of its rows the next groups' are, which are worth a prefetch: groups come along x, and the
// processor does not look beyond a page, nor beyond what a group does with its numbers. Once per buffer; in a
// loop, rows come as they like. 0: nothing.
std::uint64_t Emitter::bytes_ahead(const Place& from) {
  constexpr std::uint64_t kGroups = 4;
  constexpr std::uint64_t kLeast = 256, kMost = 4096;
  if (from.memory->space != ir::Space::buffer || !loops_.empty() || !prefetched_.insert(from.number).second)
    return 0;
  return std::clamp(kGroups * kernel_.group[0] * from.memory->stride, kLeast, kMost);
}

void Emitter::prefetch(const std::string& address, std::uint64_t ahead) {
  module_.declared.insert("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)");
  const std::string at = w_.define({"getelementptr i8, ptr ", address, ", i64 ", std::to_string(ahead)});
  w_.line({"call void @llvm.prefetch.p0(ptr ", at, ", i32 0, i32 3, i32 1)"});
}

// All rows at once where all of them are inside; else lane by lane.
void Emitter::load_rows(const Place& from, const Value& index, const std::vector<std::size_t>& rows,
                        Value& made) {
  const std::string vectors = w_.type(from.scalar, true);
  const std::string align = ", align " + std::to_string(ir::bits(from.scalar) / 8);
  std::vector<std::string> firsts;
  firsts.reserve(rows.size());
  for (const std::size_t p : rows) firsts.push_back(index[p].name);
  const std::string ok = rows_inside(from, firsts);
  const std::uint64_t ahead = bytes_ahead(from);
  const auto load_whole = [&] {
    for (const std::size_t p : rows) {
      const std::string at = address(from, wide(index[p].name));
      if (ahead != 0) prefetch(at, ahead);
      made[p] = {.form = Form::vector, .name = w_.define({"load ", vectors, ", ptr ", at, align})};
    }
  };
  if (ok == "true") return load_whole();
  std::vector<std::string> some;
  some.reserve(rows.size());
  const auto [fast, slow] = w_.either(ok, load_whole, [&] {
    for (const std::size_t p : rows) {
      some.push_back(w_.define({"call ", vectors, " ", gather_row_function(from), "(ptr ", from.base,
                                ", i64 ", from.count, ", i32 ", index[p].name, ")"}));
    }
  });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string& name = made[rows[i]].name;
    name = w_.define({"phi ", vectors, " [", name, ", %", fast, "], [", some[i], ", %", slow, "]"});
  }
}

// Parts store one after the other.
void Emitter::store(const Node& node) {
  const Place to = place(node, scalar(node.arguments[1]));
  std::vector<std::size_t> rows;
  for (std::size_t p = 0; p < parts(); ++p) {
    if (mask_[p] == kNoLanes) continue;
    const Lanes& index = part(node.arguments[0], p);
    const bool is_short = is_short_row(to, index, mask_[p]);
    if (in_row(to, index) && !is_short) {
      rows.push_back(p);
      continue;
    }
    store_rows(to, node, std::exchange(rows, {}));
    const Lanes& value = part(node.arguments[1], p);
    if (is_short) {
      store_short_row(to, index, value, first_lanes_.at(mask_[p]));
    } else if (index.form == Form::scalar) {
      store_scalar(to, index.name, value, mask_[p]);
    } else {
      scatter(to, index, vector(value, to.scalar), mask_[p]);
    }
  }
  store_rows(to, node, rows);
}

// Of all lanes that store to one place, the last one's value stays.
void Emitter::store_scalar(const Place& to, const std::string& index, const Lanes& value,
                           const std::string& mask) {
  const std::string at = wide(index);
  const std::string ok = to.inside ? std::string("true") : w_.define({"icmp ult i64 ", at, ", ", to.count});
  w_.when(both_hold(ok, any(mask)), [&] {
    const std::string stored = last(value, to.scalar, mask);
    w_.line({"store ", scalar_type(to.scalar), " ", stored, ", ptr ", address(to, at), ", align ",
             std::to_string(ir::bits(to.scalar) / 8)});
  });
}

void Emitter::store_rows(const Place& to, const Node& node, const std::vector<std::size_t>& rows) {
  if (rows.empty()) return;
  const std::string vectors = w_.type(to.scalar, true);
  const bool masks = layout_.masked_bits != 0 && ir::bits(to.scalar) >= layout_.masked_bits;
  std::vector<std::string> stored;
  std::vector<std::string> firsts;
  for (const std::size_t p : rows) {
    stored.push_back(vector(part(node.arguments[1], p), to.scalar));
    firsts.push_back(part(node.arguments[0], p).name);
  }
  std::string ok = rows_inside(to, firsts);
  for (const std::size_t p : rows) {
    if (!masks) ok = both_hold(ok, all(mask_[p]));
  }
  const auto store_whole = [&] {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string at = address(to, wide(part(node.arguments[0], rows[i]).name));
      store_vector(to, at, stored[i], masks ? mask_[rows[i]] : std::string());
    }
  };
  if (ok == "true") return store_whole();
  w_.either(ok, store_whole, [&] {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      w_.when(any(mask_[rows[i]]), [&] {
        w_.line({"call void ", scatter_row_function(to), "(ptr ", to.base, ", i64 ", to.count, ", i32 ",
                 part(node.arguments[0], rows[i]).name, ", ", vectors, " ", stored[i], ", ",
                 w_.vector_of("i1"), " ", mask_vector(mask_[rows[i]]), ")"});
      });
    }
  });
}

void Emitter::store_vector(const Place& to, const std::string& at, const std::string& value,
                           const std::string& mask) {
  const std::string vectors = w_.type(to.scalar, true);
  const std::string bytes = std::to_string(ir::bits(to.scalar) / 8);
  if (mask.empty()) return w_.line({"store ", vectors, " ", value, ", ptr ", at, ", align ", bytes});
  const std::string function = "@llvm.masked.store." + vector_suffix(w_, to.scalar) + ".p0";
  module_.declared.insert("declare void " + function + "(" + vectors + ", ptr, i32, " + w_.vector_of("i1") +
                          ")");
  w_.line({"call void ", function, "(", vectors, " ", value, ", ptr ", at, ", i32 ", bytes, ", ",
           w_.vector_of("i1"), " ", mask, ")"});
}

// Private arrays: word after word, each a vector of the lanes' own. Gives the address of the lanes' words,
// or of zeros; `ok` says which, "true" where the index is known to be inside.
std::string Emitter::item_address(const Place& at, const Lanes& index, std::string& ok) {
  const ItemArray& array = layout_.arrays[at.number];
  const std::string element = wide(index.name);
  const std::string words =
      w_.define({"mul nuw nsw i64 ", element, ", ", std::to_string(at.memory->stride / array.word)});
  const std::string word =
      w_.define({"add nuw nsw i64 ", words, ", ", std::to_string(at.offset / array.word)});
  std::string found =
      w_.define({"getelementptr ", w_.type(at.scalar, true), ", ptr ", at.base, ", i64 ", word});
  ok = "true";
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
    if (mask_[p] == kNoLanes) continue;
    const Lanes& index = part(node.arguments[0], p);
    to.base = arrays_[to.number][p];
    std::string value = vector(part(node.arguments[1], p), to.scalar);
    if (index.form != Form::scalar || layout_.arrays[to.number].words == 0) {
      scatter(to, index, value, mask_[p]);
      continue;
    }
    std::string ok;
    const std::string at = item_address(to, index, ok);
    w_.when(ok, [&] {
      if (!mask_[p].empty()) {
        const std::string old = w_.define({"load ", vectors, ", ptr ", at, align});
        value = w_.define({"select ", w_.vector_of("i1"), " ", mask_[p], ", ", vectors, " ", value, ", ",
                           vectors, " ", old});
      }
      w_.line({"store ", vectors, " ", value, ", ptr ", at, align});
    });
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
    if (mask_[p] == kNoLanes) {
      if (asked_[id]) made.push_back({.form = Form::vector, .name = w_.constant(type, 0, true)});
      continue;
    }
    const auto operand = [&](std::uint8_t i) {
      return vectors + " " +
             (node.count > i ? vector(part(node.arguments[i], p), type) : std::string("zeroinitializer"));
    };
    const std::string a = operand(1);
    const std::string b = operand(2);
    std::string call = "call " + (asked_[id] ? vectors : std::string("void")) + " ";
    for (const std::string& word :
         {atomic_function(at, node.op, asked_[id]), "(ptr " + at.base, ", i64 " + at.count,
          ", " + w_.vector_of("i32"), " " + vector(part(node.arguments[0], p), Scalar::u32), ", " + a,
          ", " + b, ", " + w_.vector_of("i1"), " " + mask_vector(mask_[p]), std::string(")")})
      call += word;
    if (asked_[id]) {
      made.push_back({.form = Form::vector, .name = w_.define(call)});
    } else {
      w_.line(call);
    }
  }
}

}  // namespace collet::backend::cpu::native
