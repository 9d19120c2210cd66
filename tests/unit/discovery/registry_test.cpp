// Devices by id, and the list of backends with their standing.

#include <gtest/gtest.h>

#include <algorithm>

#include "collet/collet.hpp"

namespace collet {
namespace {

Error refusal(std::string_view id) {
  const auto opened = Device::open(id);
  if (opened) {
    ADD_FAILURE() << id << " was opened";
    return Error(ErrorCode::internal, Category::runtime, "opened");
  }
  return opened.error();
}

TEST(Registry, ListsEveryBackendOfTheDesignWithAReason) {
  const std::vector<BackendInfo> all = backends();
  for (const char* id : {"cpu", "vulkan", "opencl", "cuda", "hip", "level_zero", "metal", "webgpu", "opengl",
                         "opengles", "webgl2", "simulated"}) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const BackendInfo& one) { return one.id == id; });
    ASSERT_NE(found, all.end()) << id;
    EXPECT_TRUE(found->device_count != 0 || !found->message.empty()) << id;
    EXPECT_TRUE(found->device_count == 0 || found->rung != Rung::not_built) << id;
  }
  EXPECT_TRUE(std::none_of(all.begin(), all.end(), [](const BackendInfo& one) { return one.id == "null"; }));
}

TEST(Registry, EveryListedDeviceHasItsOwnIdAndItsBackendCountsIt) {
  for (const BackendInfo& backend : backends()) {
    std::uint32_t next = 0;
    for (const DeviceInfo& device : devices()) {
      if (device.backend != backend.id) continue;
      EXPECT_EQ(device.index, next++);
      EXPECT_FALSE(device.name.empty()) << device.id();
      EXPECT_TRUE(device.rung == Rung::verified || !device.refused.empty()) << device.id();
    }
    EXPECT_EQ(next, backend.device_count) << backend.id;
  }
}

TEST(Registry, AnUnknownBackendIsNamed) {
  const Error error = refusal("vulcan:0");
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_EQ(error.cause(), Cause::no_device);
  EXPECT_EQ(error.message(), "There is no backend called \"vulcan\".");
  EXPECT_TRUE(error.hint().starts_with("Did you mean \"vulkan\"? The words are auto, gpu, cpu, vulkan, "))
      << error.hint();
  EXPECT_NE(error.hint().find("; this build has cpu"), std::string::npos) << error.hint();
  EXPECT_EQ(error.context(), (std::vector<std::string>{"opening \"vulcan:0\""}));
  EXPECT_EQ(refusal("").message(), "There is no backend called \"\".");
}

TEST(Registry, AnIndexIsANumber) {
  for (const char* id : {"null:", "null:x", "null:-1", "null:0x", "null: 0", "null:99999999999"}) {
    EXPECT_EQ(refusal(id).code(), ErrorCode::invalid_argument) << id;
    EXPECT_EQ(refusal(id).message(),
              "\"" + std::string(id).substr(5) + "\" is no type of device and no device index.");
  }
  EXPECT_EQ(refusal("null:0:0").message(), "\"0\" is no type of device.");
  EXPECT_EQ(refusal("null:cpu:x").message(), "\"x\" is no device index.");
}

TEST(Registry, AnIndexBeyondTheLastIsRefusedWithBothFigures) {
  const Error error = refusal("null:7");
  EXPECT_EQ(error.code(), ErrorCode::unavailable);
  EXPECT_EQ(error.cause(), Cause::no_device);
  EXPECT_EQ(error.message(), "The backend null has 1 devices; number 7 is asked for, and they count from 0.");
}

TEST(Registry, ABackendThatIsNotHereSaysWhy) {
  const Error error = refusal("webgl2");
  EXPECT_EQ(error.code(), ErrorCode::unsupported);
  EXPECT_EQ(error.message(), "The backend webgl2 is not here: WebGL 2 has no compute shaders.");
}

TEST(Registry, TheNullDeviceOpensByNameAndByIndex) {
  EXPECT_EQ(Device::open("null").value().info().id(), "null:0");
  EXPECT_EQ(Device::open("null:0").value().info().id(), "null:0");
  EXPECT_EQ(Device::open_async("null").get().value().info().id(), "null:0");
}

}  // namespace
}  // namespace collet
