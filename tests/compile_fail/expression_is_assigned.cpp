// expects: declare a Var<T>

#include <collet/collet.hpp>

using namespace collet;

auto wrong() {
  return kernel("wrong", [](In<float> in, Out<float> out) {
    Expr<float> value = in[0u];
    value = in[1u];
    out[0u] = value;
  });
}
