// Probing a backend in a process of its own: whatever ends that process is a finding.
#pragma once

#include <chrono>
#include <string>

#include "discovery/record.hpp"
#include "discovery/registry.hpp"
#include "platform/platform.hpp"

namespace collet::discovery {

// The helper program collet-probe.
struct Helper {
  std::string path;           // "" where the probe must run in this process
  std::string note;           // why, or which other program was passed over and why
  bool switched_off = false;  // as COLLET_PROBE asks: no reason to warn
};
// COLLET_PROBE names it, or says "off"; otherwise it is looked for beside this library and this program,
// where set_helper() says, and where it is installed. One that another user could have put there is not run:
// platform/trust.hpp has the rule.
Helper find_helper();

// Runs the helper, and again without the devices that ended it, so that one bad device does not take the
// others. Each run has `limit`. An error where the helper can't be run at all, or is none of this version.
Result<Record> probe_apart(const Known& known, const std::string& helper, std::chrono::milliseconds limit);

// The end of one run, as BackendInfo::fault says it; "" where it ended well.
std::string fault_of(const platform::Ended& ended, const Heard& heard, std::chrono::milliseconds limit);

}  // namespace collet::discovery
