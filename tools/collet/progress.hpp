// A sign of life on standard error while something takes long; silent where that is no terminal.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>

#include "platform/thread.hpp"

namespace collet::tool {

// Shows itself when 300 ms have passed, counts the seconds, and wipes its line when it is destroyed.
class Progress {
 public:
  explicit Progress(std::string doing);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

 private:
  void run();

  std::string doing_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;       // guarded by mutex_
  platform::Thread thread_;  // not started without a terminal, or where there is none to be had
};

}  // namespace collet::tool
