// Corpus: small matrices.

#include "conformance/corpus/corpus.hpp"

namespace conformance {
namespace {

// As elements in the order of rows; small integers, so that sums are exact.
template <class M>
M numbered(int first) {
  M m;
  float values[sizeof(M) / sizeof(float)];
  for (std::size_t i = 0; i < std::size(values); ++i)
    values[i] = static_cast<float>((first + static_cast<int>(i) * 5) % 13 - 6);
  std::memcpy(&m, values, sizeof m);
  return m;
}

template <class M>
struct Plain {
  static constexpr int kRows = collet::detail::MatrixTraits<M>::kRows;
  explicit Plain(const M& m) { std::memcpy(at, &m, sizeof at); }
  M whole() const {
    M m;
    std::memcpy(&m, at, sizeof m);
    return m;
  }
  float at[kRows][kRows];
};

template <class M>
void every_operation(Device& device) {
  using V = vec<float, Plain<M>::kRows>;
  const auto all = kernel("matrices", [](In<M> a, In<V> x, Out<M> out, Out<V> y, Value<M> b) {
    const auto i = global_id();
    const Var<M> held = a[i];
    out[i * 4u] = held * b;
    out[i * 4u + 1u] = transpose(a[i]) - b;
    out[i * 4u + 2u] = 2.0f * held + b * 3.0f;
    out[i * 4u + 3u] = b * (held * b);
    y[i] = held * x[i];
  });
  constexpr std::size_t kCount = 20;
  std::vector<M> a(kCount);
  std::vector<V> x(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    a[i] = numbered<M>(static_cast<int>(i));
    std::memcpy(&x[i], &a[kCount - 1 - i > i ? i : 0], sizeof(V));
  }
  const M b = numbered<M>(3);
  const auto out = device.buffer<M>(4 * kCount).value();
  const auto y = device.buffer<V>(kCount).value();
  if (!ran(device, all, kCount, device.upload(a).value(), device.upload(x).value(), out, y, b)) return;
  const auto product = [](const M& left, const M& right) {
    const Plain<M> l(left), r(right);
    Plain<M> found(left);
    for (int i = 0; i < Plain<M>::kRows; ++i) {
      for (int j = 0; j < Plain<M>::kRows; ++j) {
        found.at[i][j] = 0;
        for (int k = 0; k < Plain<M>::kRows; ++k) found.at[i][j] += l.at[i][k] * r.at[k][j];
      }
    }
    return found.whole();
  };
  const auto got = read(device, out);
  const auto turned = read(device, y);
  const Plain<M> plain_b(b);
  for (std::size_t n = 0; n < kCount; ++n) {
    const Plain<M> plain(a[n]);
    Plain<M> difference(a[n]), sum(a[n]);
    float column[Plain<M>::kRows], want[Plain<M>::kRows];
    std::memcpy(column, &x[n], sizeof column);
    for (int i = 0; i < Plain<M>::kRows; ++i) {
      want[i] = 0;
      for (int j = 0; j < Plain<M>::kRows; ++j) {
        difference.at[i][j] = plain.at[j][i] - plain_b.at[i][j];
        sum.at[i][j] = 2 * plain.at[i][j] + 3 * plain_b.at[i][j];
        want[i] += plain.at[i][j] * column[j];
      }
    }
    ASSERT_EQ(got[n * 4], product(a[n], b)) << "matrix " << n;
    ASSERT_EQ(got[n * 4 + 1], difference.whole()) << "matrix " << n;
    ASSERT_EQ(got[n * 4 + 2], sum.whole()) << "matrix " << n;
    ASSERT_EQ(got[n * 4 + 3], product(b, product(a[n], b))) << "matrix " << n;
    V vector;
    std::memcpy(&vector, want, sizeof vector);
    ASSERT_EQ(turned[n], vector) << "matrix " << n;
  }
}

}  // namespace

CONFORMANCE_TEST(Corpus, MatricesOfTwoRows) { every_operation<float2x2>(device); }
CONFORMANCE_TEST(Corpus, MatricesOfThreeRows) { every_operation<float3x3>(device); }
CONFORMANCE_TEST(Corpus, MatricesOfFourRows) { every_operation<float4x4>(device); }

}  // namespace conformance
