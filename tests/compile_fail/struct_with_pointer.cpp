// expects: The field Pair::b has a type that kernels do not have.

#include <collet/collet.hpp>

using namespace collet;

struct Pair {
  float* b;
};
COLLET_STRUCT(Pair, b)
