// expects: write cast<T>(value) where you mean to convert

#include <collet/collet.hpp>

using namespace collet;

auto wrong() {
  return kernel("wrong", [](In<float> in, Out<float> out) { out[0u] = in[0u] + global_id(); });
}
