// The state of lower(): values in lower_values.cpp, memory in lower_memory.cpp, control flow in
// lower_flow.cpp.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "backends/cpu/interpreter/handlers.hpp"
#include "backends/cpu/interpreter/lifetimes.hpp"
#include "backends/cpu/interpreter/registers.hpp"

namespace collet::backend::cpu::interpreter {

// Where an argument is found.
struct Operand {
  std::uint32_t at = 0;
  bool wide = false;
};

// A uniform part of a linear value.
struct Part {
  std::uint32_t at = 0;
  std::optional<std::uint32_t> known{};
};

struct Linear {
  Part base;
  std::array<Part, 3> strides{};
};

struct Value {
  std::array<Operand, 4> components;
  Linear linear;
};

// A function whose code stands in the program. No function calls itself, so that one place for what it is
// given and gives is enough.
struct Routine {
  std::uint32_t start = 0;
  std::uint32_t mask = 0;    // of the lanes that run it
  std::uint32_t caller = 0;  // register: where it goes on when it is done
  std::vector<Operand> arguments{}, results{};
};

// Code into a program: that of its functions first, then the kernel's own.
//
// Threads: one at a time; one of the two once.
class Lowering {
 public:
  // `routines` are those of the functions that the code may call.
  Lowering(const ir::Kernel& code, Shapes shapes, Program& program, const std::vector<Routine>& routines);

  void kernel();
  Routine function(const ir::Function& function);

 private:
  using Id = ir::Id;
  using Node = ir::Node;

  struct Loop {
    bool divergent = false;
    std::uint32_t live = 0;                  // mask of the lanes that go on
    std::uint32_t turn = 0;                  // mask of those that are not through with this turn
    std::vector<std::uint32_t> breaks{};     // jumps to the end of the loop
    std::vector<std::uint32_t> continues{};  // jumps to the end of the body
  };

  // lower.cpp
  void node(Id id);
  Register reserve(std::uint32_t bytes, bool wide, std::uint32_t until);
  void expire(std::uint32_t position);
  std::uint32_t emit(const Instruction& instruction);
  std::uint32_t here() const { return static_cast<std::uint32_t>(program_.body.size()); }
  void patch(const std::vector<std::uint32_t>& jumps, std::uint32_t target);
  const Node& argument(const Node& node, std::size_t i) const { return kernel_.nodes[node.arguments[i]]; }
  Shape shape(Id id) const { return shapes_.value[id]; }
  Operand operand(const Node& node, std::size_t i, std::size_t component) const {
    return values_[node.arguments[i]].components[component];
  }

  // lower_values.cpp
  void value(Id id);
  void pure(Id id);
  void fold_components(Id id);
  void builtin(Id id);
  void linear(Id id);
  void spread(Id id);
  void variable(Id id);
  void get(Id id);
  void set(Id id);
  void between_items(Id id);
  Operand result(Id id, std::size_t component);
  Operand result(Id id, std::size_t component, bool wide);
  Operand constant(std::uint32_t bytes, std::uint64_t bits);
  Operand once(Handler handler, std::uint32_t bytes, std::uint32_t memory, std::uint32_t offset);
  void apply(Handler handler, Operand to, std::initializer_list<Operand> arguments);
  Part part(ir::Op op, Part a, Part b, std::uint32_t until);
  Part known(std::uint32_t value);
  Linear as_linear(Id id);

  // lower_calls.cpp
  void find_passes(std::uint32_t block);
  void call(Id id);

  // lower_memory.cpp
  void load(Id id);
  void store(Id id);
  void atomic(Id id);
  Reach reach(const Node& node, Instruction& instruction);

  // lower_flow.cpp
  void block(std::uint32_t index);
  void if_together(Id id);
  void if_apart(Id id);
  void loop(Id id);
  void loop_apart(Id id);
  void range_instruction(Id id, Instruction& instruction);
  void jump(const Node& node);
  void drop(std::uint32_t mask);
  void rejoin(Id id);
  std::uint32_t masks(std::uint32_t count);

  const ir::Kernel& kernel_;
  Program& program_;
  const std::vector<Routine>& routines_;
  const Shapes shapes_;
  const Lifetimes lifetimes_;
  const Isa isa_ = find_isa();
  Registers registers_;
  std::vector<Value> values_;
  std::vector<std::vector<Register>> expiring_;  // at each position
  std::map<std::pair<std::uint32_t, std::uint64_t>, Operand> constants_;
  std::map<std::tuple<std::uintptr_t, std::uint32_t, std::uint32_t>, Operand> once_;
  const std::vector<std::uint32_t> parameter_at_;  // in the block of constants
  std::array<std::uint32_t, 3> axis_{};            // of each dimension

  Routine own_;                      // where the code is a function's
  std::map<Id, Operand> passes_;     // where each pass puts its value
  const Routine* called_ = nullptr;  // by the last call

  std::uint32_t mask_ = 0;  // of the lanes that run what is emitted now
  std::uint32_t next_mask_ = 1;
  std::vector<Loop> loops_;
  std::vector<std::vector<std::uint32_t>> block_ends_;  // jumps to the end of each open block
};

// Bytes of an element in a register.
constexpr std::uint32_t element_bytes(ir::Scalar scalar) {
  return scalar == ir::Scalar::boolean ? 1 : ir::bits(scalar) / 8;
}

}  // namespace collet::backend::cpu::interpreter
