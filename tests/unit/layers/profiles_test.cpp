// Simulated devices with the rules of an API: what the API asks for is kept to, and what a program asks for
// works or is refused by name.

#include <gtest/gtest.h>

#include <atomic>
#include <collet_backends.hpp>
#include <numeric>
#include <random>

#include "backends/null/device.hpp"
#include "collet/collet.hpp"
#include "core/device_state.hpp"
#include "layers/forwarding.hpp"
#include "layers/limited.hpp"
#include "layers/limits.hpp"
#include "layers/rules.hpp"
#include "unit/variables.hpp"

#if COLLET_HAS_CPU
namespace collet {
namespace {

using test::Variables;

class Profiles : public testing::TestWithParam<const char*> {
 protected:
  const std::string fake_ = std::string("profile=") + GetParam();
  const Variables variables_{{"COLLET_FAKE", fake_.c_str()}, {"COLLET_STRICT", nullptr}};
  const Device device_ = Device::open("simulated").value();
};
INSTANTIATE_TEST_SUITE_P(, Profiles, testing::Values("discrete", "webgpu", "opengl"),
                         [](const auto& one) { return std::string(one.param); });

// A buffer and what must be in it.
template <class T>
struct Mirrored {
  explicit Mirrored(const Device& device, std::size_t count)
      : expected(count), buffer(device.buffer<T>(count).value()) {}
  std::vector<T> expected;
  Buffer<T> buffer;
};

template <class T>
void move_at_random(const Device& device, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
  };
  std::array<Mirrored<T>, 2> two{Mirrored<T>(device, 101), Mirrored<T>(device, 64)};
  Stream stream = device.stream();
  for (int step = 0; step < 200; ++step) {
    Mirrored<T>& one = two[below(2)];
    Mirrored<T>& other = two[below(2)];
    const std::size_t first = below(one.expected.size());
    const std::size_t count = 1 + below(one.expected.size() - first);
    const auto begin = one.expected.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    switch (below(5)) {
      case 0:
      case 1: {
        std::vector<T> bytes(count);
        for (T& byte : bytes) byte = static_cast<T>(random());
        std::copy(bytes.begin(), bytes.end(), begin);
        if (step % 2 == 0) {
          stream.upload(bytes, one.buffer.slice(first, count));
        } else {
          stream.upload_borrowed(std::span<const T>(bytes), one.buffer.slice(first, count));
          ASSERT_TRUE(stream.wait());
        }
        break;
      }
      case 2: {
        const auto value = static_cast<T>(random());
        std::fill(begin, end, value);
        stream.fill(one.buffer.slice(first, count), value);
        break;
      }
      case 3: {
        if (&one == &other || other.expected.size() < count) break;
        const std::size_t to = below(other.expected.size() - count + 1);
        std::copy(begin, end, other.expected.begin() + static_cast<std::ptrdiff_t>(to));
        stream.copy(one.buffer.slice(first, count), other.buffer.slice(to, count));
        break;
      }
      default: {
        std::vector<T> bytes(count);
        stream.download(one.buffer.slice(first, count), std::span(bytes));
        const auto done = stream.wait();
        ASSERT_TRUE(done) << done.error().describe();
        ASSERT_EQ(bytes, std::vector<T>(begin, end)) << "seed " << seed << ", step " << step;
      }
    }
  }
  for (const Mirrored<T>& one : two) {
    std::vector<T> bytes(one.expected.size());
    stream.download(one.buffer, std::span(bytes));
    const auto done = stream.wait();
    ASSERT_TRUE(done) << done.error().describe();
    EXPECT_EQ(bytes, one.expected) << "seed " << seed;
  }
}

TEST_P(Profiles, BytesMoveFromAndToAnyPlace) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) move_at_random<std::uint8_t>(device_, seed);
}

TEST_P(Profiles, PairsOfBytesMoveFromAndToAnyPlace) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) move_at_random<std::uint16_t>(device_, seed);
}

TEST_P(Profiles, ABufferIsMadeOfAnyNumberOfBytes) {
  for (std::size_t size = 1; size < 70; ++size) {
    std::vector<std::uint8_t> bytes(size);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
    const auto buffer = device_.upload(bytes);
    ASSERT_TRUE(buffer) << buffer.error().describe();
    std::vector<std::uint8_t> read(size);
    Stream stream = device_.stream();
    stream.download(*buffer, std::span(read));
    const auto done = stream.wait();
    ASSERT_TRUE(done) << done.error().describe();
    EXPECT_EQ(read, bytes);
  }
}

// A large one goes through staging memory in pieces.
TEST_P(Profiles, ABufferIsMadeOfManyBytes) {
  std::vector<std::uint8_t> bytes((33u << 20) + 5);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 2654435761u >> 24);
  const auto buffer = device_.upload(bytes);
  ASSERT_TRUE(buffer) << buffer.error().describe();
  std::vector<std::uint8_t> read(bytes.size());
  Stream stream = device_.stream();
  stream.download(*buffer, std::span(read));
  ASSERT_TRUE(stream.wait());
  EXPECT_TRUE(read == bytes);
}

// The length is that of the slice, however bindings are rounded.
TEST_P(Profiles, AKernelSeesTheExactLengthOfASlice) {
  const auto lengths = kernel(
      "lengths", [](In<std::uint8_t> bytes, Out<std::uint32_t> out) { out[global_id()] = bytes.size(); });
  const auto bytes = device_.buffer<std::uint8_t>(13).value();
  const auto out = device_.buffer<std::uint32_t>(1).value();
  Stream stream = device_.stream();
  stream.launch(lengths, 1, bytes.slice(0, 7), out);
  std::vector<std::uint32_t> read(1);
  stream.download(out, std::span(read));
  const auto done = stream.wait();
  ASSERT_TRUE(done) << done.error().describe();
  EXPECT_EQ(read[0], 7u);
}

TEST_P(Profiles, ReceiptsDoNotTellOfLaunchesThatNobodyAskedFor) {
  const auto bytes = device_.buffer<std::uint8_t>(64).value();
  Stream stream = device_.stream();
  stream.fill(bytes.slice(3, 6), std::uint8_t{7});
  const auto receipt = stream.wait();
  ASSERT_TRUE(receipt) << receipt.error().describe();
  EXPECT_EQ(receipt->launch_count, 0u);
  EXPECT_EQ(receipt->copied_bytes, 6u);
}

// Also where the device would copy them by a kernel.
TEST_P(Profiles, AStreamForTransfersTakesAnyBytes) {
  const std::vector<std::uint8_t> bytes{1, 2, 3};
  const auto buffer = device_.buffer<std::uint8_t>(9).value();
  Stream stream = device_.stream({.label = {}, .transfer_only = true});
  stream.upload(bytes, buffer.slice(1, 3));
  std::vector<std::uint8_t> read(9);
  stream.download(buffer, std::span(read));
  const auto done = stream.wait();
  ASSERT_TRUE(done) << done.error().describe();
  EXPECT_EQ(read, (std::vector<std::uint8_t>{0, 1, 2, 3, 0, 0, 0, 0, 0}));
}

TEST(ProfileOfWebGpu, RefusesABufferThatIsReadAndWrittenByTwoArguments) {
  const Variables variables{{"COLLET_FAKE", "profile=webgpu"}, {"COLLET_STRICT", nullptr}};
  const Device device = Device::open("simulated").value();
  const auto copy = kernel(
      "copy", [](In<std::uint32_t> from, Out<std::uint32_t> to) { to[global_id()] = from[global_id()]; });
  const auto both = device.buffer<std::uint32_t>(128, {.label = "both"}).value();
  const auto other = device.buffer<std::uint32_t>(64).value();
  Stream stream = device.stream();
  stream.launch(copy, 64, both.slice(0, 64), other);
  EXPECT_TRUE(stream.wait());
  stream.launch(copy, 64, both.slice(0, 64), both.slice(64, 64));
  const auto done = stream.wait();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code(), ErrorCode::unsupported);
  EXPECT_EQ(
      done.error().message(),
      "Arguments 0 (bytes 0-256) and 1 (bytes 256-512) of [Kernel \"copy\"] are parts of [Buffer "
      "\"both\"], and "
      "only one of them is written; Simulated webgpu device (runs on the CPU backend) takes no such pair.");
}

TEST(ProfileOfWebGpu, HasNoTypesOf64Bits) {
  const Variables variables{{"COLLET_FAKE", "profile=webgpu"}, {"COLLET_STRICT", nullptr}};
  const Device device = Device::open("simulated").value();
  const auto refusal = [&](const auto& kernel) {
    const auto compiled = device.compile(kernel);
    return compiled ? std::string("accepted") : compiled.error().message();
  };
  const std::string lacks = ", which Simulated webgpu device (runs on the CPU backend) lacks.";
  EXPECT_EQ(refusal(kernel("doubles", [](Out<double> to) { to[global_id()] = 1; })),
            "[Kernel \"doubles\"] needs 64-bit floats" + lacks);
  // Without atomic operations they would be emulated.
  const auto counted =
      kernel("counted", [](InOut<std::uint64_t> to) { (void)atomic_add(to, 0u, std::uint64_t{1}); });
  EXPECT_EQ(refusal(counted), "[Kernel \"counted\"] needs 64-bit integers" + lacks);
}

class CountingDevice final : public layers::ForwardingDevice {
 public:
  CountingDevice(std::unique_ptr<backend::Device> inside, std::atomic<int>& queues)
      : ForwardingDevice(std::move(inside)), queues_(queues) {
    limits.host_commands = false;
  }
  // The host reaches no memory of the device's own.
  Result<backend::Allocation> create_memory(const backend::MemoryDesc& desc) override {
    auto made = ForwardingDevice::create_memory(desc);
    if (made && desc.placement == backend::Placement::device) made->host = nullptr;
    return made;
  }
  Result<backend::Queue> create_queue(backend::QueueKind kind, std::string_view label) override {
    ++queues_;
    return ForwardingDevice::create_queue(kind, label);
  }

 private:
  std::atomic<int>& queues_;
};

TEST(ProfileOfDiscrete, AThousandUploadsMakeNoStream) {
  std::atomic<int> queues{0};
  const Device device(detail::Ref(new detail::DeviceState(
      std::make_unique<CountingDevice>(std::make_unique<backend::null::NullDevice>(), queues), {})));
  const std::vector<std::uint8_t> bytes(4096, 1);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(device.upload(bytes));
  EXPECT_EQ(queues, 1) << "the initialiser's is the only one";
}

TEST(Limits, MemoryThatTheHostCannotReachHasNoPointer) {
  const auto host_of = [](const char* limits, backend::Placement placement) {
    layers::LimitedDevice device(std::make_unique<backend::null::NullDevice>(), {},
                                 layers::parse_limits(limits).value());
    const auto made = device.create_memory({.size = 64, .placement = placement, .label = {}}).value();
    device.destroy_memory(made.memory);
    return made.host;
  };
  EXPECT_EQ(host_of("profile=discrete", backend::Placement::device), nullptr);
  EXPECT_NE(host_of("profile=discrete", backend::Placement::upload), nullptr);
  EXPECT_NE(host_of("memory=1G", backend::Placement::device), nullptr);
}

TEST(Limits, AProfileIsSetByItsNameAndChangedByWhatFollows) {
  const auto limits = layers::parse_limits("profile=webgpu,buffers=10").value();
  EXPECT_EQ(limits.profile.name, "webgpu");
  EXPECT_EQ(limits.profile.copy_alignment, 4u);
  EXPECT_EQ(limits.profile.offset_alignment, 256u);
  EXPECT_FALSE(limits.profile.mixed_access);
  EXPECT_EQ(limits.buffers, 10u);
  EXPECT_EQ(layers::parse_limits("profile=opengl").value().buffers, 16u);
  EXPECT_FALSE(layers::parse_limits("profile=discrete").value().profile.mapped_device);
  EXPECT_EQ(layers::parse_limits("profile=webgp").error().message(),
            "There is no profile called \"webgp\"; did you mean \"webgpu\"?");
  EXPECT_EQ(layers::parse_limits("profile=cuda").error().message(), "There is no profile called \"cuda\".");
}

// Each rule, broken once.
TEST(Rules, WhatBreaksOneIsNamed) {
  backend::Caps caps;
  caps.max_bindings = 2;
  caps.max_binding_range = 1024;
  caps.max_constants_size = 8;
  caps.max_groups = {4, 4, 4};
  caps.copy_alignment = 4;
  caps.offset_alignment = 16;
  caps.mixed_access = false;
  caps.host_commands = false;
  const auto kept = [&](const auto& what) {
    return layers::check_rules({.what = what, .ordered = true}, caps).has_value();
  };
  using backend::Access;
  using backend::Slice;
  const auto slice = [](std::uint64_t offset, std::uint64_t size, std::uintptr_t memory = 1,
                        Access access = Access::read) { return Slice{{memory}, offset, size, access}; };
  EXPECT_TRUE(kept(backend::Copy{slice(0, 4), slice(4, 4)}));
  EXPECT_TRUE(kept(backend::Copy{slice(0, 4), slice(0, 4, 2)}));
  EXPECT_FALSE(kept(backend::Copy{slice(0, 4), slice(0, 4)}));
  EXPECT_FALSE(kept(backend::Copy{slice(0, 4), slice(8, 8)}));
  EXPECT_FALSE(kept(backend::Copy{slice(2, 4), slice(8, 4)}));
  EXPECT_FALSE(kept(backend::Copy{slice(0, 4), slice(9, 4)}));
  EXPECT_FALSE(kept(backend::Copy{slice(0, 5), slice(8, 5)}));
  EXPECT_FALSE(kept(backend::Copy{slice(0, 0), slice(8, 0)}));
  EXPECT_TRUE(kept(backend::Fill{slice(4, 8), 0}));
  EXPECT_FALSE(kept(backend::Fill{slice(2, 8), 0}));
  EXPECT_FALSE(kept(backend::Fill{slice(4, 6), 0}));
  EXPECT_FALSE(kept(backend::Fill{slice(4, 0), 0}));
  EXPECT_FALSE(kept(backend::Write{nullptr, slice(0, 4)}));
  EXPECT_FALSE(kept(backend::Read{slice(0, 4), nullptr}));
  caps.host_commands = true;
  EXPECT_TRUE(kept(backend::Write{nullptr, slice(0, 4)}));
  EXPECT_TRUE(kept(backend::Read{slice(0, 4), nullptr}));
  EXPECT_FALSE(kept(backend::Write{nullptr, slice(0, 3)}));
  EXPECT_FALSE(kept(backend::Read{slice(1, 4), nullptr}));

  std::vector<Slice> slices{slice(0, 1024), slice(16, 5)};
  const std::array<std::byte, 9> constants{};
  const auto dispatch = [&](std::array<std::uint32_t, 3> groups, std::size_t constant_bytes) {
    return backend::Dispatch{.kernel = {},
                             .groups = groups,
                             .extent = {},
                             .slices = slices,
                             .constants = std::span(constants).first(constant_bytes),
                             .label = {}};
  };
  EXPECT_TRUE(kept(dispatch({4, 4, 4}, 8)));
  EXPECT_FALSE(kept(dispatch({4, 4, 4}, 9)));
  EXPECT_FALSE(kept(dispatch({5, 1, 1}, 0)));
  EXPECT_FALSE(kept(dispatch({1, 5, 1}, 0)));
  EXPECT_FALSE(kept(dispatch({1, 1, 5}, 0)));
  EXPECT_FALSE(kept(dispatch({1, 1, 0}, 0)));
  for (const Slice& wrong : {slice(8, 4), slice(0, 0), slice(0, 1025), slice(0, 4, 1, Access::write)}) {
    slices[1] = wrong;
    EXPECT_FALSE(kept(dispatch({1, 1, 1}, 0))) << wrong.offset << " " << wrong.size;
  }
  slices[1] = slice(0, 4, 2, Access::write);
  EXPECT_TRUE(kept(dispatch({1, 1, 1}, 0)));
  slices.push_back(slice(0, 4, 3));
  EXPECT_FALSE(kept(dispatch({1, 1, 1}, 0)));
}

}  // namespace
}  // namespace collet
#endif
