// From a driver's code to an Error, by one rule for every API.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "collet/backend.hpp"

namespace collet::backend::common {

// What a backend was doing, and how a failure of it is filed where the driver's code says nothing more exact.
struct Doing {
  std::string_view what;  // completes "Vulkan reports VK_X (-3) while …"
  Category category;
  Cause cause = Cause::other;
};

// What a driver's code says by itself.
struct Meaning {
  ErrorCode code = ErrorCode::internal;
  Cause cause = Cause::other;  // other: the Doing's
};

// `api` is the name of the API, `name` that of its code.
Error native_error(std::string_view api, std::int64_t code, std::string_view name, Meaning meaning,
                   const Doing& doing);

// What a driver says, as a part of a message: cut, with the number of bytes left out, where it is long.
std::string bounded(std::string text);

// Each backend writes down once what the codes of its API are:
//
//   struct Codes {
//     using Type = VkResult;
//     static constexpr std::string_view kApi = "Vulkan";
//     static bool is_error(Type code);
//     static std::string_view name_of(Type code);
//     static Meaning meaning_of(Type code);
//   };
//
// Every code that a driver returns passes through here; scripts/check-codes finds those that do not.
template <class Codes>
Result<void> check(typename Codes::Type code, const Doing& doing) {
  if (!Codes::is_error(code)) [[likely]]
    return {};
  return native_error(Codes::kApi, static_cast<std::int64_t>(code), Codes::name_of(code),
                      Codes::meaning_of(code), doing);
}

}  // namespace collet::backend::common
