// What a run found, device by device, as JSON: for scripts/evidence and scripts/support-matrix.
//
// Threads: the main thread only.
#pragma once

#include <string>
#include <vector>

#include "collet/collet.hpp"

namespace conformance {

struct Tally {
  int passed = 0;
  int failed = 0;
  int excluded = 0;
  int skipped = 0;
};

struct Failure {
  std::string behaviour;  // "Suite.Name"
  std::string message;    // the first of it
};

struct DeviceResult {
  collet::DeviceInfo device;
  Tally tally;
  std::string corpus;  // "150 executed, 0 refused"
  std::vector<Failure> failures;
};

// Followed by a line's end. `whole`: every behaviour was asked for.
std::string results_json(const std::vector<DeviceResult>& results, bool whole);

// False after a sentence on stderr.
bool write_results(const std::string& path, const std::vector<DeviceResult>& results, bool whole);

// Notes, from now on, what fails: "vulkan_0/Suite.Name" is a failure of vulkan:0.
void note_failures();
std::vector<Failure> failures_of(const collet::DeviceInfo& device);

}  // namespace conformance
