// Indices out of range in kernels of the kernel language: a load gives 0, a store is dropped, an atomic
// operation does not happen and finds 0, and nothing outside the slice changes.

#include <array>
#include <cstring>

#include "conformance/conformance.hpp"

namespace conformance {
using namespace collet;

struct Tagged {
  float weight;
  uint8_t kind;
  uint16_t rank;
  float3 position;
};
COLLET_STRUCT(Tagged, weight, kind, rank, position)

namespace {

constexpr uint32_t kLength = 21;  // elements of a slice
constexpr uint32_t kZone = 512;   // elements before and behind it, so that slices begin where devices want

// Indices of which some are inside: the ends, those that wrap around to the beginning where they are
// multiplied by the size of an element, and those far away.
Words tried() {
  Words all;
  for (const uint32_t near :
       {0u, 1u, kLength - 1, kLength, kLength + 1, kLength + 2, kLength + 3, 2 * kLength}) {
    all.push_back(near);
    all.push_back(0u - near);
  }
  for (uint32_t bit = 8; bit < 32; ++bit) {
    for (const uint32_t more : {0u, 3u, kLength, 0u - 1u}) all.push_back((1u << bit) + more);
  }
  for (const uint32_t third : {0x55555555u, 0x55555556u, 0xaaaaaaabu, 0x0ccccccdu}) all.push_back(third);
  std::ranges::sort(all);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
  return all;
}

template <class T>
std::vector<T> filled(std::size_t count, uint8_t seed) {
  const auto bytes = byte_pattern(count * sizeof(T), seed);
  std::vector<T> values(count);
  std::memcpy(static_cast<void*>(values.data()), bytes.data(), bytes.size());
  return values;
}

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

// Floats from filled() may be NaN, whose bits a load and a store keep.
template <class T>
void expect_loads(Device& device, const char* type) {
  const auto load = kernel("load", [](In<T> x, In<uint32_t> at, Out<T> y) {
    const auto i = global_id();
    y[i] = x[at[i]];
  });
  const auto all = filled<T>(kZone + kLength + kZone, 3);
  const Words at = tried();
  const auto x = device.upload(all).value();
  const auto indices = device.upload(at).value();
  const auto y = device.upload(std::vector<T>(at.size(), all[5])).value();
  auto stream = device.stream();
  stream.launch(load, at.size(), x.slice(kZone, kLength), indices, y);
  ASSERT_OK(stream.wait());
  const auto got = read(device, y);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const T want = at[i] < kLength ? all[kZone + at[i]] : T{};
    ASSERT_EQ(std::memcmp(&got[i], &want, sizeof want), 0) << type << " at " << at[i];
  }
}

template <class T>
void expect_stores(Device& device, const char* type) {
  const auto store = kernel("store", [](InOut<T> x, In<uint32_t> at, In<T> y) {
    const auto i = global_id();
    x[at[i]] = y[i];
  });
  auto all = filled<T>(kZone + kLength + kZone, 7);
  const Words at = tried();
  const auto values = filled<T>(at.size(), 9);
  const auto x = device.upload(all).value();
  const auto indices = device.upload(at).value();
  const auto y = device.upload(values).value();
  auto stream = device.stream();
  stream.launch(store, at.size(), x.slice(kZone, kLength), indices, y);
  ASSERT_OK(stream.wait());
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] < kLength) all[kZone + at[i]] = values[i];
  }
  EXPECT_TRUE(same(read(device, x), all)) << type;
}

bool has_f64(const Device& device) { return device.info().f64.value_or(false); }

using byte3 = vec<uint8_t, 3>;
using short2 = vec<std::int16_t, 2>;

}  // namespace

CONFORMANCE_TEST(Index, LoadsBeyondASliceGiveZero) {
  expect_loads<uint8_t>(device, "u8");
  expect_loads<std::int16_t>(device, "i16");
  expect_loads<half>(device, "f16");
  expect_loads<uint32_t>(device, "u32");
  expect_loads<float>(device, "f32");
  expect_loads<uint64_t>(device, "u64");
  if (has_f64(device)) expect_loads<double>(device, "f64");
}

CONFORMANCE_TEST(Index, StoresBeyondASliceAreDropped) {
  expect_stores<uint8_t>(device, "u8");
  expect_stores<std::int16_t>(device, "i16");
  expect_stores<half>(device, "f16");
  expect_stores<uint32_t>(device, "u32");
  expect_stores<float>(device, "f32");
  expect_stores<uint64_t>(device, "u64");
  if (has_f64(device)) expect_stores<double>(device, "f64");
}

CONFORMANCE_TEST(Index, VectorsBeyondASliceAreZeroAndDropped) {
  expect_loads<byte3>(device, "u8x3");
  expect_loads<short2>(device, "i16x2");
  expect_loads<float3>(device, "f32x3");
  expect_loads<float4>(device, "f32x4");
  expect_stores<byte3>(device, "u8x3");
  expect_stores<short2>(device, "i16x2");
  expect_stores<float3>(device, "f32x3");
  expect_stores<float4>(device, "f32x4");
}

CONFORMANCE_TEST(Index, FieldsOfStructsBeyondASliceAreZeroAndDropped) {
  const auto move = kernel("move", [](In<Tagged> x, In<uint32_t> at, InOut<Tagged> y, Out<Tagged> z) {
    const auto i = global_id();
    z[i].weight = x[at[i]].weight;
    z[i].kind = x[at[i]].kind;
    z[i].rank = x[at[i]].rank;
    z[i].position = x[at[i]].position;
    y[at[i]].kind = std::uint8_t{200};
    y[at[i]].rank = std::uint16_t{40000};
    y[at[i]].position = float3{1, 2, 3};
  });
  const Words at = tried();
  const auto bytes = byte_pattern((kZone + kLength + kZone) * sizeof(Tagged));
  std::vector<Tagged> all(kZone + kLength + kZone);
  std::memcpy(static_cast<void*>(all.data()), bytes.data(), bytes.size());
  const auto x = device.upload(all).value();
  const auto y = device.upload(all).value();
  const auto indices = device.upload(at).value();
  const auto z = device.upload(std::vector<Tagged>(at.size(), all[0])).value();
  auto stream = device.stream();
  stream.launch(move, at.size(), x.slice(kZone, kLength), indices, y.slice(kZone, kLength), z);
  ASSERT_OK(stream.wait());
  const auto got = read(device, z);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const Tagged want = at[i] < kLength ? all[kZone + at[i]] : Tagged{};
    ASSERT_EQ(std::memcmp(&got[i].weight, &want.weight, 4), 0) << at[i];
    ASSERT_EQ(got[i].kind, want.kind) << at[i];
    ASSERT_EQ(got[i].rank, want.rank) << at[i];
    ASSERT_EQ(std::memcmp(&got[i].position, &want.position, 12), 0) << at[i];
  }
  for (const uint32_t index : at) {
    if (index >= kLength) continue;
    all[kZone + index].kind = 200;
    all[kZone + index].rank = 40000;
    all[kZone + index].position = {1, 2, 3};
  }
  EXPECT_TRUE(same(read(device, y), all));
}

namespace {

// Every atomic operation at an index of its own, each from the value 100.
template <class T>
void expect_atomics(Device& device) {
  constexpr uint32_t kOperations = 9;
  const auto touch = kernel("touch", [=](InOut<T> x, In<uint32_t> at, Out<T> found) {
    const auto i = global_id();
    const T value{5};
    for (uint32_t k = 0; k < kOperations; ++k) {
      const Var<uint32_t> index = at[i * kOperations + k];
      const Var<T> old = [&] {
        switch (k) {
          case 0: return atomic_add(x, index, value);
          case 1: return atomic_sub(x, index, value);
          case 2: return atomic_min(x, index, value);
          case 3: return atomic_max(x, index, value);
          case 4: return atomic_and(x, index, value);
          case 5: return atomic_or(x, index, value);
          case 6: return atomic_xor(x, index, value);
          case 7: return atomic_exchange(x, index, value);
          default: return atomic_compare_exchange(x, index, T{0}, value);
        }
      }();
      found[i * kOperations + k] = old;
    }
  });
  Words far = tried();
  std::erase_if(far, [](uint32_t index) { return index < kLength; });
  Words at;
  for (const uint32_t index : far) at.insert(at.end(), kOperations, index);
  for (uint32_t k = 0; k < kOperations; ++k) at.push_back(k);
  std::vector<T> all(kZone + kLength + kZone, T{100});
  const auto x = device.upload(all).value();
  const auto indices = device.upload(at).value();
  const auto found = device.upload(std::vector<T>(at.size(), T{77})).value();
  auto stream = device.stream();
  stream.launch(touch, at.size() / kOperations, x.slice(kZone, kLength), indices, found);
  ASSERT_OK(stream.wait());
  const std::array<T, kOperations> want{105, 95, 5, 100, 100 & 5, 100 | 5, 100 ^ 5, 5, 100};
  std::ranges::copy(want, all.begin() + kZone);
  EXPECT_EQ(read(device, x), all);
  std::vector<T> olds(far.size() * kOperations, T{0});
  olds.insert(olds.end(), kOperations, T{100});
  EXPECT_EQ(read(device, found), olds);
}

}  // namespace

CONFORMANCE_TEST(Index, AtomicOperationsBeyondASliceDoNotHappen) {
  expect_atomics<uint32_t>(device);
  expect_atomics<std::int32_t>(device);
  if (device.info().i64_atomics.value_or(false)) expect_atomics<uint64_t>(device);
}

namespace {

// An item stores and adds at its own index, behind which the whole array is read: by all items of a group, or
// by each its own.
template <class T, class Make>
void expect_arrays(Device& device, const Make& make, bool together, const char* type) {
  constexpr uint32_t kCount = 24;  // elements
  const auto use = kernel("use", [&](In<uint32_t> at, Out<T> loaded, Out<T> kept) {
                     const auto memory = make();
                     const auto local = local_id();
                     const auto i = global_id();
                     if (together) {
                       if_(local < kCount, [&] { memory[local] = cast<T>(local + 1u); });
                       barrier();
                     } else {
                       for_(0u, kCount, [&](auto k) { memory[k] = cast<T>(k + 1u); });
                     }
                     loaded[i] = memory[at[i]];
                     if (together) barrier();
                     if_(at[i] >= kCount, [&] { memory[at[i]] = T{99}; });
                     if (together) barrier();
                     for (uint32_t k = 0; k < kCount; ++k) kept[i * kCount + k] = memory[k];
                   }).with(group(64));
  Words at = tried();
  at.push_back(kCount);
  const auto indices = device.upload(at).value();
  const auto loaded = device.upload(std::vector<T>(at.size(), T{55})).value();
  const auto kept = device.buffer<T>(at.size() * kCount).value();
  auto stream = device.stream();
  stream.launch(use, at.size(), indices, loaded, kept);
  ASSERT_OK(stream.wait());
  const auto got = read(device, loaded);
  const auto whole = read(device, kept);
  for (std::size_t i = 0; i < at.size(); ++i) {
    ASSERT_EQ(got[i], at[i] < kCount ? static_cast<T>(at[i] + 1) : T{0}) << type << " at " << at[i];
    for (uint32_t k = 0; k < kCount; ++k)
      ASSERT_EQ(whole[i * kCount + k], static_cast<T>(k + 1)) << type << " at " << at[i];
  }
}

template <class T>
void expect_shared(Device& device, const char* type) {
  expect_arrays<T>(device, [] { return shared<T>(24); }, true, type);
}
template <class T>
void expect_own(Device& device, const char* type) {
  expect_arrays<T>(device, [] { return array<T>(24); }, false, type);
}

}  // namespace

CONFORMANCE_TEST(Index, SharedMemoryIsReachedInsideOnly) {
  expect_shared<uint32_t>(device, "u32");
  expect_shared<uint8_t>(device, "u8");
  expect_shared<std::int16_t>(device, "i16");
  expect_shared<float>(device, "f32");
  expect_shared<uint64_t>(device, "u64");
}

CONFORMANCE_TEST(Index, PrivateArraysAreReachedInsideOnly) {
  expect_own<uint32_t>(device, "u32");
  expect_own<uint8_t>(device, "u8");
  expect_own<std::int16_t>(device, "i16");
  expect_own<float>(device, "f32");
  expect_own<uint64_t>(device, "u64");
}

CONFORMANCE_TEST(Index, AtomicOperationsBeyondSharedMemoryDoNotHappen) {
  const auto count = kernel("count", [](In<uint32_t> at, Out<uint32_t> found, Out<uint32_t> sums) {
                       const auto part = shared<uint32_t>(4);
                       const auto local = local_id();
                       if_(local < 4u, [&] { part[local] = 1000u; });
                       barrier();
                       const Var<uint32_t> old = atomic_add(part, at[global_id()], 1u);
                       found[global_id()] = select(old >= 1000u, 1u, old);
                       barrier();
                       if_(local < 4u, [&] { sums[group_id() * 4u + local] = part[local]; });
                     }).with(group(64));
  Words at = tried();
  at.resize(at.size() / 64 * 64);
  const uint32_t groups_run = static_cast<uint32_t>(at.size()) / 64;
  const auto indices = device.upload(at).value();
  const auto found = device.upload(Words(at.size(), 7)).value();
  const auto sums = device.buffer<uint32_t>(groups_run * 4).value();
  auto stream = device.stream();
  stream.launch(count, groups(groups_run), indices, found, sums);
  ASSERT_OK(stream.wait());
  Words want(groups_run * 4, 1000);
  Words olds(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    olds[i] = at[i] < 4 ? 1 : 0;
    if (at[i] < 4) ++want[i / 64 * 4 + at[i]];
  }
  EXPECT_EQ(read(device, found), olds);
  EXPECT_EQ(read(device, sums), want);
}

// Three neighbours of one buffer, bound to one launch of far more items than they have elements.
CONFORMANCE_TEST(Index, NeighboursOfASliceStayAsTheyWere) {
  const auto add = kernel("add", [](In<uint32_t> x, In<uint32_t> y, Out<uint32_t> sums) {
    const auto i = global_id();
    sums[i] = x[i] + y[i] + 1u;
  });
  constexpr uint32_t kFew = 10;
  Words all = pattern(3 * kZone);
  const auto buffer = device.upload(all).value();
  auto stream = device.stream();
  stream.launch(add, 1000, buffer.slice(0, kFew), buffer.slice(kZone, kFew), buffer.slice(2 * kZone, kFew));
  ASSERT_OK(stream.wait());
  for (uint32_t i = 0; i < kFew; ++i) all[2 * kZone + i] = all[i] + all[kZone + i] + 1;
  EXPECT_EQ(read(device, buffer), all);
}

// What stands behind an access runs though its index is out of range, barriers too.
CONFORMANCE_TEST(Index, AnItemGoesOnBehindAnIndexOutOfRange) {
  const auto walk = kernel("walk", [](In<uint32_t> x, InOut<uint32_t> y, Value<uint32_t> step) {
                      const auto i = global_id();
                      const auto local = local_id();
                      const auto part = shared<uint32_t>(64);
                      part[local] = 0u;
                      barrier();
                      Var<uint32_t> sum = 0u;
                      for_(0u, 10u, [&](auto k) {
                        part[local * step] = x[i * step + k];
                        barrier();
                        sum += part[(local + k) % 64u] + 1u;
                        barrier();
                        if_(sum % 3u == 0u, [&] { y[i * step] = sum; });
                      });
                      y[i] = sum;
                    }).with(group(64));
  const Words x = counting(100, 1);
  // The second is far away but for every 16th item, whose index wraps around to its own.
  for (const uint32_t step : {1u, 0x10000001u}) {
    const auto dx = device.upload(x).value();
    const auto dy = device.upload(Words(128, 7)).value();
    auto stream = device.stream();
    stream.launch(walk, groups(2), dx, dy, step);
    ASSERT_OK(stream.wait());
    const Words got = read(device, dy);
    for (uint32_t i = 0; i < 128; ++i) {
      Words part(64, 0);
      uint32_t sum = 0;
      for (uint32_t k = 0; k < 10; ++k) {
        for (uint32_t local = 0; local < 64; ++local) {
          const uint32_t from = (i / 64 * 64 + local) * step + k;
          if (local * step < 64) part[local * step] = from < 100 ? x[from] : 0;
        }
        sum += part[(i % 64 + k) % 64] + 1;
      }
      ASSERT_EQ(got[i], sum) << i << " by " << step;
    }
  }
}

// One kernel, launched with arguments that keep every index inside and with others, in turns. The width is
// what the caller says it is; no two items store to one place, which would be a race of the kernel.
CONFORMANCE_TEST(Index, LaunchesInAndOutOfRangeTakeTurns) {
  const auto blur =
      kernel("blur", [](In<uint32_t> from, Out<uint32_t> to, Value<uint32_t> width, Value<uint32_t> height) {
        const auto x = global_id(0);
        const auto y = global_id(1);
        const auto at = y * width + x;
        Var<uint32_t> cell = from[at];
        if_(x > 0u && x + 1u < width && y > 0u && y + 1u < height,
            [&] { cell += from[at - 1u] + from[at + 1u] + from[at - width] + from[at + width]; });
        for_(0u, width, [&](auto k) { cell += from[y * width + k]; });
        to[at] = cell;
      }).with(group(8, 8));
  constexpr uint32_t kWidth = 19;
  constexpr uint32_t kHeight = 13;
  constexpr uint32_t kCells = kWidth * kHeight;
  const Words cells = pattern(kZone + kCells + kZone);
  const auto from = device.upload(cells).value();
  struct Call {
    uint32_t columns, rows;  // of the grid
    uint32_t width, height;  // as they are passed
    uint32_t length;         // of the slices
  };
  for (const Call& call :
       {Call{kWidth, kHeight, kWidth, kHeight, kCells}, Call{kWidth, 64, kWidth, kHeight, kCells},
        Call{64, 64, 64, kHeight, kCells}, Call{kWidth, kHeight, kWidth, kHeight, kCells - 1},
        Call{kWidth, kHeight, 40, 40, kCells}, Call{kWidth, 1, 0, 0, kCells},
        Call{kWidth, kHeight, kWidth, kHeight, kCells}}) {
    Words want = pattern(kZone + kCells + kZone, 5);
    const auto to = device.upload(want).value();
    auto stream = device.stream();
    stream.launch(blur, elements(call.columns, call.rows), from.slice(kZone, call.length),
                  to.slice(kZone, call.length), call.width, call.height);
    ASSERT_OK(stream.wait());
    const auto cell = [&](uint32_t index) { return index < call.length ? cells[kZone + index] : 0; };
    for (uint32_t y = 0; y < call.rows; ++y) {
      for (uint32_t x = 0; x < call.columns; ++x) {
        const uint32_t at = y * call.width + x;
        uint32_t sum = cell(at);
        if (x > 0 && x + 1 < call.width && y > 0 && y + 1 < call.height)
          sum += cell(at - 1) + cell(at + 1) + cell(at - call.width) + cell(at + call.width);
        for (uint32_t k = 0; k < call.width; ++k) sum += cell(y * call.width + k);
        if (at < call.length) want[kZone + at] = sum;
      }
    }
    ASSERT_EQ(read(device, to), want)
        << call.columns << " columns, width " << call.width << ", " << call.length;
  }
}

// Emitted code takes the counts and lengths that it compares with behind the kernel's own scalars.
CONFORMANCE_TEST(Index, ScalarsThatLeaveNoRoomForLengthsAreRefused) {
  const uint32_t most = caps(device).max_constants_size;
  const auto launched = [&](uint32_t bytes) {
    const auto kernel =
        AnyKernel::parse("kernel k group(64, 1, 1) {\n  buffer x: u8 inout\n  value s: bytes(" +
                         std::to_string(bytes) +
                         ", 4)\n  %0: u32 = global_id 0\n  %1: u8 = load x[%0]\n  store x[%0], %1\n}\n")
            .value();
    const auto x = device.buffer<uint8_t>(64).value();
    const std::vector<std::byte> scalars(bytes);
    const AnyArgument arguments[] = {x, AnyArgument::value(std::span(scalars))};
    auto stream = device.stream();
    stream.launch(kernel, 100, arguments);
    return stream.wait();
  };
  EXPECT_OK(launched(most - 32));
  if (takes(device, Format::ir)) {
    EXPECT_OK(launched(most));
  } else {
    expect_error(launched(most), ErrorCode::unsupported,
                 {"[Kernel \"k\"] has ", " bytes of scalars with the counts and lengths that Collet adds"});
  }
}

}  // namespace conformance
