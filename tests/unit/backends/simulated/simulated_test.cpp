// Simulated devices: there when asked for, with the limits that were made up, and never in strict mode.

#include <gtest/gtest.h>

#include "collet/collet.hpp"
#include "collet/discovery.hpp"
#include "layers/limits.hpp"
#include "unit/variables.hpp"

#include <collet_backends.hpp>

#if COLLET_HAS_CPU
namespace collet {
namespace {

using test::Variables;

std::vector<DeviceInfo> simulated_devices() {
  std::vector<DeviceInfo> found;
  for (const DeviceInfo& device : discover({.backends = {"simulated"}}).devices) {
    if (device.type == DeviceType::simulated) found.push_back(device);
  }
  return found;
}

Error refusal(Result<Device> opened) {
  if (!opened) return opened.error();
  ADD_FAILURE() << opened->info().id() << " was opened";
  return Error(ErrorCode::internal, Category::runtime, "opened");
}

auto iota() {
  return KernelSource<Out<std::uint32_t>, Count>("iota")
      .cpu([](Item i, std::span<std::uint32_t> out, std::uint32_t) {
        out[i.x] = static_cast<std::uint32_t>(i.x);
      })
      .kernel();
}

TEST(Simulated, IsNotThereUntilItIsAskedForAndSaysHow) {
  const Variables variables{{"COLLET_FAKE", nullptr}};
  EXPECT_TRUE(simulated_devices().empty());
  const Error error = refusal(Device::open("simulated"));
  EXPECT_EQ(error.code(), ErrorCode::unavailable);
  EXPECT_NE(error.message().find("COLLET_FAKE=1"), std::string::npos) << error.message();
}

TEST(Simulated, ReallyExecutesAndItsReceiptsNameIt) {
  const Variables variables{{"COLLET_FAKE", "1"}, {"COLLET_STRICT", nullptr}};
  const auto device = Device::open("simulated").value();
  const auto buffer = device.buffer<std::uint32_t>(1000).value();
  auto stream = device.stream();
  stream.launch(iota(), 1000, buffer);
  std::vector<std::uint32_t> host(1000);
  stream.download(buffer, std::span(host));
  const Receipt receipt = stream.wait().value();
  EXPECT_EQ(host[999], 999u);
  EXPECT_EQ(receipt.device->id, "simulated:0");
  EXPECT_EQ(receipt.device->name, "Simulated device (runs on the CPU backend)");
  EXPECT_NE(receipt.describe().find("imulated"), std::string::npos) << receipt.describe();
}

TEST(Simulated, HasTheLimitsThatWereMadeUp) {
  const Variables variables{
      {"COLLET_FAKE", "memory=64M,groups=100,group_items=64,shared=4K,buffers=8,constants=128,gpus=3"},
      {"COLLET_STRICT", nullptr}};
  const std::vector<DeviceInfo> found = simulated_devices();
  ASSERT_EQ(found.size(), 3u);
  const auto device = Device::open("simulated:2").value();
  for (const DeviceInfo& info : {found[2], device.info()}) {
    EXPECT_EQ(info.id(), "simulated:2");
    EXPECT_EQ(info.memory_total, 64u << 20);
    EXPECT_EQ(info.max_allocation, 64u << 20);
    EXPECT_EQ(info.max_binding_range, 64u << 20);
    EXPECT_EQ(info.max_group_size, (std::array<std::uint32_t, 3>{64, 64, 64}));
    EXPECT_EQ(info.max_group_items, 64u);
    EXPECT_EQ(info.shared_memory_per_group, 4096u);
    EXPECT_EQ(info.max_groups, (std::array<std::uint32_t, 3>{100, 100, 100}));
  }
  const backend::Caps& caps = device.native().caps();
  EXPECT_EQ(caps.max_bindings, 8u);
  EXPECT_EQ(caps.max_constants_size, 128u);
  EXPECT_EQ(caps.max_groups, (std::array<std::uint32_t, 3>{100, 100, 100}));
  EXPECT_EQ(caps.max_group_items, 64u);
  EXPECT_EQ(caps.max_group_size, (std::array<std::uint32_t, 3>{64, 64, 64}));
  EXPECT_EQ(caps.max_allocation, 64u << 20);
  EXPECT_EQ(caps.max_binding_range, 64u << 20);
  EXPECT_EQ(caps.max_shared_bytes, 4096u);
}

TEST(Simulated, RefusesMoreMemoryThanItHasWithTheFigures) {
  const Variables variables{{"COLLET_FAKE", "memory=64M"}, {"COLLET_STRICT", nullptr}};
  const auto device = Device::open("simulated").value();
  auto first = device.buffer<std::byte>(48u << 20);
  ASSERT_TRUE(first) << first.error().describe();
  const auto second = device.buffer<std::byte>(32u << 20);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), ErrorCode::out_of_memory);
  EXPECT_NE(second.error().describe().find("67108864"), std::string::npos) << second.error().describe();
  EXPECT_NE(second.error().describe().find("33554432"), std::string::npos) << second.error().describe();
  first = device.buffer<std::byte>(16);
  device.trim();
  EXPECT_TRUE(device.buffer<std::byte>(32u << 20)) << "memory that was given back is free again";
}

TEST(Simulated, CountsTheMemoryThatIsInUse) {
  const Variables variables{{"COLLET_FAKE", "memory=64M"}, {"COLLET_STRICT", nullptr}};
  const auto device = Device::open("simulated").value();
  const std::uint64_t before = device.native().memory_info()->available;
  const auto made =
      device.native().create_memory({.size = 1 << 20, .placement = backend::Placement::device, .label = {}});
  ASSERT_TRUE(made) << made.error().describe();
  EXPECT_EQ(device.native().memory_info()->total, 64u << 20);
  EXPECT_EQ(device.native().memory_info()->available, before - (1 << 20));
  device.native().destroy_memory(made->memory);
  EXPECT_EQ(device.native().memory_info()->available, before);
  const auto all =
      device.native().create_memory({.size = before, .placement = backend::Placement::device, .label = {}});
  ASSERT_TRUE(all) << all.error().describe();
  EXPECT_EQ(device.native().memory_info()->available, 0u);
  device.native().destroy_memory(all->memory);
}

TEST(Simulated, RefusesAGridBeyondItsLimitWithBothFigures) {
  const Variables variables{{"COLLET_FAKE", "groups=100,group_items=64"}, {"COLLET_STRICT", nullptr}};
  const auto device = Device::open("simulated").value();
  const auto buffer = device.buffer<std::uint32_t>(64 * 200).value();
  auto stream = device.stream();
  stream.launch(iota().with(group(64)), 64 * 200, buffer);
  const auto done = stream.wait();
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message().find("200"), std::string::npos) << done.error().message();
  EXPECT_NE(done.error().message().find("100"), std::string::npos) << done.error().message();
}

TEST(Simulated, IsRefusedInStrictMode) {
  Variables variables{{"COLLET_FAKE", "1"}, {"COLLET_STRICT", nullptr}};
  constexpr const char* kRefused =
      "simulated:0 can't be used: it is simulated, and strict mode takes nothing simulated.";
  EXPECT_EQ(refusal(Device::open("simulated", {.strict = true})).message(), kRefused);
  variables.set("COLLET_STRICT", "1");
  EXPECT_EQ(refusal(Device::open("simulated:0")).message(), kRefused);
  variables.set("COLLET_BACKEND", "simulated");
  EXPECT_EQ(refusal(Device::open_best()).message(), kRefused);
}

TEST(Simulated, IsTheBestOnlyWhereItIsNamed) {
  Variables variables{{"COLLET_FAKE", "1"}, {"COLLET_STRICT", nullptr}, {"COLLET_DEVICE", nullptr}};
  variables.set("COLLET_BACKEND", nullptr);
  EXPECT_NE(Device::open_best().value().info().type, DeviceType::simulated);
  variables.set("COLLET_BACKEND", "simulated");
  EXPECT_EQ(Device::open_best().value().info().id(), "simulated:0");
  variables.set("COLLET_FAKE", nullptr);
  EXPECT_EQ(refusal(Device::open_best()).code(), ErrorCode::unavailable);
}

TEST(Limits, AreReadFromText) {
  EXPECT_EQ(layers::parse_limits("").value().devices, 0u);
  EXPECT_EQ(layers::parse_limits("0").value().devices, 0u);
  EXPECT_EQ(layers::parse_limits("1").value().devices, 1u);
  EXPECT_EQ(layers::parse_limits("shared=2K").value().shared, 2048u);
  EXPECT_EQ(layers::parse_limits("memory=3M,gpus=64").value().memory, 3u << 20);
  EXPECT_EQ(layers::parse_limits("memory=2048G").value().memory, std::uint64_t{2048} << 30);
}

TEST(Limits, GoAsFarAsTheySay) {
  EXPECT_EQ(layers::parse_limits("memory=1").value().memory, 1u);
  EXPECT_EQ(layers::parse_limits("memory=1125899906842624").value().memory, std::uint64_t{1} << 50);
  EXPECT_EQ(
      layers::parse_limits("memory=1125899906842625").error().message(),
      "The limit memory is \"1125899906842625\"; it is a number from 1 to 1125899906842624, with K, M or G "
      "behind it or not.");
  const auto limits =
      layers::parse_limits("groups=4294967295,group_items=2,buffers=3,constants=4,shared=5,gpus=6").value();
  EXPECT_EQ(limits.groups, ~0u);
  EXPECT_EQ(limits.group_items, 2u);
  EXPECT_EQ(limits.buffers, 3u);
  EXPECT_EQ(limits.constants, 4u);
  EXPECT_EQ(limits.shared, 5u);
  EXPECT_EQ(limits.devices, 6u);
}

TEST(Limits, NamesThatAreNoneAreNamed) {
  EXPECT_EQ(layers::parse_limits("memry=1").error().message(),
            "There is no limit called \"memry\"; did you mean \"memory\"?");
  EXPECT_EQ(layers::parse_limits("zzzzzzzz=1").error().message(), "There is no limit called \"zzzzzzzz\".");
  EXPECT_EQ(layers::parse_limits("shared=1,yes").error().message(), "\"yes\" sets no limit.");
}

TEST(Limits, AreRefusedWhereTheyMakeNoSense) {
  for (const char* text : {"yes", "memory", "memory=", "memory=0", "memory=-1", "memory=1X", "memory=1KK",
                           ",", "memory=99999999999G", "memory=18446744073709551615K", "shared=4G", "gpus=65",
                           "gpus=2,,shared=1K", "=1"}) {
    const auto limits = layers::parse_limits(text);
    EXPECT_FALSE(limits) << text;
    if (!limits) {
      EXPECT_FALSE(limits.error().hint().empty()) << text;
    }
  }
}

}  // namespace
}  // namespace collet
#endif
