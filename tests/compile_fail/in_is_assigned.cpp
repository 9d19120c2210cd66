// expects: make the buffer an Out<T> or InOut<T>

#include <collet/collet.hpp>

using namespace collet;

auto wrong() {
  return kernel("wrong", [](In<float> in) { in[0u] = 1.0f; });
}
