// expects: This function is computed in f32

#include <collet/collet.hpp>

using namespace collet;

auto wrong() {
  return kernel("wrong", [](InOut<double> out) { out[0u] = sin(out[0u]); });
}
