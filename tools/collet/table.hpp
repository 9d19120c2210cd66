// Rows in aligned columns, for a terminal of a given width or for a pipe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace collet::tool {

// How output looks where it goes to.
struct Style {
  std::size_t width = 0;  // columns that no line may exceed; 0 means one line for each row, as for a pipe
  bool colour = false;    // escape codes for colours; no meaning is carried by colour alone
};

enum class Colour : std::uint8_t { none, faint, bold, good, warning, bad };

std::string paint(const Style& style, Colour colour, const std::string& text);

struct Cell {
  Cell(std::string words, Colour paint = Colour::none) : text(std::move(words)), colour(paint) {}
  Cell(const char* words) : text(words) {}
  std::string text;  // may hold line breaks
  Colour colour = Colour::none;
};

struct Column {
  std::string title;
  bool flexible = false;  // gives way, by breaking its text into lines, where the width is short
  bool right = false;     // figures stand at the right
};

class Table {
 public:
  // Without any title there is no line of titles.
  explicit Table(std::vector<Column> layout) : layout_(std::move(layout)) {}

  // As many cells as columns. What a driver wrote is made printable here.
  void row(std::vector<Cell> cells);
  bool empty() const { return rows_.empty(); }
  std::string render(const Style& style, std::size_t indent = 0) const;

 private:
  std::vector<std::size_t> widths(const Style& style, std::size_t indent) const;

  std::vector<Column> layout_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace collet::tool
