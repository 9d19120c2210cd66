// Makes an Instruction of one line of PTX. Each opcode has a rule that takes modifiers and operands; what a
// rule does not take refuses the module, so that nothing is guessed.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ptx_program.hpp"
#include "ptx_scope.hpp"

namespace collet::cuda_double {

// An operand as it is written.
struct OperandText {
  enum class Kind : u8 {
    word,
    number,
    address,  // [word+offset] or [offset]
    list,     // {a, b}
    pair,     // a|b
  };
  Kind kind = Kind::word;
  std::string_view word;
  bool is_negated = false;                    // !word
  bool is_single = false, is_double = false;  // a number that is written as a float, of 4 or 8 bytes
  u64 number = 0;
  std::vector<OperandText> parts;
};

class Decoder;
using Rule = void (*)(Decoder&);
using Rules = std::map<std::string_view, Rule>;

// Threads: one at a time.
class Decoder {
 public:
  Decoder(FunctionBuilder& builder, std::string_view text, std::vector<OperandText> operands, int line);

  // Applies the rule of the opcode and adds the instruction. `wrong` is a word of faults.hpp. Throws
  // PtxError.
  void decode(const std::string& wrong, s32 guard, bool guard_negated);

  // What follows is for rules.

  FunctionBuilder& builder() { return *builder_; }
  Instruction instruction;
  bool has_label = false;

  // Whether the modifier is there; it is taken then.
  bool take(std::string_view modifier);
  // The place in the list of the one that is there; -1: none.
  int take_one_of(std::initializer_list<std::string_view> modifiers);
  // The next modifier that is a type. Throws where there is none, or it is not one of those.
  Type take_type();
  Type take_type_or(Type otherwise);

  std::size_t operand_count() const { return operands_.size(); }
  const OperandText& operand(std::size_t number) const;
  // Throws unless there are so many.
  void expect(std::size_t least, std::size_t most) const;
  void expect(std::size_t count) const { expect(count, count); }
  Operand input(std::size_t number, Type type) { return read(operand(number), type); }
  Operand read(const OperandText& text, Type type);
  Operand output(std::size_t number) { return write(operand(number)); }
  Operand write(const OperandText& text);
  // Sets instruction.p and predicate_negated.
  void predicate_input(std::size_t number);
  // kNoOperand for _
  Operand predicate_output(std::size_t number) { return write_predicate(operand(number)); }
  Operand write_predicate(const OperandText& text);
  // Of [base+offset]: returns the base, and sets instruction.offset.
  Operand address(std::size_t number);
  // The variable that an address names, if it does.
  const Symbol* symbol_of(const OperandText& text);
  // An unsigned number that stands in the text.
  u64 number(std::size_t operand_number) const;

  [[noreturn]] void refuse(const std::string& why) const;

 private:
  FunctionBuilder* builder_;
  std::string_view text_;
  std::string_view opcode_;
  std::vector<std::string_view> modifiers_;
  std::vector<OperandText> operands_;
  int line_;
  Operand result_ = kNoOperand, predicate_result_ = kNoOperand;
};

Type type_named(std::string_view name);

// Of each family of opcodes.
void add_integer_rules(Rules& rules);
void add_bit_rules(Rules& rules);
void add_float_rules(Rules& rules);
void add_conversion_rules(Rules& rules);
void add_comparison_rules(Rules& rules);
void add_memory_rules(Rules& rules);
void add_atomic_rules(Rules& rules);
void add_control_rules(Rules& rules);
void add_warp_rules(Rules& rules);

// Returns from a function; also the last instruction of each.
void return_handler(Warp& warp, const Instruction& instruction, Lanes lanes);

// The handler that pick<T>() gives for a type of registers; nullptr where T can't be that type.
template <class Pick>
Handler for_integer(Type type, Pick pick) {
  switch (type) {
    case Type::b16:
    case Type::u16: return pick.template operator()<u16>();
    case Type::b32:
    case Type::u32: return pick.template operator()<u32>();
    case Type::b64:
    case Type::u64: return pick.template operator()<u64>();
    case Type::s16: return pick.template operator()<s16>();
    case Type::s32: return pick.template operator()<s32>();
    case Type::s64: return pick.template operator()<s64>();
    default: return nullptr;
  }
}
template <class Pick>
Handler for_float(Type type, Pick pick) {
  switch (type) {
    case Type::f32: return pick.template operator()<float>();
    case Type::f64: return pick.template operator()<double>();
    default: return nullptr;
  }
}

}  // namespace collet::cuda_double
