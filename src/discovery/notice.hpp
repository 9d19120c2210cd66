// What is worth saying once, however often a program discovers.
#pragma once

#include <string>

#include "collet/log.hpp"

namespace collet::discovery {

// Logs `text` under the module "discovery" the first time that this process has it to say.
// Threads: thread-safe.
void say_once(LogLevel level, const std::string& text);

}  // namespace collet::discovery
