// What speaks for a device, and which of two goes first. docs/discovery.md says it for users.
#pragma once

#include <cstdint>
#include <vector>

#include "collet/discovery.hpp"

namespace collet::discovery {

// Discrete 1000, integrated 500, virtual 100, our CPU backend 50, software devices of a GPU API 20, other 10,
// simulated 0.
std::int64_t type_points(DeviceType type);

// A point per minor version above `oldest`; a major version counts as ten. 0 to 10.
std::int64_t version_points(std::string_view version, std::string_view oldest);

// What devices are compared by.
struct Merit {
  bool verified = false;
  std::int64_t type = 0;
  std::uint64_t gib = 0;        // of memory, whole
  std::uint32_t rank = ~0u;     // of the API, the lowest is best
  std::int64_t version = 0;     // points of the API's version
  std::int64_t capability = 0;  // 89 is compute capability 8.9
};

Merit merit_of(const DeviceInfo& device);
std::vector<ScorePart> score_parts(const DeviceInfo& device);

// The same hardware by two routes: equal PCI addresses, or equal UUIDs where one of them tells no address.
// Never of devices that are software.
bool same_hardware(const DeviceInfo& a, const DeviceInfo& b);

// Of two routes to one device, whether `a` is taken: a verified one, then the order of APIs.
bool better_route(const DeviceInfo& a, const DeviceInfo& b);

// Puts the best first: verified devices, then by type. Of equal types, the devices of one API stay together,
// by version, compute capability and memory; the APIs go by the memory of their first, then by their order.
void rank(std::vector<Candidate>& candidates);

// Why `first` goes before `second`: a phrase, where rank() put it there.
std::string why_before(const DeviceInfo& first, const DeviceInfo& second);

}  // namespace collet::discovery
