// What went wrong, with figures, while doing what, and what to do about it.
//
// An Error is a cheap handle to an immutable body, so that one failure can reach every waiter. Moving one
// copies it.
//
//   if (!buffer) switch (buffer.error().cause()) { case collet::Cause::allocation_failed: … }
//
// Threads: immutable.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "collet/export.hpp"

namespace collet {

// What a caller can act on.
enum class ErrorCode : std::uint8_t {
  invalid_argument,  // the call is wrong and will be wrong again
  unsupported,       // this device, backend or build can't do it; another may
  unavailable,       // nothing there: no library, no driver, no device
  out_of_memory,     // free something, or ask for less
  build_failed,      // a kernel did not compile; the message has the log
  timeout,           // the deadline passed; the work may still finish
  device_lost,       // the device accepts no more work; open it again
  kernel_failed,     // a kernel found that something is wrong; what it wrote is not to be relied on
  internal,          // a fault of Collet or of a driver; please report
};

// The part of the system that it happened in.
enum class Category : std::uint8_t {
  initialisation,
  device,
  memory,
  kernel,
  stream,
  runtime,
  driver,
  compilation,
  launch,
  synchronisation,
};

// A stable name for the exact reason, for programs to switch on.
enum class Cause : std::uint8_t {
  library_not_found,
  symbol_missing,
  version_unsupported,
  init_failed,
  no_device,
  instance_failed,
  device_open_failed,
  context_failed,
  queue_failed,
  command_buffer_failed,
  memory_type_not_found,
  allocation_failed,
  shared_memory_unsupported,
  null_pointer,
  zero_size,
  module_failed,
  pipeline_failed,
  kernel_not_found,
  no_kernels,
  duplicate_kernel,  // a kernel has two codes in one language for one architecture
  argument_count,
  argument_type,
  no_arguments,
  assertion_failed,    // an assert_() of a kernel
  index_out_of_range,  // in checked mode
  data_race,           // the same
  uninitialised_read,  // the same
  other,
};

COLLET_API std::string_view to_string(ErrorCode code);
COLLET_API std::string_view to_string(Category category);
COLLET_API std::string_view to_string(Cause cause);

class COLLET_API Error {
 public:
  // `message` is one or more whole sentences with the figures in them.
  Error(ErrorCode code, Category category, Cause cause, std::string message);
  Error(ErrorCode code, Category category, std::string message);
  Error(const Error&) noexcept = default;
  Error& operator=(const Error&) noexcept = default;
  ~Error() = default;

  ErrorCode code() const;
  Category category() const;
  Cause cause() const;
  const std::string& message() const;

  // The driver's own code and its name; 0 and "" where no driver was involved.
  std::int64_t native_code() const;
  const std::string& native_name() const;

  // What was being done, innermost first.
  const std::vector<std::string>& context() const;
  // What the user can do; "" where there is no good advice.
  const std::string& hint() const;

  // Each returns a copy that says more.
  [[nodiscard]] Error during(std::string doing) const;
  [[nodiscard]] Error with_hint(std::string advice) const;
  [[nodiscard]] Error with_native(std::int64_t code, std::string name) const;

  // The whole story on several lines: message, native code, While chain, hint.
  std::string describe() const;

 private:
  struct Body;
  explicit Error(std::shared_ptr<const Body> body);
  std::shared_ptr<const Body> body_;
};

COLLET_API std::ostream& operator<<(std::ostream& out, const Error& error);

}  // namespace collet
