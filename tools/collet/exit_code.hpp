// What the program's exit code says; docs/cli.md lists the same.
#pragma once

#include <collet/error.hpp>

namespace collet::tool {

enum ExitCode : int {
  done = 0,
  failed = 1,     // the work failed, or doctor or check found a problem
  usage = 2,      // the command line or a variable can't be understood
  no_device = 3,  // nothing that was asked for is there
};

inline ExitCode exit_code(const Error& error) {
  switch (error.code()) {
    case ErrorCode::invalid_argument: return usage;
    case ErrorCode::unavailable: return no_device;
    default: return failed;
  }
}

}  // namespace collet::tool
