// One kernel from sources in several languages, run on every device of this machine.

#include <collet/collet.hpp>
#include <collet_embedded/kernel_sources.hpp>
#include <cstdio>
#include <vector>

namespace {

using namespace collet;

bool run(Device device, const Kernel<In<float>, InOut<float>, Value<float>>& saxpy) {
  const std::vector<float> x(1000, 1.0f);
  std::vector<float> y(1000, 2.0f);
  auto dx = device.upload(x, {.label = "x"}).value();
  auto dy = device.upload(y, {.label = "y"}).value();

  auto stream = device.stream();
  stream.launch(saxpy, x.size(), dx, dy, 3.0f);
  stream.download(dy, y);
  std::puts(stream.wait().value().describe().c_str());
  return y.front() == 5.0f && y.back() == 5.0f;
}

}  // namespace

int main() {
  const auto saxpy = KernelSource<In<float>, InOut<float>, Value<float>, Count>("saxpy")
                         .group(128)
                         .spirv(collet_embedded::saxpy_spv)
                         .opencl(collet_embedded::saxpy_cl)
                         .cuda(collet_embedded::saxpy_cu)
                         .wgsl(collet_embedded::saxpy_wgsl)
                         .glsl(collet_embedded::saxpy_glsl)
                         .glsl_es(collet_embedded::saxpy_gles)
                         .cpu([](Item i, std::span<const float> x, std::span<float> y, float a,
                                 std::uint32_t) { y[i.x] = a * x[i.x] + y[i.x]; })
                         .kernel();
  int wrong = 0;
  for (const DeviceInfo& info : devices()) {
    auto device = Device::open(info.id());
    if (!device) {
      std::puts(device.error().describe().c_str());
      ++wrong;
    } else if (!run(*device, saxpy)) {
      ++wrong;
    }
  }
  return wrong;
}
