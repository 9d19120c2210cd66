// The trials and what is concluded from them.

#include "discovery/canary.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "collet/kernel_language.hpp"
#include "collet/quirks.hpp"
#include "core/device_state.hpp"
#include "discovery/registry.hpp"

namespace collet::discovery {
namespace {

using Word = std::uint32_t;
using Words = std::vector<Word>;

constexpr std::string_view kEmitted = "emitted code";
constexpr std::string_view kFloats = "floats";
constexpr std::string_view kBarriers = "barriers";
constexpr std::string_view kAtomics = "atomics";
constexpr std::string_view kSubWords = "sub-words";
constexpr std::string_view kLongLoops = "long loops";
constexpr std::string_view kStaleMemory = "stale memory";
constexpr std::string_view kRaggedCopies = "ragged copies";
constexpr std::string_view kNames[] = {kEmitted,  kFloats,    kBarriers,    kAtomics,
                                       kSubWords, kLongLoops, kStaleMemory, kRaggedCopies};

Verdict failed(std::string_view canary, const Error& error) {
  return {.rung = Rung::initialised,
          .refused = "The canary \"" + std::string(canary) + "\" failed: " + error.message()};
}

// Verified where the two are equal.
Verdict compared(std::string_view canary, std::span<const Word> got, std::span<const Word> expected) {
  const std::string wrong = difference(got, expected);
  if (wrong.empty()) return {.rung = Rung::verified, .refused = {}};
  return {
      .rung = Rung::executed,
      .refused = "It computes wrong results: in the canary \"" + std::string(canary) + "\" " + wrong + "."};
}

// Keeps what a stream touches until its work is done. Where the device never comes back it stays for good: a
// kernel may still write to it.
template <class Held>
Result<void> finish(std::unique_ptr<Held>& held, Deadline deadline) {
  const auto done = held->stream.wait(deadline);
  if (done) return {};
  if (done.error().code() == ErrorCode::timeout)
    (void)held.release();  // NOLINT(bugprone-unused-return-value)
  return done.error();
}

// --- One kernel for all that is computed ------------------------------------------------------------------

constexpr Word kItems = 256;
constexpr Word kGroup = 64;
constexpr Word kBins = 8;
constexpr Word kCounters = 16;
constexpr Word kSeed = 0x9e3779b9u;
// Parts of the results, each of kItems words.
constexpr Word kMixPart = 0, kFloatPart = 1, kBarrierPart = 2, kAtomicPart = 3, kParts = 4;

// In C++ and in the kernel language.
template <class T>
T mixed(const T& from, const T& i, const T& seed) {
  const T a = from + seed * i;
  const T b = (a ^ (a >> 16u)) * 0x7feb352du;
  const T c = (b ^ (b >> 15u)) * 0x846ca68bu;
  return ((c << 7u) | (c >> 25u)) ^ i;
}

// Exact for whole numbers up to 1023, so that it does not matter whether a compiler fuses.
template <class T>
T polynomial(const T& x) {
  const T y = x * 0.25f + 1.5f;
  return y * y - y * 3.0f;
}

constexpr Word kNext = 9;  // whose word an item reads behind the first barrier: not of its own subgroup

auto sections_kernel() {
  return kernel("collet_canary",
                [](In<Word> from, Out<Word> results, InOut<Word> counters, Out<std::uint8_t> bytes,
                   Out<std::int16_t> shorts, Value<Word> seed) {
                  const Expr<Word> i = global_id();
                  const Expr<Word> local = local_id();
                  const auto tile = shared<Word>(kGroup);
                  const auto counts = shared<Word>(kBins);
                  const Var<Word> mix = mixed<Expr<Word>>(from[i], i, seed);
                  results[i + kMixPart * kItems] = mix;

                  const Expr<float> number = cast<float>(mix & 1023u);
                  results[i + kFloatPart * kItems] =
                      bit_cast<Word>(polynomial<Expr<float>>(number)) ^ bit_cast<Word>(number * 0.1f);

                  tile[local] = mix;
                  if_(local < kBins, [&] { counts[local] = 0u; });
                  barrier();
                  const Var<Word> next = tile[(local + kNext) % kGroup];
                  (void)atomic_add(counts, local % kBins, i + 1u);
                  (void)atomic_add(counters, i % kCounters, i + 1u);
                  barrier();
                  tile[local] = next * 3u;
                  barrier();
                  results[i + kBarrierPart * kItems] = tile[kGroup - 1u - local] + next;
                  results[i + kAtomicPart * kItems] = counts[local % kBins];

                  bytes[i] = cast<std::uint8_t>(mix >> 5u);
                  shorts[i] = cast<std::int16_t>(mix >> 9u);
                })
      .with(group(kGroup));
}

// What C++ computes, item by item.
struct Sections {
  Words from = Words(kItems), results = Words(kParts * kItems), counters = Words(kCounters);
  Words bytes = Words(kItems), shorts = Words(kItems);  // a word for each

  Sections() {
    for (Word i = 0; i < kItems; ++i) from[i] = i * 2654435761u;
    const auto mix = [&](Word i) { return mixed<Word>(from[i], i, kSeed); };
    for (Word i = 0; i < kItems; ++i) {
      const Word local = i % kGroup;
      const Word first = i - local;
      const auto next = [&](Word item) { return mix(first + (item + kNext) % kGroup); };
      results[kMixPart * kItems + i] = mix(i);
      const auto number = static_cast<float>(mix(i) & 1023u);
      results[kFloatPart * kItems + i] =
          std::bit_cast<Word>(polynomial(number)) ^ std::bit_cast<Word>(number * 0.1f);
      results[kBarrierPart * kItems + i] = next(kGroup - 1 - local) * 3 + next(local);
      for (Word other = local % kBins; other < kGroup; other += kBins)
        results[kAtomicPart * kItems + i] += first + other + 1;
      counters[i % kCounters] += i + 1;
      bytes[i] = (mix(i) >> 5) & 0xffu;
      shorts[i] = (mix(i) >> 9) & 0xffffu;
    }
  }
};

template <class Small>
Words widened(std::span<const Small> small) {
  Words words(small.size());
  std::ranges::transform(small, words.begin(), [](Small one) {
    return static_cast<Word>(static_cast<std::make_unsigned_t<Small>>(one));
  });
  return words;
}

struct SectionsRun {
  Words results = Words(kParts * kItems), counters = Words(kCounters);
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(kItems);
  std::vector<std::int16_t> shorts = std::vector<std::int16_t>(kItems);
  Buffer<Word> from_buffer, results_buffer, counters_buffer;
  Buffer<std::uint8_t> bytes_buffer;
  Buffer<std::int16_t> shorts_buffer;
  Stream stream;
};

Result<std::unique_ptr<SectionsRun>> run_sections_kernel(const Device& device, const Words& from, Word items,
                                                         Deadline deadline) {
  COLLET_TRY(input, device.upload(from));
  COLLET_TRY(results, device.buffer<Word>(kParts * kItems));
  COLLET_TRY(counters, device.buffer<Word>(kCounters));
  COLLET_TRY(bytes, device.buffer<std::uint8_t>(kItems));
  COLLET_TRY(shorts, device.buffer<std::int16_t>(kItems));
  auto run = std::make_unique<SectionsRun>(SectionsRun{.from_buffer = std::move(input),
                                                       .results_buffer = std::move(results),
                                                       .counters_buffer = std::move(counters),
                                                       .bytes_buffer = std::move(bytes),
                                                       .shorts_buffer = std::move(shorts),
                                                       .stream = device.stream()});
  static const auto& sections = *new auto(sections_kernel());  // compiled once a device
  run->stream.launch(sections, items, run->from_buffer, run->results_buffer, run->counters_buffer,
                     run->bytes_buffer, run->shorts_buffer, kSeed);
  run->stream.download(run->results_buffer, std::span(run->results));
  run->stream.download(run->counters_buffer, std::span(run->counters));
  run->stream.download(run->bytes_buffer, std::span(run->bytes));
  run->stream.download(run->shorts_buffer, std::span(run->shorts));
  COLLET_CHECK(finish(run, deadline));
  return run;
}

Verdict run_sections(const Device& device, Deadline deadline) {
  const Sections expected;
  const auto run = run_sections_kernel(device, expected.from, kItems, deadline);
  if (!run) return failed(kEmitted, run.error());
  const SectionsRun& got = **run;
  const auto part = [](const Words& words, Word index) {
    return std::span(words).subspan(index * kItems, kItems);
  };
  // What others depend on comes first: where barriers fail, atomics seem to.
  const std::array verdicts = {
      compared(kEmitted, part(got.results, kMixPart), part(expected.results, kMixPart)),
      compared(kFloats, part(got.results, kFloatPart), part(expected.results, kFloatPart)),
      compared(kBarriers, part(got.results, kBarrierPart), part(expected.results, kBarrierPart)),
      compared(kAtomics, part(got.results, kAtomicPart), part(expected.results, kAtomicPart)),
      compared(kAtomics, got.counters, expected.counters),
      compared(kSubWords, widened<std::uint8_t>(got.bytes), expected.bytes),
      compared(kSubWords, widened<std::int16_t>(got.shorts), expected.shorts)};
  for (const Verdict& verdict : verdicts) {
    if (verdict.rung != Rung::verified) return verdict;
  }
  // Three items of the only group: the others write nothing.
  const auto ragged = run_sections_kernel(device, expected.from, 3, deadline);
  if (!ragged) return failed(kEmitted, ragged.error());
  Words few(kItems);
  std::ranges::copy(part(expected.results, kMixPart).first(3), few.begin());
  return compared(kEmitted, part((*ragged)->results, kMixPart), few);
}

// --- Loops ------------------------------------------------------------------------------------------------

constexpr Word kRounds = 70'001;
constexpr Word kLoopItems = 8;

template <class T>
T stepped(const T& sum, const T& round) {
  return sum * 1664525u + round;
}

struct LoopRun {
  Words sums = Words(kLoopItems);
  Buffer<Word> buffer;
  Stream stream;
};

// Whether the driver is known to cut loops, and the launch said so.
bool refused_by_quirk(const Device& device, const Error& error) {
  return error.code() == ErrorCode::unsupported &&
         std::ranges::any_of(quirks(device.info()), [&](const DeviceQuirk& quirk) {
           return quirk.action == QuirkAction::refused && error.message().find(quirk.id) != std::string::npos;
         });
}

Verdict run_long_loop(const Device& device, Deadline deadline) {
  static const auto& rounds =
      *new auto(kernel("collet_rounds", [](Out<Word> sums, Value<Word> count) {
                  Var<Word> sum = global_id();
                  for_(0u, count, [&](const auto& round) { sum = stepped<Expr<Word>>(sum, round); });
                  sums[global_id()] = sum;
                }).with(group(kLoopItems)));
  auto buffer = device.buffer<Word>(kLoopItems);
  if (!buffer) return failed(kLongLoops, buffer.error());
  auto run = std::make_unique<LoopRun>(LoopRun{.buffer = std::move(*buffer), .stream = device.stream()});
  run->stream.launch(rounds, kLoopItems, run->buffer, kRounds);
  run->stream.download(run->buffer, std::span(run->sums));
  if (const auto done = finish(run, deadline); !done) {
    if (refused_by_quirk(device, done.error())) return {.rung = Rung::verified, .refused = {}};
    return failed(kLongLoops, done.error());
  }
  Words expected(kLoopItems);
  for (Word i = 0; i < kLoopItems; ++i) {
    expected[i] = i;
    for (Word round = 0; round < kRounds; ++round) expected[i] = stepped(expected[i], round);
  }
  return compared(kLongLoops, run->sums, expected);
}

// --- Memory -----------------------------------------------------------------------------------------------

constexpr Word kStaleWords = 4096;
constexpr std::size_t kBytes = 1021;
// A copy between and behind words, from and to.
constexpr std::size_t kCopyFrom = 3, kCopyTo = 6, kCopied = 509;
constexpr std::size_t kReadFrom = 5, kRead = 7;

struct MemoryRun {
  Words words = Words(kStaleWords);
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(kBytes), few = std::vector<std::uint8_t>(kRead);
  Buffer<Word> clean;
  Buffer<std::uint8_t> from, to;
  Stream stream;
};

Result<std::unique_ptr<MemoryRun>> run_memory_copies(const Device& device,
                                                     const std::vector<std::uint8_t>& pattern,
                                                     Deadline deadline) {
  // Freed at once: the next buffer in the same memory would show these values if nobody cleared it.
  COLLET_CHECK(device.upload(Words(kStaleWords, 0xa5a5a5a5u)));
  COLLET_TRY(clean, device.buffer<Word>(kStaleWords));
  COLLET_TRY(from, device.buffer<std::uint8_t>(kBytes));
  COLLET_TRY(to, device.buffer<std::uint8_t>(kBytes));
  auto run = std::make_unique<MemoryRun>(MemoryRun{
      .clean = std::move(clean), .from = std::move(from), .to = std::move(to), .stream = device.stream()});
  run->stream.download(run->clean, std::span(run->words));
  run->stream.upload(pattern, run->from);
  run->stream.copy(run->from.slice(kCopyFrom, kCopied), run->to.slice(kCopyTo, kCopied));
  run->stream.download(run->to, std::span(run->bytes));
  run->stream.download(run->to.slice(kReadFrom, kRead), std::span(run->few));
  COLLET_CHECK(finish(run, deadline));
  return run;
}

Verdict run_memory(const Device& device, Deadline deadline) {
  std::vector<std::uint8_t> pattern(kBytes);
  for (std::size_t i = 0; i < kBytes; ++i) pattern[i] = static_cast<std::uint8_t>(i * 7 + 1);
  std::vector<std::uint8_t> copied(kBytes);
  std::copy_n(pattern.begin() + kCopyFrom, kCopied, copied.begin() + kCopyTo);
  const auto run = run_memory_copies(device, pattern, deadline);
  if (!run) return failed(kRaggedCopies, run.error());
  Verdict stale = compared(kStaleMemory, (*run)->words, Words(kStaleWords));
  if (stale.rung != Rung::verified) return stale;
  const auto of = [](const std::vector<std::uint8_t>& bytes) { return widened<std::uint8_t>(bytes); };
  Verdict ragged = compared(kRaggedCopies, of((*run)->bytes), of(copied));
  if (ragged.rung != Rung::verified) return ragged;
  copied.erase(copied.begin(), copied.begin() + kReadFrom);
  copied.resize(kRead);
  return compared(kRaggedCopies, of((*run)->few), of(copied));
}

constexpr Trial kTrials[] = {{"stale memory, ragged copies", run_memory},
                             {"emitted code, floats, barriers, atomics, sub-words", run_sections},
                             {"long loops", run_long_loop}};

// What COLLET_STRICT and COLLET_VALIDATE ask of programs is no fact about a device.
const OpenOptions& options() {
  static const OpenOptions& all =
      *new OpenOptions{.label = "canary", .cpu_threads = 1, .cpu_tier = CpuTier::interpreter};
  return all;
}

}  // namespace

std::span<const std::string_view> canary_names() { return kNames; }
std::span<const Trial> trials() { return kTrials; }

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
  auto native = open(id, options());
  if (!native) return {.rung = Rung::initialised, .refused = native.error().message()};
  return try_canaries(std::move(*native));
}

Verdict try_canaries(std::unique_ptr<backend::Device> native) {
  const Device device(detail::Ref(new detail::DeviceState(std::move(native), options())));
  if (!device.native().caps().executes) return {};
  Verdict verdict;
  for (const Trial& trial : trials()) {
    verdict = trial.run(device, Deadline::in(kCanaryLimit));
    if (!verdict.refused.empty()) break;
  }
  return verdict;
}

}  // namespace collet::discovery
