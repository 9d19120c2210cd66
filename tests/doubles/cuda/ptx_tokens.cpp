// Reads tokens one after the other, and declarations.

#include "ptx_tokens.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "ptx_decoder.hpp"

namespace collet::cuda_double {

std::string_view TokenReader::next() {
  if (at_end()) refuse("The text ends in the middle of something.");
  return tokens_[at_++].text;
}

bool TokenReader::accept(std::string_view text) {
  if (peek() != text) return false;
  ++at_;
  return true;
}

void TokenReader::expect(std::string_view text) {
  if (!accept(text))
    refuse("Found (" + std::string(peek()) + ") where (" + std::string(text) + ") is needed.");
}

u64 TokenReader::integer() {
  const bool is_negative = accept("-");
  Number number;
  const std::string_view text = next();
  if (!parse_number(text, number) || number.is_single || number.is_double) {
    refuse("Found (" + std::string(text) + ") where a number is needed.");
  }
  return is_negative ? 0 - number.bits : number.bits;
}

void TokenReader::refuse(const std::string& sentence) const {
  throw PtxError("Line " + std::to_string(line()) + ": " + sentence);
}

bool parse_number(std::string_view text, Number& number) {
  if (text.empty() || text[0] < '0' || text[0] > '9') return false;
  const auto whole = [&](std::string_view digits, int base) {
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number.bits, base);
    return error == std::errc{} && end == digits.data() + digits.size();
  };
  if (text.size() == 10 && (text.starts_with("0f") || text.starts_with("0F"))) {
    number.is_single = true;
    return whole(text.substr(2), 16);
  }
  if (text.size() == 18 && (text.starts_with("0d") || text.starts_with("0D"))) {
    number.is_double = true;
    return whole(text.substr(2), 16);
  }
  if (text.ends_with('U')) text.remove_suffix(1);
  if (text.starts_with("0x") || text.starts_with("0X")) return whole(text.substr(2), 16);
  if (text.starts_with("0b") || text.starts_with("0B")) return whole(text.substr(2), 2);
  if (text.find_first_of(".eE") != std::string_view::npos) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    number.bits = to_register(value);
    number.is_double = true;
    return error == std::errc{} && end == text.data() + text.size();
  }
  if (text.size() > 1 && text[0] == '0') return whole(text.substr(1), 8);
  return whole(text, 10);
}

namespace {

Declaration::Value read_value(TokenReader& tokens, Type type) {
  Declaration::Value value;
  const bool is_negative = tokens.accept("-");
  const std::string_view text = tokens.next();
  Number number;
  if (parse_number(text, number)) {
    value.number = number.bits;
    if (is_negative) {
      value.number = number.is_double   ? number.bits ^ u64 { 1 } << 63
                     : number.is_single ? number.bits ^ 1U << 31
                                        : 0 - number.bits;
    }
    if (number.is_double && type == Type::f32) {
      value.number = to_register(static_cast<float>(from_register<double>(value.number)));
    }
    return value;
  }
  if (text == "generic") {
    tokens.expect("(");
    value.name = tokens.next();
    tokens.expect(")");
  } else {
    value.name = text;
  }
  if (tokens.accept("+")) value.number = tokens.integer();
  return value;
}

}  // namespace

Declaration read_declaration(TokenReader& tokens) {
  Declaration declared;
  u64 vector = 1;
  while (tokens.peek().starts_with('.')) {
    const std::string_view word = tokens.next();
    if (word == ".align") {
      declared.align = static_cast<u32>(tokens.integer());
    } else if (word == ".v2" || word == ".v4") {
      vector = word == ".v2" ? 2 : 4;
    } else if (word == ".ptr" || word == ".global" || word == ".shared" || word == ".const" ||
               word == ".local" || word == ".managed") {
      // .ptr .global .align 4 says what a parameter points to
      if (word == ".managed") tokens.refuse("Variables in managed memory are not known.");
      if (word == ".ptr") {
        while (tokens.peek().starts_with('.')) {
          if (tokens.next() == ".align") tokens.next();
        }
      }
    } else {
      declared.type = type_named(word.substr(1));
      if (declared.type == Type::none) tokens.refuse("The type (" + std::string(word) + ") is not known.");
    }
  }
  if (declared.type == Type::none) tokens.refuse("A declaration has no type.");
  declared.name = tokens.next();
  declared.size = size_of(declared.type) * vector;
  declared.align = std::max(declared.align, static_cast<u32>(declared.size));
  while (tokens.accept("[")) {
    if (tokens.accept("]")) {
      declared.is_unsized = true;
      continue;
    }
    declared.size *= tokens.integer();
    tokens.expect("]");
  }
  if (tokens.accept("=")) {
    if (tokens.accept("{")) {
      while (!tokens.accept("}")) {
        if (tokens.peek() == "{") tokens.refuse("Values in nested braces are not known.");
        declared.values.push_back(read_value(tokens, declared.type));
        tokens.accept(",");
      }
    } else {
      declared.values.push_back(read_value(tokens, declared.type));
    }
    if (declared.is_unsized) declared.size *= declared.values.size();
  }
  return declared;
}

std::vector<Declaration> read_parameters(TokenReader& tokens) {
  std::vector<Declaration> parameters;
  tokens.expect("(");
  while (!tokens.accept(")")) {
    if (!tokens.accept(".param")) tokens.expect(".reg");
    parameters.push_back(read_declaration(tokens));
    if (tokens.peek() != ")") tokens.expect(",");
  }
  return parameters;
}

u32 place_parameter(Function& function, const Declaration& parameter) {
  const u32 offset = (function.parameter_space + parameter.align - 1) / parameter.align * parameter.align;
  function.parameter_space = offset + static_cast<u32>(parameter.size);
  return offset;
}

}  // namespace collet::cuda_double
