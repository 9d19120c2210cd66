// The sentences about devices that are listed, refused or missing.

#include "backends/common/listing.hpp"

namespace collet::backend::common {

ProbeResult not_loaded(const Error& error, bool loaded) {
  return {.rung = loaded ? Rung::loaded : Rung::compiled_in,
          .message = error.message(),
          .library = {},
          .devices = {}};
}

std::string refused(const DeviceInfo& info, std::string_view why) {
  return info.id() + " (" + info.name + ") is refused: " + std::string(why) + ".";
}

Result<void> check_not_refused(const DeviceInfo& info, std::string_view why) {
  if (why.empty()) return {};
  return Error(ErrorCode::unsupported, Category::device, Cause::version_unsupported, refused(info, why));
}

Error no_device(std::string_view backend, std::uint32_t index, std::string_view who, std::size_t count,
                std::string_view what) {
  return {ErrorCode::unavailable, Category::device, Cause::no_device,
          "There is no " + std::string(backend) + ":" + std::to_string(index) + ": " + std::string(who) +
              " knows " + std::to_string(count) + " " + std::string(what) + "."};
}

}  // namespace collet::backend::common
