// What the control groups of a Linux process grant it.
#pragma once

#include <cstdint>
#include <string>

namespace collet::platform {

// 0 where there is no limit.
struct Grant {
  double processors = 0;     // may be half a one
  std::uint64_t memory = 0;  // bytes
};

// The least of every group from the process's own up to the outermost one that it can see. `groups` is where
// they are mounted, `membership` the file that says which are the process's own; cgroup v2, v1 and both.
Grant find_grant(const std::string& groups = "/sys/fs/cgroup",
                 const std::string& membership = "/proc/self/cgroup");

}  // namespace collet::platform
