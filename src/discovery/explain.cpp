// The choice in words: one line, or a table.

#include <algorithm>
#include <array>

#include "collet/discovery.hpp"
#include "discovery/registry.hpp"

namespace collet {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kIndent = 11;  // "requested  "
constexpr std::size_t kColumns = 8;
using Row = std::array<std::string, kColumns>;

std::string selected_id(const Choice& choice) {
  const bool there = choice.selected && *choice.selected < choice.candidates.size();
  return there ? choice.candidates[*choice.selected].device.id() : "none";
}

// Every id that has a device, in the registry's order.
std::string detected(const Choice& choice) {
  std::string list;
  for (const discovery::Known& known : discovery::known_backends()) {
    const bool here = std::ranges::any_of(
        choice.candidates, [&](const Candidate& one) { return one.device.backend == known.id; });
    if (here) list += (list.empty() ? "" : ", ") + std::string(known.id);
  }
  return list;
}

std::string on_one_line(std::string text) {
  std::ranges::replace_if(text, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return text;
}

// `text` after `first`, broken between words so that no line is wider than kWidth; a longer word is cut.
std::string wrapped(const std::string& first, const std::string& text, std::size_t indent) {
  const std::size_t room = kWidth - indent;
  std::string out = first;
  std::string rest = on_one_line(text);
  while (rest.size() > room) {
    std::size_t end = rest.rfind(' ', room);
    if (end == std::string::npos || end == 0) end = room;
    out += rest.substr(0, end) + "\n" + std::string(indent, ' ');
    rest.erase(0, rest.find_first_not_of(' ', end));
  }
  return out + rest + "\n";
}

std::string part_text(const Candidate& candidate, std::string_view name, bool points) {
  for (const ScorePart& part : candidate.parts) {
    if (part.name != name) continue;
    if (part.because == "not reported") return "-";
    return points ? part.because + " (" + std::to_string(part.points) + ")" : part.because;
  }
  return "-";
}

std::string order_text(const Candidate& candidate) {
  for (const ScorePart& part : candidate.parts) {
    if (part.name == "order") return std::to_string(part.points);
  }
  return "-";
}

Row row_of(const Candidate& candidate, bool selected) {
  std::string version = part_text(candidate, "api version", true);
  if (const std::string capability = part_text(candidate, "compute capability", false); capability != "-")
    version += " cc " + capability;
  return {(selected ? "> " : "  ") + candidate.device.id(),
          std::to_string(candidate.score),
          std::string(to_string(candidate.device.type)),
          part_text(candidate, "memory", false),
          order_text(candidate),
          version,
          std::string(to_string(candidate.device.rung)),
          on_one_line(candidate.device.name)};
}

// Cut by whole characters of UTF-8; the width counts bytes, so a line is never too wide.
std::string cut(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  if (line.size() > kWidth) {
    std::size_t end = kWidth - 3;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;
    line = line.substr(0, end) + "...";
  }
  return line + "\n";
}

}  // namespace

std::string Choice::summary() const {
  return on_one_line("requested=" + requested + " detected=[" + detected(*this) +
                     "] selected=" + selected_id(*this) + " reason=" + reason);
}

std::string Choice::explain() const {
  std::string text = wrapped("requested  ", requested, kIndent) + "selected   " + selected_id(*this) + "\n" +
                     wrapped("reason     ", reason, kIndent);
  if (candidates.empty()) return text + "There is no device.\n";
  std::vector<Row> rows{{"  device", "score", "type", "memory", "order", "API version", "standing", "name"}};
  for (std::size_t i = 0; i < candidates.size(); ++i) rows.push_back(row_of(candidates[i], selected == i));
  std::array<std::size_t, kColumns> widths{};
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < kColumns; ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  text += "\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string line;
    for (std::size_t c = 0; c < kColumns; ++c) {
      const std::string pad(widths[c] - rows[i][c].size(), ' ');
      const bool number = c == 1 || c == 4;
      line += (c == 0 ? "" : "  ") + (number ? pad + rows[i][c] : rows[i][c] + pad);
    }
    text += cut(line);
    if (i == 0) continue;
    const Candidate& one = candidates[i - 1];
    if (!one.same_as.empty()) text += "    the same hardware as " + one.same_as + "\n";
    if (!one.refused.empty()) text += wrapped("    refused: ", one.refused, 13);
  }
  return text;
}

}  // namespace collet
