// Collet's messages to the program that uses it. Warnings go to stderr until the program says otherwise.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "collet/export.hpp"

namespace collet {

enum class LogLevel : std::uint8_t { trace, debug, info, warn, error, off };

COLLET_API std::string_view to_string(LogLevel level);

struct LogMessage {
  LogLevel level;
  std::string_view module;  // "discovery", "vulkan"
  std::string_view text;    // one sentence without a newline
};

// Called from any thread, one message at a time. An empty function brings back stderr. What reaches it is
// set by COLLET_LOG: a level, and levels for single modules, such as "info,vulkan=trace"; "warn" when unset.
COLLET_API void set_log_sink(std::function<void(const LogMessage&)> sink);

}  // namespace collet
