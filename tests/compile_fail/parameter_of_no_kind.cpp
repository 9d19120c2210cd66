// expects: A kernel's parameters are In<T>, Out<T>, InOut<T>, MayAlias<…> and Value<T>.

#include <collet/collet.hpp>

using namespace collet;

auto wrong() {
  return kernel("wrong", [](int count, Out<float> out) { out[0u] = static_cast<float>(count); });
}
