// Planted mistakes: a kernel that is wrong, and the line that is to be named.
#pragma once

#include <collet/collet.hpp>
#include <string>
#include <vector>

#include "conformance/conformance.hpp"

namespace conformance {

// Of the line behind the call.
inline std::uint32_t next_line(const std::source_location& at = std::source_location::current()) {
  return at.line() + 1;
}

// Launches kernels that are wrong, and counts those that were found to be.
class Planted {
 public:
  Planted(const collet::Device& device, collet::Cause cause,
          const std::source_location& at = std::source_location::current())
      : device_(collet::Device::open(device.info().id(), {.checked = true}).value()), cause_(cause) {
    const std::string_view file = at.file_name();
    file_ = file.substr(file.find_last_of('/') + 1);
  }

  const collet::Device& device() const { return device_; }

  // The wait fails with the cause, and names `line`, which the kernel set while it was traced, and `words`.
  template <class... Args>
  void find(const collet::Kernel<Args...>& kernel, const collet::Grid& grid,
            const std::vector<std::string>& words,
            const std::type_identity_t<collet::Actual<Args>>&... arguments) {
    auto stream = device_.stream();
    stream.launch(kernel, grid, arguments...);
    const auto done = stream.wait();
    expect_cause(done, ErrorCode::kernel_failed, cause_,
                 {file_ + ":" + std::to_string(line), "[Kernel \"" + kernel.name() + "\"]"});
    expect_cause(done, ErrorCode::kernel_failed, cause_, words);
    if (!done) ++found_;
  }

  std::uint32_t line = 0;
  int found() const { return found_; }

 private:
  collet::Device device_;
  Cause cause_;
  std::string file_;
  int found_ = 0;
};

}  // namespace conformance
