#include "backends/cuda/ptx.hpp"

#include <algorithm>

namespace collet::backend::cuda {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '%';
}

}  // namespace

std::vector<PtxEntry> ptx_entries(std::string_view ptx) {
  constexpr std::string_view kEntry = ".entry ";
  constexpr std::string_view kParameter = ".param ";
  std::vector<PtxEntry> entries;
  for (std::size_t at = ptx.find(kEntry); at != std::string_view::npos; at = ptx.find(kEntry, at + 1)) {
    std::size_t begin = at + kEntry.size();
    while (begin < ptx.size() && ptx[begin] == ' ') ++begin;
    std::size_t end = begin;
    while (end < ptx.size() && is_word(ptx[end])) ++end;
    PtxEntry& entry = entries.emplace_back();
    entry.name = ptx.substr(begin, end - begin);
    // Its parameters, where it has any, stand in parentheses behind the name.
    const std::size_t open = ptx.find_first_not_of(" \t\r\n", end);
    if (open == std::string_view::npos || ptx[open] != '(') continue;
    const std::size_t close = std::min(ptx.find(')', open), ptx.size());
    for (std::size_t one = ptx.find(kParameter, open); one < close; one = ptx.find(kParameter, one + 1))
      ++entry.parameters;
  }
  return entries;
}

}  // namespace collet::backend::cuda
