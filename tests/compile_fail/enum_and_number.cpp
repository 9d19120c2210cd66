// expects: An enum and a number meet

#include <collet/collet.hpp>

using namespace collet;

enum class State : std::uint8_t { idle, running };

auto wrong() {
  return kernel("wrong", [](In<State> in, Out<std::uint32_t> out) { out[0u] = select(in[0u] == 1, 1u, 0u); });
}
