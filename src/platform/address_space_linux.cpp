// Linux: the limit of ulimit -v, and what the process has mapped.

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "platform/address_space.hpp"

namespace collet::platform {

std::optional<AddressSpace> address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  std::uint64_t pages = 0;
  if (!(std::ifstream("/proc/self/statm") >> pages)) return std::nullopt;
  return AddressSpace{.limit = limit.rlim_cur,
                      .used = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))};
}

}  // namespace collet::platform
