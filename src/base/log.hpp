// What Collet says while it works; log.hpp of the public headers says where it goes.
#pragma once

#include <atomic>
#include <string_view>

#include "collet/log.hpp"
#include "collet/result.hpp"

namespace collet::base {

// The lowest level that any module lets through. It is `trace` until COLLET_LOG was read, at the first
// message.
extern std::atomic<LogLevel> lowest_level;

// Whether a message of that level may be wanted: one load. Ask before a text is put together.
inline bool logged(LogLevel level) { return level >= lowest_level.load(std::memory_order_relaxed); }

void write_log(LogLevel level, std::string_view module, std::string_view text);

// `text` is one sentence; line breaks in it become spaces. What a sink itself causes to be logged is dropped.
inline void log(LogLevel level, std::string_view module, std::string_view text) {
  if (logged(level)) [[unlikely]]
    write_log(level, module, text);
}

// Sets the levels as COLLET_LOG does: "info,vulkan=trace". On an error nothing changes.
Result<void> set_log_levels(std::string_view levels);

}  // namespace collet::base
