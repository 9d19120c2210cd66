// Makes an Instruction of one line of PTX.

#include "ptx_decoder.hpp"

#include <algorithm>

#include "warp.hpp"

namespace collet::cuda_double {
namespace {

const Rules& all_rules() {
  static const auto* rules = [] {
    auto* made = new Rules;
    add_integer_rules(*made);
    add_bit_rules(*made);
    add_float_rules(*made);
    add_conversion_rules(*made);
    add_comparison_rules(*made);
    add_memory_rules(*made);
    add_atomic_rules(*made);
    add_control_rules(*made);
    add_warp_rules(*made);
    return made;
  }();
  return *rules;
}

// The planted fault: one more than what the instruction before it gave, in the lowest bits of the result.
void spoil_register(Warp& warp, const Instruction& instruction, Lanes lanes) {
  u64* d = warp.write(instruction.d);
  for_lanes(lanes, [&](unsigned lane) { ++d[lane]; });
}
void spoil_predicate(Warp& warp, const Instruction& instruction, Lanes lanes) {
  warp.set_predicate(instruction.d, lanes, ~warp.predicate(instruction.d));
}

}  // namespace

Type type_named(std::string_view name) {
  static constexpr std::string_view kNames[] = {"",    "pred", "b8",  "b16", "b32", "b64",
                                                "u8",  "u16",  "u32", "u64", "s8",  "s16",
                                                "s32", "s64",  "f16", "f32", "f64"};
  const auto* found = std::ranges::find(std::begin(kNames) + 1, std::end(kNames), name);
  return found == std::end(kNames) ? Type::none : static_cast<Type>(found - std::begin(kNames));
}

Decoder::Decoder(FunctionBuilder& builder, std::string_view text, std::vector<OperandText> operands, int line)
    : builder_(&builder), text_(text), operands_(std::move(operands)), line_(line) {
  std::size_t at = text.find('.');
  opcode_ = text.substr(0, at);
  while (at != std::string_view::npos) {
    const std::size_t end = text.find('.', at + 1);
    modifiers_.push_back(text.substr(at + 1, end == std::string_view::npos ? end : end - at - 1));
    at = end;
  }
  instruction.vector.fill(kNoOperand);
  instruction.line = line;
}

void Decoder::refuse(const std::string& why) const {
  throw PtxError("Line " + std::to_string(line_) + ": the instruction (" + std::string(text_) + ") " + why);
}

void Decoder::decode(const std::string& wrong, s32 guard, bool guard_negated) {
  const auto rule = all_rules().find(opcode_);
  if (rule == all_rules().end()) refuse("is not known.");
  rule->second(*this);
  if (!modifiers_.empty())
    refuse("has a modifier (" + std::string(modifiers_.front()) + ") that is not known.");
  if (instruction.handler == nullptr) refuse("is not known for this type.");
  instruction.guard = guard;
  instruction.guard_negated = guard_negated;
  builder_->add(instruction, has_label);
  const bool is_wrong = !wrong.empty() && (text_ == wrong || text_.starts_with(wrong + "."));
  if (!is_wrong || (result_ == kNoOperand && predicate_result_ == kNoOperand)) return;
  Instruction spoil;
  spoil.guard = guard;
  spoil.guard_negated = guard_negated;
  spoil.handler = result_ != kNoOperand ? spoil_register : spoil_predicate;
  spoil.d = result_ != kNoOperand ? result_ : predicate_result_;
  builder_->add(spoil, false);
}

bool Decoder::take(std::string_view modifier) {
  const auto found = std::ranges::find(modifiers_, modifier);
  if (found == modifiers_.end()) return false;
  modifiers_.erase(found);
  return true;
}

int Decoder::take_one_of(std::initializer_list<std::string_view> modifiers) {
  int place = 0;
  for (const std::string_view modifier : modifiers) {
    if (take(modifier)) return place;
    ++place;
  }
  return -1;
}

Type Decoder::take_type_or(Type otherwise) {
  for (auto at = modifiers_.begin(); at != modifiers_.end(); ++at) {
    if (const Type type = type_named(*at); type != Type::none) {
      modifiers_.erase(at);
      return type;
    }
  }
  return otherwise;
}

Type Decoder::take_type() {
  const Type type = take_type_or(Type::none);
  if (type == Type::none) refuse("has no type that is known.");
  return type;
}

const OperandText& Decoder::operand(std::size_t number) const {
  if (number >= operands_.size()) refuse("has too few operands.");
  return operands_[number];
}

void Decoder::expect(std::size_t least, std::size_t most) const {
  if (operands_.size() < least || operands_.size() > most) {
    refuse("has " + std::to_string(operands_.size()) + " operands, which is not their number.");
  }
}

const Symbol* Decoder::symbol_of(const OperandText& text) {
  return text.word.empty() ? nullptr : builder_->find(text.word);
}

Operand Decoder::read(const OperandText& text, Type type) {
  if (text.kind == OperandText::Kind::number) {
    u64 value = text.number;
    if (text.is_double && type == Type::f32) {
      value = to_register(static_cast<float>(from_register<double>(value)));
    } else if (text.is_single && type == Type::f64) {
      value = to_register(static_cast<double>(from_register<float>(value)));
    } else if (is_float(type) && !text.is_single && !text.is_double) {
      refuse("has an integer where it needs a float.");
    }
    return builder_->constant(value);
  }
  if (text.kind != OperandText::Kind::word || text.is_negated) refuse("has an operand of the wrong kind.");
  if (text.word == "WARP_SZ") return builder_->constant(kWarpSize);
  if (const Symbol* symbol = builder_->find(text.word)) {
    if (symbol->place == Symbol::Place::reg) return static_cast<Operand>(symbol->index);
    if (symbol->place == Symbol::Place::predicate) refuse("has a predicate where it needs a number.");
    return builder_->address_of(*symbol, text.number);
  }
  Special special{};
  if (find_special(text.word, special)) return builder_->special(special);
  refuse("names (" + std::string(text.word) + "), which is not declared.");
}

Operand Decoder::write(const OperandText& text) {
  if (text.kind != OperandText::Kind::word) refuse("has a result that is no register.");
  if (text.word == "_") return builder_->sink();
  const Symbol* symbol = builder_->find(text.word);
  if (symbol == nullptr || symbol->place != Symbol::Place::reg) {
    refuse("writes (" + std::string(text.word) + "), which is no register.");
  }
  result_ = static_cast<Operand>(symbol->index);
  return result_;
}

void Decoder::predicate_input(std::size_t number) {
  const OperandText& text = operand(number);
  if (text.kind == OperandText::Kind::number) {
    instruction.p = text.number != 0 ? ~1 : ~0;
    return;
  }
  const Symbol* symbol = text.kind == OperandText::Kind::word ? builder_->find(text.word) : nullptr;
  if (symbol == nullptr || symbol->place != Symbol::Place::predicate) refuse("needs a predicate.");
  instruction.p = static_cast<Operand>(symbol->index);
  instruction.predicate_negated = text.is_negated;
}

Operand Decoder::write_predicate(const OperandText& text) {
  if (text.kind == OperandText::Kind::word && text.word == "_") return kNoOperand;
  const Symbol* symbol = text.kind == OperandText::Kind::word ? builder_->find(text.word) : nullptr;
  if (symbol == nullptr || symbol->place != Symbol::Place::predicate)
    refuse("has a result that is no predicate.");
  predicate_result_ = static_cast<Operand>(symbol->index);
  return predicate_result_;
}

Operand Decoder::address(std::size_t number) {
  const OperandText& text = operand(number);
  if (text.kind != OperandText::Kind::address) refuse("needs an address in brackets.");
  if (text.word.empty()) return builder_->constant(text.number);
  const Symbol* symbol = builder_->find(text.word);
  if (symbol == nullptr) refuse("names (" + std::string(text.word) + "), which is not declared.");
  instruction.offset = static_cast<s64>(text.number);
  if (symbol->place == Symbol::Place::reg) return static_cast<Operand>(symbol->index);
  return builder_->address_of(*symbol, 0);
}

u64 Decoder::number(std::size_t operand_number) const {
  const OperandText& text = operand(operand_number);
  if (text.kind != OperandText::Kind::number || text.is_single || text.is_double) refuse("needs a number.");
  return text.number;
}

}  // namespace collet::cuda_double
