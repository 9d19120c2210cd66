// The generator: statements at random, operands from what is visible.

#include "fuzz/generator.hpp"

#include <utility>

#include "fuzz/random_strays.hpp"

namespace collet::fuzz {
namespace {

// Threads: one at a time; run() once.
class Generator : public RandomStrays {
 public:
  Generator(std::uint64_t seed, Taste taste)
      : RandomStrays(seed, taste),
        strays_(taste == Taste::out_of_range),
        talks_(taste == Taste::talking && seed % 16 == 0) {}

  Work run() {
    kernel_.group = kGroups[below(kGroups.size())];
    if (portable_ && kernel_.group[0] == 300) kernel_.group[0] = 200;  // 256 is all that small devices have
    kernel_.blocks.emplace_back();
    long_ints_ = !portable_ || chance(40);
    meets_ = portable_ && chance(40);
    if (wide_) choose_features();
    wide_ ? choose_wide_extent() : choose_extent();
    portable_ ? declare_portable() : declare_wild();
    if (chance(30)) {
      for (std::uint32_t left = 1 + below(3); left != 0; --left) add_function();
    }
    budget_ = portable_ ? 8 + below(50) : 20 + below(100);
    place_ = make_place();
    if (portable_) initialise();
    body(0, 0);
    kernel_.functions = std::move(functions_);
    kernel_.messages = std::move(messages_);
    return {.kernel = std::move(kernel_),
            .extent = extent_,
            .buffers = std::move(buffers_),
            .constants = std::move(constants_)};
  }

 private:
  // Scalars as functions take and give them.
  std::vector<Scalar> passable() {
    std::vector<Scalar> made;
    for (std::uint32_t left = 1 + below(4); left != 0; --left)
      made.push_back(type_where([](Scalar s) { return s == Scalar::boolean || ir::bits(s) >= 32; }).scalar);
    return made;
  }

  // Its nodes are put together as if they were the kernel's.
  void add_function() {
    ir::Function made{.name = "f" + std::to_string(functions_.size()) + "_" + kernel_.name,
                      .arguments = passable(),
                      .results = passable(),
                      .body = {}};
    std::swap(kernel_, made.body);
    kernel_.blocks.emplace_back();
    const bool meets = std::exchange(meets_, false);
    in_function_ = true;
    for (std::size_t i = 0; i < made.arguments.size(); ++i) op(Op::argument, {made.arguments[i]}, {}, i);
    budget_ = 2 + below(12);
    body(0, 1);
    for (std::size_t i = 0; i < made.results.size(); ++i)
      op(Op::give, ir::kNothing, {pick({made.results[i]})}, i);
    in_function_ = false;
    meets_ = meets;
    visible_.clear();
    std::swap(kernel_, made.body);
    functions_.push_back(std::move(made));
  }

  void call() {
    const std::uint32_t number = below(functions_.size());
    std::vector<Id> passed;
    for (const Scalar argument : functions_[number].arguments) passed.push_back(pick({argument}));
    for (const Id value : passed) op(Op::pass, ir::kNothing, {value});
    op(Op::call, ir::kNothing, {}, number);
    const std::vector<Scalar> results = functions_[number].results;
    for (std::size_t i = 0; i < results.size(); ++i) op(Op::result, {results[i]}, {}, i);
  }

  void tell(const std::vector<Id>& values) {
    for (const Id value : values) op(Op::pass, ir::kNothing, {value});
    op(Op::print, ir::kNothing, {}, messages_.size() - 1);
  }

  // A line, or an assert that holds: which of several fails first is not the same everywhere.
  void say(int depth) {
    std::vector<Id> values;
    ir::Message made{.text = "line " + std::to_string(messages_.size()) + ":",
                     .file = "random.cpp",
                     .line = 1,
                     .values = {}};
    for (std::uint32_t left = below(4); left != 0; --left) {
      const Scalar s = passable().front();
      values.push_back(pick({s}));
      made.values.push_back(s);
      made.text += " {}";
    }
    const bool holds = chance(30);
    if (holds) made.kind = ir::Message::Kind::assertion;
    messages_.push_back(std::move(made));
    if (!holds) return tell(values);
    const Id one = pick(ir::kU32);
    const Id id = op(Op::if_, ir::kNothing, {op(Op::lt, ir::kBool, {one, one})});
    const std::uint32_t block = inner(depth + 1, [&] {
      tell(values);
      return true;
    });
    kernel_.nodes[id].immediate = ir::pack(block, kNone);
  }

  Id variable() {
    std::vector<Id> known;
    for (const Id id : visible_) {
      if (kernel_.nodes[id].op == Op::variable) known.push_back(id);
    }
    if (!known.empty() && chance(80)) return known[below(known.size())];
    return op(Op::variable, type(), {});
  }

  // A block of statements. `before` adds what comes first and says whether that is all.
  template <class Before>
  std::uint32_t inner(int depth, const Before& before) {
    return in_block([&](std::uint32_t made) {
      if (!before()) body(made, depth);
    });
  }

  // Runs body() where all items come together only if `together` and they did outside.
  template <class Body>
  void in_flow(bool together, const Body& body) {
    const bool outside = together_;
    together_ = together_ && together;
    body();
    together_ = outside;
  }

  // A jump that some items make takes the others' company away: where items meet it stays in a loop of its
  // own.
  bool may_leave_loop() const { return !loops_.empty() && (!meets_ || together_ || !loops_.back()); }
  bool jump() {
    if (!chance(25) || no_jumps_) return false;
    if (may_leave_loop() && chance(80)) {
      op(chance(50) ? Op::break_ : Op::continue_, ir::kNothing, {});
      return true;
    }
    if ((meets_ && !together_) || in_function_) return false;
    op(Op::return_, ir::kNothing, {});
    return true;
  }

  void branch(int depth) {
    const bool together = meets_ && together_ && chance(60);
    Id condition = kNone;
    if (together) {
      const Id a = common();
      condition = op(Op::lt, ir::kBool, {a, common()});
    } else {
      condition = pick(ir::kBool);
    }
    const Id id = op(Op::if_, ir::kNothing, {condition});
    in_flow(together, [&] {
      const std::uint32_t first = inner(depth + 1, [&] { return jump(); });
      std::uint32_t second = kNone;
      if (chance(50)) second = inner(depth + 1, [&] { return jump(); });
      kernel_.nodes[id].immediate = ir::pack(first, second);
    });
  }

  void range(int depth) {
    static constexpr std::array<Scalar, 4> kTypes{Scalar::i32, Scalar::u32, Scalar::i64, Scalar::u64};
    const Scalar s = kTypes[below(long_ints_ ? 4 : 2)];
    const std::uint64_t all = ir::bits(s) == 64 ? ~std::uint64_t{0} : 0xffffffffu;
    Id begin = constant(s, chance(80) ? below(3) : (all - below(5)) & (ir::is_signed(s) ? all : all >> 1));
    Id end = constant(s, below(7));
    if (chance(15)) {  // near the largest, where a careless counter would wrap
      const std::uint64_t most = ir::is_signed(s) ? all >> 1 : all;
      begin = constant(s, most - below(9));
      end = constant(s, most);
    }
    const bool together = meets_ && together_ && chance(70);
    if (!together && chance(50)) {
      const Id mask = constant(s, 7);
      end = op(Op::bit_and, {s, 1}, {pick({s, 1}), mask});
    }
    const Id step = constant(s, 1 + below(3));
    const Id id = op(Op::range, {s, 1}, {begin, end, step});
    visible_.pop_back();
    in_flow(together, [&] {
      loops_.push_back(together_);
      const std::uint32_t made = inner(depth + 1, [&] {
        visible_.push_back(id);
        return false;
      });
      loops_.pop_back();
      kernel_.nodes[id].immediate = ir::pack(made, kNone);
    });
  }

  void loop(int depth) {
    const Id counter = op(Op::variable, ir::kU32, {});
    visible_.pop_back();  // nobody else may set it
    const Id limit = op(Op::bit_and, ir::kU32, {pick(ir::kU32), u32(7)});
    const Id id = op(Op::loop, ir::kNothing, {});
    const bool continuing = chance(60);
    const auto count_up = [&] {
      const Id now = op(Op::get, ir::kU32, {counter});
      op(Op::set, ir::kNothing, {counter, op(Op::add, ir::kU32, {now, u32(1)})});
    };
    in_flow(false, [&] {
      loops_.push_back(false);
      const std::uint32_t made = inner(depth + 1, [&] {
        const Id now = op(Op::get, ir::kU32, {counter});
        const Id over = op(Op::ge, ir::kBool, {now, limit});
        const Id exit = op(Op::if_, ir::kNothing, {over});
        const std::uint32_t out = inner(depth + 2, [&] {
          op(Op::break_, ir::kNothing, {});
          return true;
        });
        kernel_.nodes[exit].immediate = ir::pack(out, kNone);
        if (!continuing) count_up();
        return false;
      });
      loops_.pop_back();
      std::uint32_t after = kNone;
      if (continuing) {
        const bool before = no_jumps_;
        no_jumps_ = true;
        after = inner(depth + 2, [&] {
          count_up();
          return chance(50);
        });
        no_jumps_ = before;
      }
      kernel_.nodes[id].immediate = ir::pack(made, after);
    });
  }

  // What needs nothing but values.
  void calculation(int depth) {
    const std::uint32_t what = below(100);
    if (what < 60) return pure();
    if (what < 70) return linear();
    if (what < 80) {
      const Id v = variable();
      op(Op::set, ir::kNothing, {v, pick(kernel_.nodes[v].type)});
    } else if (what < 88) {
      const Id v = variable();
      op(Op::get, kernel_.nodes[v].type, {v});
    } else if (depth < 4) {
      if (what < 94) {
        branch(depth);
      } else if (loops_.size() < 2) {
        what < 97 ? range(depth) : loop(depth);
      }
    }
  }

  void statement(int depth) {
    if (talks_ && chance(15)) return say(depth);
    if (!functions_.empty() && chance(10)) return call();
    if (in_function_) return calculation(depth);
    if (strays_ && chance(35)) return stray();
    if (portable_ && chance(5)) return atomic();
    if (wide_ && chance(5)) return own_atomic();
    if (wide_ && chance(2)) return fence();
    if (subgroups_ && together_ && chance(15)) return subgroup();
    if (meets_ && together_ && chance(12)) return (wide_ || !ragged_) && chance(40) ? tally() : exchange();
    if (chance(8)) {
      load(number());
    } else if (chance(9)) {
      store();
    } else {
      calculation(depth);
    }
  }

  void body(std::uint32_t index, int depth) {
    block_ = index;
    for (std::uint32_t left = 2 + below(depth == 0 ? 60 : 12); left != 0 && budget_ != 0; --left) {
      --budget_;
      statement(depth);
    }
    if (!in_function_) store();
  }

  bool strays_;
  bool talks_;
  std::vector<ir::Function> functions_;
  std::vector<ir::Message> messages_;  // of the kernel and its functions
  std::vector<bool> loops_;            // those around; true where all items run it together
  bool together_ = true;               // all items of a group come here
  bool no_jumps_ = false;
  std::uint32_t budget_ = 0;
};

}  // namespace

Work generate(std::uint64_t seed, Taste taste) { return Generator(seed, taste).run(); }

}  // namespace collet::fuzz
