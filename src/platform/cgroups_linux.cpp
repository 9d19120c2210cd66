// Linux: what control groups grant. A file that is not there limits nothing: a container sees its own group
// as the outermost, and may be told a path that is only there outside.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "platform/cgroups.hpp"

namespace collet::platform {
namespace {

// The first two words; "" where there are fewer.
std::pair<std::string, std::string> words_of(const std::string& path) {
  std::pair<std::string, std::string> words;
  std::ifstream(path) >> words.first >> words.second;
  return words;
}

// 0 for what is no positive number: "max", "-1", nothing.
double positive(const std::string& word) { return std::max(0.0, std::strtod(word.c_str(), nullptr)); }

template <class T>
void lower(T& limit, T other) {
  if (other != 0) limit = limit == 0 ? other : std::min(limit, other);
}

void add_processors(Grant& grant, double quota, double period) {
  if (quota > 0 && period > 0) lower(grant.processors, quota / period);
}

// v1 says "no limit" by a number that no machine has.
void add_memory(Grant& grant, double bytes) {
  if (bytes < 0x1p60) lower(grant.memory, static_cast<std::uint64_t>(bytes));
}

// What one folder says: each kind has its own in v1, and v2 has one for all.
using Add = void (*)(Grant& grant, const std::string& folder);

void add_both(Grant& grant, const std::string& folder) {
  const auto [quota, period] = words_of(folder + "/cpu.max");
  add_processors(grant, positive(quota), positive(period));
  add_memory(grant, positive(words_of(folder + "/memory.max").first));
}

void add_processors_of_v1(Grant& grant, const std::string& folder) {
  add_processors(grant, positive(words_of(folder + "/cpu.cfs_quota_us").first),
                 positive(words_of(folder + "/cpu.cfs_period_us").first));
}

void add_memory_of_v1(Grant& grant, const std::string& folder) {
  add_memory(grant, positive(words_of(folder + "/memory.limit_in_bytes").first));
}

// From the process's own group up to `top`, which is where a kind of them is mounted.
void add_folders(Grant& grant, Add add, const std::string& top, std::string path) {
  for (;;) {
    add(grant, top + path);
    if (path.empty()) return;
    path.resize(path.find_last_of('/'));
  }
}

}  // namespace

Grant find_grant(const std::string& groups, const std::string& membership) {
  Grant grant;
  std::ifstream file(membership);
  // "4:cpu,cpuacct:/path" of v1, "0::/path" of v2.
  for (std::string line; std::getline(file, line);) {
    const std::size_t kinds = line.find(':');
    const std::size_t path = kinds == std::string::npos ? kinds : line.find(':', kinds + 1);
    if (path == std::string::npos || line.compare(path + 1, 1, "/") != 0) continue;
    const std::string mine = line.size() == path + 2 ? "" : line.substr(path + 1);
    const std::string names = line.substr(kinds + 1, path - kinds - 1);
    if (names.empty()) {
      add_folders(grant, add_both, groups, mine);
      add_folders(grant, add_both, groups + "/unified", mine);
      continue;
    }
    std::istringstream list(names);
    for (std::string name; std::getline(list, name, ',');) {
      if (name == "cpu") add_folders(grant, add_processors_of_v1, groups + "/cpu", mine);
      if (name == "memory") add_folders(grant, add_memory_of_v1, groups + "/memory", mine);
    }
  }
  return grant;
}

}  // namespace collet::platform
