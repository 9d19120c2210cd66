// Patterns of a dialect: text with places for other text.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace collet::emit {

// What stands in the place {key}.
struct Field {
  char key;
  std::string_view text;
  std::string_view whole = {};  // instead of the text where parentheses, brackets or commas enclose the place
};

// Replaces {k} by the field of that key; braces around anything else stay.
std::string fill(std::string_view pattern, std::initializer_list<Field> fields);

// "m0_x": a name that no two things of a kind share, whatever the program calls them.
std::string named(char kind, std::uint32_t index, std::string_view name);

// How tightly an expression holds together. One with a looser operator stands in parentheses inside another;
// between operators that languages rank differently, or forbid side by side, it always does.
enum class Level : std::uint8_t { primary, product, sum, comparison, loose };

// Whether a sign stands before its operand. Two of them side by side are another operator, or none.
bool has_prefix(std::string_view pattern);

// Of the expression that a pattern makes.
Level level_of(std::string_view pattern);

// The loosest level of an operand that needs no parentheses beside an operator of that level.
Level operand_level(Level level, bool is_left);

}  // namespace collet::emit
