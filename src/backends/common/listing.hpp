// What is said of the devices that a driver lists, of those that can't be opened, and of those that are not
// there.
#pragma once

#include <string>
#include <string_view>

#include "collet/backend.hpp"

namespace collet::backend::common {

// The answer of a driver that can't be loaded; `loaded` says that its library itself could be.
ProbeResult not_loaded(const Error& error, bool loaded);

// "opencl:1 (NAME) is refused: WHY."
std::string refused(const DeviceInfo& info, std::string_view why);
// For an open(): the same as an error where there is a reason.
Result<void> check_not_refused(const DeviceInfo& info, std::string_view why);

// Each candidate has an `info`, and a `refusal` that is "" where it can be opened.
template <class Candidates>
void list_candidates(const Candidates& candidates, ProbeResult& result) {
  for (const auto& candidate : candidates) {
    result.devices.push_back(candidate.info);
    if (candidate.refusal.empty()) {
      result.rung = Rung::initialised;
    } else {
      result.message += (result.message.empty() ? "" : " ") + refused(candidate.info, candidate.refusal);
    }
  }
}

// Of an open() whose index is beyond them: `who` ("OpenCL") knows `count` of `what` ("devices").
Error no_device(std::string_view backend, std::uint32_t index, std::string_view who, std::size_t count,
                std::string_view what = "devices");

}  // namespace collet::backend::common
