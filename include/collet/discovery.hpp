// What this machine has, which device would be chosen, and why.
//
//   collet::Machine machine = collet::discover();
//   collet::Choice choice = collet::choose(machine);
//   std::puts(choice.summary().c_str());  // one line; docs/discovery.md has the format
//   std::puts(choice.explain().c_str());  // every candidate, and why it was refused
//   auto device = collet::Device::open_best().value();  // the same choice, opened
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collet/error.hpp"
#include "collet/export.hpp"
#include "collet/properties.hpp"
#include "collet/result.hpp"

namespace collet {

struct DiscoverOptions {
  // Each backend is probed in a process of its own, so that a bad driver can't take this one with it. Where
  // the helper program is missing the probe runs in this process, and Machine::notes says so.
  bool isolated = true;
  // What was found before counts as long as no driver file and no variable that drivers read has changed.
  bool cached = true;
  // For each backend; they are probed side by side.
  std::chrono::milliseconds limit{10'000};
  // Ids of those to probe; empty means all.
  std::vector<std::string> backends = {};
};

struct Machine {
  std::vector<BackendInfo> backends;  // every id that Collet knows of, in its own order
  std::vector<DeviceInfo> devices;    // of all backends, refused ones included
  std::vector<std::string> notes;     // how the probing itself went, where that is worth a sentence
};

// Probes; does not throw or print. A driver that crashes, hangs or answers garbage is a finding in its
// BackendInfo.
COLLET_API Machine discover(const DiscoverOptions& options = {});

// What a program or its environment asks for.
struct Request {
  // "auto", "gpu", "vulkan", "vulkan:1", "opencl:cpu", "opencl:cpu:0" (backend:type:index) or a plain index
  // into Machine::devices. What is named is chosen, or the choice fails.
  std::string selector = "auto";
  // Simulated devices are refused, and so are unverified ones where the selector names no backend or device.
  // Device::open_best() then does not go on to the next device where the chosen one can't be opened.
  bool strict = false;
  // COLLET_FAKE: simulated devices may be chosen.
  bool simulated = false;

  // COLLET_BACKEND, COLLET_DEVICE, COLLET_STRICT and COLLET_FAKE. An unusable value is an error that names
  // the variable.
  COLLET_API static Result<Request> from_environment();
};

struct ScorePart {
  std::string name;  // "type", "memory", "order", "api version", "compute capability"
  std::int64_t points = 0;
  std::string because;  // "discrete", "16 GiB", "Vulkan 1.3"
};

struct Candidate {
  DeviceInfo device;
  std::int64_t score = 0;  // the points of its type; the other parts decide between equal ones
  std::vector<ScorePart> parts;
  std::string refused;  // "" where it may be chosen, else the reason
  std::string same_as;  // the id of the better route to the same physical device, or ""
};

struct Choice {
  std::string requested;
  std::vector<Candidate> candidates;    // best first; refused ones last
  std::optional<std::size_t> selected;  // into candidates
  std::string reason;                   // why this one, or why none
  std::optional<Error> error;           // set exactly where nothing is selected

  // One line: requested=auto detected=[vulkan, opencl] selected=vulkan:0 reason=…
  COLLET_API std::string summary() const;
  // Several lines for people.
  COLLET_API std::string explain() const;
};

// Pure: the same machine and request give the same choice.
COLLET_API Choice choose(const Machine& machine, const Request& request = {});

}  // namespace collet
