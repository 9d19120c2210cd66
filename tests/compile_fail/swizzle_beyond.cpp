// expects: The swizzle names a component that the vector does not have

#include <collet/collet.hpp>

using namespace collet;

auto wrong() {
  return kernel("wrong", [](In<float2> in, Out<float2> out) { out[0u] = swizzle<"xz">(in[0u]); });
}
