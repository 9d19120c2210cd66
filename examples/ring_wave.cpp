// Waves in a basin, computed by a kernel that stays on the device. Each frame is a message to it, which moves
// the source of the waves and changes its pitch.
//
//   ring_wave [--frames N] [--draw] [--png PREFIX]
//
// --draw shows them in a terminal with colours; --png writes PREFIX0000.png, PREFIX0001.png, …
#include <chrono>
#include <cmath>
#include <collet/collet.hpp>
#include <collet/ring.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "picture.hpp"

// What the kernel is told, and what it answers.
struct Frame {
  std::uint32_t rounds;  // each is two steps of time
  std::uint32_t source;  // a cell
  float pitch;
};
COLLET_STRUCT(Frame, rounds, source, pitch)
struct Clock {
  std::uint32_t steps;
};
COLLET_STRUCT(Clock, steps)

namespace {

constexpr std::uint32_t kWidth = 96, kHeight = 64, kCells = kWidth * kHeight;
constexpr std::uint32_t kItems = 128;  // of the kernel's one group

auto wave() {
  using namespace collet;
  // `heights` is two layers of cells: how high the water is, and how high it was a step before.
  return ring_kernel(
      "wave", group(kItems),
      [](Inbox<Frame> in, Outbox<Clock> out, InOut<float> heights, State<Clock> clock) {
        const auto frame = in.message();
        Var<std::uint32_t> time = clock().steps;
        const auto step = [&](std::uint32_t now, std::uint32_t next) {
          for_(0u, kCells / kItems, [&](Expr<std::uint32_t> part) {
            const auto cell = part * kItems + local_id();
            const auto x = cell % kWidth, y = cell / kWidth;
            const auto height = [&](Expr<bool> is_water, const Expr<std::uint32_t>& of) {
              return select(is_water, heights[of + now], 0.0f);
            };
            const auto around = height(x != 0u, cell - 1u) + height(x != kWidth - 1, cell + 1u) +
                                height(y != 0u, cell - kWidth) + height(y != kHeight - 1, cell + kWidth);
            const auto here = heights[cell + now];
            Var<float> after = 0.995f * (2.0f * here - heights[cell + next] + 0.25f * (around - 4.0f * here));
            if_(cell == frame.source, [&] { after = 2.0f * sin(frame.pitch * cast<float>(time)); });
            heights[cell + next] = after;
          });
          barrier();
          time = time + 1u;
        };
        for_(0u, frame.rounds, [&](Expr<std::uint32_t>) {
          step(0, kCells);
          step(kCells, 0);
        });
        if_(local_id() == 0u, [&] { clock().steps = time; });
        barrier();
        out.send(clock());
      });
}

struct Asked {
  int frames = 60;
  bool draw = false;
  std::string png;
};

Asked read_arguments(int argc, char** argv) {
  Asked asked;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--draw") {
      asked.draw = true;
    } else if (word == "--frames" && i + 1 < argc) {
      asked.frames = std::atoi(argv[++i]);
    } else if (word == "--png" && i + 1 < argc) {
      asked.png = argv[++i];
    } else {
      std::fprintf(stderr, "usage: ring_wave [--frames N] [--draw] [--png PREFIX]\n");
      std::exit(2);
    }
  }
  return asked;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace collet;
  const Asked asked = read_arguments(argc, argv);
  const Device device = Device::open_best().value();
  const auto heights = device.buffer<float>(2 * kCells).value();
  auto ring = open_ring(device, wave(), {}, heights).value();
  auto stream = device.stream();

  picture::Picture shown{.width = kWidth, .height = kHeight, .pixels = std::vector<picture::Colour>(kCells)};
  std::vector<float> water(kCells);
  std::uint32_t steps = 0;
  for (int frame = 0; frame < asked.frames; ++frame) {
    // The source goes around in a circle, and halfway its pitch rises.
    const double angle = 0.05 * frame;
    const auto x = static_cast<std::uint32_t>(kWidth / 2 + 20 * std::cos(angle));
    const auto y = static_cast<std::uint32_t>(kHeight / 2 + 20 * std::sin(angle));
    const bool late = frame > asked.frames / 2;
    steps = ring.call({.rounds = 3, .source = y * kWidth + x, .pitch = late ? 0.3f : 0.15f}).value().steps;
    stream.download(heights.slice(0, kCells), std::span(water));
    stream.wait().value();
    for (std::uint32_t i = 0; i < kCells; ++i) shown.pixels[i] = picture::around_zero(2 * water[i]);
    if (asked.draw) {
      std::printf("\033[H%s", picture::terminal_text(shown).c_str());
      std::fflush(stdout);
      std::this_thread::sleep_for(std::chrono::milliseconds(16));
    }
    char number[16];
    std::snprintf(number, sizeof number, "%04d.png", frame);
    if (!asked.png.empty() && !picture::write_png(asked.png + number, shown, 4)) {
      std::fprintf(stderr, "%s%s can't be written.\n", asked.png.c_str(), number);
      return 1;
    }
  }

  const RingStats stats = ring.close().value();
  std::printf("%s: %d frames of 6 steps by a %s kernel: %d messages, %d launches\n",
              device.info().name.c_str(), asked.frames, name_of(ring.mode()).data(),
              static_cast<int>(stats.processed), static_cast<int>(stats.launches));
  float highest = 0;
  for (const float height : water) highest = std::max(highest, std::abs(height));
  return steps == 6u * static_cast<std::uint32_t>(asked.frames) && highest > 0.1f && highest < 10.0f ? 0 : 1;
}
