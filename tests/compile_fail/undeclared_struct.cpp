// expects: structs that COLLET_STRUCT declared

#include <collet/collet.hpp>

using namespace collet;

struct Pair {
  float a;
};
auto wrong() {
  return kernel("wrong", [](In<Pair> in, Out<float> out) { out[0u] = in[0u].a; });
}
