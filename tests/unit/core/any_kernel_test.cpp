// Kernels that are read at run time: what they ask for, and what a launch refuses to pass them.

#include "collet/any_kernel.hpp"

#include <gtest/gtest.h>

#include "collet/collet.hpp"

#include <collet_backends.hpp>

#if COLLET_HAS_CPU
namespace collet {
namespace {

constexpr std::string_view kText = R"(kernel scale group(32, 1, 1) {
  buffer x: f32 in
  value wide: f64
  buffer y: f32x2 out
  buffer z: bytes(12) inout
  value a: f32
  value s: bytes(12, 4)
  %0: u32 = global_id 0
  %1: f32 = load x[%0]
  %2: f32 = parameter a
  %3: f32 = mul %1, %2
  %4: f64 = parameter wide
  %5: f32 = convert %4
  %6: f32 = add %3, %5
  %7: f32 = parameter s+8
  %8: f32x2 = compose %6, %7
  store y[%0], %8
}
)";

class AnyKernelLaunch : public testing::Test {
 protected:
  struct Settings {
    float a, b, c;
  };
  struct Triple {
    float a, b, c;
  };

  // What a launch with these arguments ends with.
  Error refusal(std::span<const AnyArgument> arguments) {
    Stream stream = device.stream();
    stream.launch(kernel, 4, arguments);
    const auto done = stream.wait();
    if (!done) return done.error();
    ADD_FAILURE() << "It was launched.";
    return Error(ErrorCode::internal, Category::launch, "launched");
  }

  Device device = Device::open("cpu").value();
  AnyKernel kernel = AnyKernel::parse(kText).value();
  Buffer<float> x = device.upload(std::vector<float>{1, 2, 3, 4}).value();
  Buffer<std::array<float, 2>> y = device.buffer<std::array<float, 2>>(4).value();
  Buffer<Triple> z = device.buffer<Triple>(4).value();
  std::vector<AnyArgument> right{x, AnyArgument::value(0.5),   y,
                                 z, AnyArgument::value(10.0f), AnyArgument::value(Settings{7, 8, 9})};
};

TEST_F(AnyKernelLaunch, ArgumentsOfTheRightKindsAndSizesArePassed) {
  Stream stream = device.stream();
  std::vector<std::array<float, 2>> host(4);
  stream.launch(kernel, 4, right);
  stream.download(y, std::span(host));
  const auto done = stream.wait();
  ASSERT_TRUE(done) << done.error().describe();
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(host[i][0], 10.0f * static_cast<float>(i + 1) + 0.5f);
    EXPECT_EQ(host[i][1], 9.0f);
  }
}

TEST_F(AnyKernelLaunch, TooFewAndTooManyArgumentsAreCounted) {
  const Error few = refusal(std::span(right).first(5));
  EXPECT_EQ(few.code(), ErrorCode::invalid_argument);
  EXPECT_EQ(few.cause(), Cause::argument_count);
  EXPECT_EQ(few.message(), "[Kernel \"scale\"] takes 6 arguments, and 5 are passed.");
  EXPECT_NE(few.describe().find("launching [Kernel \"scale\"] in "), std::string::npos) << few.describe();
  right.push_back(x);
  EXPECT_EQ(refusal(right).message(), "[Kernel \"scale\"] takes 6 arguments, and 7 are passed.");
}

TEST_F(AnyKernelLaunch, ABufferIsNoValueAndAValueIsNoBuffer) {
  auto wrong = right;
  wrong[4] = x;
  const Error value = refusal(wrong);
  EXPECT_EQ(value.code(), ErrorCode::invalid_argument);
  EXPECT_EQ(value.cause(), Cause::argument_type);
  EXPECT_EQ(value.message(), "Argument 4 of [Kernel \"scale\"] is a value, and a buffer is passed.");
  wrong = right;
  wrong[2] = AnyArgument::value(1.0f);
  EXPECT_EQ(refusal(wrong).message(), "Argument 2 of [Kernel \"scale\"] is a buffer, and a value is passed.");
}

TEST_F(AnyKernelLaunch, AValueHasTheBytesThatTheTextDeclares) {
  auto wrong = right;
  wrong[1] = AnyArgument::value(0.5f);
  const Error error = refusal(wrong);
  EXPECT_EQ(error.cause(), Cause::argument_type);
  EXPECT_EQ(error.message(), "Argument 1 of [Kernel \"scale\"] has 8 bytes, and 4 are passed.");
  wrong = right;
  wrong[5] = AnyArgument::value(std::array<std::byte, 13>{});
  EXPECT_EQ(refusal(wrong).message(), "Argument 5 of [Kernel \"scale\"] has 12 bytes, and 13 are passed.");
}

// A part of an element would lie beyond the slice.
TEST_F(AnyKernelLaunch, ABufferHasWholeElements) {
  const Buffer<float> few = device.buffer<float>(4).value();
  right[3] = few;
  const Error error = refusal(right);
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_EQ(error.cause(), Cause::argument_type);
  EXPECT_EQ(
      error.message(),
      "Argument 3 of [Kernel \"scale\"] has elements of 12 bytes, and the 16 bytes that are passed are no "
      "whole number of them.");
}

TEST_F(AnyKernelLaunch, ARefusedLaunchIsReportedOnceAndNothingOfItIsDone) {
  Stream stream = device.stream();
  std::vector<std::array<float, 2>> host(4);
  stream.launch(kernel, 4, std::span<const AnyArgument>(right).first(1));
  EXPECT_FALSE(stream.wait());
  stream.download(y, std::span(host));
  EXPECT_TRUE(stream.wait());
  EXPECT_EQ(host[0][0], 0.0f);
}

TEST_F(AnyKernelLaunch, TheParametersAreToldAsTheTextDeclaresThem) {
  const std::vector<AnyParameter> all = kernel.parameters();
  const struct {
    std::string name, type;
    bool buffer, read, written;
    std::uint32_t size;
  } rows[] = {{"x", "f32", true, true, false, 4},   {"wide", "f64", false, false, false, 8},
              {"y", "f32x2", true, false, true, 8}, {"z", "", true, true, true, 12},
              {"a", "f32", false, false, false, 4}, {"s", "", false, false, false, 12}};
  ASSERT_EQ(all.size(), std::size(rows));
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    EXPECT_EQ(all[i].name, rows[i].name);
    EXPECT_EQ(all[i].type, rows[i].type) << rows[i].name;
    EXPECT_EQ(all[i].buffer, rows[i].buffer) << rows[i].name;
    EXPECT_EQ(all[i].read, rows[i].read) << rows[i].name;
    EXPECT_EQ(all[i].written, rows[i].written) << rows[i].name;
    EXPECT_EQ(all[i].size, rows[i].size) << rows[i].name;
  }
  EXPECT_EQ(kernel.name(), "scale");
  EXPECT_EQ(kernel.group().size, (std::array<std::uint32_t, 3>{32, 1, 1}));
}

TEST(AnyKernel, BuffersOverlapOnlyWhereTheTextSaysSo) {
  const Device device = Device::open("cpu").value();
  const auto buffer = device.upload(std::vector<std::uint32_t>{1, 2, 3, 4}).value();
  const auto launched = [&](const std::string& word) {
    const AnyKernel kernel = AnyKernel::parse("kernel k group(4, 1, 1) {\n  buffer x: u32 in" + word +
                                              "\n  buffer y: u32 inout" + word +
                                              "\n  %0: u32 = global_id 0\n  %1: u32 = load x[%0]\n"
                                              "  store y[%0], %1\n}\n")
                                 .value();
    Stream stream = device.stream();
    const AnyArgument arguments[] = {buffer, buffer};
    stream.launch(kernel, 4, arguments);
    return stream.wait().has_value();
  };
  EXPECT_TRUE(launched(" may_alias"));
  EXPECT_FALSE(launched(""));
}

TEST(AnyKernel, OneFromSourcesHasNoParametersToTell) {
  const auto source = KernelSource<Out<float>>("k").opencl("kernel void k(global float* x) {}").kernel();
  EXPECT_TRUE(AnyKernel(source).parameters().empty());
}

TEST(AnyKernel, TextThatIsNoKernelIsRefusedByLineAndByNode) {
  const auto unread =
      AnyKernel::parse("kernel k group(1, 1, 1) {\n  buffer x: u32 inout\n  %0: u32 = wrong 0\n}\n");
  ASSERT_FALSE(unread);
  EXPECT_NE(unread.error().message().find("ine 3"), std::string::npos) << unread.error().message();
  const auto wrong = AnyKernel::parse(
      "kernel k group(1, 1, 1) {\n  buffer x: u32 in\n  %0: u32 = constant 0\n  store x[%0], %0\n}\n");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message(),
            "Line 4 of the IR text: In [Kernel \"k\"], \"store x[%0], %0\": x is read only.");
}

}  // namespace
}  // namespace collet
#endif
