// Callbacks of Event::then() that throw: the process goes on, and nothing is silent.

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>

#include "collet/collet.hpp"
#include "unit/captured_log.hpp"

namespace collet {
namespace {

class Callback : public testing::Test {
 protected:
  test::CapturedLog log{"error"};
  Device device = Device::open("null").value();
  Stream stream = device.stream({.label = "s"});
};

TEST_F(Callback, ThatThrowsAtOnceIsLoggedAndCounted) {
  const Event event = stream.record();
  ASSERT_TRUE(event.wait());
  event.then([](const Result<void>&) { throw std::runtime_error("boom"); });
  event.then([](const Result<void>&) { throw 7; });
  event.then({});
  EXPECT_EQ(log.lines().at(0), "error null:0: A callback of Event::then() in [Stream \"s\"] threw: boom.");
  EXPECT_EQ(log.lines().at(1),
            "error null:0: A callback of Event::then() in [Stream \"s\"] threw something that is no "
            "std::exception.");
  EXPECT_EQ(log.lines().size(), 3u);

  const Receipt receipt = stream.wait().value();
  EXPECT_EQ(receipt.failed_callbacks, 3u);
  EXPECT_NE(receipt.describe().find("; 3 callbacks threw"), std::string::npos) << receipt.describe();
  EXPECT_EQ(stream.wait().value().failed_callbacks, 0u);
}

// The event is held back by another stream's, so that the callback comes on the thread of the device.
TEST_F(Callback, ThatThrowsOnTheThreadOfTheDeviceEndsNothing) {
  const Device other = Device::open("cpu").value();
  Stream gate = other.stream();
  std::promise<void> open;
  const auto held = KernelSource<InOut<float>>("held")
                        .group(1)
                        .cpu([opened = open.get_future().share()](Item, std::span<float>) { opened.wait(); })
                        .kernel();
  const auto x = other.buffer<float>(1).value();
  gate.launch(held, 1, x);
  const Event gate_event = gate.record();
  stream.wait_for(gate_event);
  const Event event = stream.record();
  event.then([](const Result<void>&) { throw std::runtime_error("late"); });
  std::promise<bool> called;
  event.then([&](const Result<void>& how) { called.set_value(how.has_value()); });
  open.set_value();
  EXPECT_TRUE(called.get_future().get());
  EXPECT_TRUE(event.wait());
  EXPECT_EQ(log.count("error null:0: A callback of Event::then() in [Stream \"s\"] threw: late."), 1u);
  EXPECT_EQ(stream.wait().value().failed_callbacks, 1u);
}

TEST_F(Callback, OfAnEventWithoutAStreamIsLogged) {
  Event event = stream.record();
  const Event kept = std::move(event);
  event.then([](const Result<void>&) { throw std::runtime_error("boom"); });  // NOLINT: moved from
  EXPECT_EQ(log.lines(),
            (std::vector<std::string>{"error event: A callback of Event::then() in no stream threw: boom."}));
}

}  // namespace
}  // namespace collet
