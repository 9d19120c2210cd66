// Corpus: matrices, stencils, convolution, particles.

#include "conformance/corpus/corpus.hpp"

namespace conformance {
namespace {

// Small multiples of 1/8, so that sums and products of a few hundred are exact in any order.
std::vector<float> eighths(std::size_t count, uint32_t seed = 1) {
  std::vector<float> made(count);
  for (std::size_t i = 0; i < count; ++i) {
    const uint32_t mixed = (static_cast<uint32_t>(i) + seed * 977u) * 2654435761u >> 20;
    made[i] = (static_cast<float>(mixed % 33) - 16.0f) / 8.0f;
  }
  return made;
}

constexpr uint32_t kRows = 24, kInner = 40, kColumns = 32;

std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> c(kRows * kColumns);
  for (uint32_t i = 0; i < kRows; ++i)
    for (uint32_t j = 0; j < kColumns; ++j)
      for (uint32_t k = 0; k < kInner; ++k) c[i * kColumns + j] += a[i * kInner + k] * b[k * kColumns + j];
  return c;
}

}  // namespace

CONFORMANCE_TEST(Corpus, MatrixProduct) {
  const auto multiply = kernel("multiply", [](In<float> a, In<float> b, Out<float> c, Value<uint32_t> inner) {
                          const auto i = global_id(1);
                          const auto j = global_id(0);
                          const auto n = element_count(0);
                          Var<float> sum = 0.0f;
                          for_(0u, inner, [&](const auto& k) { sum += a[i * inner + k] * b[k * n + j]; });
                          c[i * n + j] = sum;
                        }).with(group(16, 8));
  const auto a = eighths(kRows * kInner, 1);
  const auto b = eighths(kInner * kColumns, 2);
  const auto c = device.buffer<float>(kRows * kColumns).value();
  if (!ran(device, multiply, elements(kColumns, kRows), device.upload(a).value(), device.upload(b).value(), c,
           kInner))
    return;
  const auto want = product(a, b);
  expect_each(device, c, [&](std::size_t i) { return want[i]; });
}

CONFORMANCE_TEST(Corpus, MatrixProductThroughTiles) {
  const auto multiply = kernel("multiply", [](In<float> a, In<float> b, Out<float> c) {
                          const auto left = shared<float>(64);
                          const auto right = shared<float>(64);
                          const auto x = local_id(0);
                          const auto y = local_id(1);
                          Var<float> sum = 0.0f;
                          for_(0u, kInner / 8, [&](const auto& t) {
                            left[y * 8u + x] = a[global_id(1) * kInner + t * 8u + x];
                            right[y * 8u + x] = b[(t * 8u + y) * kColumns + global_id(0)];
                            barrier();
                            for (uint32_t k = 0; k < 8; ++k) sum += left[y * 8u + k] * right[k * 8u + x];
                            barrier();
                          });
                          c[global_id(1) * kColumns + global_id(0)] = sum;
                        }).with(group(8, 8));
  const auto a = eighths(kRows * kInner, 1);
  const auto b = eighths(kInner * kColumns, 2);
  const auto c = device.buffer<float>(kRows * kColumns).value();
  if (!ran(device, multiply, elements(kColumns, kRows), device.upload(a).value(), device.upload(b).value(),
           c))
    return;
  const auto want = product(a, b);
  expect_each(device, c, [&](std::size_t i) { return want[i]; });
}

CONFORMANCE_TEST(Corpus, MatrixTimesVectorByGroups) {
  const auto multiply =
      kernel("multiply", [](In<float> a, In<float> x, Out<float> y) {
        const auto part = shared<float>(32);
        Var<float> sum = 0.0f;
        for_(local_id(), x.size(), 32u, [&](const auto& k) { sum += a[group_id() * x.size() + k] * x[k]; });
        part[local_id()] = sum;
        for (uint32_t step = 16; step != 0; step /= 2) {
          barrier();
          if_(local_id() < step, [&] { part[local_id()] += part[local_id() + step]; });
        }
        if_(local_id() == 0u, [&] { y[group_id()] = part[0u]; });
      }).with(group(32));
  const auto a = eighths(20 * 100);
  const auto x = eighths(100, 2);
  const auto y = device.buffer<float>(20).value();
  if (!ran(device, multiply, groups(20), device.upload(a).value(), device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t row) {
    float sum = 0;
    for (std::size_t k = 0; k < 100; ++k) sum += a[row * 100 + k] * x[k];
    return sum;
  });
}

CONFORMANCE_TEST(Corpus, SparseMatrixTimesVector) {
  const auto multiply =
      kernel("multiply", [](In<uint32_t> first, In<uint32_t> column, In<float> a, In<float> x, Out<float> y) {
        const auto row = global_id();
        Var<float> sum = 0.0f;
        for_(first[row], first[row + 1u], [&](const auto& k) { sum += a[k] * x[column[k]]; });
        y[row] = sum;
      });
  static constexpr uint32_t kSize = 150;
  Words first(kSize + 1), column;
  for (uint32_t row = 0; row < kSize; ++row) {
    for (uint32_t k = 0; k < row % 9; ++k) column.push_back((row * 7 + k * 13) % kSize);
    first[row + 1] = static_cast<uint32_t>(column.size());
  }
  const auto a = eighths(column.size());
  const auto x = eighths(kSize, 2);
  const auto y = device.buffer<float>(kSize).value();
  if (!ran(device, multiply, kSize, device.upload(first).value(), device.upload(column).value(),
           device.upload(a).value(), device.upload(x).value(), y))
    return;
  expect_each(device, y, [&](std::size_t row) {
    float sum = 0;
    for (uint32_t k = first[row]; k < first[row + 1]; ++k) sum += a[k] * x[column[k]];
    return sum;
  });
}

CONFORMANCE_TEST(Corpus, LuDecompositionStepByStep) {
  static constexpr uint32_t kSize = 12;
  const auto scale = kernel("scale", [](InOut<float> m, Value<uint32_t> k) {
    const auto i = global_id() + k + 1u;
    m[i * kSize + k] = m[i * kSize + k] / m[k * kSize + k];
  });
  const auto update = kernel("update", [](InOut<float> m, Value<uint32_t> k) {
                        const auto i = global_id(1) + k + 1u;
                        const auto j = global_id(0) + k + 1u;
                        m[i * kSize + j] -= m[i * kSize + k] * m[k * kSize + j];
                      }).with(group(4, 4));
  auto m = eighths(kSize * kSize);
  for (uint32_t i = 0; i < kSize; ++i) m[i * kSize + i] += 32.0f;
  const auto dm = device.upload(m).value();
  std::vector<double> want(m.begin(), m.end());
  for (uint32_t k = 0; k + 1 < kSize; ++k) {
    const uint32_t left = kSize - 1 - k;
    if (!ran(device, scale, left, dm, k) || !ran(device, update, elements(left, left), dm, k)) return;
    for (uint32_t i = k + 1; i < kSize; ++i) {
      want[i * kSize + k] /= want[k * kSize + k];
      for (uint32_t j = k + 1; j < kSize; ++j)
        want[i * kSize + j] -= want[i * kSize + k] * want[k * kSize + j];
    }
  }
  expect_near(device, dm, 1e-5, [&](std::size_t i) { return want[i]; });
}

CONFORMANCE_TEST(Corpus, FivePointStencil) {
  static constexpr uint32_t kWidth = 50, kHeight = 30;
  const auto blur = kernel("blur", [](In<float> x, Out<float> y) {
                      const auto i = global_id(0);
                      const auto j = global_id(1);
                      const auto at = j * kWidth + i;
                      Var<float> value = x[at];
                      if_((i > 0u) && (j > 0u) && (i < kWidth - 1) && (j < kHeight - 1), [&] {
                        value = (x[at - 1u] + x[at + 1u] + x[at - kWidth] + x[at + kWidth]) * 0.25f;
                      });
                      y[at] = value;
                    }).with(group(16, 4));
  const auto x = eighths(kWidth * kHeight);
  const auto y = device.buffer<float>(x.size()).value();
  if (!ran(device, blur, elements(kWidth, kHeight), device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t at) {
    const std::size_t i = at % kWidth;
    const std::size_t j = at / kWidth;
    if (i == 0 || j == 0 || i == kWidth - 1 || j == kHeight - 1) return x[at];
    return (x[at - 1] + x[at + 1] + x[at - kWidth] + x[at + kWidth]) * 0.25f;
  });
}

CONFORMANCE_TEST(Corpus, SevenPointStencilInThreeDimensions) {
  static constexpr uint32_t kSide = 12;
  const auto laplace = kernel("laplace", [](In<float> x, Out<float> y) {
                         const auto at = (global_id(2) * kSide + global_id(1)) * kSide + global_id(0);
                         Var<float> sum = x[at] * -6.0f;
                         const uint32_t strides[] = {1, kSide, kSide * kSide};
                         for (uint32_t d = 0; d < 3; ++d) {
                           if_(global_id(d) > 0u, [&] { sum += x[at - strides[d]]; });
                           if_(global_id(d) < kSide - 1, [&] { sum += x[at + strides[d]]; });
                         }
                         y[at] = sum;
                       }).with(group(4, 4, 4));
  const auto x = eighths(kSide * kSide * kSide);
  const auto y = device.buffer<float>(x.size()).value();
  if (!ran(device, laplace, elements(kSide, kSide, kSide), device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t at) {
    float sum = x[at] * -6.0f;
    std::size_t stride = 1;
    for (int d = 0; d < 3; ++d, stride *= kSide) {
      if (at / stride % kSide > 0) sum += x[at - stride];
      if (at / stride % kSide < kSide - 1) sum += x[at + stride];
    }
    return sum;
  });
}

CONFORMANCE_TEST(Corpus, StencilThroughATileWithAHalo) {
  const auto smooth = kernel("smooth", [](In<uint32_t> x, Out<uint32_t> y) {
                        const auto tile = shared<uint32_t>(66);
                        const auto i = global_id();
                        const auto last = element_count() - 1u;
                        tile[local_id() + 1u] = x[min(i, last)];
                        if_(local_id() == 0u, [&] { tile[0u] = x[max(i, 1u) - 1u]; });
                        if_(local_id() == 63u, [&] { tile[65u] = x[min(i + 1u, last)]; });
                        barrier();
                        y[i] = tile[local_id()] + 2u * tile[local_id() + 1u] + tile[local_id() + 2u];
                      }).with(group(64));
  const Words x = pattern(64 * 5);
  const auto y = device.buffer<uint32_t>(x.size()).value();
  if (!ran(device, smooth, x.size(), device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t i) {
    return x[i == 0 ? 0 : i - 1] + 2 * x[i] + x[std::min(i + 1, x.size() - 1)];
  });
}

CONFORMANCE_TEST(Corpus, ConvolutionWithACapturedFilter) {
  const std::vector<float> filter{0.125f, -0.5f, 1.0f, 0.25f, -0.375f};
  const auto convolve = kernel("convolve", [=](In<float> x, Out<float> y) {
    Var<float> sum = 0.0f;
    for (uint32_t k = 0; k < filter.size(); ++k) sum += x[global_id() + k] * filter[k];
    y[global_id()] = sum;
  });
  const auto x = eighths(204);
  const auto y = device.buffer<float>(200).value();
  if (!ran(device, convolve, 200, device.upload(x).value(), y)) return;
  expect_each(device, y, [&](std::size_t i) {
    float sum = 0;
    for (std::size_t k = 0; k < filter.size(); ++k) sum += x[i + k] * filter[k];
    return sum;
  });
}

CONFORMANCE_TEST(Corpus, ConvolutionOfAnImage) {
  static constexpr uint32_t kSide = 20;
  const auto sharpen =
      kernel("sharpen", [](In<uint8_t> image, Out<uint8_t> out) {
        Var<int32_t> sum = 0;
        for_(0, 3, [&](const auto& dy) {
          for_(0, 3, [&](const auto& dx) {
            const auto x = clamp(cast<int32_t>(global_id(0)) + dx - 1, 0, int32_t{kSide} - 1);
            const auto y = clamp(cast<int32_t>(global_id(1)) + dy - 1, 0, int32_t{kSide} - 1);
            const Expr<int32_t> pixel = cast<int32_t>(image[cast<uint32_t>(y * int32_t{kSide} + x)]);
            sum += select((dx == 1) && (dy == 1), pixel * 9, -pixel);
          });
        });
        out[global_id(1) * kSide + global_id(0)] = cast<uint8_t>(clamp(sum, 0, 255));
      }).with(group(8, 8));
  const auto image = byte_pattern(kSide * kSide);
  const auto out = device.buffer<uint8_t>(image.size()).value();
  if (!ran(device, sharpen, elements(kSide, kSide), device.upload(image).value(), out)) return;
  expect_each(device, out, [&](std::size_t at) {
    const int side = kSide;
    int sum = image[at] * 10;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const int x = std::clamp(static_cast<int>(at % kSide) + dx, 0, side - 1);
        const int y = std::clamp(static_cast<int>(at / kSide) + dy, 0, side - 1);
        sum -= image[static_cast<std::size_t>(y * side + x)];
      }
    return std::clamp(sum, 0, 255);
  });
}

CONFORMANCE_TEST(Corpus, ForcesBetweenBodies) {
  const auto forces =
      kernel("forces", [](In<float> x, In<float> y, In<float> mass, Out<float> fx, Out<float> fy) {
        const auto i = global_id();
        Var<float> ax = 0.0f;
        Var<float> ay = 0.0f;
        for_(0u, x.size(), [&](const auto& k) {
          const Expr<float> dx = x[k] - x[i];
          const Expr<float> dy = y[k] - y[i];
          const Expr<float> square = dx * dx + dy * dy + 0.01f;
          const Expr<float> scale = mass[k] / (square * sqrt(square));
          ax += dx * scale;
          ay += dy * scale;
        });
        fx[i] = ax;
        fy[i] = ay;
      });
  const auto x = eighths(100, 1);
  const auto y = eighths(100, 2);
  auto mass = eighths(100, 3);
  for (float& one : mass) one = std::abs(one) + 1.0f;
  const auto fx = device.buffer<float>(100).value();
  const auto fy = device.buffer<float>(100).value();
  if (!ran(device, forces, 100, device.upload(x).value(), device.upload(y).value(),
           device.upload(mass).value(), fx, fy))
    return;
  const auto force = [&](std::size_t i, bool vertical) {
    double sum = 0;
    for (std::size_t k = 0; k < 100; ++k) {
      const double dx = x[k] - x[i];
      const double dy = y[k] - y[i];
      const double square = dx * dx + dy * dy + 0.01;
      sum += (vertical ? dy : dx) * mass[k] / (square * std::sqrt(square));
    }
    return sum;
  };
  // A few thousand at most between two bodies, which may cancel: 100 sums of 1e-6 of that.
  expect_near(device, fx, 1e-3, [&](std::size_t i) { return force(i, false); });
  expect_near(device, fy, 1e-3, [&](std::size_t i) { return force(i, true); });
}

CONFORMANCE_TEST(Corpus, NewtonsMethod) {
  const auto roots = kernel("roots", [](In<float> x, Out<float> root) {
    const auto i = global_id();
    Var<float> guess = x[i];
    for (int round = 0; round < 20; ++round) guess = (guess + x[i] / guess) * 0.5f;
    root[i] = guess;
  });
  std::vector<float> x(200);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.5f + static_cast<float>(i);
  const auto root = device.buffer<float>(200).value();
  if (!ran(device, roots, 200, device.upload(x).value(), root)) return;
  expect_near(device, root, 1e-6, [&](std::size_t i) { return std::sqrt(static_cast<double>(x[i])); });
}

CONFORMANCE_TEST(Corpus, RungeKuttaInDoubles) {
  const auto oscillator = kernel("oscillator", [](Out<double> position, Value<double> step) {
    Var<double> x = 1.0;
    Var<double> v = 0.0;
    for_(0u, global_id(), [&](const auto&) {
      const Expr<double> k1x = v, k1v = -x;
      const Expr<double> k2x = v + step * 0.5 * k1v, k2v = -(x + step * 0.5 * k1x);
      const Expr<double> k3x = v + step * 0.5 * k2v, k3v = -(x + step * 0.5 * k2x);
      const Expr<double> k4x = v + step * k3v, k4v = -(x + step * k3x);
      x += step / 6.0 * (k1x + 2.0 * k2x + 2.0 * k3x + k4x);
      v += step / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v);
    });
    position[global_id()] = x;
  });
  const auto position = device.buffer<double>(100).value();
  if (!ran(device, oscillator, 100, position, 0.01)) return;
  expect_near(device, position, 1e-9, [](std::size_t i) { return std::cos(0.01 * static_cast<double>(i)); });
}

CONFORMANCE_TEST(Corpus, SaxpyInDoubles) {
  const auto daxpy = kernel(
      "daxpy", [](In<double> x, InOut<double> y, Value<double> a) { y[global_id()] += a * x[global_id()]; });
  const auto x = numbers<double>(300, 1);
  const auto y = numbers<double>(300, 2);
  const auto dy = device.upload(y).value();
  if (!ran(device, daxpy, 300, device.upload(x).value(), dy, 1.0 / 3.0)) return;
  expect_each(device, dy, [&](std::size_t i) {
    const double scaled = 1.0 / 3.0 * x[i];
    return y[i] + scaled;
  });
}

}  // namespace conformance
