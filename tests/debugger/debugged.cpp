// A program to stop: what it holds is what the tests of tools/debugger look at.

#include <collet/collet.hpp>
#include <memory>
#include <optional>

// Not inlined, and not left out: debuggers stop here.
extern "C" [[gnu::noinline]] void stop_here() { asm volatile("" ::: "memory"); }

namespace {

using namespace collet;

void stop_with_errors() {
  const Error error = Error(ErrorCode::unsupported, Category::memory, "The device has no memory of its own.")
                          .with_native(-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE")
                          .during("making [Buffer \"x\"]")
                          .during("starting the program")
                          .with_hint("Ask for less.");
  [[maybe_unused]] const Result<float> number = 2.5f;
  [[maybe_unused]] const Result<float> refused = error;
  [[maybe_unused]] const Result<void> done;
  [[maybe_unused]] const Result<void> failed = error;
  [[maybe_unused]] const Result<Result<Result<std::uint32_t>>> nested =
      Result<Result<std::uint32_t>>(Result<std::uint32_t>(7u));
  [[maybe_unused]] const Result<std::string> text = std::string("some text");
  stop_here();
}

void stop_with_handles() {
  Device device = Device::open("cpu").value();
  Buffer<float> heat = device.buffer<float>(8, {.label = "heat"}).value();
  [[maybe_unused]] const Buffer<std::uint32_t> one = device.buffer<std::uint32_t>(1).value();
  [[maybe_unused]] const Buffer<vec<float, 4>> none;
  [[maybe_unused]] const Result<Buffer<double>> made = device.buffer<double>(3, {.label = "made"});
  Stream stream = device.stream({.label = "main"});
  stream.fill(heat, 1.0f);
  [[maybe_unused]] const Event event = stream.record();
  stream.wait().value();
  [[maybe_unused]] const Buffer<float> taken = std::move(heat);
  const Stream other = std::move(stream);
  [[maybe_unused]] const Event late = stream.record();  // of a stream that was moved from
  [[maybe_unused]] const Device kept = std::move(device);
  stop_here();
}

void stop_while_tracing() {
  auto stray = std::make_shared<std::optional<Expr<float>>>();
  const auto scale = kernel("scale", [&](In<float> x, InOut<float4> y, Value<float> a) {
    const Expr<std::uint32_t> i = global_id();
    const Expr<float> half = 0.5f;
    const Expr<float> loaded = x[i];
    const Expr<float> product = loaded * half;
    const Expr<float> passed = a;
    const Expr<float4> wide = y[i];
    Var<float> sum = product;
    sum += passed;
    stray->emplace(product);
    y[i] = wide * sum;
    // A trace inside a trace, with a value of either.
    const auto inner = kernel("inner", [&](Out<float> z) {
      const Expr<float> own = 2.0f;
      [[maybe_unused]] const Expr<float> outer = product;
      z[0u] = own;
      stop_here();
    });
    static_cast<void>(inner.name());
    stop_here();
  });
  [[maybe_unused]] const Expr<float> over = **stray;
  stop_here();
  static_cast<void>(scale.name());
}

}  // namespace

int main() {
  stop_with_errors();
  stop_with_handles();
  stop_while_tracing();
  return 0;
}
