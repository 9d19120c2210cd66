// The names of a function's body, and the function as it grows.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ptx_lexer.hpp"
#include "ptx_program.hpp"

namespace collet::cuda_double {

// What a name stands for.
struct Symbol {
  enum class Place : u8 {
    reg,
    predicate,
    data,  // of the module: .global and .const
    module_shared,
    kernel_shared,
    dynamic_shared,
    local,
    parameter,
    function,
    targets,    // of brx.idx
    prototype,  // of an indirect call; has no value
  };
  Place place = Place::reg;
  Type type = Type::none;
  u32 index = 0;  // of the register or the function; else an offset
  u32 size = 0;
};

using Symbols = std::unordered_map<std::string_view, Symbol>;

// Threads: one at a time.
class FunctionBuilder {
 public:
  FunctionBuilder(Function& function, Program& program, const Symbols& module)
      : function_(&function), program_(&program), module_(&module), scopes_(1) {}

  Function& function() { return *function_; }
  Program& program() { return *program_; }

  void open_scope() { scopes_.emplace_back(); }
  void close_scope() { scopes_.pop_back(); }
  // Of the innermost scope. Throws PtxError where it has the name.
  void declare(std::string_view name, const Symbol& symbol);
  void declare_register(std::string_view name, Type type);
  // `%r<3>` declares %r0 to %r2.
  void declare_registers(std::string_view prefix, u32 count, Type type);
  // nullptr: nobody declared it.
  const Symbol* find(std::string_view name);

  Operand new_register() { return static_cast<Operand>(function_->registers++); }
  // A register that nobody reads.
  Operand sink();
  Operand constant(u64 value, Relocation relocation = Relocation::none);
  // The hidden register with the value.
  Operand special(Special special, u64 added = 0);
  // The address of a variable or a function, in the variable's own space.
  Operand address_of(const Symbol& symbol, u64 offset);

  void define_label(std::string_view name);
  // The label's number, which finish() replaces by the place in the code.
  u32 label(std::string_view name);
  void add(const Instruction& instruction, bool has_label);
  // Adds the last ret and resolves labels. Throws PtxError where one is missing.
  void finish(Handler ret);

 private:
  struct Scope {
    Symbols symbols;
    std::vector<std::pair<std::string_view, std::pair<u32, Type>>>
        ranges;  // the first register of each prefix
    std::vector<u32> counts;
  };

  Function* function_;
  Program* program_;
  const Symbols* module_;
  std::vector<Scope> scopes_;
  std::map<std::pair<u64, Relocation>, Operand> constants_;
  std::map<std::pair<Special, u64>, Operand> specials_;
  std::unordered_map<std::string_view, u32> label_numbers_;
  std::vector<s64> labels_;         // the place in the code; -1: not yet known
  std::vector<std::string> names_;  // of labels
  std::vector<std::size_t> jumps_;  // instructions that have a label
  Operand sink_ = kNoOperand;
};

// The special register with that name, like %tid.x; false: there is none, or its value changes.
bool find_special(std::string_view name, Special& special);

}  // namespace collet::cuda_double
