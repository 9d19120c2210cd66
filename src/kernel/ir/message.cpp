// Messages by fmt, whose fields are checked first: a text may come from a file that nobody trusts.

#include "kernel/ir/message.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

#include <bit>

namespace collet::ir {
namespace {

constexpr std::size_t kMostMessageText = 4096;
constexpr std::size_t kMostValues = 64;
constexpr std::size_t kMostDigits = 3;

Error wrong(const Message& message, const std::string& what) {
  return Error(ErrorCode::invalid_argument, Category::kernel, Cause::module_failed,
               "The text " + in_quotes(std::string_view(message.text).substr(0, 200)) + " of " +
                   message.file + ":" + std::to_string(message.line) + " " + what + ".");
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// What stands between the braces of a field: nothing, or a colon and a form without another field in it.
bool is_form(std::string_view form) {
  std::size_t digits = 0;
  for (const char c : form) {
    digits = is_digit(c) ? digits + 1 : 0;
    if (digits > kMostDigits || c == '{') return false;
  }
  return form.empty() || form[0] == ':';
}

// How many values it tells; nothing where a brace or a field is wrong.
std::optional<std::size_t> count_fields(std::string_view text) {
  std::size_t fields = 0;
  while (!text.empty()) {
    const std::size_t brace = text.find_first_of("{}");
    if (brace == std::string_view::npos) break;
    const bool twice = brace + 1 < text.size() && text[brace + 1] == text[brace];
    if (twice) {
      text.remove_prefix(brace + 2);
      continue;
    }
    const std::size_t end = text.find('}', brace);
    if (text[brace] == '}' || end == std::string_view::npos) return std::nullopt;
    if (!is_form(text.substr(brace + 1, end - brace - 1))) return std::nullopt;
    ++fields;
    text.remove_prefix(end + 1);
  }
  return fields;
}

using Values = fmt::dynamic_format_arg_store<fmt::format_context>;

void add(Values& to, Scalar scalar, std::uint64_t bits) {
  const auto word = static_cast<std::uint32_t>(bits);
  switch (scalar) {
    case Scalar::boolean: return to.push_back(bits != 0);
    case Scalar::i32: return to.push_back(static_cast<std::int32_t>(word));
    case Scalar::u32: return to.push_back(word);
    case Scalar::f32: return to.push_back(std::bit_cast<float>(word));
    case Scalar::f64: return to.push_back(std::bit_cast<double>(bits));
    case Scalar::i64: return to.push_back(static_cast<std::int64_t>(bits));
    default: return to.push_back(bits);
  }
}

constexpr char kHex[] = "0123456789abcdef";

std::optional<unsigned> hex_digit(char c) {
  const std::size_t at = std::string_view(kHex).find(c);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<unsigned>(at);
}

}  // namespace

Result<void> check_message(const Message& message) {
  if (message.text.size() > kMostMessageText || message.file.size() > kMostMessageText)
    return wrong(message, "or its file's name is longer than " + std::to_string(kMostMessageText) + " bytes");
  if (message.values.size() > kMostValues)
    return wrong(message, "has " + std::to_string(message.values.size()) + " values; at most " +
                              std::to_string(kMostValues) + " are allowed");
  const auto fields = count_fields(message.text);
  if (!fields)
    return wrong(
               message,
               "has a brace without its other, or a field that is neither {} nor {:FORM}, where FORM has no "
               "number above 999")
        .with_hint("Write {{ and }} for braces.");
  if (*fields != message.values.size())
    return wrong(message, "has " + std::to_string(*fields) + " fields for " +
                              std::to_string(message.values.size()) + " values");
  Values values;
  for (const Scalar scalar : message.values) add(values, scalar, 0);
  try {
    (void)fmt::vformat(message.text, values);
  } catch (const fmt::format_error& thrown) {
    return wrong(message, std::string("has a field that does not fit its value (") + thrown.what() + ")");
  }
  return {};
}

std::string tell(const Message& message, std::span<const std::uint64_t> values) {
  Values store;
  for (std::size_t i = 0; i < values.size(); ++i) add(store, message.values[i], values[i]);
  return fmt::vformat(message.text, store);
}

std::string in_quotes(std::string_view text) {
  std::string made = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      made += {'\\', c};
    } else if (byte >= 0x20 && byte < 0x7f) {
      made += c;
    } else {
      made += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return made + "\"";
}

std::optional<FromQuotes> from_quotes(std::string_view text) {
  if (!text.starts_with('"')) return std::nullopt;
  FromQuotes found;
  for (std::size_t at = 1; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      found.length = at + 1;
      return found;
    }
    if (c != '\\') {
      if (c == '\n') return std::nullopt;
      found.text += c;
      ++at;
      continue;
    }
    if (at + 1 >= text.size()) return std::nullopt;
    if (text[at + 1] != 'x') {
      found.text += text[at + 1];
      at += 2;
      continue;
    }
    if (at + 3 >= text.size()) return std::nullopt;
    const auto high = hex_digit(text[at + 2]);
    const auto low = hex_digit(text[at + 3]);
    if (!high || !low) return std::nullopt;
    found.text += static_cast<char>(*high << 4 | *low);
    at += 4;
  }
  return std::nullopt;
}

}  // namespace collet::ir
