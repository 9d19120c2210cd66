// Opening what was chosen: that it is what was probed, and what is said where it is not.

#include "discovery/opening.hpp"

#include <gtest/gtest.h>

#include "backends/null/device.hpp"
#include "collet/collet.hpp"
#include "layers/forwarding.hpp"
#include "unit/captured_log.hpp"
#include "unit/variables.hpp"

#include <collet_backends.hpp>

namespace collet {
namespace {

class NamedDevice final : public layers::ForwardingDevice {
 public:
  explicit NamedDevice(DeviceInfo info)
      : ForwardingDevice(std::make_unique<backend::null::NullDevice>()), info_(std::move(info)) {}
  const DeviceInfo& info() const override { return info_; }

 private:
  const DeviceInfo info_;
};

DeviceInfo vulkan(std::string name) {
  DeviceInfo info;
  info.backend = "vulkan";
  info.name = std::move(name);
  info.type = DeviceType::discrete;
  info.rung = Rung::verified;
  info.uuid = std::string(32, 'a');
  return info;
}

// A machine whose probe finds `probed[n]` at the n-th call, the last one ever after, and opens `real`.
struct Doubles {
  std::vector<DeviceInfo> probed;
  DeviceInfo real;
  std::vector<DiscoverOptions> probes = {};

  discovery::Sources sources() {
    return {.discover =
                [this](const DiscoverOptions& options) {
                  Machine machine;
                  machine.devices = {probed[std::min(probes.size(), probed.size() - 1)]};
                  probes.push_back(options);
                  return machine;
                },
            .open = [this](std::string_view, const OpenOptions&) -> Result<std::unique_ptr<backend::Device>> {
              return std::unique_ptr<backend::Device>(std::make_unique<NamedDevice>(real));
            }};
  }
};

TEST(Opening, ProbesOnceWhereTheDeviceIsWhatWasProbed) {
  const test::CapturedLog captured("info");
  Doubles doubles{.probed = {vulkan("A")}, .real = vulkan("A")};
  const auto opened = discovery::open_chosen({}, {}, doubles.sources());
  ASSERT_TRUE(opened) << opened.error().describe();
  EXPECT_EQ((*opened)->info().name, "A");
  EXPECT_EQ(doubles.probes.size(), 1u);
  EXPECT_EQ(captured.lines(),
            (std::vector<std::string>{"info discovery: requested=auto detected=[vulkan] selected=vulkan:0 "
                                      "reason=the only usable device"}));
}

TEST(Opening, ProbesAgainWithoutTheCacheWhereAnotherDeviceIsThere) {
  const test::CapturedLog captured("warn");
  Doubles doubles{.probed = {vulkan("old"), vulkan("new")}, .real = vulkan("new")};
  const auto opened = discovery::open_chosen({}, {}, doubles.sources());
  ASSERT_TRUE(opened) << opened.error().describe();
  ASSERT_EQ(doubles.probes.size(), 2u);
  EXPECT_TRUE(doubles.probes[0].cached);
  EXPECT_FALSE(doubles.probes[1].cached);
  EXPECT_EQ(captured.lines(), (std::vector<std::string>{
                                  "warn discovery: vulkan:0 was probed as \"old\" and opened as \"new\". It "
                                  "is probed again."}));
}

TEST(Opening, AnotherUuidIsAnotherDevice) {
  const test::CapturedLog captured("error");
  DeviceInfo other = vulkan("A");
  other.uuid = std::string(32, 'b');
  Doubles doubles{.probed = {vulkan("A"), other}, .real = other};
  EXPECT_TRUE(discovery::open_chosen({}, {}, doubles.sources()));
  EXPECT_EQ(doubles.probes.size(), 2u);
}

TEST(Opening, FailsWhereTheSecondProbeDisagreesToo) {
  const test::CapturedLog captured("error");
  Doubles doubles{.probed = {vulkan("old")}, .real = vulkan("new")};
  const auto opened = discovery::open_chosen({}, {}, doubles.sources());
  ASSERT_FALSE(opened);
  EXPECT_EQ(doubles.probes.size(), 2u);
  EXPECT_EQ(opened.error().cause(), Cause::device_open_failed);
  EXPECT_EQ(opened.error().message(),
            "vulkan:0 was probed as \"old\" and opened as \"new\". It was probed twice.");
  EXPECT_NE(opened.error().hint().find("> vulkan:0"), std::string::npos) << opened.error().hint();
}

TEST(Opening, ProbesOnlyTheBackendThatIsNamed) {
  Doubles doubles{.probed = {vulkan("A")}, .real = vulkan("A")};
  EXPECT_TRUE(discovery::open_chosen({.selector = "vulkan:gpu"}, {}, doubles.sources()));
  EXPECT_EQ(doubles.probes.at(0).backends, (std::vector<std::string>{"vulkan"}));
  EXPECT_TRUE(discovery::open_chosen({.selector = "gpu"}, {}, doubles.sources()));
  EXPECT_EQ(doubles.probes.at(1).backends, std::vector<std::string>{});
}

TEST(Opening, AFailureExplainsEveryCandidate) {
  Doubles doubles{.probed = {vulkan("A")}, .real = vulkan("A")};
  doubles.probed[0].refused = "element 17 is 5, the CPU says 9";
  const auto opened = discovery::open_chosen({}, {}, doubles.sources());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message(), "vulkan:0 can't be used: element 17 is 5, the CPU says 9.");
  EXPECT_TRUE(opened.error().hint().starts_with(
      "`collet doctor` says what this machine lacks.\nrequested  auto\nselected   none\n"))
      << opened.error().hint();
}

// Two devices: the better one can't be opened.
class BestDoesNotOpen : public testing::Test {
 protected:
  discovery::Sources sources() {
    return {.discover =
                [](const DiscoverOptions&) {
                  DeviceInfo second = vulkan("B");
                  second.index = 1;
                  second.type = DeviceType::integrated;
                  second.uuid = std::string(32, 'b');
                  return Machine{.backends = {}, .devices = {vulkan("A"), second}, .notes = {}};
                },
            .open = [this](std::string_view id, const OpenOptions&) -> discovery::Opened {
              asked.emplace_back(id);
              if (id == "vulkan:0")
                return Error(code, Category::device, Cause::device_open_failed, "It is busy.");
              if (!second_opens)
                return Error(code, Category::device, Cause::queue_failed, "It has no queue.");
              DeviceInfo second = vulkan("B");
              second.uuid = std::string(32, 'b');
              return std::unique_ptr<backend::Device>(std::make_unique<NamedDevice>(second));
            }};
  }

  ErrorCode code = ErrorCode::unavailable;
  bool second_opens = true;
  std::vector<std::string> asked;
};

TEST_F(BestDoesNotOpen, SoTheNextOneIsOpenedWithAWarning) {
  const test::CapturedLog captured("warn");
  const auto opened = discovery::open_chosen({}, {}, sources());
  ASSERT_TRUE(opened) << opened.error().describe();
  EXPECT_EQ((*opened)->info().name, "B");
  EXPECT_EQ(asked, (std::vector<std::string>{"vulkan:0", "vulkan:1"}));
  EXPECT_EQ(captured.lines(), (std::vector<std::string>{
                                  "warn discovery: vulkan:0 can't be opened: It is busy. vulkan:1 is opened "
                                  "in its place."}));
}

TEST_F(BestDoesNotOpen, AndStrictModeReturnsTheError) {
  const test::CapturedLog captured("warn");
  const auto opened = discovery::open_chosen({.strict = true}, {.strict = true}, sources());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message(), "It is busy.");
  EXPECT_EQ(asked, (std::vector<std::string>{"vulkan:0"}));
  EXPECT_TRUE(captured.lines().empty());
}

TEST_F(BestDoesNotOpen, AndACallThatIsWrongIsNotTriedElsewhere) {
  code = ErrorCode::invalid_argument;
  EXPECT_FALSE(discovery::open_chosen({}, {}, sources()));
  EXPECT_EQ(asked, (std::vector<std::string>{"vulkan:0"}));
}

TEST_F(BestDoesNotOpen, AndWhatIsNamedHasNoNext) {
  const auto opened = discovery::open_chosen({.selector = "vulkan:0"}, {}, sources());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message(), "It is busy.");
  EXPECT_EQ(asked, (std::vector<std::string>{"vulkan:0"}));
}

TEST_F(BestDoesNotOpen, AndWhereNoneDoesTheFirstErrorExplainsBoth) {
  const test::CapturedLog captured("error");
  second_opens = false;
  const auto opened = discovery::open_chosen({}, {}, sources());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message(), "It is busy.");
  EXPECT_NE(opened.error().hint().find("refused: it can't be opened: It is busy."), std::string::npos)
      << opened.error().hint();
  EXPECT_NE(opened.error().hint().find("refused: it can't be opened: It has no queue."), std::string::npos)
      << opened.error().hint();
}

TEST(Opening, ADeviceThatDiscoveryRefusedIsOpenedByNameButNotInStrictMode) {
  Doubles doubles{.probed = {vulkan("A")}, .real = vulkan("A")};
  doubles.probed[0].refused = "element 17 is 5, the CPU says 9";
  const discovery::Selector named{.backend = "vulkan", .type = {}, .index = {}};
  EXPECT_TRUE(discovery::open_named(named, {}, doubles.sources()));
  EXPECT_TRUE(doubles.probes.empty());
  const auto strict = discovery::open_named(named, {.strict = true}, doubles.sources());
  ASSERT_FALSE(strict);
  EXPECT_EQ(strict.error().message(), "vulkan:0 can't be used: element 17 is 5, the CPU says 9.");
  EXPECT_EQ(doubles.probes.at(0).backends, (std::vector<std::string>{"vulkan"}));
}

TEST(Opening, StrictModeOpensNothingThatRunsNoKernels) {
  const test::Variables variables{{"COLLET_STRICT", nullptr}};
  EXPECT_TRUE(Device::open("null"));
  const auto opened = Device::open("null", {.strict = true});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), ErrorCode::unsupported);
  EXPECT_EQ(opened.error().message(),
            "null:0 runs no kernels: launches on it succeed unexecuted. Strict mode opens no such device.");
}

#if COLLET_HAS_CPU
TEST(Opening, StrictModeProbesWhatIsNamed) {
  const test::Variables variables{{"COLLET_STRICT", nullptr}, {"COLLET_FAKE", nullptr}};
  EXPECT_EQ(Device::open("cpu", {.strict = true}).value().info().id(), "cpu:0");
}

TEST(Opening, SelectorsOpenWhatTheyName) {
  const test::Variables variables{{"COLLET_STRICT", nullptr}, {"COLLET_FAKE", nullptr}};
  EXPECT_EQ(Device::open("cpu:cpu:0").value().info().id(), "cpu:0");
  EXPECT_EQ(Device::open("0").value().info().id(), devices().at(0).id());
  EXPECT_TRUE(Device::open("auto"));
}

TEST(Opening, TheBestIsWhatTheEnvironmentNames) {
  test::Variables variables{{"COLLET_BACKEND", "cpu"},
                            {"COLLET_DEVICE", nullptr},
                            {"COLLET_STRICT", nullptr},
                            {"COLLET_FAKE", nullptr}};
  EXPECT_EQ(Device::open_best().value().info().id(), "cpu:0");
  variables.set("COLLET_BACKEND", "cup");
  const auto wrong = Device::open_best();
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message(), "COLLET_BACKEND is \"cup\". There is no backend called \"cup\".");
  EXPECT_TRUE(wrong.error().hint().starts_with("Did you mean \"cpu\"? ")) << wrong.error().hint();
  variables.set("COLLET_BACKEND", nullptr);
  const Choice choice = choose(discover());
  EXPECT_EQ(Device::open_best().value().info().id(), choice.candidates.at(*choice.selected).device.id());
}

TEST(Opening, StrictModeOfTheEnvironmentReachesEveryDevice) {
  test::Variables variables{{"COLLET_STRICT", "perhaps"}};
  const auto opened = Device::open("cpu");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message(), "COLLET_STRICT is \"perhaps\", which is neither on nor off.");
}
#endif

}  // namespace
}  // namespace collet
