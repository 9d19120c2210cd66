// What really ran: backend, device, driver, kernels, and every substitution.
//
// Threads: immutable.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collet/export.hpp"
#include "collet/options.hpp"

namespace collet {

// The same for every launch of one compiled kernel.
struct KernelFacts {
  std::string kernel;
  std::array<std::uint32_t, 3> group_size{};
  Format format = Format::host_function;  // of the code that ran
  std::uint64_t hash = 0;  // of that code, its options and its signature; identifies, proves nothing
  // How a backend with several ways ran it: "interpreter" or "native" on the cpu backend, "" elsewhere.
  std::string tier;
  std::string build_log;
  std::vector<std::string> ignored_options;  // asked for, not honoured by this backend
  std::string substitution;                  // "" or what ran in place of the kernel, and why
  bool executed = true;                      // false only on the null backend, which runs no kernels
  // Ids of the driver's quirks that this code avoids or watches for; docs/discovery.md lists them.
  std::vector<std::string> quirks;
  // What the device lacks and this code does without: "64-bit integers" are pairs of 32-bit ones then.
  std::vector<std::string> emulated;
};

struct LaunchRecord {
  std::shared_ptr<const KernelFacts> facts;
  std::array<std::uint32_t, 3> groups{};
};

struct DeviceFacts {
  std::string id;  // "vulkan:0"
  std::string name;
  std::string driver;
};

struct Receipt {
  std::shared_ptr<const DeviceFacts> device;
  std::uint64_t launch_count = 0;  // since the previous receipt of this stream
  std::uint64_t copy_count = 0;
  std::uint64_t copied_bytes = 0;
  std::uint64_t failed_callbacks = 0;  // of Event::then(), which threw; the log has what
  // The last launches, oldest first; at most kReceiptLaunches of launch_count.
  std::vector<LaunchRecord> launches;

  // Several lines for people; an empty receipt says that it is one.
  COLLET_API std::string describe() const;
};

inline constexpr std::size_t kReceiptLaunches = 32;

}  // namespace collet
