// expects: This atomic operation is for integers of 32 or 64 bits.

#include <collet/collet.hpp>

using namespace collet;

auto wrong() {
  return kernel("wrong", [](InOut<float> out) { (void)atomic_or(out, 0u, 1.0f); });
}
