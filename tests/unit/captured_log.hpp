// Keeps what is logged during one test.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/log.hpp"

namespace collet::test {

// Threads: thread-safe.
class CapturedLog {
 public:
  explicit CapturedLog(std::string_view levels = "trace") {
    EXPECT_TRUE(base::set_log_levels(levels));
    set_log_sink([kept = kept_](const LogMessage& message) {
      const std::lock_guard lock(kept->mutex);
      kept->lines.push_back(std::string(to_string(message.level)) + " " + std::string(message.module) + ": " +
                            std::string(message.text));
    });
  }
  CapturedLog(const CapturedLog&) = delete;
  CapturedLog& operator=(const CapturedLog&) = delete;
  ~CapturedLog() {
    set_log_sink({});
    (void)base::set_log_levels("warn");
  }

  std::vector<std::string> lines() const {
    const std::lock_guard lock(kept_->mutex);
    return kept_->lines;
  }
  // How many lines begin with `start` and contain `part`.
  std::size_t count(std::string_view start, std::string_view part = {}) const {
    std::size_t found = 0;
    for (const std::string& line : lines()) {
      found += line.starts_with(start) && line.find(part) != std::string::npos ? 1 : 0;
    }
    return found;
  }

 private:
  struct Kept {
    std::mutex mutex;
    std::vector<std::string> lines;
  };
  const std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();
};

}  // namespace collet::test
