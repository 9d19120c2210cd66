// What a device takes: the last kernel and launch that are accepted, and the first that are refused, with the
// figures.

#include <gtest/gtest.h>

#include <collet_backends.hpp>
#include <functional>

#include "collet/collet.hpp"
#include "core/device_state.hpp"
#include "layers/forwarding.hpp"

#if COLLET_HAS_CPU
#include "backends/cpu/backend.hpp"

namespace collet {
namespace {

constexpr std::string_view kAccepted = "accepted";

Device limited(const std::function<void(backend::Caps&)>& change) {
  auto native = std::make_unique<layers::ForwardingDevice>(backend::cpu::make_backend()->open(0, {}).value());
  change(native->limits);
  return Device(detail::Ref(new detail::DeviceState(std::move(native), {})));
}

template <class... Args>
std::string said(const Device& device, const KernelSource<Args...>& source) {
  const auto compiled = device.compile(source.kernel());
  return compiled ? std::string(kAccepted) : compiled.error().message();
}

template <class... Args>
KernelSource<Args...> nothing(const std::string& name = "k") {
  return KernelSource<Args...>(name).group(1).cpu([](const Workgroup&, auto&&...) {});
}

std::string refused(const Device& device, const std::string& what, std::uint64_t asked, std::uint64_t most) {
  return "[Kernel \"k\"] has " + std::to_string(asked) + " " + what + "; " + device.info().name +
         " takes at most " + std::to_string(most) + ".";
}

TEST(LaunchLimits, OfAKernelAreExact) {
  const Device device = limited([](backend::Caps& caps) {
    caps.max_bindings = 2;
    caps.max_constants_size = 8;
    caps.max_shared_bytes = 100;
    caps.max_group_size = {8, 4, 2};
    caps.max_group_items = 16;
  });
  using One = Out<float>;
  EXPECT_EQ(said(device, nothing<One, One>()), kAccepted);
  EXPECT_EQ(said(device, nothing<One, One, One>()), refused(device, "buffers", 3, 2));
  EXPECT_EQ(said(device, nothing<One, Value<double>>()), kAccepted);
  EXPECT_EQ(said(device, nothing<One, Value<double>, Value<char>>()),
            refused(device, "bytes of scalars", 12, 8));
  EXPECT_EQ(said(device, nothing<One>().shared_bytes(100)), kAccepted);
  EXPECT_EQ(said(device, nothing<One>().shared_bytes(101)),
            refused(device, "bytes of shared memory", 101, 100));
  EXPECT_EQ(said(device, nothing<One>().group(8, 2)), kAccepted);
  EXPECT_EQ(said(device, nothing<One>().group(9)), refused(device, "items per group in dimension 0", 9, 8));
  EXPECT_EQ(said(device, nothing<One>().group(1, 5)),
            refused(device, "items per group in dimension 1", 5, 4));
  EXPECT_EQ(said(device, nothing<One>().group(1, 1, 3)),
            refused(device, "items per group in dimension 2", 3, 2));
  EXPECT_EQ(said(device, nothing<One>().group(8, 3)), refused(device, "items per group", 24, 16));
  EXPECT_EQ(said(device, nothing<One>().group(1, 0)), "[Kernel \"k\"] has a group size of 0 in dimension 1.");
  EXPECT_EQ(said(device, nothing<Value<int>>()), "[Kernel \"k\"] takes no buffer, so it can have no effect.");
}

// Both that a kernel of the kernel language declares and that uniform() takes on targets that have none.
TEST(LaunchLimits, OfSharedMemoryHoldForTheKernelLanguage) {
  const auto sums = [](std::uint64_t count) {
    return kernel("k", [=](Out<float> out) {
      const auto part = shared<float>(count);
      part[local_id()] = 1.0f;
      barrier();
      out[global_id()] = part[0u];
    });
  };
  const Device device = limited([](backend::Caps& caps) { caps.max_shared_bytes = 100; });
  EXPECT_TRUE(device.compile(sums(25)));
  const auto refused_one = device.compile(sums(26));
  ASSERT_FALSE(refused_one);
  EXPECT_EQ(refused_one.error().message(), refused(device, "bytes of shared memory", 104, 100));
  EXPECT_EQ(refused_one.error().code(), ErrorCode::unsupported);
  EXPECT_EQ(refused_one.error().cause(), Cause::shared_memory_unsupported);
  EXPECT_FALSE(refused_one.error().hint().empty());
}

TEST(LaunchLimits, OfAGridAreNamedWithItsSizes) {
  const Device device = limited([](backend::Caps& caps) { caps.max_groups = {9, 5, 9}; });
  const auto x = device.buffer<float>(1000).value();
  Stream stream = device.stream();
  stream.launch(nothing<Out<float>>().kernel(), groups(3, 6, 2), x);
  const auto receipt = stream.wait();
  ASSERT_FALSE(receipt);
  EXPECT_EQ(receipt.error().message(), "The grid 3x6x2 of [Kernel \"k\"] needs 6 groups in dimension 1; " +
                                           device.info().name + " runs at most 5.");
}

class LaunchLimitsOfBuffers : public testing::Test {
 protected:
  std::string launched(const View<std::byte>& x) {
    Stream stream = device.stream();
    stream.launch(kernel, 1, x);
    const auto done = stream.wait();
    return done ? std::string(kAccepted) : done.error().message();
  }

  Device device = limited([](backend::Caps& caps) {
    caps.max_binding_range = 1000;
    caps.offset_alignment = 16;
  });
  Kernel<In<std::byte>> kernel = nothing<In<std::byte>>().kernel();
  Buffer<std::byte> buffer = device.buffer<std::byte>(2000).value();
};

TEST_F(LaunchLimitsOfBuffers, AreExact) {
  EXPECT_EQ(launched(buffer.slice(0, 1000)), kAccepted);
  EXPECT_NE(launched(buffer.slice(0, 1001)).find("has 1001 bytes; "), std::string::npos);
  EXPECT_NE(launched(buffer.slice(0, 1001)).find("at most 1000 bytes of a buffer."), std::string::npos);
  EXPECT_EQ(launched(buffer.slice(16, 1)), kAccepted);
  EXPECT_NE(launched(buffer.slice(17, 1)).find("begins at a byte that is no multiple of 16"),
            std::string::npos);
  EXPECT_NE(launched(buffer.slice(8, 1)).find("(bytes 8-9 of "), std::string::npos);
  EXPECT_NE(launched(buffer.slice(0, 0)).find("is empty, but the launch is not."), std::string::npos);
}

TEST(LaunchLimits, OfAGridAreExact) {
  const Device device = limited([](backend::Caps& caps) { caps.max_groups = {4, 3, 2}; });
  const auto buffer = device.buffer<std::uint32_t>(1).value();
  const auto kernel = nothing<Out<std::uint32_t>, Count>().group(2, 2, 2).kernel();
  const auto fits = [&](const Grid& grid) {
    Stream stream = device.stream();
    stream.launch(kernel, grid, buffer);
    const auto done = stream.wait();
    if (!done) {
      EXPECT_EQ(done.error().code(), ErrorCode::unsupported) << done.error().message();
    }
    return done.has_value();
  };
  EXPECT_TRUE(fits(elements(8, 6, 4)));
  EXPECT_TRUE(fits(elements(7, 5, 3)));
  EXPECT_FALSE(fits(elements(9, 6, 4)));
  EXPECT_FALSE(fits(elements(8, 7, 4)));
  EXPECT_FALSE(fits(elements(8, 6, 5)));
}

TEST(LaunchLimits, ATracedKernelGoesBeyondThemInParts) {
  const Device device = limited([](backend::Caps& caps) { caps.max_groups = {3, 2, 1}; });
  const auto mark = kernel("mark", [](InOut<std::uint32_t> out) {
                      const auto at = (global_id(2) * 7u + global_id(1)) * 15u + global_id(0);
                      out[at] = out[at] + group_id(0) + 100u * group_id(1) + 10'000u * group_count(0) +
                                1'000'000u * group_id(2) + 10'000'000u * group_count(2);
                    }).with(group(2, 2, 2));
  const auto buffer = device.buffer<std::uint32_t>(15 * 7 * 5).value();
  std::vector<std::uint32_t> host(15 * 7 * 5);
  Stream stream = device.stream();
  stream.launch(mark, elements(15, 7, 5), buffer);
  stream.download(buffer, std::span(host));
  const auto done = stream.wait();
  ASSERT_TRUE(done) << done.error().describe();
  for (std::uint32_t z = 0; z < 5; ++z) {
    for (std::uint32_t y = 0; y < 7; ++y) {
      for (std::uint32_t x = 0; x < 15; ++x) {
        EXPECT_EQ(host[(z * 7 + y) * 15 + x],
                  x / 2 + 100 * (y / 2) + 10'000 * 8 + 1'000'000 * (z / 2) + 10'000'000 * 3)
            << x << " " << y << " " << z;
      }
    }
  }
}

}  // namespace
}  // namespace collet
#endif
