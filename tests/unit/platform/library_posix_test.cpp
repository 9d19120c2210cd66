// Libraries that are loaded at run time.

#include <gtest/gtest.h>

#include <array>

#include "platform/platform.hpp"

namespace collet::platform {
namespace {

TEST(Library, WhatIsNotThereIsNamedWithEveryNameThatWasTried) {
  const std::array<const char*, 3> names{"libcollet-none-a.so", "libcollet-none-b.so", "libcollet-none-c.so"};
  const auto library = Library::open(names);
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().cause(), Cause::library_not_found);
  const std::string_view said = library.error().message();
  std::size_t at = 0;
  for (const char* name : names) {
    const std::size_t found = said.find(name, at);
    ASSERT_NE(found, std::string_view::npos) << said;
    EXPECT_EQ(said.substr(at, found - at).find("; ") != std::string_view::npos, at != 0) << said;
    at = found + 1;
  }
}

}  // namespace
}  // namespace collet::platform
