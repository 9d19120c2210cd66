// expects: Atomic operations are for integers and floats of 32 or 64 bits.

#include <collet/collet.hpp>

using namespace collet;

auto wrong() {
  return kernel("wrong", [](InOut<std::uint16_t> out) { (void)atomic_add(out, 0u, 1u); });
}
