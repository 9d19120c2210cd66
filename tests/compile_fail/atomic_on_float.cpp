// expects: Atomic operations are for integers of 32 or 64 bits.

#include <collet/collet.hpp>

using namespace collet;

auto wrong() {
  return kernel("wrong", [](InOut<float> out) { (void)atomic_add(out, 0u, 1.0f); });
}
