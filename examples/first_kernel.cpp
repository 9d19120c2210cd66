// y = a x + y on the CPU, which is always there.
#include <collet/collet.hpp>
#include <cstdio>

int main() {
  using namespace collet;
  auto saxpy = KernelSource<In<float>, InOut<float>, Value<float>, Count>("saxpy")
                   .cpu([](Item i, std::span<const float> x, std::span<float> y, float a, std::uint32_t) {
                     y[i.x] = a * x[i.x] + y[i.x];
                   })
                   .kernel();

  auto device = Device::open("cpu").value();
  std::vector<float> x(1000, 1.0f), y(1000, 2.0f);
  auto dx = device.upload(x).value();
  auto dy = device.upload(y).value();

  auto stream = device.stream();
  stream.launch(saxpy, x.size(), dx, dy, 3.0f);
  stream.download(dy, y);
  Receipt receipt = stream.wait().value();  // the first failure of anything above surfaces here

  std::printf("y[0] = %g\n%s\n", y[0], receipt.describe().c_str());
  return y[0] == 5.0f ? 0 : 1;
}
