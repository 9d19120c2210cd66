// A store of keys and values in the memory of a device, behind a ring kernel: 300 mixed operations, each of
// which waits for the answer to the one before, and the same operations by a launch each.
#include <chrono>
#include <collet/collet.hpp>
#include <collet/ring.hpp>
#include <cstdio>
#include <optional>
#include <random>
#include <unordered_map>

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

// Microseconds for each command; nothing where an answer is wrong.
template <class Ask>
std::optional<double> run(const Ask& ask) {
  std::unordered_map<std::uint32_t, std::uint32_t> store;
  const std::vector<Command> commands = mixed_commands();
  const auto begin = std::chrono::steady_clock::now();
  for (const Command& command : commands) {
    const Answer answer = ask(command), right = expected(store, command);
    if (answer.found != right.found || answer.value != right.value) return std::nullopt;
  }
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  return took.count() / static_cast<double>(commands.size());
}

}  // namespace

int main() {
  using namespace collet;
  const Device device = Device::open_best().value();

  const auto store =
      ring_kernel("store", [](Inbox<Command> in, Outbox<Answer> out, InOut<std::uint32_t> keys,
                              InOut<std::uint32_t> values) { out.send(handle(in.message(), keys, values)); });
  const auto table = [&] { return device.buffer<std::uint32_t>(kPlaces).value(); };
  auto ring = open_ring(device, store, {}, table(), table()).value();
  (void)ring.call({.operation = kGet, .key = 2, .value = 0}).value();
  const auto by_messages = run([&](const Command& command) { return ring.call(command).value(); });

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
  const auto by_launches = run(launch);

  if (!by_messages || !by_launches) {
    std::fprintf(stderr, "%s: an answer is wrong.\n", device.info().name.c_str());
    return 1;
  }
  std::printf("%s: 300 operations, %s ring: %.2f us each; by launches: %.2f us each; %.1f times\n",
              device.info().name.c_str(), name_of(ring.mode()).data(), *by_messages, *by_launches,
              *by_launches / *by_messages);
  return 0;
}
