// A store of keys and values in the memory of a device, behind a ring kernel: 300 mixed operations, each of
// which waits for the answer to the one before, and the same operations by a launch each.
//
//   ring_store [--png PREFIX]
//
// --png writes PREFIXplaces.png, the store after each 50 operations, and PREFIXtimes.png, what each one took.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <collet/collet.hpp>
#include <collet/ring.hpp>
#include <cstdio>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "picture.hpp"

struct Command {
  std::uint32_t operation, key, value;
};
COLLET_STRUCT(Command, operation, key, value)
struct Answer {
  std::uint32_t found, value;
};
COLLET_STRUCT(Answer, found, value)

namespace {

constexpr std::uint32_t kPlaces = 1024;  // a power of two
constexpr std::uint32_t kNone = 0,
                        kGone = 1;  // not keys: a place that was never used, and one whose key was removed

enum Operation : std::uint32_t { kPut, kGet, kRemove };

using collet::Expr;
using collet::InOut;
using collet::Var;

// `keys` and `values` are a table with open addressing.
Expr<Answer> handle(const Expr<Command>& command, const InOut<std::uint32_t>& keys,
                    const InOut<std::uint32_t>& values) {
  using namespace collet;
  Var<std::uint32_t> place = (command.key * 2654435769u) >> 22u;
  Var<std::uint32_t> left = kPlaces;
  Var<std::uint32_t> there = keys[place];
  // The first place that the key may take, should it not be there.
  Var<std::uint32_t> free = kPlaces;
  while_([&] { return left != 0u && there != command.key && there != kNone; },
         [&] {
           if_(there == kGone && free == kPlaces, [&] { free = place; });
           place = (place + 1u) % kPlaces;
           there = keys[place];
           left = left - 1u;
         });
  const Expr<bool> found = there == command.key;
  Var<Answer> answer;
  answer.found = select(found, 1u, 0u);
  answer.value = select(found, values[place], 0u);
  if_(command.operation == std::uint32_t{kPut}, [&] {
    assert_(found || free != kPlaces || there == kNone, "the store is full");
    if_(!found && free != kPlaces, [&] { place = free; });
    keys[place] = command.key;
    values[place] = command.value;
  });
  if_(command.operation == std::uint32_t{kRemove} && found, [&] { keys[place] = kGone; });
  return answer;
}

std::vector<Command> mixed_commands() {
  std::mt19937 random(1);
  std::vector<Command> commands;
  for (int i = 0; i < 300; ++i)
    commands.push_back({.operation = static_cast<std::uint32_t>(random() % 3),
                        .key = 2 + static_cast<std::uint32_t>(random() % 64),
                        .value = static_cast<std::uint32_t>(random())});
  return commands;
}

// What a store must answer.
Answer expected(std::unordered_map<std::uint32_t, std::uint32_t>& store, const Command& command) {
  const auto there = store.find(command.key);
  const Answer answer = there == store.end() ? Answer{0, 0} : Answer{1, there->second};
  if (command.operation == kPut) store[command.key] = command.value;
  if (command.operation == kRemove) store.erase(command.key);
  return answer;
}

// What each command took, in microseconds; nothing where an answer is wrong. `look` is called after each.
template <class Ask, class Look>
std::optional<std::vector<double>> run(const Ask& ask, const Look& look) {
  std::unordered_map<std::uint32_t, std::uint32_t> store;
  std::vector<double> times;
  for (const Command& command : mixed_commands()) {
    const auto begin = std::chrono::steady_clock::now();
    const Answer answer = ask(command);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    times.push_back(took.count());
    const Answer right = expected(store, command);
    if (answer.found != right.found || answer.value != right.value) return std::nullopt;
    look();
  }
  return times;
}

double mean(const std::vector<double>& times) {
  double sum = 0;
  for (const double time : times) sum += time;
  return sum / static_cast<double>(times.size());
}

constexpr std::uint32_t kSide = 32;  // of the square that shows all places
constexpr picture::Colour kGrid{60, 60, 60}, kKey{90, 160, 255}, kRemoved{150, 60, 40}, kLaunch{255, 150, 60};

// Squares side by side, each of which shows all places: dark where no key ever was.
class Places {
 public:
  void add(const std::vector<std::uint32_t>& keys) { states_.push_back(keys); }
  picture::Picture draw() const {
    const auto width = static_cast<std::uint32_t>(states_.size()) * (kSide + 1) - 1;
    picture::Picture shown{.width = width, .height = kSide, .pixels = {}};
    shown.pixels.resize(std::size_t{width} * kSide, {255, 255, 255});
    for (std::uint32_t state = 0; state < states_.size(); ++state) {
      for (std::uint32_t place = 0; place < kPlaces; ++place) {
        const std::uint32_t key = states_[state][place];
        shown.set(state * (kSide + 1) + place % kSide, place / kSide,
                  key == kNone   ? picture::Colour{}
                  : key == kGone ? kRemoved
                                 : kKey);
      }
    }
    return shown;
  }

 private:
  std::vector<std::vector<std::uint32_t>> states_;
};

// A column for each operation, from 0.1 us below to 10 ms above; a line at each power of ten.
picture::Picture draw_times(const std::vector<double>& messages, const std::vector<double>& launches) {
  constexpr std::uint32_t kDecade = 24, kHeight = 5 * kDecade;
  const auto width = static_cast<std::uint32_t>(messages.size());
  picture::Picture shown{.width = width, .height = kHeight, .pixels = {}};
  shown.pixels.resize(std::size_t{width} * kHeight);
  for (std::uint32_t y = kDecade; y < kHeight; y += kDecade) {
    for (std::uint32_t x = 0; x < width; ++x) shown.set(x, y, kGrid);
  }
  const auto dot = [&](std::uint32_t x, double time, picture::Colour colour) {
    const double up = std::clamp((std::log10(time) + 1) * kDecade, 1.0, double{kHeight - 1});
    const auto y = kHeight - static_cast<std::uint32_t>(up);
    shown.set(x, y, colour);
    shown.set(x, y - 1, colour);
  };
  for (std::uint32_t x = 0; x < width; ++x) {
    dot(x, messages[x], kKey);
    dot(x, launches[x], kLaunch);
  }
  return shown;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace collet;
  const bool draws = argc == 3 && std::string(argv[1]) == "--png";
  if (argc != 1 && !draws) {
    std::fprintf(stderr, "usage: ring_store [--png PREFIX]\n");
    return 2;
  }
  const Device device = Device::open_best().value();

  const auto store =
      ring_kernel("store", [](Inbox<Command> in, Outbox<Answer> out, InOut<std::uint32_t> keys,
                              InOut<std::uint32_t> values) { out.send(handle(in.message(), keys, values)); });
  const auto table = [&] { return device.buffer<std::uint32_t>(kPlaces).value(); };
  auto ring = open_ring(device, store, {}, table(), table()).value();
  (void)ring.call({.operation = kGet, .key = 2, .value = 0}).value();
  const auto by_messages = run([&](const Command& command) { return ring.call(command).value(); }, [] {});

  const auto once = kernel("once", [](InOut<std::uint32_t> keys, InOut<std::uint32_t> values,
                                      Out<Answer> answer, Value<Command> command) {
                      answer[0u] = handle(command, keys, values);
                    }).with(group(1));
  const auto keys = table(), values = table();
  const auto answer = device.buffer<Answer>(1).value();
  auto stream = device.stream();
  const auto launch = [&](const Command& command) {
    Answer found{};
    stream.launch(once, groups(1), keys, values, answer, command);
    stream.download(answer, std::span(&found, 1));
    stream.wait().value();
    return found;
  };
  (void)launch({.operation = kGet, .key = 2, .value = 0});
  Places places;
  int operations = 0;
  const auto by_launches = run(launch, [&] {
    if (draws && ++operations % 50 == 0) places.add(stream.download(keys).value());
  });

  if (!by_messages || !by_launches) {
    std::fprintf(stderr, "%s: an answer is wrong.\n", device.info().name.c_str());
    return 1;
  }
  const double message = mean(*by_messages), launched = mean(*by_launches);
  std::printf("%s: 300 operations, %s ring: %.2f us each; by launches: %.2f us each; %.1f times\n",
              device.info().name.c_str(), name_of(ring.mode()).data(), message, launched, launched / message);
  if (!draws) return 0;
  const std::string prefix = argv[2];
  if (!picture::write_png(prefix + "places.png", places.draw(), 4) ||
      !picture::write_png(prefix + "times.png", draw_times(*by_messages, *by_launches), 2)) {
    std::fprintf(stderr, "%splaces.png or %stimes.png can't be written.\n", prefix.c_str(), prefix.c_str());
    return 1;
  }
  return 0;
}
