// Kernels that the tool has built in and that collet-bench measures, in the kernel language.
#pragma once

#include <collet/collet.hpp>

namespace collet::built_in {

inline auto vector_add() {
  return kernel("vector_add", [](In<float> a, In<float> b, Out<float> sum) {
    const auto i = global_id();
    sum[i] = a[i] + b[i];
  });
}

inline auto saxpy() {
  return kernel("saxpy", [](In<float> x, InOut<float> y, Value<float> a) {
    const auto i = global_id();
    y[i] = a * x[i] + y[i];
  });
}

// A sum per group of 256.
inline auto reduce_sum() {
  return kernel("reduce_sum",
                [](In<float> x, Out<float> sums) {
                  const auto local = local_id();
                  const auto part = shared<float>(256);
                  part[local] = x[global_id()];
                  barrier();
                  for (std::uint32_t step = 128; step != 0; step /= 2) {
                    if_(local < step, [&] { part[local] += part[local + step]; });
                    barrier();
                  }
                  if_(local == 0u, [&] { sums[group_id()] = part[0u]; });
                })
      .with(group(256));
}

// c = a * b for square matrices of n x n, in tiles of 16 x 16; n is a multiple of 16. `add` gives the sum of
// its third argument and the product of the others.
template <class Add>
auto tiled_matmul(const char* name, const Add& add) {
  return kernel(name,
                [&](In<float> a, In<float> b, Out<float> c, Value<std::uint32_t> n) {
                  const auto tile_a = shared<float>(256);
                  const auto tile_b = shared<float>(256);
                  const auto column = local_id(0);
                  const auto row = local_id(1);
                  const auto mine = row * 16u + column;
                  Var<float> sum = 0.0f;
                  for_(0u, n / 16u, [&](auto tile) {
                    tile_a[mine] = a[global_id(1) * n + tile * 16u + column];
                    tile_b[mine] = b[(tile * 16u + row) * n + global_id(0)];
                    barrier();
                    for_(0u, 16u,
                         [&](auto k) { sum = add(tile_a[row * 16u + k], tile_b[k * 16u + column], sum); });
                    barrier();
                  });
                  c[global_id(1) * n + global_id(0)] = sum;
                })
      .with(group(16, 16));
}

inline auto matmul() {
  return tiled_matmul("matmul", [](const auto& a, const auto& b, const auto& sum) { return sum + a * b; });
}

// The mean of a cell and its four neighbours; the border stays as it is.
inline auto stencil() {
  return kernel("stencil",
                [](In<float> from, Out<float> to, Value<std::uint32_t> width, Value<std::uint32_t> height) {
                  const auto x = global_id(0);
                  const auto y = global_id(1);
                  const auto at = y * width + x;
                  Var<float> cell = from[at];
                  if_(x > 0u && x + 1u < width && y > 0u && y + 1u < height, [&] {
                    cell =
                        (cell + from[at - 1u] + from[at + 1u] + from[at - width] + from[at + width]) * 0.2f;
                  });
                  to[at] = cell;
                })
      .with(group(16, 16));
}

inline auto histogram() {
  return kernel("histogram", [](In<std::uint32_t> values, InOut<std::uint32_t> bins) {
    (void)atomic_add(bins, values[global_id()] % bins.size(), 1u);
  });
}

// Rounds until a point of the plane leaves the circle of radius 2.
inline auto mandelbrot() {
  return kernel("mandelbrot",
                [](Out<std::uint32_t> rounds, Value<std::uint32_t> width, Value<std::uint32_t> height,
                   Value<std::uint32_t> most) {
                  const auto x = global_id(0);
                  const auto y = global_id(1);
                  const auto re = cast<float>(x) / cast<float>(width) * 3.5f - 2.5f;
                  const auto im = cast<float>(y) / cast<float>(height) * 2.0f - 1.0f;
                  Var<float> a = 0.0f;
                  Var<float> b = 0.0f;
                  Var<std::uint32_t> round = 0u;
                  while_([&] { return round < most; },
                         [&] {
                           if_(a * a + b * b > 4.0f, [] { break_(); });
                           const Var<float> next = a * a - b * b + re;
                           b = a * b * 2.0f + im;
                           a = next;
                           round += 1u;
                         });
                  rounds[y * width + x] = round;
                })
      .with(group(16, 16));
}

}  // namespace collet::built_in
