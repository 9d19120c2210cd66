// expects: COLLET_STRUCT names all fields of Pair, in their order.

#include <collet/collet.hpp>

using namespace collet;

struct Pair {
  float a, b, c;
};
COLLET_STRUCT(Pair, a, c)
