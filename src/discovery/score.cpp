// Scores: points by type, and what decides between equals.

#include "discovery/score.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>
#include <utility>

#include "discovery/registry.hpp"

namespace collet::discovery {
namespace {

constexpr std::int64_t kMostVersionPoints = 10;

// "1.3.230" is 13, "12.4" is 124; 0 where it is no version.
std::int64_t tenths(std::string_view version) {
  std::int64_t major = 0;
  std::int64_t minor = 0;
  const auto first = std::from_chars(version.data(), version.data() + version.size(), major);
  if (first.ec != std::errc()) return 0;
  const std::string_view rest = version.substr(static_cast<std::size_t>(first.ptr - version.data()));
  if (rest.starts_with('.')) std::from_chars(rest.data() + 1, rest.data() + rest.size(), minor);
  return major * 10 + minor;
}

Standing standing_of(std::string_view backend) {
  const Known* known = find_backend(backend);
  return known != nullptr ? known->standing : Standing{};
}

// A UUID of zeros is none.
bool tells_uuid(const DeviceInfo& device) {
  return device.uuid && device.uuid->find_first_not_of('0') != std::string::npos;
}

bool is_hardware(DeviceType type) {
  return type != DeviceType::software && type != DeviceType::cpu && type != DeviceType::simulated;
}

// Best first, within one API.
auto within_key(const DeviceInfo& device) {
  const Merit merit = merit_of(device);
  return std::make_tuple(-merit.version, -merit.capability, -static_cast<std::int64_t>(merit.gib),
                         device.index);
}

}  // namespace

std::int64_t type_points(DeviceType type) {
  switch (type) {
    case DeviceType::discrete: return 1000;
    case DeviceType::integrated: return 500;
    case DeviceType::virtual_gpu: return 100;
    case DeviceType::cpu: return 50;
    case DeviceType::software: return 20;
    case DeviceType::other: return 10;
    case DeviceType::simulated: return 0;
  }
  return 0;
}

std::int64_t version_points(std::string_view version, std::string_view oldest) {
  if (oldest.empty()) return 0;
  return std::clamp<std::int64_t>(tenths(version) - tenths(oldest), 0, kMostVersionPoints);
}

Merit merit_of(const DeviceInfo& device) {
  const Standing standing = standing_of(device.backend);
  const bool old = tenths(device.api_version) < tenths(standing.modern);
  return {.verified = device.rung >= Rung::verified,
          .type = type_points(device.type),
          .gib = device.memory_total.value_or(0) >> 30,
          .rank = old ? standing.old_rank : standing.rank,
          .version = version_points(device.api_version, standing.oldest),
          .capability = tenths(device.compute_capability.value_or(""))};
}

std::vector<ScorePart> score_parts(const DeviceInfo& device) {
  const Merit merit = merit_of(device);
  std::vector<ScorePart> parts;
  parts.push_back({"type", merit.type, std::string(to_string(device.type))});
  parts.push_back({"memory", static_cast<std::int64_t>(merit.gib),
                   device.memory_total ? std::to_string(merit.gib) + " GiB" : "not reported"});
  parts.push_back({"order", merit.rank == ~0u ? 0 : std::int64_t{merit.rank}, device.backend});
  parts.push_back(
      {"api version", merit.version, device.api_version.empty() ? "not reported" : device.api_version});
  if (device.compute_capability)
    parts.push_back({"compute capability", merit.capability, *device.compute_capability});
  return parts;
}

bool same_hardware(const DeviceInfo& a, const DeviceInfo& b) {
  if (!is_hardware(a.type) || !is_hardware(b.type)) return false;
  if (a.pci_address && b.pci_address) return *a.pci_address == *b.pci_address;
  return tells_uuid(a) && tells_uuid(b) && *a.uuid == *b.uuid;
}

bool better_route(const DeviceInfo& a, const DeviceInfo& b) {
  const auto key = [](const DeviceInfo& device) {
    const Merit merit = merit_of(device);
    return std::make_tuple(!merit.verified, merit.rank, device.backend, -merit.version, device.index);
  };
  return key(a) < key(b);
}

void rank(std::vector<Candidate>& candidates) {
  // The first of each API, among equals in standing and type.
  using Group = std::tuple<bool, std::int64_t, std::string>;
  const auto group_of = [](const DeviceInfo& device) {
    const Merit merit = merit_of(device);
    return Group(!merit.verified, -merit.type, device.backend);
  };
  std::map<Group, const DeviceInfo*> firsts;
  for (const Candidate& one : candidates) {
    const DeviceInfo*& first = firsts[group_of(one.device)];
    if (first == nullptr || within_key(one.device) < within_key(*first)) first = &one.device;
  }
  const auto key_of = [&](const DeviceInfo& device) {
    const Merit merit = merit_of(device);
    const Merit first = merit_of(*firsts.at(group_of(device)));
    return std::tuple_cat(std::make_tuple(!merit.verified, -merit.type, -static_cast<std::int64_t>(first.gib),
                                          first.rank, device.backend),
                          within_key(device));
  };
  using Key = decltype(key_of(std::declval<const DeviceInfo&>()));
  std::vector<std::pair<Key, std::size_t>> order;
  order.reserve(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) order.emplace_back(key_of(candidates[i].device), i);
  std::ranges::sort(order);
  std::vector<Candidate> sorted;
  sorted.reserve(candidates.size());
  for (const auto& [key, index] : order) sorted.push_back(std::move(candidates[index]));
  candidates = std::move(sorted);
}

std::string why_before(const DeviceInfo& first, const DeviceInfo& second) {
  const Merit a = merit_of(first);
  const Merit b = merit_of(second);
  const auto phrase = [&](const std::string& better, const std::string& worse) {
    return better + " goes before " + worse + " of " + second.id();
  };
  const auto typed = [](DeviceType type) {
    return std::string(to_string(type)) + " (" + std::to_string(type_points(type)) + ")";
  };
  if (a.verified != b.verified) return phrase("verified", std::string(to_string(second.rung)));
  if (a.type != b.type) return phrase(typed(first.type), typed(second.type));
  if (first.backend == second.backend && a.version != b.version)
    return phrase("API version " + first.api_version, second.api_version);
  if (first.backend == second.backend && a.capability != b.capability)
    return phrase("compute capability " + first.compute_capability.value_or("none"),
                  second.compute_capability.value_or("none"));
  if (a.gib != b.gib) return phrase(std::to_string(a.gib) + " GiB", std::to_string(b.gib) + " GiB");
  if (first.backend != second.backend)
    return first.backend + " goes before " + second.backend + " in the order of APIs";
  return "equal to " + second.id() + ", which is listed after it";
}

}  // namespace collet::discovery
