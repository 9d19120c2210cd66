// What is given to a driver that does not do it.

#include "backends/opengl/commands.hpp"

#include <gtest/gtest.h>

namespace collet::backend::opengl {
namespace {

TEST(OpenGlCommands, AReadThatTheDriverDoesNotMapIsAnError) {
  Gl gl;
  gl.BindBuffer = [](gl::Enum, gl::Uint) {};
  gl.GetError = [] { return gl::kNoError; };
  gl.Finish = [] {};
  gl.MapBufferRange = [](gl::Enum, gl::Offset, gl::Offset, gl::Bits) -> void* { return nullptr; };
  gl.FenceSync = [](gl::Enum, gl::Bits) -> gl::Sync { return nullptr; };
  gl.Flush = [] {};
  common::Health health;
  Discarded discarded;
  const Native native{.gl = gl,
                      .flavour = Flavour::desktop,
                      .features = {},
                      .limits = {},
                      .max_groups = 1,
                      .health = health,
                      .discarded = discarded};
  MemoryState memory{.buffer = 1, .size = 16};
  std::array<std::byte, 16> to{};
  const Command read{
      Read{.from = {.memory = {reinterpret_cast<std::uintptr_t>(&memory)}, .size = 16}, .to = to.data()}};
  InFlight flight;
  const auto given = Commands(native).give({&read, 1}, flight);
  ASSERT_FALSE(given);
  EXPECT_EQ(given.error().code(), ErrorCode::device_lost);
  EXPECT_EQ(given.error().message(), "OpenGL does not give a buffer's bytes back.");
}

}  // namespace
}  // namespace collet::backend::opengl
