// The canaries and what is concluded from them.

#include "discovery/canary.hpp"

#include <memory>
#include <vector>

#include "collet/backend.hpp"
#include "collet/kernel.hpp"
#include "core/device_state.hpp"
#include "discovery/registry.hpp"

namespace collet::discovery {
namespace {

constexpr std::uint32_t kMixSpirv[] = {
#include "discovery/canary_mix.inc"
};

constexpr std::string_view kMixOpenCl = R"(
__kernel void collet_mix(__global const uint* from, __global uint* to, uint seed, uint count) {
  uint i = get_global_id(0);
  if (i >= count) return;
  uint x = from[i] + seed * i;
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x = (x << 7) | (x >> 25);
  to[i] = x < 0x80000000u ? x ^ i : x - seed;
}
)";

constexpr std::uint32_t mixed(std::uint32_t from, std::uint32_t i, std::uint32_t seed) {
  std::uint32_t x = from + seed * i;
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x = (x << 7) | (x >> 25);
  return x < 0x80000000u ? x ^ i : x - seed;
}

constexpr std::uint32_t kElements = 4099;  // the last group is ragged
constexpr std::uint32_t kSeed = 0x9e3779b9u;

// What a launch touches. Where the device never comes back it must stay for good.
struct MixRun {
  std::vector<std::uint32_t> from, to, expected;
  Buffer<std::uint32_t> input, output;
  Stream stream;
};

Verdict failed(const Error& error) {
  return {.rung = Rung::initialised, .refused = "The canary \"mix\" failed: " + error.message()};
}

Verdict run_mix(const Device& device, Deadline deadline) {
  const auto kernel =
      KernelSource<In<std::uint32_t>, Out<std::uint32_t>, Value<std::uint32_t>, Count>("collet_mix")
          .group(64)
          .spirv(mix_spirv())
          .opencl(kMixOpenCl)
          .cpu([](Item item, std::span<const std::uint32_t> from, std::span<std::uint32_t> to,
                  std::uint32_t seed, std::uint32_t) {
            to[item.x] = mixed(from[item.x], static_cast<std::uint32_t>(item.x), seed);
          })
          .kernel();
  std::vector<std::uint32_t> from(kElements);
  std::vector<std::uint32_t> expected(kElements);
  for (std::uint32_t i = 0; i < kElements; ++i) {
    from[i] = i * 2654435761u;
    expected[i] = mixed(from[i], i, kSeed);
  }
  auto input = device.upload(from);
  if (!input) return failed(input.error());
  auto output = device.buffer<std::uint32_t>(kElements);
  if (!output) return failed(output.error());
  auto run = std::make_unique<MixRun>(MixRun{.from = std::move(from),
                                             .to = std::vector<std::uint32_t>(kElements),
                                             .expected = std::move(expected),
                                             .input = std::move(*input),
                                             .output = std::move(*output),
                                             .stream = device.stream()});
  run->stream.launch(kernel, kElements, run->input, run->output, kSeed);
  run->stream.download(run->output, std::span(run->to));
  if (const auto done = run->stream.wait(deadline); !done) {
    const Verdict verdict = failed(done.error());
    // The kernel may still write: what it writes to is leaked.
    if (done.error().code() == ErrorCode::timeout)
      (void)run.release();  // NOLINT(bugprone-unused-return-value)
    return verdict;
  }
  const std::string wrong = difference(run->to, run->expected);
  if (wrong.empty()) return {.rung = Rung::verified, .refused = {}};
  return {.rung = Rung::executed,
          .refused = "It computes wrong results: in the canary \"mix\" " + wrong + "."};
}

constexpr Canary kCanaries[] = {{"mix", run_mix}};

}  // namespace

std::span<const Canary> canaries() { return kCanaries; }

std::span<const std::uint32_t> mix_spirv() { return kMixSpirv; }

std::string difference(std::span<const std::uint32_t> got, std::span<const std::uint32_t> expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (i >= got.size()) return "element " + std::to_string(i) + " is missing";
    if (got[i] != expected[i])
      return "element " + std::to_string(i) + " is " + std::to_string(got[i]) + ", the CPU says " +
             std::to_string(expected[i]);
  }
  return {};
}

Verdict try_canaries(std::string_view id) {
  // Not by Device::open(): what COLLET_STRICT and COLLET_VALIDATE ask of programs is no fact about a device.
  const OpenOptions options{.label = "canary", .cpu_threads = 1, .cpu_tier = CpuTier::interpreter};
  auto native = open(id, options);
  if (!native) return {.rung = Rung::initialised, .refused = native.error().message()};
  const Device device(detail::Ref(new detail::DeviceState(std::move(*native), options)));
  if (!device.native().caps().executes) return {};
  Verdict verdict;
  for (const Canary& canary : canaries()) {
    verdict = canary.run(device, Deadline::in(kCanaryLimit));
    if (!verdict.refused.empty()) break;
  }
  return verdict;
}

}  // namespace collet::discovery
