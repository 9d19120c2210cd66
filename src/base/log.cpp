// The log: levels by module, and one sink.

#include "base/log.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "base/nearest.hpp"
#include "platform/platform.hpp"

namespace collet {
namespace base {
namespace {

constexpr std::array<std::string_view, 6> kLevels{"trace", "debug", "info", "warn", "error", "off"};

struct Levels {
  LogLevel others = LogLevel::warn;
  std::map<std::string, LogLevel, std::less<>> modules;

  LogLevel of(std::string_view module) const {
    const auto found = modules.find(module);
    return found != modules.end() ? found->second : others;
  }
  LogLevel lowest() const {
    LogLevel level = others;
    for (const auto& [module, own] : modules) level = std::min(level, own);
    return level;
  }
};

// Guarded by its mutex, which is held while the sink runs.
struct Log {
  std::mutex mutex;
  bool read = false;  // COLLET_LOG
  Levels levels;
  std::function<void(const LogMessage&)> sink;
};

// Leaked on purpose: drivers' threads write until the process ends.
Log& the_log() {
  static auto* const log = new Log;
  return *log;
}

thread_local bool inside = false;  // this thread is in the sink

Result<LogLevel> parse_level(std::string_view word) {
  const auto found = std::ranges::find(kLevels, word);
  if (found != kLevels.end()) return static_cast<LogLevel>(found - kLevels.begin());
  Error error(ErrorCode::invalid_argument, Category::runtime,
              "There is no log level called \"" + std::string(word) + "\".");
  std::string advice;
  if (const std::string_view near = nearest(word, kLevels); !near.empty())
    advice = "Did you mean \"" + std::string(near) + "\"? ";
  return error.with_hint(advice + "The levels are trace, debug, info, warn, error and off.");
}

Result<Levels> parse_levels(std::string_view text) {
  Levels levels;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    const bool single = equals != std::string_view::npos;
    COLLET_TRY(level, parse_level(single ? part.substr(equals + 1) : part));
    if (single) {
      levels.modules[std::string(part.substr(0, equals))] = level;
    } else {
      levels.others = level;
    }
  }
  return levels;
}

// With the log's lock held.
void take(Log& log, Levels levels) {
  log.read = true;
  log.levels = std::move(levels);
  lowest_level.store(log.levels.lowest(), std::memory_order_relaxed);
}

// With the log's lock held.
void deliver(Log& log, const LogMessage& message) {
  if (message.level < log.levels.of(message.module)) return;
  inside = true;
  if (log.sink) {
    log.sink(message);
  } else {
    const std::string line = "collet [" + std::string(to_string(message.level)) + "] " +
                             std::string(message.module) + ": " + std::string(message.text) + "\n";
    std::fputs(line.c_str(), stderr);
  }
  inside = false;
}

// With the log's lock held.
void read_levels(Log& log) {
  auto levels = parse_levels(platform::environment("COLLET_LOG").value_or(""));
  if (levels) return take(log, std::move(*levels));
  take(log, Levels{});
  const std::string text =
      "COLLET_LOG is not obeyed. " + levels.error().message() + " " + levels.error().hint();
  deliver(log, {LogLevel::warn, "log", text});
}

}  // namespace

constinit std::atomic<LogLevel> lowest_level{LogLevel::trace};

void write_log(LogLevel level, std::string_view module, std::string_view text) {
  if (inside || level == LogLevel::off) return;
  std::string line(text);
  std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  Log& log = the_log();
  const std::lock_guard lock(log.mutex);
  if (!log.read) read_levels(log);
  deliver(log, {level, module, line});
}

Result<void> set_log_levels(std::string_view levels) {
  COLLET_TRY(parsed, parse_levels(levels));
  Log& log = the_log();
  const std::lock_guard lock(log.mutex);
  take(log, std::move(parsed));
  return {};
}

}  // namespace base

std::string_view to_string(LogLevel level) { return base::kLevels[static_cast<std::size_t>(level)]; }

void set_log_sink(std::function<void(const LogMessage&)> sink) {
  base::Log& log = base::the_log();
  const std::lock_guard lock(log.mutex);
  log.sink = std::move(sink);
}

}  // namespace collet
