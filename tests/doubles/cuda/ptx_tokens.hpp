// Reads tokens one after the other, and the declarations that variables and parameters have in common.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx_lexer.hpp"
#include "ptx_program.hpp"

namespace collet::cuda_double {

// Threads: one at a time.
class TokenReader {
 public:
  explicit TokenReader(std::span<const Token> tokens) : tokens_(tokens) {}

  bool at_end() const { return at_ == tokens_.size(); }
  std::string_view peek(std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead].text : std::string_view();
  }
  std::string_view next();
  bool accept(std::string_view text);
  void expect(std::string_view text);
  int line() const { return tokens_.empty() ? 0 : tokens_[std::min(at_, tokens_.size() - 1)].line; }
  // A number, which may have a sign.
  u64 integer();
  [[noreturn]] void refuse(const std::string& sentence) const;

 private:
  std::span<const Token> tokens_;
  std::size_t at_ = 0;
};

struct Number {
  u64 bits = 0;
  bool is_single = false, is_double = false;
};
// False: the text is no number of PTX.
bool parse_number(std::string_view text, Number& number);

// `.align 4 .u32 name[3] = {1, 2}` without the space before it and the semicolon behind it.
struct Declaration {
  struct Value {
    u64 number = 0;         // or the offset behind a name
    unsigned bytes = 0;     // of a float
    std::string_view name;  // a variable or function whose address is the value
  };
  std::string_view name;
  Type type = Type::none;
  u64 size = 0;
  u32 align = 1;
  bool is_unsized = false;  // name[]
  std::vector<Value> values;
};
Declaration read_declaration(TokenReader& tokens);
// From ( to ).
std::vector<Declaration> read_parameters(TokenReader& tokens);
// Its offset in the function's parameter space, which grows.
u32 place_parameter(Function& function, const Declaration& parameter);

}  // namespace collet::cuda_double
