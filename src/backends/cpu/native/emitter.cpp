// The function around a kernel's body: loops over groups and over the vectors of a group.

#include "backends/cpu/native/emitter.hpp"

#include <algorithm>

#include "backends/cpu/native/frame.hpp"
#include "backends/cpu/native/group_steps.hpp"
#include "backends/cpu/simt/places.hpp"

namespace collet::backend::cpu::native {

using ir::Op;
using ir::Scalar;

namespace {

void append(std::string& to, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) to += word;
}

std::vector<bool> find_asked(const ir::Kernel& kernel) {
  std::vector<bool> asked(kernel.nodes.size());
  for (const ir::Node& node : kernel.nodes) {
    for (std::uint8_t i = 0; i < node.count; ++i) asked[node.arguments[i]] = true;
  }
  return asked;
}

}  // namespace

Emitter::Emitter(const ir::Kernel& kernel, const Shapes& shapes, const Layout& layout, bool partial,
                 Module& module)
    : kernel_(kernel),
      shapes_(shapes),
      layout_(layout),
      partial_(partial),
      module_(module),
      intervals_(ir::find_intervals(kernel)),
      asked_(find_asked(kernel)),
      returns_(std::ranges::any_of(kernel.nodes, [](const Node& node) { return node.op == Op::return_; })),
      w_(layout.width),
      values_(kernel.nodes.size()),
      parameter_at_(place_parameters(kernel)) {}

// A field of the frame, loaded once, at the beginning.
std::string Emitter::field(std::uint32_t offset, const char* type, std::uint32_t index) {
  const std::string name = "%f" + std::to_string(offset + 4 * index);
  entry_ += "  " + name + "p = getelementptr i8, ptr %frame, i64 " + std::to_string(offset + 4 * index) +
            "\n  " + name + " = load " + type + ", ptr " + name + "p\n";
  return name;
}

std::string Emitter::run() {
  for (std::uint32_t i = 0; i < kernel_.memories.size(); ++i) {
    arrays_.emplace_back();
    const ItemArray& array = layout_.arrays[i];
    const auto array_bytes = kernel_.memories[i].count * kernel_.memories[i].stride * layout_.width;
    for (std::size_t p = 0; array.word != 0 && !layout_.regions && p < parts(); ++p) {
      arrays_.back().push_back(w_.room("[" + std::to_string(array_bytes) + " x i8]"));
    }
  }
  group_loop();
  return finished();
}

void Emitter::group_loop() {
  for (std::uint32_t d = 0; d < 3; ++d) group_[d] = field(offsetof(Frame, group), "i32", d);
  const std::string groups = field(offsetof(Frame, groups), "i32");
  for (std::uint32_t a = 0; partial_ && a < 3; ++a) exists_[a] = field(offsetof(Frame, exists), "i32", a);
  const std::string first = group_[0];
  const auto for_groups = [&](const auto& body) {
    count_to(groups, [&](const std::string& number) {
      group_[0] = w_.define({"add i32 ", first, ", ", number});
      body();
    });
  };
  if (!rows_first()) {
    for_groups([&] { group_body(); });
  } else {
    for_turns([&] {
      const auto row = [&] {
        values_.assign(kernel_.nodes.size(), {});  // none of what was emitted before
        for_groups([&] { to_turn_end([&] { items(); }); });
      };
      const std::string ok = row_in_reach(groups);
      if (reached_.empty()) return row();
      w_.either(ok, row, [&] {
        reached_.clear();
        row();
      });
    });
  }
  w_.line("ret void");
}

// Whether the loop over rows is around the one over groups: memory is then read and written along x, where
// nothing is kept for a group and no loop comes back to what its other rows have read.
bool Emitter::rows_first() const {
  return layout_.turns > 1 && layout_.parts >= layout_.columns && layout_.axes[0] == 0 && !layout_.regions &&
         layout_.group_bytes == 0 && std::ranges::none_of(kernel_.nodes, [](const Node& node) {
           return node.op == Op::loop || node.op == Op::range;
         });
}

// Whether what groups load and store, from the first to the last of the row, is inside its buffers. Says of
// which nodes this is known then: those whose rows move on by a group's length from group to group.
std::string Emitter::row_in_reach(const std::string& groups) {
  constexpr std::size_t kMostNodes = 512;  // of a kernel that is emitted twice
  if (partial_ || layout_.row % layout_.width != 0 || kernel_.nodes.size() > kMostNodes) return {};
  const auto steps = find_group_steps(kernel_);
  root_mask();
  const std::string others = w_.define({"sub nuw i32 ", groups, ", 1"});
  const std::string far =
      w_.define({"mul nuw nsw i64 ", wide(others), ", ", std::to_string(kernel_.group[0])});
  const std::string last = w_.define({"add nuw nsw i64 ", far, ", ", std::to_string(layout_.width - 1)});
  std::string all = "true";
  for (Id id = 0; id < kernel_.nodes.size(); ++id) {
    const Node& node = kernel_.nodes[id];
    if (steps[id]) this->node(id);
    if (node.op != Op::load && node.op != Op::store) continue;
    const Place at = place(node, node.op == Op::load ? node.type.scalar : scalar(node.arguments[1]));
    const Id index = node.arguments[0];
    if (at.memory->space != ir::Space::buffer || steps[index] != kernel_.group[0]) continue;
    if (!std::ranges::all_of(values_[index], [&](const Lanes& lanes) { return in_row(at, lanes); })) continue;
    for (const Lanes& lanes : values_[index]) {
      const std::string end = w_.define({"add nuw nsw i64 ", wide(lanes.name), ", ", last});
      all = both_hold(all, w_.define({"icmp ult i64 ", end, ", ", at.count}));
    }
    reached_.insert(id);
  }
  return all;
}

// `at` is aligned to 64 bytes.
void Emitter::clear(const std::string& at, std::uint64_t bytes) {
  module_.declared.insert("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)");
  w_.line({"call void @llvm.memset.p0.i64(ptr align 64 ", at, ", i8 0, i64 ", std::to_string(bytes),
           ", i1 false)"});
}

void Emitter::group_body() {
  if (layout_.group_bytes != 0) clear("%scratch", layout_.group_bytes);
  if (layout_.regions) return cut_body();
  for_turns([&] { to_turn_end([&] { items(); }); });
}

// The items of a turn, from the first node to the last.
void Emitter::items() {
  for (std::size_t m = 0; m < arrays_.size(); ++m) {
    const ir::Memory& memory = kernel_.memories[m];
    for (const std::string& array : arrays_[m]) clear(array, memory.count * memory.stride * layout_.width);
  }
  root_mask();
  if (returns_) {
    if (alive_.empty()) alive_ = mask_rooms();
    store_mask(alive_, mask_);
  }
  block(0);
}

// Where the parts of a turn lie: neighbours in one row, or whole rows.
void Emitter::places_of(const std::string& turn) {
  x_.clear();
  y_.clear();
  z_.clear();
  const std::uint32_t columns = layout_.columns;
  const bool one_row = layout_.parts <= columns;
  const std::uint32_t turns_of_row = one_row ? columns / layout_.parts : 1;
  const std::uint32_t rows_of_turn = one_row ? 1 : layout_.parts / columns;
  const auto times = [&](const std::string& value, std::uint32_t factor) {
    return value == "0" || factor == 1 ? value
                                       : w_.define({"mul nuw i32 ", value, ", ", std::to_string(factor)});
  };
  const auto plus = [&](const std::string& value, std::uint32_t more) {
    if (more == 0) return value;
    return value == "0" ? std::to_string(more)
                        : w_.define({"add nuw i32 ", value, ", ", std::to_string(more)});
  };
  std::string first_row = turn;
  std::string first_x = "0";
  if (turns_of_row > 1 && turn != "0") {
    first_row = w_.define({"udiv i32 ", turn, ", ", std::to_string(turns_of_row)});
    first_x = times(w_.define({"urem i32 ", turn, ", ", std::to_string(turns_of_row)}),
                    layout_.parts * layout_.width);
  }
  first_row = times(first_row, rows_of_turn);
  std::vector<std::string> columns_x;
  columns_x.reserve(columns);
  for (std::uint32_t c = 0; c < (one_row ? layout_.parts : columns); ++c)
    columns_x.push_back(plus(first_x, c * layout_.width));
  for (std::uint32_t r = 0; r < rows_of_turn; ++r) {
    const std::string row = plus(first_row, r);
    std::string y = row;
    std::string z = "0";
    if (layout_.rows > layout_.height) {
      y = w_.define({"urem i32 ", row, ", ", std::to_string(layout_.height)});
      z = w_.define({"udiv i32 ", row, ", ", std::to_string(layout_.height)});
    }
    for (const std::string& x : columns_x) {
      x_.push_back(x);
      y_.push_back(y);
      z_.push_back(z);
    }
  }
}

// The lanes that are items: those of the row, and in partial groups those that exist.
void Emitter::root_mask() {
  mask_.assign(parts(), "");
  const std::string row_end = partial_ ? exists_[0] : std::to_string(layout_.row);
  for (std::size_t p = 0; p < parts() && (partial_ || layout_.row % layout_.width != 0); ++p) {
    const std::string x =
        w_.define({"add ", w_.vector_of("i32"), " ", splat(x_[p], Scalar::u32), ", ", w_.iota()});
    mask_[p] = w_.define({"icmp ult ", w_.vector_of("i32"), " ", x, ", ", splat(row_end, Scalar::u32)});
  }
  if (partial_) {
    for (std::size_t p = 0; p < parts(); ++p) {
      const std::string y = w_.define({"icmp ult i32 ", y_[p], ", ", exists_[1]});
      const std::string z = w_.define({"icmp ult i32 ", z_[p], ", ", exists_[2]});
      const std::string row = w_.define({"and i1 ", y, ", ", z});
      mask_[p] = w_.define({"select i1 ", row, ", ", w_.vector_of("i1"), " ", mask_[p], ", ",
                            w_.vector_of("i1"), " zeroinitializer"});
    }
    w_.go_on_if(any(mask_), turn_end_);
  }
}

// Buffers are arguments of an inner function, so that LLVM may know which of them do not overlap.
std::string Emitter::finished() const {
  std::string parameters = "ptr %frame, ptr noalias %scratch, ptr %constants";
  std::string arguments = "ptr %frame, ptr %scratch, ptr %constants";
  std::string loads =
      "  %sp = getelementptr i8, ptr %frame, i64 " + std::to_string(offsetof(Frame, scratch)) +
      "\n  %scratch = load ptr, ptr %sp\n  %cp = getelementptr i8, ptr %frame, i64 " +
      std::to_string(offsetof(Frame, constants)) +
      "\n  %constants = load ptr, ptr %cp\n  %bs = load ptr, ptr %frame\n  %np = getelementptr i8, ptr "
      "%frame, i64 " +
      std::to_string(offsetof(Frame, counts)) + "\n  %ns = load ptr, ptr %np\n";
  for (std::uint32_t i = 0; i < kernel_.buffer_count(); ++i) {
    const std::string n = std::to_string(i);
    const std::string at = std::to_string(i * 8);
    append(parameters,
           {", ptr ", kernel_.memories[i].may_alias ? "" : "noalias ", "%buffer", n, ", i64 %n", n});
    append(arguments, {", ptr %buffer", n, ", i64 %n", n});
    append(loads, {"  %buffer", n, "p = getelementptr i8, ptr %bs, i64 ", at, "\n"});
    append(loads, {"  %buffer", n, " = load ptr, ptr %buffer", n, "p\n"});
    append(loads, {"  %n", n, "p = getelementptr i8, ptr %ns, i64 ", at, "\n"});
    append(loads, {"  %n", n, " = load i64, ptr %n", n, "p\n"});
  }
  return "define internal void @groups(" + parameters + ") #0 {\nentry:\n" + w_.rooms() + entry_ + w_.body() +
         "}\n\ndefine void @kernel(ptr %frame) #0 {\n" + loads + "  call void @groups(" + arguments +
         ")\n  ret void\n}\n\n";
}

// All tables of the kernel, as bytes.
static std::string tables_of(const ir::Kernel& kernel) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < kernel.memories.size(); ++i) {
    const std::vector<std::byte>& contents = kernel.memories[i].contents;
    if (kernel.memories[i].space != ir::Space::table) continue;
    append(text, {"@table", std::to_string(i), " = internal constant [", std::to_string(contents.size()),
                  " x i8] c\""});
    for (const std::byte one : contents) {
      text += '\\';
      text += kDigits[std::to_integer<std::size_t>(one >> 4)];
      text += kDigits[std::to_integer<std::size_t>(one & std::byte{15})];
    }
    text += "\", align 64\n\n";
  }
  return text;
}

std::string emit(const ir::Kernel& kernel, const Shapes& shapes, const Layout& layout, bool partial) {
  Module module;
  std::string text =
      "@zeros = internal constant [128 x i8] zeroinitializer, align 64\n\n" + tables_of(kernel);
  text += Emitter(kernel, shapes, layout, partial, module).run();
  for (const auto& [name, definition] : module.functions) text += definition + "\n";
  for (const std::string& declaration : module.declared) text += declaration + "\n";
  const std::string common =
      " \"no-trapping-math\"=\"true\" \"prefer-vector-width\"=\"512\" \"min-legal-vector-width\"=\"512\"";
  return text + "\nattributes #0 = { nounwind" + common + " }\nattributes #1 = { nounwind cold noinline" +
         common + " }\n";
}

}  // namespace collet::backend::cpu::native
