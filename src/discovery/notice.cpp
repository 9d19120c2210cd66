// The sentences that were said.

#include "discovery/notice.hpp"

#include <mutex>
#include <set>

#include "base/log.hpp"

namespace collet::discovery {

void say_once(LogLevel level, const std::string& text) {
  static auto& mutex = *new std::mutex;  // neither is ever destroyed: programs discover until they end
  static auto& said = *new std::set<std::string>;
  {
    const std::lock_guard lock(mutex);
    if (!said.insert(text).second) return;
  }
  base::log(level, "discovery", text);
}

}  // namespace collet::discovery
