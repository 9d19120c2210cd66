// How a behaviour is written:
//
//   CONFORMANCE_TEST(Buffer, IsZeroWhenMade) {
//     auto buffer = device.buffer<std::uint32_t>(5).value();
//     EXPECT_EQ(read(device, buffer), std::vector<std::uint32_t>(5, 0));
//   }
//
// The body runs once on every device and sees `device`, which all behaviours share. Its name is a sentence;
// it does not sleep. What a backend can't do is listed in backends/<id>.cpp; a body skips itself only where
// the machine, not the device, lacks something, and says what.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collet/collet.hpp"
#include "conformance/registry.hpp"

#define CONFORMANCE_TEST(Suite, Name)                                                     \
  static void Suite##_##Name(collet::Device& device);                                     \
  [[maybe_unused]] static const bool Suite##_##Name##_added =                             \
      ::conformance::add_behaviour({#Suite, #Name, __FILE__, __LINE__, &Suite##_##Name}); \
  static void Suite##_##Name([[maybe_unused]] collet::Device& device)

namespace conformance {

using collet::Cause;
using collet::ErrorCode;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;

using Words = std::vector<uint32_t>;

// The prefix of gtest's own macros tells the reader that these go on or stop.
template <class T>
testing::AssertionResult ok(const collet::Result<T>& result) {
  if (result) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "[" << to_string(result.error().code()) << ", "
                                     << to_string(result.error().cause()) << "] "
                                     << result.error().describe();
}
#define EXPECT_OK(expression) EXPECT_TRUE(::conformance::ok(expression))
#define ASSERT_OK(expression) ASSERT_TRUE(::conformance::ok(expression))

// The result is an error of that code whose whole text contains each of `words`.
template <class T>
void expect_error(const collet::Result<T>& result, ErrorCode code, const std::vector<std::string>& words = {},
                  std::source_location at = std::source_location::current()) {
  const char* file = at.file_name();
  const int line = static_cast<int>(at.line());
  if (result) {
    ADD_FAILURE_AT(file, line) << "succeeded; expected " << to_string(code) << ".";
    return;
  }
  const collet::Error& error = result.error();
  if (error.code() != code) {
    ADD_FAILURE_AT(file, line) << "failed with " << to_string(error.code()) << ", expected "
                               << to_string(code) << ": " << error.describe();
  }
  if (error.message().empty() || error.message().find_first_of(".:\n") == std::string::npos) {
    ADD_FAILURE_AT(file, line) << "the message is no sentence: (" << error.message() << ")";
  }
  for (const std::string& word : words) {
    if (error.describe().find(word) == std::string::npos) {
      ADD_FAILURE_AT(file, line) << "(" << word << ") is not in: " << error.describe();
    }
  }
}

// The same, with the stable cause.
template <class T>
void expect_cause(const collet::Result<T>& result, ErrorCode code, Cause cause,
                  const std::vector<std::string>& words = {},
                  std::source_location at = std::source_location::current()) {
  expect_error(result, code, words, at);
  if (!result && result.error().cause() != cause) {
    ADD_FAILURE_AT(at.file_name(), static_cast<int>(at.line()))
        << "the cause is " << to_string(result.error().cause()) << ", expected " << to_string(cause) << ": "
        << result.error().describe();
  }
}

// Whatever value() would throw stops the behaviour with the error's text.
template <class T>
std::vector<T> read(const collet::Device& device, const collet::Buffer<T>& buffer) {
  std::vector<T> host(buffer.size());
  auto stream = device.stream();
  stream.download(buffer, std::span(host));
  stream.wait().value();
  return host;
}

// first, first + 1, …
inline Words counting(std::size_t count, uint32_t first = 0) {
  Words words(count);
  std::iota(words.begin(), words.end(), first);
  return words;
}

// Different in every element and from one seed to another.
inline Words pattern(std::size_t count, uint32_t seed = 1) {
  Words words(count);
  for (std::size_t i = 0; i < count; ++i) {
    words[i] = (static_cast<uint32_t>(i) + seed * 0x9e3779b9u) * 2654435761u;
  }
  return words;
}

inline std::vector<uint8_t> byte_pattern(std::size_t count, uint32_t seed = 1) {
  std::vector<uint8_t> bytes(count);
  for (std::size_t i = 0; i < count; ++i)
    bytes[i] = static_cast<uint8_t>((i + 1) * 167 + seed * 31 + (i >> 8));
  return bytes;
}

inline const collet::backend::Caps& caps(const collet::Device& device) { return device.native().caps(); }

inline bool takes(const collet::Device& device, collet::Format format) {
  const auto& formats = caps(device).formats;
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

inline uint32_t round_up(uint32_t value, uint32_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace conformance
