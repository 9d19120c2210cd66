// expects: use if_(), while_(), select()

#include <collet/collet.hpp>

using namespace collet;

auto wrong() {
  return kernel("wrong", [](In<float> in, Out<float> out) {
    if (in[0u] > 1.0f) out[0u] = 1.0f;
  });
}
