// Errors: every one has a code, a category, a cause, a sentence with figures, and a While chain.

#include <string>

#include "conformance/conformance.hpp"
#include "conformance/kernels.hpp"

namespace conformance {

CONFORMANCE_TEST(Error, OfAnUnknownBackendNamesIt) {
  const auto opened = collet::Device::open("nonsense");
  expect_error(opened, ErrorCode::invalid_argument, {"nonsense", device.info().backend});
  EXPECT_EQ(opened.error().category(), collet::Category::initialisation);
}

CONFORMANCE_TEST(Error, OfAnUnknownIndexSaysHowManyThereAre) {
  const std::string id = device.info().backend + ":99";
  std::size_t count = 0;
  for (const auto& info : collet::devices()) count += info.backend == device.info().backend ? 1 : 0;
  const auto opened = collet::Device::open(id);
  expect_cause(opened, ErrorCode::unavailable, Cause::no_device, {id, "99", std::to_string(count)});
}

CONFORMANCE_TEST(Error, OfAMalformedIdIsInvalidArgument) {
  const std::string backend = device.info().backend;
  for (const std::string& id : {backend + ":", backend + ":x", backend + ":-1", backend + ":1x",
                                backend + ": 0", backend + ":99999999999", backend + ":0:0",
                                std::string(":0"), std::string(), " " + backend, std::string(10'000, 'x')}) {
    expect_error(collet::Device::open(id), ErrorCode::invalid_argument);
  }
}

CONFORMANCE_TEST(Error, OfABackendThatIsNotWrittenSaysSo) {
  for (const collet::BackendInfo& info : collet::backends()) {
    if (info.rung != collet::Rung::not_built) continue;
    expect_error(collet::Device::open(info.id), ErrorCode::unsupported, {info.id, info.message});
  }
}

CONFORMANCE_TEST(Error, HasAWhileChainThatNamesTheWork) {
  auto buffer = device.buffer<uint32_t>(4, {.label = "small"}).value();
  auto stream = device.stream({.label = "main"});
  stream.launch(kernels::increment(), 4, buffer.slice(3, 9));
  const auto done = stream.wait();
  ASSERT_FALSE(done);
  ASSERT_FALSE(done.error().context().empty());
  const std::string text = done.error().describe();
  for (const char* word : {"small", "main", "increment", "While"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word << " is not in " << text;
  }
  EXPECT_EQ(text.find(done.error().message()), 0u) << text;
}

CONFORMANCE_TEST(Error, HasACategoryThatFits) {
  using collet::Category;
  auto buffer = device.buffer<uint32_t>(64).value();
  auto stream = device.stream();
  const auto expect_category = [](const auto& result, Category category) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().category(), category);
  };
  stream.fill(buffer.slice(64, 1), 1u);
  expect_category(stream.wait(), Category::memory);
  stream.launch(kernels::copy(), 64, buffer, buffer);
  expect_category(stream.wait(), Category::launch);
  stream.launch(kernels::increment().with(collet::group(0)), 64, buffer);
  expect_category(stream.wait(), Category::compilation);
  expect_category(device.buffer<uint32_t>(~uint64_t{0}), Category::memory);
}

CONFORMANCE_TEST(Error, OfATimeoutIsSynchronisation) {
  auto buffer = device.upload(Words{1}).value();
  auto stream = device.stream();
  for (int i = 0; i < 400; ++i) stream.launch(kernels::spin(), 1, buffer, kernels::kSpinRounds);
  const auto done = stream.wait(collet::Deadline::in(std::chrono::seconds(0)));
  EXPECT_OK(stream.wait());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code(), ErrorCode::timeout);
  EXPECT_EQ(done.error().category(), collet::Category::synchronisation);
}

CONFORMANCE_TEST(Error, IsThrownByValueAndByNothingElse) {
  auto buffer = device.buffer<uint32_t>(4).value();
  auto stream = device.stream();
  EXPECT_NO_THROW(stream.fill(buffer.slice(4, 1), 1u));
  collet::Result<collet::Receipt> done = stream.wait();
  try {
    (void)done.value();
    ADD_FAILURE() << "value() returned.";
  } catch (const collet::Exception& thrown) {
    EXPECT_EQ(thrown.error().code(), ErrorCode::invalid_argument);
    EXPECT_EQ(thrown.what(), done.error().describe());
  }
}

CONFORMANCE_TEST(Error, OutlivesTheDeviceThatItCameFrom) {
  const collet::Error error = [&] {
    auto own = collet::Device::open(device.info().id()).value();
    auto buffer = own.buffer<uint32_t>(4).value();
    auto stream = own.stream();
    stream.fill(buffer.slice(4, 33), 1u);
    return stream.wait().error();
  }();
  EXPECT_NE(error.describe().find("33"), std::string::npos);
}

}  // namespace conformance
