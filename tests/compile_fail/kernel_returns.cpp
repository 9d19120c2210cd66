// expects: A kernel returns nothing

#include <collet/collet.hpp>

using namespace collet;

auto wrong() {
  return kernel("wrong", [](In<float> in) { return in[0u]; });
}
