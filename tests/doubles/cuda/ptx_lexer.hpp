// Cuts the text of PTX into tokens.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace collet::cuda_double {

// The text is not PTX, or says what the interpreter has no rule for. The message is a whole sentence.
class PtxError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A word (letters, digits, and _ $ % . :: inside), a string in quotes, or one sign of punctuation.
struct Token {
  std::string_view text;  // a part of the source, which must outlive it
  int line = 0;
};

// Comments are left out. Throws PtxError where a comment or a string has no end.
std::vector<Token> cut_into_tokens(std::string_view source);

}  // namespace collet::cuda_double
