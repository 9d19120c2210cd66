// Rows in aligned columns.

#include "table.hpp"

#include <algorithm>

#include "text.hpp"

namespace collet::tool {
namespace {

constexpr std::size_t kGap = 2;     // spaces between two columns
constexpr std::size_t kLeast = 10;  // a flexible column gets no narrower

const char* code(Colour colour) {
  switch (colour) {
    case Colour::none: return "";
    case Colour::faint: return "\x1b[2m";
    case Colour::bold: return "\x1b[1m";
    case Colour::good: return "\x1b[32m";
    case Colour::warning: return "\x1b[33m";
    case Colour::bad: return "\x1b[31m";
  }
  return "";
}

// One row, as many lines as its longest cell needs.
void write_row(std::string& out, const std::vector<Cell>& cells, const std::vector<Column>& layout,
               const std::vector<std::size_t>& widths, const Style& style, std::size_t indent) {
  std::vector<std::vector<std::string>> lines;
  std::size_t height = 1;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    lines.push_back(wrap(cells[i].text, style.width == 0 ? 0 : widths[i]));
    height = std::max(height, lines.back().size());
  }
  for (std::size_t y = 0; y < height; ++y) {
    out.append(indent, ' ');
    std::size_t owed = 0;  // spaces that are written only if something follows
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string text = y < lines[i].size() ? lines[i][y] : "";
      const std::size_t space = widths[i] - std::min(widths[i], columns(text));
      if (!text.empty()) {
        out.append(owed + (layout[i].right ? space : 0), ' ');
        out += paint(style, cells[i].colour, text);
        owed = 0;
      }
      owed += (text.empty() ? widths[i] : layout[i].right ? 0 : space) + kGap;
    }
    while (out.ends_with(' ')) out.pop_back();
    out += '\n';
  }
}

}  // namespace

std::string paint(const Style& style, Colour colour, const std::string& text) {
  if (!style.colour || colour == Colour::none) return text;
  return code(colour) + text + "\x1b[0m";
}

void Table::row(std::vector<Cell> cells) {
  for (Cell& cell : cells) cell.text = printable(cell.text);
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::widths(const Style& style, std::size_t indent) const {
  std::vector<std::size_t> widths;
  std::size_t total = indent + kGap * (layout_.size() - 1);
  for (std::size_t i = 0; i < layout_.size(); ++i) {
    std::size_t widest = columns(layout_[i].title);
    for (const auto& cells : rows_) {
      for (const std::string& line : wrap(cells[i].text, style.width == 0 ? 0 : std::string::npos))
        widest = std::max(widest, columns(line));
    }
    widths.push_back(widest);
    total += widest;
  }
  // The widest that may give way does, a column at a time.
  while (style.width != 0 && total > style.width) {
    std::size_t* most = nullptr;
    for (std::size_t i = 0; i < layout_.size(); ++i) {
      if (layout_[i].flexible && widths[i] > kLeast && (most == nullptr || widths[i] > *most))
        most = &widths[i];
    }
    if (most == nullptr) break;
    --*most;
    --total;
  }
  return widths;
}

std::string Table::render(const Style& style, std::size_t indent) const {
  const std::vector<std::size_t> all = widths(style, indent);
  std::string out;
  if (std::ranges::any_of(layout_, [](const Column& column) { return !column.title.empty(); })) {
    std::vector<Cell> titles;
    titles.reserve(layout_.size());
    for (const Column& column : layout_) titles.emplace_back(column.title, Colour::bold);
    write_row(out, titles, layout_, all, style, indent);
  }
  for (const auto& cells : rows_) write_row(out, cells, layout_, all, style, indent);
  return out;
}

}  // namespace collet::tool
