// Cuts the text of PTX into tokens.

#include "ptx_lexer.hpp"

#include <algorithm>

namespace collet::cuda_double {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_of_a_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '%' || c == '.';
}

}  // namespace

std::vector<Token> cut_into_tokens(std::string_view source) {
  std::vector<Token> tokens;
  int line = 1;
  std::size_t at = 0;
  const auto up_to = [&](std::size_t end) {
    const std::string_view text = source.substr(at, end - at);
    line += static_cast<int>(std::ranges::count(text, '\n'));
    at = end;
    return text;
  };
  while (at < source.size()) {
    const char c = source[at];
    if (is_space(c)) {
      up_to(at + 1);
    } else if (source.substr(at, 2) == "//") {
      up_to(std::min(source.find('\n', at), source.size()));
    } else if (source.substr(at, 2) == "/*") {
      const std::size_t end = source.find("*/", at + 2);
      if (end == std::string_view::npos) throw PtxError("A comment has no end.");
      up_to(end + 2);
    } else if (c == '"') {
      const std::size_t end = source.find('"', at + 1);
      if (end == std::string_view::npos) throw PtxError("A string has no end.");
      const int first = line;
      tokens.push_back({up_to(end + 1), first});
    } else if (is_of_a_word(c)) {
      std::size_t end = at;
      // "::" stands inside modifiers, like .shared::cta; a label is followed by one ":".
      while (end < source.size() && (is_of_a_word(source[end]) || source.substr(end, 2) == "::")) {
        end += source[end] == ':' ? 2 : 1;
      }
      tokens.push_back({up_to(end), line});
    } else {
      tokens.push_back({up_to(at + 1), line});
    }
  }
  return tokens;
}

}  // namespace collet::cuda_double
