// Random kernels: the interpreter against the reference that runs one item at a time.
//
// COLLET_RANDOM_KERNELS is how many (2000), COLLET_RANDOM_SEED where they begin (1).

#include <algorithm>
#include <cstdlib>
#include <random>

#include "unit/interpreter_launch.hpp"
#include "unit/interpreter_reference.hpp"

namespace collet {
namespace {

using ir::Id;
using ir::Node;
using ir::Op;
using ir::Scalar;
using ir::Type;

constexpr std::uint32_t kSlots = 8;  // of 32 bytes in `out`, for each item

// Threads: one at a time.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  Launch run() {
    static constexpr std::array<std::array<std::uint32_t, 3>, 8> kGroups{
        {{64, 1, 1}, {8, 8, 1}, {5, 3, 2}, {1, 16, 1}, {300, 1, 1}, {17, 1, 1}, {1, 1, 1}, {2, 3, 31}}};
    kernel_.name = "random";
    kernel_.group = kGroups[below(kGroups.size())];
    kernel_.memories.push_back({.name = "in", .element = {}, .stride = 32, .access = backend::Access::read});
    kernel_.memories.push_back({.name = "numbers", .element = ir::kU32, .stride = 4});
    kernel_.memories.push_back({.name = "out", .element = {}, .stride = 32});
    kernel_.memories.push_back(
        {.space = ir::Space::item, .name = "own", .element = {}, .stride = 32, .count = 1 + below(5)});
    kernel_.buffer_argument = {true, true, true};
    kernel_.blocks.emplace_back();
    budget_ = 20 + below(100);
    body(0, 0);
    Launch launch{.kernel = kernel_, .extent = {}, .buffers = {}, .constants = {}};
    std::uint64_t items = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      launch.extent[d] = 1 + below(kernel_.group[d] * (items > 500 ? 1 : 2));
      items *= (launch.extent[d] + kernel_.group[d] - 1) / kernel_.group[d] * kernel_.group[d];
    }
    for (const std::size_t size : {std::size_t{32 * 70}, std::size_t{4 * 200}}) {
      std::vector<std::uint32_t> words(size / 4);
      for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(tricky(Scalar::u32));
      launch.add_buffer(words);
    }
    launch.buffers.emplace_back(items * kSlots * 32);
    return launch;
  }

 private:
  std::uint32_t below(std::uint64_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }

  Scalar scalar() {
    static constexpr std::array<Scalar, 20> kScalars{
        Scalar::boolean, Scalar::i8,  Scalar::u8,  Scalar::i16, Scalar::u16, Scalar::i32, Scalar::u32,
        Scalar::i64,     Scalar::u64, Scalar::f16, Scalar::f32, Scalar::f64, Scalar::u32, Scalar::u32,
        Scalar::u32,     Scalar::i32, Scalar::f32, Scalar::f32, Scalar::u32, Scalar::i32};
    return kScalars[below(kScalars.size())];
  }
  Type type() { return {scalar(), static_cast<std::uint8_t>(chance(75) ? 1 : 2 + below(3))}; }
  Type number() {
    Type found = type();
    while (!ir::is_number(found.scalar)) found = type();
    return found;
  }

  std::uint64_t tricky(Scalar s) {
    const std::uint32_t size = ir::bits(s);
    const std::uint64_t all = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
    if (s == Scalar::f32 && chance(60)) {
      return std::bit_cast<std::uint32_t>((static_cast<float>(below(2001)) - 1000) / 8);
    }
    switch (below(6)) {
      case 0: return 0;
      case 1: return 1;
      case 2: return all;
      case 3: return all >> 1;
      case 4: return random_() & all;
      default: return below(64) & all;
    }
  }

  Id add(Node node) {
    const auto id = static_cast<Id>(kernel_.nodes.size());
    kernel_.nodes.push_back(node);
    kernel_.blocks[block_].nodes.push_back(id);
    if (node.type != ir::kNothing) visible_.push_back(id);
    return id;
  }

  Id op(Op o, Type t, std::initializer_list<Id> arguments, std::uint64_t immediate = 0) {
    Node node{.op = o, .type = t, .count = static_cast<std::uint8_t>(arguments.size())};
    std::copy(arguments.begin(), arguments.end(), node.arguments.begin());
    node.immediate = immediate;
    return add(node);
  }

  Id constant(Scalar s, std::uint64_t bits) { return op(Op::constant, {s, 1}, {}, bits); }
  Id u32(std::uint32_t value) { return constant(Scalar::u32, value); }

  // A value of the type, an old one where there is one.
  Id pick(Type t) {
    if (chance(90)) {
      for (int attempt = 0; attempt < 20 && !visible_.empty(); ++attempt) {
        const Id id = visible_[visible_.size() - 1 - below(std::min<std::size_t>(visible_.size(), 40))];
        if (kernel_.nodes[id].type == t && kernel_.nodes[id].op != Op::variable) return id;
      }
    }
    if (t.width > 1) {
      Node node{.op = Op::compose, .type = t, .count = t.width};
      for (std::size_t c = 0; c < t.width; ++c) node.arguments[c] = pick({t.scalar, 1});
      return add(node);
    }
    if (t == ir::kBool) {
      const Type of = number();
      const Type one{of.scalar, 1};
      const Id a = pick(one);
      const Id b = pick(one);
      return op(static_cast<Op>(static_cast<int>(Op::lt) + static_cast<int>(below(4))), ir::kBool, {a, b});
    }
    if (t == ir::kU32 && chance(60)) {
      static constexpr std::array<Op, 4> kIds{Op::global_id, Op::local_id, Op::group_id, Op::element_count};
      return op(kIds[below(4)], ir::kU32, {}, below(3));
    }
    if (ir::is_number(t.scalar) && chance(60)) return load(t, 0);
    return constant(t.scalar, tricky(t.scalar));
  }

  Id load(Type t, std::uint32_t memory) {
    const Id index = small(chance(20) ? 100 : memory == 3 ? 4 : 60);
    const std::uint32_t size = ir::bits(t.scalar) / 8;
    const std::uint32_t offset = below((32 - size * t.width) / size + 1) * size;
    return op(Op::load, t, {index}, ir::pack(memory, offset));
  }

  // A u32 that is mostly below `limit`.
  Id small(std::uint32_t limit) {
    const Id any = pick(ir::kU32);
    return chance(70) ? op(Op::rem, ir::kU32, {any, u32(limit)}) : any;
  }

  void pure() {
    const auto o = static_cast<Op>(
        static_cast<int>(Op::negate) +
        static_cast<int>(below(static_cast<int>(Op::all) - static_cast<int>(Op::negate) + 1)));
    Type t = type();
    switch (ir::rule(o)) {
      case ir::Rule::number1:
      case ir::Rule::number2: t = number(); break;
      case ir::Rule::integer1:
      case ir::Rule::integer2:
        while (!ir::is_integer(t.scalar)) t = type();
        break;
      case ir::Rule::bits1:
      case ir::Rule::bits2:
        while (ir::is_float(t.scalar)) t = type();
        break;
      case ir::Rule::float1:
      case ir::Rule::float2:
      case ir::Rule::float3:
        while (!ir::is_float(t.scalar)) t = type();
        break;
      default: return other(o, t);
    }
    Node node{.op = o, .type = t, .count = ir::arity(o)};
    for (std::size_t i = 0; i < node.count; ++i) node.arguments[i] = pick(t);
    settle(add(node));
  }

  // Makes one NaN of all: their bits are open, and a bitcast would show them.
  void settle(Id id) {
    const Type t = kernel_.nodes[id].type;
    if (!ir::is_float(t.scalar)) return;
    visible_.pop_back();
    Id nan = constant(t.scalar, t.scalar == Scalar::f16   ? 0x7e00
                                : t.scalar == Scalar::f32 ? 0x7fc00000
                                                          : 0x7ff8000000000000);
    if (t.width > 1) {
      Node node{.op = Op::compose, .type = t, .count = t.width, .arguments = {nan, nan, nan, nan}};
      nan = add(node);
    }
    op(Op::select, t, {op(Op::ne, ir::mask_of(t), {id, id}), nan, id});
  }

  void other(Op o, Type t) {
    switch (o) {
      case Op::eq:
      case Op::ne: {
        const Id a = pick(t);
        op(o, ir::mask_of(t), {a, pick(t)});
        return;
      }
      case Op::lt:
      case Op::le:
      case Op::gt:
      case Op::ge: {
        t = number();
        const Id a = pick(t);
        op(o, ir::mask_of(t), {a, pick(t)});
        return;
      }
      case Op::select: {
        const Id condition = pick(chance(50) ? ir::kBool : ir::mask_of(t));
        const Id a = pick(t);
        op(o, t, {condition, a, pick(t)});
        return;
      }
      case Op::convert: settle(op(o, t, {pick({scalar(), t.width})})); return;
      case Op::bitcast: {
        t = number();
        Type from = number();
        while (ir::bits(from.scalar) != ir::bits(t.scalar)) from = number();
        op(o, t, {pick({from.scalar, t.width})});
        return;
      }
      case Op::extract:
        t.width = static_cast<std::uint8_t>(2 + below(3));
        op(o, {t.scalar, 1}, {pick(t)}, below(t.width));
        return;
      case Op::any:
      case Op::all:
        op(o, ir::kBool, {pick({Scalar::boolean, static_cast<std::uint8_t>(2 + below(3))})});
        return;
      default: pick(t); return;
    }
  }

  void linear() {
    static constexpr std::array<Op, 5> kOps{Op::add, Op::sub, Op::mul, Op::shl, Op::add};
    const Id a = pick(ir::kU32);
    op(kOps[below(5)], ir::kU32, {a, chance(60) ? u32(below(5)) : pick(ir::kU32)});
  }

  // To a place that no other item knows.
  void store() {
    const Type t = number();
    const Id value = pick(t);
    const std::uint32_t size = ir::bits(t.scalar) / 8;
    const std::uint32_t offset = below((32 - size * t.width) / size + 1) * size;
    if (chance(30)) {
      op(Op::store, ir::kNothing, {small(4), value}, ir::pack(3, offset));
      return;
    }
    Id place = kNoId;
    for (int d = 2; d >= 0; --d) {
      const Id id = op(Op::global_id, ir::kU32, {}, static_cast<std::uint64_t>(d));
      const Id count = op(Op::group_count, ir::kU32, {}, static_cast<std::uint64_t>(d));
      const Id size_of = op(Op::group_size, ir::kU32, {}, static_cast<std::uint64_t>(d));
      const Id width = op(Op::mul, ir::kU32, {count, size_of});
      place = place == kNoId ? id : op(Op::add, ir::kU32, {op(Op::mul, ir::kU32, {place, width}), id});
    }
    const Id first = op(Op::mul, ir::kU32, {place, u32(kSlots)});
    const Id slot = chance(70) ? u32(below(kSlots)) : op(Op::rem, ir::kU32, {pick(ir::kU32), u32(kSlots)});
    op(Op::store, ir::kNothing, {op(Op::add, ir::kU32, {first, slot}), value}, ir::pack(2, offset));
  }

  Id variable() {
    std::vector<Id> known;
    for (const Id id : visible_) {
      if (kernel_.nodes[id].op == Op::variable) known.push_back(id);
    }
    if (!known.empty() && chance(80)) return known[below(known.size())];
    return op(Op::variable, type(), {});
  }

  // The nodes of a block that nothing outside sees. `before` adds what comes first.
  template <class Before>
  std::uint32_t inner(int depth, const Before& before) {
    const std::uint32_t outer = block_;
    const std::size_t seen = visible_.size();
    block_ = static_cast<std::uint32_t>(kernel_.blocks.size());
    const std::uint32_t made = block_;
    kernel_.blocks.emplace_back();
    if (!before()) body(made, depth);
    visible_.resize(seen);
    block_ = outer;
    return made;
  }

  bool ended() const {
    const auto& nodes = kernel_.blocks[block_].nodes;
    return !nodes.empty() && ir::rule(kernel_.nodes[nodes.back()].op) == ir::Rule::jump;
  }

  void branch(int depth) {
    const Id condition = pick(ir::kBool);
    const Id id = op(Op::if_, ir::kNothing, {condition});
    const auto jump = [&] {
      if (!chance(25) || no_jumps_) return false;
      if (loops_ != 0 && chance(80)) {
        op(chance(50) ? Op::break_ : Op::continue_, ir::kNothing, {});
      } else {
        op(Op::return_, ir::kNothing, {});
      }
      return true;
    };
    const std::uint32_t first = inner(depth + 1, jump);
    std::uint32_t second = ir::kNone;
    if (chance(50)) second = inner(depth + 1, jump);
    kernel_.nodes[id].immediate = ir::pack(first, second);
  }

  void range(int depth) {
    static constexpr std::array<Scalar, 4> kTypes{Scalar::i32, Scalar::u32, Scalar::i64, Scalar::u64};
    const Scalar s = kTypes[below(4)];
    const std::uint64_t all = ir::bits(s) == 64 ? ~std::uint64_t{0} : 0xffffffffu;
    Id begin = constant(s, chance(80) ? below(3) : (all - below(5)) & (ir::is_signed(s) ? all : all >> 1));
    Id end = constant(s, below(7));
    if (chance(15)) {  // near the largest, where a careless counter would wrap
      const std::uint64_t most = ir::is_signed(s) ? all >> 1 : all;
      begin = constant(s, most - below(9));
      end = constant(s, most);
    }
    if (chance(50)) {
      const Id mask = constant(s, 7);
      end = op(Op::bit_and, {s, 1}, {pick({s, 1}), mask});
    }
    const Id step = constant(s, 1 + below(3));
    const Id id = op(Op::range, {s, 1}, {begin, end, step});
    visible_.pop_back();
    enter_loop();
    const std::uint32_t made = inner(depth + 1, [&] {
      visible_.push_back(id);
      return false;
    });
    leave_loop();
    kernel_.nodes[id].immediate = ir::pack(made, ir::kNone);
  }

  void loop(int depth) {
    const Id counter = op(Op::variable, ir::kU32, {});
    visible_.pop_back();  // nobody else may set it
    const Id limit = op(Op::bit_and, ir::kU32, {pick(ir::kU32), u32(7)});
    const Id id = op(Op::loop, ir::kNothing, {});
    const bool continuing = chance(60);
    const auto count = [&] {
      const Id now = op(Op::get, ir::kU32, {counter});
      op(Op::set, ir::kNothing, {counter, op(Op::add, ir::kU32, {now, u32(1)})});
    };
    enter_loop();
    const std::uint32_t made = inner(depth + 1, [&] {
      const Id now = op(Op::get, ir::kU32, {counter});
      const Id over = op(Op::ge, ir::kBool, {now, limit});
      const Id exit = op(Op::if_, ir::kNothing, {over});
      const std::uint32_t out = inner(depth + 2, [&] {
        op(Op::break_, ir::kNothing, {});
        return true;
      });
      kernel_.nodes[exit].immediate = ir::pack(out, ir::kNone);
      if (!continuing) count();
      return false;
    });
    leave_loop();
    std::uint32_t after = ir::kNone;
    if (continuing) {
      const bool before = no_jumps_;
      no_jumps_ = true;
      after = inner(depth + 2, [&] {
        count();
        return chance(50);
      });
      no_jumps_ = before;
    }
    kernel_.nodes[id].immediate = ir::pack(made, after);
  }

  void enter_loop() { ++loops_; }
  void leave_loop() { --loops_; }

  void statement(int depth) {
    const std::uint32_t what = below(100);
    if (what < 45) {
      pure();
    } else if (what < 58) {
      linear();
    } else if (what < 63) {
      load(number(), chance(60) ? 0 : 3);
    } else if (what < 66) {
      op(Op::load, ir::kU32, {small(220)}, ir::pack(1, 0));
    } else if (what < 74) {
      store();
    } else if (what < 80) {
      const Id v = variable();
      op(Op::set, ir::kNothing, {v, pick(kernel_.nodes[v].type)});
    } else if (what < 88) {
      const Id v = variable();
      op(Op::get, kernel_.nodes[v].type, {v});
    } else if (depth < 4) {
      if (what < 94) {
        branch(depth);
      } else if (loops_ < 2) {
        what < 97 ? range(depth) : loop(depth);
      }
    }
  }

  void body(std::uint32_t index, int depth) {
    block_ = index;
    for (std::uint32_t left = 2 + below(depth == 0 ? 60 : 12); left != 0 && budget_ != 0; --left, --budget_) {
      statement(depth);
    }
    store();
  }

  static constexpr Id kNoId = ir::kNone;
  std::mt19937_64 random_;
  ir::Kernel kernel_;
  std::vector<Id> visible_;
  std::uint32_t block_ = 0;
  std::uint32_t budget_ = 0;
  int loops_ = 0;
  bool no_jumps_ = false;
};

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(InterpreterRandom, GivesWhatOneItemAtATimeGives) {
  const std::uint64_t count = number_from("COLLET_RANDOM_KERNELS", 2000);
  const std::uint64_t first = number_from("COLLET_RANDOM_SEED", 1);
  std::size_t written = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Launch launch = Generator(seed).run();
    Launch reference = launch;
    launch.run();
    if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed;
    reference.for_groups(0, 1, [&](const backend::HostGroup& group) {
      for (std::uint32_t z = 0; z < group.size[2]; ++z) {
        for (std::uint32_t y = 0; y < group.size[1]; ++y) {
          for (std::uint32_t x = 0; x < group.size[0]; ++x) {
            const bool exists = group.id[0] * group.size[0] + x < group.extent[0] &&
                                group.id[1] * group.size[1] + y < group.extent[1] &&
                                group.id[2] * group.size[2] + z < group.extent[2];
            if (exists) interpreter_reference::Item(reference.kernel, group, {x, y, z}).run();
          }
        }
      }
    });
    written +=
        std::ranges::any_of(reference.buffers[2], [](std::byte b) { return b != std::byte{0}; }) ? 1 : 0;
    const auto [got, wanted] = std::ranges::mismatch(launch.buffers[2], reference.buffers[2]);
    ASSERT_EQ(got, launch.buffers[2].end())
        << "byte " << got - launch.buffers[2].begin() << " is " << static_cast<int>(*got) << ", not "
        << static_cast<int>(*wanted) << "; seed " << seed << ", extent " << launch.extent[0] << " "
        << launch.extent[1] << " " << launch.extent[2] << "\n"
        << ir::print(launch.kernel);
  }
  EXPECT_GT(written * 4, count * 3);  // most kernels write something that is not 0
}

}  // namespace
}  // namespace collet
