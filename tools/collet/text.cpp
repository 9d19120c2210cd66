// Text for people.

#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace collet::tool {
namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// Bytes of the code point at the front, or 0 where it is not UTF-8 or a control character.
std::size_t code_point(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  if (!std::ranges::all_of(text.substr(1, length - 1), continues)) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  if (first == 0xc2 && second < 0xa0) return 0;  // the control characters of Latin 1
  if (first == 0xe0 && second < 0xa0) return 0;  // longer than need be
  if (first == 0xed && second > 0x9f) return 0;  // half of a surrogate pair
  if (first == 0xf0 && second < 0x90) return 0;
  if (first == 0xf4 && second > 0x8f) return 0;  // beyond Unicode
  return length;
}

// The first `count` code points.
std::string_view first(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  while (end < text.size() && (count > 0 || continues(text[end]))) {
    if (!continues(text[end])) --count;
    ++end;
    while (end < text.size() && continues(text[end])) ++end;
    if (count == 0) break;
  }
  return text.substr(0, end);
}

// As much of a word as fits: up to the last slash, dash or colon, else as many letters as there is room for.
std::string_view cut(std::string_view word, std::size_t width) {
  const std::string_view fits = first(word, width);
  const std::size_t joint = fits.find_last_of("/-:");
  return joint == std::string_view::npos || joint == 0 ? fits : fits.substr(0, joint + 1);
}

void wrap_line(std::string_view text, std::size_t width, std::vector<std::string>& lines) {
  std::string line;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) break;
    std::string_view word = text.substr(0, text.find(' '));
    if (!line.empty() && columns(line) + 1 + columns(word) > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    if (columns(word) > width) word = cut(word, width);
    if (!line.empty()) line += ' ';
    line += word;
    text.remove_prefix(word.size());
    if (!text.empty() && text[0] != ' ') {  // the word was cut
      lines.push_back(std::move(line));
      line.clear();
    }
  }
  lines.push_back(std::move(line));
}

}  // namespace

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char byte) { return !continues(byte); }));
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = text[0] == '\n' ? 1 : code_point(text);
    if (length == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  if (width == 0) {
    std::string line(text);
    std::ranges::replace(line, '\n', ' ');
    return {line};
  }
  std::vector<std::string> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    wrap_line(text.substr(0, end), width, lines);
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

std::string shorten(std::string_view text, std::size_t width) {
  if (width == 0 || columns(text) <= width) return std::string(text);
  return std::string(first(text, width > 3 ? width - 3 : 0)) + "...";
}

std::string size(std::uint64_t bytes) {
  static constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (amount >= 1023.95 && unit + 1 < std::size(kUnits)) {
    amount /= 1024;
    ++unit;
  }
  const std::string figure = fmt::format("{:.1f}", amount);
  return (figure.ends_with(".0") ? figure.substr(0, figure.size() - 2) : figure) + " " + kUnits[unit];
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace collet::tool
