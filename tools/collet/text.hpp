// Text for people: how wide it is, where it breaks, and sizes in units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace collet::tool {

// Columns of a terminal that the text takes: one for each code point.
std::size_t columns(std::string_view text);

// The same text with control characters and broken UTF-8 written as \x1b, so that no driver's words can
// command a terminal. Line breaks stay.
std::string printable(std::string_view text);

// Lines of at most `width` columns, broken at spaces and at line breaks; a word that is longer is cut. 0
// means that everything stays on one line.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

// The text, or as much of its beginning as fits, with "..." behind it. 0 means that all fits.
std::string shorten(std::string_view text, std::size_t width);

// "24 GiB", "7.6 GiB", "48 KiB", "17 bytes".
std::string size(std::uint64_t bytes);
// "25,769,803,776".
std::string grouped(std::uint64_t number);

// "a, b, c".
std::string joined(const std::vector<std::string>& words);
// "1 device", "2 devices".
std::string counted(std::size_t count, std::string_view noun);

}  // namespace collet::tool
