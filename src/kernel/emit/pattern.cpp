// Filling patterns, and the operators in them.

#include "kernel/emit/pattern.hpp"

#include <algorithm>

namespace collet::emit {
namespace {

// Whether what stands in pattern[begin, end) is a whole argument or index.
bool is_enclosed(std::string_view pattern, std::size_t begin, std::size_t end) {
  const std::size_t before = pattern.find_last_not_of(' ', begin - 1);
  const std::size_t after = pattern.find_first_not_of(' ', end);
  if (begin == 0 || before == pattern.npos || after == pattern.npos) return false;
  return std::string_view("(,[").find(pattern[before]) != std::string_view::npos &&
         std::string_view("),]").find(pattern[after]) != std::string_view::npos;
}

Level level_of_operator(std::string_view text) {
  if (text == "*" || text == "/" || text == "%") return Level::product;
  if (text == "+" || text == "-") return Level::sum;
  if (text == "<" || text == "<=" || text == ">" || text == ">=" || text == "==" || text == "!=")
    return Level::comparison;
  return Level::loose;
}

}  // namespace

std::string fill(std::string_view pattern, std::initializer_list<Field> fields) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const Field* found = nullptr;
    if (pattern[i] == '{' && i + 2 < pattern.size() && pattern[i + 2] == '}') {
      for (const Field& field : fields) {
        if (field.key == pattern[i + 1]) found = &field;
      }
    }
    if (found == nullptr) {
      out += pattern[i];
    } else {
      out += !found->whole.empty() && is_enclosed(pattern, i, i + 3) ? found->whole : found->text;
      i += 2;
    }
  }
  return out;
}

// Languages keep names with two underscores to themselves.
std::string named(char kind, std::uint32_t index, std::string_view name) {
  std::string text = kind + std::to_string(index);
  if (!name.empty()) text += '_';
  for (const char c : name) {
    if (c != '_' || text.back() != '_') text += c;
  }
  return text;
}

bool has_prefix(std::string_view pattern) {
  return pattern.starts_with('-') || pattern.starts_with('!') || pattern.starts_with('~');
}

// Operators stand between spaces; a sign or a cast stands before all else and holds tighter than any of them.
Level level_of(std::string_view pattern) {
  Level loosest = Level::primary;
  int depth = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '(' || pattern[i] == '[') ++depth;
    if (pattern[i] == ')' || pattern[i] == ']') --depth;
    if (pattern[i] != ' ' || depth != 0) continue;
    const std::size_t end = pattern.find(' ', i + 1);
    if (end == pattern.npos) break;
    loosest = std::max(loosest, level_of_operator(pattern.substr(i + 1, end - i - 1)));
    i = end;
  }
  return has_prefix(pattern) ? std::max(loosest, Level::product) : loosest;
}

Level operand_level(Level level, bool is_left) {
  switch (level) {
    case Level::product: return is_left ? Level::product : Level::primary;
    case Level::sum: return is_left ? Level::sum : Level::product;
    case Level::comparison: return Level::sum;
    default: return Level::primary;
  }
}

}  // namespace collet::emit
