// Whether a program outside the prefix finds the package's helper: drivers are probed apart, and no note says
// otherwise.

#include <collet/discovery.hpp>
#include <cstdio>

int main() {
  const collet::Machine machine = collet::discover({.cached = false, .backends = {"vulkan"}});
  for (const std::string& note : machine.notes) std::printf("%s\n", note.c_str());
  const collet::BackendInfo& vulkan = machine.backends.at(0);
  const bool built = vulkan.rung != collet::Rung::not_built;
  if (built && !vulkan.isolated) std::printf("Vulkan was probed in this process.\n");
  return machine.notes.empty() && (vulkan.isolated || !built) ? 0 : 1;
}
