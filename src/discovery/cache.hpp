// Earlier probes, kept in files: valid as long as nothing changed that a driver's answer depends on.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "discovery/record.hpp"

namespace collet::discovery {

// A probe that ended badly, or refused a device, counts for this long: the driver may have been half
// installed, the machine too busy.
inline constexpr auto kBadProbeLasts = std::chrono::minutes(10);

// Everything that the answer depends on, as text: two probes with equal text give the same answer.
struct CacheKey {
  std::string file;  // where it is kept; "" where nothing is
  std::string text;
};

// COLLET_CACHE_DIR names another folder than the user's own, or says "off".
CacheKey cache_key(std::string_view id, std::span<const DriverFile> files,
                   std::span<const std::string> variables, const std::string& helper);

// Nothing where there is no such file, or any bit of it was flipped, or it is of another key, or of a bad
// probe and too old at the time `now`, or another user could have written it.
std::optional<Record> recall(const CacheKey& key,
                             std::chrono::system_clock::time_point now = std::chrono::system_clock::now());

// Replaces the file in one step, so that others read the old or the new; on Windows they may find none just
// then. Only this user may read and write it. Failing is no matter: the next probe is as long as this one.
void remember(const CacheKey& key, const Record& record);

}  // namespace collet::discovery
