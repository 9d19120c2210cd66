// The text of a message: which texts are good, what one says with its values, and how the IR's text holds it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "collet/result.hpp"
#include "kernel/ir/ir.hpp"

namespace collet::ir {

inline constexpr std::size_t kMostMessages = 4096;

// An error where the text does not have a {} for each value, or one of a form that fmt does not take for its
// type, where a field is wider than 999 characters, or where text, file or values are too long.
Result<void> check_message(const Message& message);

// The text with `values` in it, each the bits of one of the message's. Of a message that check_message()
// accepted.
std::string tell(const Message& message, std::span<const std::uint64_t> values);

// In quotes, on one line: what is not printable ASCII is escaped.
std::string in_quotes(std::string_view text);
struct FromQuotes {
  std::string text;
  std::size_t length = 0;  // with the quotes
};
// What `text` begins with; nothing where that is no such text.
std::optional<FromQuotes> from_quotes(std::string_view text);

}  // namespace collet::ir
