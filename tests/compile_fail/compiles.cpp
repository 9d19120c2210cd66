// compiles: what the other files do wrong, done right.

#include <collet/collet.hpp>

struct Pair {
  float a;
  collet::float2 b;
};
COLLET_STRUCT(Pair, a, b)

auto right() {
  using namespace collet;
  return kernel("right", [](In<Pair> in, Out<float> out, InOut<std::uint32_t> counts, Value<float> k) {
    const auto i = global_id();
    Var<float> sum = in[i].a + k;
    if_(sum > 0.0f, [&] { sum = exp(sum) + cast<float>(i); });
    (void)atomic_add(counts, 0u, 1u);
    out[i] = sum;
  });
}
