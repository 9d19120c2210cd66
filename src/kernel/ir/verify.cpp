// The verifier.

#include "kernel/ir/verify.hpp"

#include <algorithm>
#include <set>

#include "kernel/ir/message.hpp"
#include "kernel/ir/table.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/uniformity.hpp"

namespace collet::ir {
namespace {

constexpr std::uint64_t kMostItemBytes = 1u << 20;
constexpr std::uint64_t kMostGroupBytes = 1u << 30;
constexpr std::size_t kMostName = 255;

Error wrong(std::string message) {
  return Error(ErrorCode::invalid_argument, Category::kernel, Cause::module_failed, std::move(message));
}

// Names go into every target's source text.
bool is_name(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && name.size() <= kMostName && letter(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

// Threads: one at a time.
class Verifier {
 public:
  Verifier(const Kernel& kernel, Part& part)
      : kernel_(kernel),
        functions_(kernel.functions),
        messages_(kernel.messages),
        callable_(kernel.functions.size()),
        part_(part),
        where_("[Kernel \"" + kernel.name + "\"]") {}
  // The body of a function, after those before it.
  Verifier(const Kernel& kernel, std::size_t function, Part& part)
      : kernel_(kernel.functions[function].body),
        functions_(kernel.functions),
        messages_(kernel.messages),
        callable_(function),
        own_(&kernel.functions[function]),
        part_(part),
        where_("the function " + own_->name + " of [Kernel \"" + kernel.name + "\"]") {}

  Result<void> run() {
    COLLET_CHECK(check_frame());
    COLLET_CHECK(check_messages());
    COLLET_CHECK(check_functions());
    look_at(Part::Kind::kernel, 0);
    COLLET_CHECK(check_body());
    return check_uniformity();
  }

 private:
  Result<void> check_body() {
    defined_.assign(kernel_.nodes.size(), false);
    seen_.assign(kernel_.nodes.size(), false);
    entered_.assign(kernel_.blocks.size(), false);
    return check_block(0);
  }

  struct Frame {
    bool loop = false;        // break_ and continue_ belong to it
    bool continuing = false;  // a block where no jump may leave
  };

  void look_at(Part::Kind kind, std::size_t index) const {
    part_ = {.kind = kind,
             .index = static_cast<std::uint32_t>(index),
             .function = own_ == nullptr ? kNone : static_cast<std::uint32_t>(callable_)};
  }

  Error at(Id id, const std::string& what) const {
    return wrong("In " + where_ + ", " + quote(kernel_, functions_, id) + ": " + what);
  }

  Result<void> check_frame() const;
  Result<void> check_messages() const;
  Result<void> check_functions() const;
  Result<void> check_memories() const;
  Result<void> check_memory(const Memory& memory) const;
  static bool is_table(const Memory& memory);
  Result<void> check_block(std::uint32_t index);
  Result<void> check_node(Id id);
  Result<void> check_blocks(Id id);
  Result<void> check_arguments(Id id) const;
  Result<void> check_types(Id id) const;
  Result<void> check_access(Id id) const;
  Result<void> check_call(Id id);
  Result<void> check_purity(Id id) const;
  Result<void> check_uniformity() const;

  Type type(const Node& node, std::size_t argument) const {
    return kernel_.nodes[node.arguments[argument]].type;
  }

  const Kernel& kernel_;
  const std::vector<Function>& functions_;
  const std::vector<Message>& messages_;
  const std::size_t callable_;           // of the functions
  const Function* const own_ = nullptr;  // the one whose body it is
  Part& part_;                           // that is looked at
  const std::string where_;
  std::vector<Scalar> passed_;        // to the next call of this block
  const Function* called_ = nullptr;  // by the last call of this block
  std::uint64_t given_ = 0;
  std::vector<bool> defined_;  // and visible here
  std::vector<bool> seen_;     // in some block
  std::vector<bool> entered_;  // blocks
  std::vector<Frame> frames_;
};

Result<void> Verifier::check_frame() const {
  if (!is_name(kernel_.name)) return wrong("A kernel's name is letters, digits and _, at most 255 of them.");
  std::uint64_t items = 1;
  for (const std::uint32_t size : kernel_.group) {
    if (size == 0 || size > 1024) return wrong("A group has 1 to 1024 items in each dimension.");
    items *= size;
  }
  if (items > 4096) return wrong("A group has at most 4096 items.");
  if (kernel_.nodes.size() > kMostNodes) {
    return wrong("[Kernel \"" + kernel_.name + "\"] has " + std::to_string(kernel_.nodes.size()) +
                 " nodes; at most " + std::to_string(kMostNodes) + " are allowed.");
  }
  if (kernel_.blocks.empty()) return wrong("[Kernel \"" + kernel_.name + "\"] has no body.");
  COLLET_CHECK(check_memories());
  std::uint64_t constants = 0;
  for (const Parameter& parameter : kernel_.parameters) {
    look_at(Part::Kind::parameter, static_cast<std::size_t>(&parameter - kernel_.parameters.data()));
    if (!is_name(parameter.name)) return wrong("A parameter's name is letters, digits and _.");
    if (parameter.size == 0 || parameter.size > 65536 || parameter.alignment == 0 ||
        parameter.alignment > 16 || (parameter.alignment & (parameter.alignment - 1)) != 0) {
      return wrong("Parameter " + parameter.name + " has no size that a launch could pass.");
    }
    constants += parameter.size;
  }
  look_at(Part::Kind::kernel, 0);
  if (constants > 65536) return wrong("The parameters are larger than 64 KiB together.");
  const auto buffers = static_cast<std::size_t>(std::ranges::count(kernel_.buffer_argument, true));
  if (buffers != kernel_.buffer_count() ||
      kernel_.buffer_argument.size() - buffers != kernel_.parameters.size()) {
    return wrong("The list of arguments does not match the buffers and parameters.");
  }
  return {};
}

// Of what can be passed.
bool fits(Scalar scalar) { return scalar == Scalar::boolean || (is_number(scalar) && bits(scalar) >= 32); }

Result<void> Verifier::check_messages() const {
  if (messages_.size() > kMostMessages)
    return wrong(where_ + " has " + std::to_string(messages_.size()) + " messages; at most " +
                 std::to_string(kMostMessages) + " are allowed.");
  for (const Message& message : messages_) {
    look_at(Part::Kind::message, static_cast<std::size_t>(&message - messages_.data()));
    if (!std::ranges::all_of(message.values, fits))
      return wrong("A message tells something else than booleans and numbers of 32 or 64 bits.");
    if (const auto good = check_message(message); !good)
      return good.error().during("reading a message of " + where_);
  }
  return {};
}

Result<void> Verifier::check_functions() const {
  std::size_t nodes = kernel_.nodes.size();
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    const Function& function = functions_[i];
    look_at(Part::Kind::function, i);
    if (!is_name(function.name)) return wrong("A function's name is letters, digits and _.");
    if (!names.insert(function.name).second) return wrong("Two functions are called " + function.name + ".");
    if (!std::ranges::all_of(function.arguments, fits) || !std::ranges::all_of(function.results, fits)) {
      return wrong("The function " + function.name +
                   " takes or gives something else than booleans and numbers of 32 or 64 bits.");
    }
    if (function.results.empty()) return wrong("The function " + function.name + " gives nothing.");
    const Kernel& body = function.body;
    if (body.blocks.empty() || !body.memories.empty() || !body.parameters.empty() ||
        !body.functions.empty() || !body.messages.empty())
      return wrong("The function " + function.name + " has no body, or more than that.");
    nodes += body.nodes.size();
    if (nodes > kMostNodes)
      return wrong("[Kernel \"" + kernel_.name + "\"] and its functions have more than " +
                   std::to_string(kMostNodes) + " nodes.");
    Verifier inside(kernel_, i, part_);
    COLLET_CHECK(inside.check_body());
    look_at(Part::Kind::function, i);
    if (inside.given_ != function.results.size()) {
      return wrong("The function " + function.name + " gives " + std::to_string(inside.given_) + " of its " +
                   std::to_string(function.results.size()) + " results.");
    }
  }
  return {};
}

Result<void> Verifier::check_memories() const {
  std::uint64_t item_bytes = 0;
  std::uint64_t group_bytes = 0;
  std::uint64_t table_bytes = 0;
  bool buffers_ended = false;
  for (const Memory& memory : kernel_.memories) {
    look_at(Part::Kind::memory, static_cast<std::size_t>(&memory - kernel_.memories.data()));
    COLLET_CHECK(check_memory(memory));
    if (memory.space == Space::buffer) {
      if (buffers_ended) return wrong("Buffers come before all other memory.");
      continue;
    }
    buffers_ended = true;
    if (memory.space == Space::table) {
      table_bytes += memory.contents.size();
      if (table_bytes > kMostTableBytes)
        return wrong("[Kernel \"" + kernel_.name + "\"] has tables of " + std::to_string(table_bytes) +
                     " bytes up to and with " + memory.name + "; at most " + std::to_string(kMostTableBytes) +
                     " are allowed.");
      continue;
    }
    const bool item = memory.space == Space::item;
    const std::uint64_t most = item ? kMostItemBytes : kMostGroupBytes;
    std::uint64_t& sum = item ? item_bytes : group_bytes;
    // Can't wrap: check_memory() keeps the product below 2^47, and the sum so far is within its limit.
    sum += memory.count * memory.stride;
    if (sum <= most) continue;
    return wrong("[Kernel \"" + kernel_.name + "\"] has " +
                 (item ? "private arrays of " : "workgroup memory of ") + std::to_string(sum) + " bytes" +
                 (item ? " per item" : "") + " up to and with " + memory.name + " (" +
                 std::to_string(memory.count) + " elements of " + std::to_string(memory.stride) +
                 " bytes); at most " + std::to_string(most) + " are allowed.");
  }
  return {};
}

bool Verifier::is_table(const Memory& memory) {
  return memory.element.width == 1 && is_number(memory.element.scalar) && bits(memory.element.scalar) >= 32 &&
         memory.stride == bytes(memory.element) && memory.access == backend::Access::read &&
         memory.count <= kMostTableBytes && memory.contents.size() == memory.count * memory.stride;
}

Result<void> Verifier::check_memory(const Memory& memory) const {
  if (!is_name(memory.name)) return wrong("The name of memory is letters, digits and _.");
  if (memory.stride == 0 || memory.stride > 65536) {
    return wrong("Elements of " + memory.name + " have a size of 1 to 65536 bytes.");
  }
  if (memory.element.scalar == Scalar::boolean || memory.element.width == 0 || memory.element.width > 4) {
    return wrong("Elements of " + memory.name + " have a type that memory can't hold.");
  }
  const bool buffer = memory.space == Space::buffer;
  if (buffer != (memory.count == 0)) {
    return wrong(buffer ? "The length of buffer " + memory.name + " is known at launch only."
                        : "Memory " + memory.name + " has no elements.");
  }
  if (memory.space == Space::table ? !is_table(memory) : !memory.contents.empty())
    return wrong("The table " + memory.name + " does not hold what it says.");
  if (memory.count > kMostGroupBytes) return wrong("Memory " + memory.name + " is too large.");
  return {};
}

Result<void> Verifier::check_block(std::uint32_t index) {
  if (index >= kernel_.blocks.size()) {
    return wrong("[Kernel \"" + kernel_.name + "\"] refers to block " + std::to_string(index) + " of " +
                 std::to_string(kernel_.blocks.size()) + ".");
  }
  if (entered_[index]) return wrong("Block " + std::to_string(index) + " belongs to two nodes.");
  entered_[index] = true;
  if (frames_.size() > kMostDepth) {
    return wrong("[Kernel \"" + kernel_.name + "\"] nests blocks more than " + std::to_string(kMostDepth) +
                 " deep.");
  }
  const std::vector<Id>& nodes = kernel_.blocks[index].nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Id id = nodes[i];
    if (id >= kernel_.nodes.size())
      return wrong("A block lists node " + std::to_string(id) + ", which is none.");
    look_at(Part::Kind::node, id);
    if (seen_[id]) return at(id, "stands in two places.");
    seen_[id] = true;
    COLLET_CHECK(check_node(id));
    defined_[id] = kernel_.nodes[id].op != Op::range;  // a counter is seen in its body only
    if (rule(kernel_.nodes[id].op) == Rule::jump && i + 1 != nodes.size()) {
      return at(id, "nothing may follow a jump in its block.");
    }
  }
  for (const Id id : nodes) defined_[id] = false;
  if (!passed_.empty()) return wrong("In " + where_ + ", a block ends between a pass and what it is for.");
  called_ = nullptr;
  return {};
}

Result<void> Verifier::check_node(Id id) {
  const Node& node = kernel_.nodes[id];
  if (node.op > Op::return_) return wrong("Node " + std::to_string(id) + " has an unknown operation.");
  if (node.type.width == 0 || node.type.width > 4 || node.type.scalar > Scalar::f64)
    return wrong("Node " + std::to_string(id) + " has an unknown type.");
  COLLET_CHECK(check_arguments(id));
  COLLET_CHECK(check_types(id));
  COLLET_CHECK(check_purity(id));
  COLLET_CHECK(check_call(id));
  const bool of_call = rule(node.op) >= Rule::pass && rule(node.op) <= Rule::result;
  if (has_effect(node.op) && !of_call) {
    if (!passed_.empty()) return at(id, "stands between a pass and what it is for.");
    called_ = nullptr;
  }
  return check_blocks(id);
}

Result<void> Verifier::check_call(Id id) {
  const Node& node = kernel_.nodes[id];
  switch (node.op) {
    case Op::pass:
      if (node.type != kNothing || type(node, 0).width != 1) return at(id, "passes one scalar.");
      passed_.push_back(type(node, 0).scalar);
      called_ = nullptr;
      return {};
    case Op::print:
      if (node.type != kNothing || node.immediate >= messages_.size())
        return at(id, "there is no such message.");
      if (passed_ != messages_[node.low()].values) return at(id, "what is passed is not what it tells.");
      passed_.clear();
      called_ = nullptr;
      return {};
    case Op::call:
      if (node.type != kNothing || node.immediate >= callable_)
        return at(id, "a function calls only those before it.");
      called_ = &functions_[node.low()];
      if (passed_ != called_->arguments)
        return at(id, "what is passed is not what " + called_->name + " takes.");
      passed_.clear();
      return {};
    case Op::result:
      if (called_ == nullptr) return at(id, "follows no call of its block.");
      if (node.immediate >= called_->results.size() || node.type != Type{called_->results[node.low()]})
        return at(id, "is nothing that " + called_->name + " gives.");
      return {};
    case Op::argument:
      if (own_ == nullptr || node.immediate >= own_->arguments.size() ||
          node.type != Type{own_->arguments[node.low()]})
        return at(id, "is no argument of a function.");
      return {};
    case Op::give:
      if (own_ == nullptr || !frames_.empty()) return at(id, "stands in the body of a function only.");
      if (node.immediate != given_ || given_ >= own_->results.size() || node.type != kNothing ||
          type(node, 0) != Type{own_->results[given_]})
        return at(id, "is not the next result of " + own_->name + ".");
      ++given_;
      return {};
    default: return {};
  }
}

// A function knows nothing of items, memory and the launch.
Result<void> Verifier::check_purity(Id id) const {
  if (own_ == nullptr) return {};
  switch (const Op op = kernel_.nodes[id].op; rule(op)) {
    case Rule::builtin:
    case Rule::barrier:
    case Rule::fence:
    case Rule::uniform:
    case Rule::subgroup:
    case Rule::subgroup_bits:
    case Rule::subgroup_vote:
    case Rule::subgroup_any_type:
    case Rule::subgroup_shuffle: return at(id, "a function computes with its arguments only.");
    default: break;
  }
  if (kernel_.nodes[id].op == Op::return_) return at(id, "a function gives its results at its end.");
  return {};
}

Result<void> Verifier::check_arguments(Id id) const {
  const Node& node = kernel_.nodes[id];
  const std::uint8_t least = arity(node.op);
  const std::uint8_t most = node.op == Op::compose ? 4 : least;
  if (node.count < least || node.count > most) {
    const std::string allowed =
        least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
    return at(id, "takes " + allowed + " arguments, not " + std::to_string(node.count) + ".");
  }
  for (std::uint8_t i = 0; i < node.count; ++i) {
    const Id argument = node.arguments[i];
    if (argument >= kernel_.nodes.size() || !defined_[argument])
      return at(id, "argument " + std::to_string(i) + " is not defined here.");
    const bool variable = (node.op == Op::get || node.op == Op::set) && i == 0;
    if (variable != (kernel_.nodes[argument].op == Op::variable)) {
      return at(
          id, variable ? "its first argument is no variable." : "a variable is reached by get and set only.");
    }
    if (kernel_.nodes[argument].type.scalar == Scalar::none) {
      return at(id, "argument " + std::to_string(i) + " has no value.");
    }
  }
  return {};
}

Result<void> Verifier::check_types(Id id) const {
  const Node& node = kernel_.nodes[id];
  const Type result = node.type;
  const auto same = [&] {
    for (std::uint8_t i = 0; i < node.count; ++i) {
      if (type(node, i) != result) return false;
    }
    return true;
  };
  const auto expect = [&](bool good, const char* what) -> Result<void> {
    if (good) return {};
    return at(id, what);
  };
  const Scalar s = result.scalar;
  switch (rule(node.op)) {
    case Rule::constant:
      return expect(
          s != Scalar::none && result.width == 1 && (bits(s) == 64 || node.immediate >> bits(s) == 0),
          "a constant is a scalar, and its bits fit its type.");
    case Rule::parameter: {
      if (node.low() >= kernel_.parameters.size()) return at(id, "there is no such parameter.");
      const Parameter& parameter = kernel_.parameters[node.low()];
      return expect(is_number(s) && std::uint64_t{node.high()} + bytes(result) <= parameter.size &&
                        node.high() % (bits(s) / 8) == 0,
                    "reads beyond its parameter, or at a byte that its type is not aligned to.");
    }
    case Rule::length:
      return expect(node.immediate < kernel_.memories.size() &&
                        kernel_.memories[node.low()].space == Space::buffer && result == kU32,
                    "the length of a buffer is a u32.");
    case Rule::builtin:
      return expect(result == kU32 && node.immediate < 3, "is a u32 of dimension 0, 1 or 2.");
    case Rule::number1:
    case Rule::number2: return expect(is_number(s) && same(), "takes and gives numbers of one type.");
    case Rule::integer1:
    case Rule::integer2: return expect(is_integer(s) && same(), "takes and gives integers of one type.");
    case Rule::float1:
    case Rule::float2:
    case Rule::float3: return expect(is_float(s) && same(), "takes and gives floats of one type.");
    case Rule::bits1:
    case Rule::bits2:
      return expect((is_integer(s) || s == Scalar::boolean) && same(),
                    "takes and gives integers or booleans of one type.");
    case Rule::equal:
      return expect(type(node, 0) == type(node, 1) && result == mask_of(type(node, 0)),
                    "compares two values of one type and gives a boolean for each component.");
    case Rule::order:
      return expect(type(node, 0) == type(node, 1) && is_number(type(node, 0).scalar) &&
                        result == mask_of(type(node, 0)),
                    "compares two numbers of one type and gives a boolean for each component.");
    case Rule::select:
      return expect(type(node, 0).scalar == Scalar::boolean &&
                        (type(node, 0).width == 1 || type(node, 0).width == result.width) &&
                        type(node, 1) == result && type(node, 2) == result && s != Scalar::none,
                    "chooses between two values of one type by a boolean.");
    case Rule::convert:
      return expect(s != Scalar::none && type(node, 0).width == result.width,
                    "keeps the number of components.");
    case Rule::bitcast:
      return expect(is_number(s) && is_number(type(node, 0).scalar) &&
                        bits(s) == bits(type(node, 0).scalar) && result.width == type(node, 0).width,
                    "keeps the size, and booleans have none.");
    case Rule::compose: {
      bool good = result.width == node.count && s != Scalar::none;
      for (std::uint8_t i = 0; i < node.count; ++i) good = good && type(node, i) == Type{s, 1};
      return expect(good, "makes a vector of as many scalars of its type.");
    }
    case Rule::extract:
      return expect(node.immediate < type(node, 0).width && type(node, 0).width > 1 &&
                        result == Type{type(node, 0).scalar, 1},
                    "gives one component of a vector.");
    case Rule::reduce:
      return expect(type(node, 0).scalar == Scalar::boolean && type(node, 0).width > 1 && result == kBool,
                    "makes one boolean of several.");
    case Rule::variable: return expect(s != Scalar::none, "a variable has a type.");
    case Rule::get: return expect(type(node, 0) == result, "gives the variable's type.");
    case Rule::set:
      return expect(result == kNothing && type(node, 0) == type(node, 1),
                    "sets a value of the variable's type.");
    case Rule::load:
    case Rule::store:
    case Rule::atomic:
    case Rule::compare_exchange: return check_access(id);
    case Rule::barrier: return expect(result == kNothing, "has no value.");
    case Rule::fence: return expect(result == kNothing && node.immediate <= 2, "has a scope and no value.");
    case Rule::uniform:
    case Rule::subgroup_any_type: return expect(s != Scalar::none && same(), "keeps its type.");
    case Rule::subgroup: return expect(is_number(s) && same(), "takes and gives numbers of one type.");
    case Rule::subgroup_bits: return expect(is_integer(s) && same(), "takes and gives integers of one type.");
    case Rule::subgroup_vote: return expect(result == kBool && same(), "takes and gives one boolean.");
    case Rule::subgroup_shuffle:
      return expect(s != Scalar::none && type(node, 0) == result && type(node, 1) == kU32,
                    "takes a value and the u32 of a lane.");
    case Rule::if_: return expect(result == kNothing && type(node, 0) == kBool, "is decided by one boolean.");
    case Rule::range:
      return expect((s == Scalar::i32 || s == Scalar::u32 || s == Scalar::i64 || s == Scalar::u64) &&
                        result.width == 1 && same(),
                    "counts in integers of 32 or 64 bits, all of one type.");
    case Rule::loop:
    case Rule::jump: return expect(result == kNothing, "has no value.");
    case Rule::pass:
    case Rule::print:
    case Rule::call:
    case Rule::result:
    case Rule::argument:
    case Rule::give: return {};  // check_call() knows
  }
  return {};
}

Result<void> Verifier::check_access(Id id) const {
  const Node& node = kernel_.nodes[id];
  if (node.low() >= kernel_.memories.size()) return at(id, "there is no such memory.");
  const Memory& memory = kernel_.memories[node.low()];
  if (type(node, 0) != kU32) return at(id, "an index is a u32.");
  const bool store = rule(node.op) == Rule::store;
  const Type accessed = store ? type(node, 1) : node.type;
  if (store != (node.type == kNothing)) return at(id, "a store has no value, and a load has one.");
  if (!is_number(accessed.scalar)) return at(id, "memory holds numbers only.");
  if (std::uint64_t{node.high()} + bytes(accessed) > memory.stride) {
    return at(id, "reaches beyond its element of " + std::to_string(memory.stride) + " bytes.");
  }
  if (node.high() % (bits(accessed.scalar) / 8) != 0 || memory.stride % (bits(accessed.scalar) / 8) != 0) {
    return at(id, "is not aligned to its type.");
  }
  if (reads_memory(node.op) && memory.access == backend::Access::write)
    return at(id, memory.name + " is written only.");
  if (node.op != Op::load && node.op != Op::atomic_load && memory.access == backend::Access::read) {
    return at(id, memory.name + " is read only.");
  }
  if (!is_atomic(node.op)) return {};
  if (memory.space == Space::item || memory.space == Space::table)
    return at(id, "an atomic operation reaches memory that items share.");
  const bool floats = is_float_atomic(node.op);
  if (accessed.width != 1 || (!floats && !is_integer(accessed.scalar)) || bits(accessed.scalar) < 32) {
    return at(id,
              floats ? "is for integers and floats of 32 or 64 bits." : "is for integers of 32 or 64 bits.");
  }
  for (std::uint8_t i = 1; i < node.count; ++i) {
    if (type(node, i) != accessed) return at(id, "its values have the type of the memory.");
  }
  return {};
}

Result<void> Verifier::check_blocks(Id id) {
  const Node& node = kernel_.nodes[id];
  switch (node.op) {
    case Op::if_:
      frames_.push_back({});
      COLLET_CHECK(check_block(node.low()));
      if (node.high() != kNone) COLLET_CHECK(check_block(node.high()));
      frames_.pop_back();
      return {};
    case Op::range:
    case Op::loop:
      if (node.op == Op::range) defined_[id] = true;
      frames_.push_back({.loop = true});
      COLLET_CHECK(check_block(node.low()));
      frames_.back() = {.loop = false, .continuing = true};
      if (node.op == Op::loop && node.high() != kNone) COLLET_CHECK(check_block(node.high()));
      frames_.pop_back();
      return {};
    case Op::break_:
    case Op::continue_:
      for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
        if (frame->continuing) return at(id, "leaves a continuing block.");
        if (frame->loop) return {};
      }
      return at(id, "is outside a loop.");
    case Op::return_:
      if (std::ranges::any_of(frames_, &Frame::continuing)) return at(id, "leaves a continuing block.");
      return {};
    default: return {};
  }
}

Result<void> Verifier::check_uniformity() const {
  const Uniformity uniformity = find_uniformity(kernel_);
  for (Id id = 0; id < kernel_.nodes.size(); ++id) {
    const Node& node = kernel_.nodes[id];
    if (seen_[id] && is_together(node.op) && !uniformity.flow[id]) {
      look_at(Part::Kind::node, id);
      const Place place = node.place < kernel_.places.size() ? kernel_.places[node.place] : Place{};
      const std::string where =
          place.line == 0 ? "" : ", to " + place.file + ":" + std::to_string(place.line);
      return at(id, "not all items of a group are sure to come here" + where + ".")
          .with_hint(
              "Move it out of if_ and loops whose condition depends on the item, or make the condition "
              "the same for all with uniform().");
    }
  }
  return {};
}

}  // namespace

Result<void> verify(const Kernel& kernel, Part* part) {
  Part looked_at;
  const auto valid = Verifier(kernel, looked_at).run();
  if (part != nullptr) *part = looked_at;
  return valid;
}

}  // namespace collet::ir
