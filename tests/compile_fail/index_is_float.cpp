// expects: An index is an integer

#include <collet/collet.hpp>

using namespace collet;

auto wrong() {
  return kernel("wrong", [](In<float> in, Out<float> out) { out[0u] = in[in[0u]]; });
}
