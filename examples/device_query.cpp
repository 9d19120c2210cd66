// What this machine has, what would be chosen and why, and the chosen device at work.
#include <collet/collet.hpp>
#include <cstdio>

int main() {
  using namespace collet;
  const Machine machine = discover();
  for (const BackendInfo& backend : machine.backends) {
    std::printf("%-12s %-12s %u devices  %s\n", backend.id.c_str(), to_string(backend.rung).data(),
                backend.device_count, backend.message.c_str());
  }

  const auto request = Request::from_environment();  // COLLET_BACKEND, COLLET_DEVICE, COLLET_STRICT
  if (!request) {
    std::fprintf(stderr, "%s\n", request.error().describe().c_str());
    return 2;
  }
  const Choice choice = choose(machine, *request);
  std::printf("\n%s\n%s\n", choice.explain().c_str(), choice.summary().c_str());

  auto device = Device::open_best();  // the same choice, opened
  if (!device) {
    std::fprintf(stderr, "%s\n", device.error().describe().c_str());
    return 1;
  }
  const auto buffer = device->upload(std::vector<int>{1, 2, 3}).value();
  std::vector<int> host(3);
  auto stream = device->stream();
  stream.fill(buffer.slice(1, 1), 20);
  stream.download(buffer, std::span(host));
  const Receipt receipt = stream.wait().value();
  std::printf("%s\n", receipt.describe().c_str());
  return host == std::vector<int>{1, 20, 3} ? 0 : 1;
}
