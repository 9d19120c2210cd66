// y = a x + y, written once in C++, on the best device of this machine.
#include <collet/collet.hpp>
#include <cstdio>

int main() {
  using namespace collet;
  auto saxpy = kernel("saxpy", [](In<float> x, InOut<float> y, Value<float> a) {
    auto i = global_id();
    y[i] = a * x[i] + y[i];
  });

  auto device = Device::open_best().value();
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
