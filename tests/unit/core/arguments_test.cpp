// The signature that a kernel's declared arguments become: constants stand where a C++ struct has them.

#include "collet/arguments.hpp"

#include <gtest/gtest.h>

#include <cstddef>

#include "collet/kernel.hpp"
#include "core/kernel_state.hpp"

namespace collet {
namespace {

struct Vec3 {
  float x, y, z;
};
struct alignas(16) Vec4 {
  float x, y, z, w;
};

template <class... Args>
std::vector<std::uint32_t> offsets() {
  std::vector<std::uint32_t> found;
  for (const detail::Declared& one : detail::declare<Args...>()) {
    if (one.parameter.kind == backend::Parameter::Kind::constant) found.push_back(one.parameter.offset);
  }
  return found;
}

TEST(Arguments, ConstantsHaveTheOffsetsOfTheEquivalentStruct) {
  struct Equivalent {
    std::uint8_t a;
    double b;
    std::uint16_t c;
    Vec3 d;
    std::uint8_t e;
    Vec4 f;
    std::uint32_t g;
    std::uint64_t h;
  };
  EXPECT_EQ(
      (offsets<Value<std::uint8_t>, In<float>, Value<double>, Value<std::uint16_t>, Out<int>, Value<Vec3>,
               Value<std::uint8_t>, Value<Vec4>, Count, Value<std::uint64_t>>()),
      (std::vector<std::uint32_t>{offsetof(Equivalent, a), offsetof(Equivalent, b), offsetof(Equivalent, c),
                                  offsetof(Equivalent, d), offsetof(Equivalent, e), offsetof(Equivalent, f),
                                  offsetof(Equivalent, g), offsetof(Equivalent, h)}));
}

TEST(Arguments, BuffersTakeNoPlaceAmongTheConstants) {
  EXPECT_EQ((offsets<In<double>, Value<float>, Out<double>, Value<float>>()),
            (std::vector<std::uint32_t>{0, 4}));
}

TEST(Arguments, EachKindBecomesItsParameter) {
  const auto declared =
      detail::declare<In<float>, Out<Vec3>, InOut<std::uint8_t>, MayAlias<Out<double>>, Value<int>, CountY>();
  using Kind = backend::Parameter::Kind;
  using backend::Access;
  const std::array access{Access::read, Access::write, Access::read_write, Access::write};
  const std::array<std::uint32_t, 4> size{4, 12, 1, 8};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(declared[i].parameter.kind, Kind::buffer);
    EXPECT_EQ(declared[i].parameter.access, access[i]);
    EXPECT_EQ(declared[i].parameter.element_size, size[i]);
    EXPECT_EQ(declared[i].parameter.may_alias, i == 3);
    EXPECT_EQ(declared[i].counted, -1);
  }
  EXPECT_EQ(declared[4].parameter.kind, Kind::constant);
  EXPECT_EQ(declared[4].counted, -1);
  EXPECT_EQ(declared[5].parameter.kind, Kind::constant);
  EXPECT_EQ(declared[5].parameter.size, 4u);
  EXPECT_EQ(declared[5].counted, 1);
}

TEST(Arguments, ALaunchDoesNotPassCounts) {
  using Source = KernelSource<Count, In<float>, CountY, Value<int>, CountZ>;
  static_assert(std::is_same_v<Source::KernelType, Kernel<In<float>, Value<int>>>);
  static_assert(std::is_same_v<KernelSource<Count>::KernelType, Kernel<>>);
}

TEST(Arguments, TheBlockIsRoundedUpToFourBytes) {
  const auto kernel = KernelSource<In<int>, Value<std::uint16_t>, Value<std::uint8_t>>("k").kernel();
  EXPECT_EQ(kernel.state()->signature.constants_size, 4u);
  EXPECT_EQ(kernel.state()->signature.buffer_count, 1u);
  EXPECT_EQ(KernelSource<In<int>>("k").kernel().state()->signature.constants_size, 0u);
}

TEST(Arguments, TheCpuFunctionReadsThemFromTheSamePlaces) {
  bool called = false;
  const auto source =
      KernelSource<Value<std::uint8_t>, In<float>, Value<double>, Out<int>, Count>("k").group(2).cpu(
          [&called](const Workgroup& group, std::uint8_t a, std::span<const float> x, double b,
                    std::span<int> y, std::uint32_t count) {
            called = true;
            EXPECT_EQ(group.id(), 3u);
            EXPECT_EQ(a, 5);
            EXPECT_EQ(b, 2.5);
            EXPECT_EQ(count, 7u);
            EXPECT_EQ(x.size(), 2u);
            EXPECT_EQ(x[1], 8.0f);
            y[0] = 9;
          });
  struct {
    std::uint8_t a = 5;
    double b = 2.5;
    std::uint32_t count = 7;
  } block;
  float x[2] = {4, 8};
  int y[1] = {0};
  std::byte* const buffers[] = {reinterpret_cast<std::byte*>(x), reinterpret_cast<std::byte*>(y)};
  const std::uint64_t sizes[] = {sizeof x, sizeof y};
  const backend::HostGroup group{.id = {3, 0, 0},
                                 .count = {4, 1, 1},
                                 .size = {2, 1, 1},
                                 .extent = {7, 1, 1},
                                 .buffers = buffers,
                                 .buffer_sizes = sizes,
                                 .constants = reinterpret_cast<const std::byte*>(&block),
                                 .shared = nullptr};
  const auto kernel = source.kernel();
  kernel.state()->host.function(kernel.state()->host.closure.get(), group);
  EXPECT_TRUE(called);
  EXPECT_EQ(y[0], 9);
}

// The last group of 7 items in groups of 4 has 3.
TEST(Arguments, ForEachStopsAtTheElementCount) {
  const backend::HostGroup group{.id = {1, 0, 0},
                                 .count = {2, 1, 1},
                                 .size = {4, 2, 1},
                                 .extent = {7, 1, 1},
                                 .buffers = nullptr,
                                 .buffer_sizes = nullptr,
                                 .constants = nullptr,
                                 .shared = nullptr};
  std::vector<std::uint64_t> seen;
  Workgroup(group).for_each([&](const Item& item) {
    seen.push_back(item.x);
    EXPECT_EQ(item.y, 0u);
    EXPECT_EQ(item.local[0], item.x - 4);
  });
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{4, 5, 6}));
}

}  // namespace
}  // namespace collet
