// expects: Bits are for integers

#include <collet/collet.hpp>

using namespace collet;

auto wrong() {
  return kernel("wrong", [](InOut<float> out) { out[0u] = out[0u] << 1; });
}
