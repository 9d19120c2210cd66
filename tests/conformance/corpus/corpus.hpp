// How a kernel of the corpus is written: run it, and compare what it wrote with plain C++.
//
//   CONFORMANCE_TEST(Corpus, Doubles) {
//     const auto doubled = kernel("doubled", [](In<uint32_t> x, Out<uint32_t> y) {
//       y[global_id()] = 2u * x[global_id()];
//     });
//     const Words x = pattern(1000);
//     const auto y = device.buffer<uint32_t>(1000).value();
//     if (!ran(device, doubled, 1000, device.upload(x).value(), y)) return;
//     expect_each(device, y, [&](std::size_t i) { return 2 * x[i]; });
//   }
//
// A kernel that needs what a device lacks is refused by name; corpus/refusals.cpp lists every such pair.
#pragma once

#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "conformance/conformance.hpp"
#include "conformance/corpus/tally.hpp"

namespace conformance {

using namespace collet;
using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::int8_t;

// True where the kernel was launched and has ended. False where the device refused it, or where something
// failed, which is then said.
template <class... Args>
bool ran(const Device& device, const Kernel<Args...>& kernel, const Grid& grid,
         const std::type_identity_t<Actual<Args>>&... arguments) {
  if (saves_kernels()) save_kernel(kernel.emit(Format::ir));
  if (const auto compiled = device.compile(kernel); !compiled) {
    note_refusal(device.info(), compiled.error());
    return false;
  }
  auto stream = device.stream();
  stream.launch(kernel, grid, arguments...);
  const auto done = stream.wait();
  EXPECT_TRUE(ok(done));
  note_execution(device.info());
  return done.has_value();
}

// Every element of `buffer` is what wanted(index) says. The first that is not is shown.
template <class T, class Wanted>
void expect_each(const Device& device, const Buffer<T>& buffer, const Wanted& wanted) {
  const std::vector<T> got = read(device, buffer);
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_EQ(got[i], static_cast<T>(wanted(i))) << "element " << i;
}

// The same within `bound`, relative to the wanted value or, below 1, absolute.
template <class T, class Wanted>
void expect_near(const Device& device, const Buffer<T>& buffer, double bound, const Wanted& wanted) {
  const std::vector<T> got = read(device, buffer);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double want = static_cast<double>(wanted(i));
    ASSERT_NEAR(static_cast<double>(got[i]), want, bound * std::max(1.0, std::abs(want))) << "element " << i;
  }
}

// All bit patterns alike; floats are between -1,000 and 1,000, and not 0.
template <class T>
std::vector<T> numbers(std::size_t count, uint32_t seed = 1) {
  std::vector<T> made(count);
  uint64_t state = 0x9e3779b97f4a7c15u * (seed + 1);
  for (T& one : made) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    if constexpr (std::is_floating_point_v<T>) {
      const auto whole = static_cast<int32_t>(state >> 44) - (1 << 19);
      one = (static_cast<T>(whole) + T{0.5}) / T{525};
    } else {
      one = static_cast<T>(state >> (64 - 8 * sizeof(T)));
    }
  }
  return made;
}

}  // namespace conformance
