// collet-hostile: damaged IR texts on every device of the machine. Of each, damage is tried until the
// verifier accepts one, and that is run: each device executes it or refuses it by name. Nothing ends the
// process, and nothing is left out in silence.
//
//   collet-hostile --corpus=FOLDER [--texts=6] [--seed=1] [--require=cpu,lavapipe] [--save=FOLDER]
//
// Texts are run in child processes, a few in each, with a time limit. A kernel that does not end is late: its
// wait fails, and the child is given up. COLLET_HOSTILE_TEXTS says how many texts where --texts does not.
// Exit code 0: no crash, no hang outside a kernel, nothing silent, and every device ran something.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>

#include "collet/collet.hpp"
#include "fuzz/generator.hpp"
#include "fuzz/mutate.hpp"
#include "kernel/ir/text.hpp"
#include "platform/platform.hpp"
#include "required.hpp"

namespace collet::fuzz {
namespace {

constexpr std::uint64_t kPiece = 32;     // texts of a child
constexpr std::uint64_t kAttempts = 64;  // to damage a text so that the verifier accepts it
constexpr std::chrono::seconds kMostKernel{3};
constexpr std::chrono::seconds kMostPiece{600};
constexpr std::size_t kMostOutput = 1 << 20;

struct Options {
  std::uint64_t texts = 6;
  std::uint64_t seed = 1;
  std::string corpus;
  std::vector<std::string> required;
  std::string save;
  // Of a child: it runs the texts from `first` up to `texts`, the first of them from the row `row` on.
  bool child = false;
  std::uint64_t first = 0;
  std::size_t row = 0;
};

// Null after a sentence on stderr.
std::optional<Options> parse(int argc, char** argv) {
  Options options;
  if (const char* texts = std::getenv("COLLET_HOSTILE_TEXTS"))
    options.texts = std::strtoull(texts, nullptr, 10);
  for (int i = 1; i < argc; ++i) {
    const auto [name, value] = test::split_option(argv[i]);
    const auto number = [&text = value] { return std::strtoull(text.c_str(), nullptr, 10); };
    if (name == "--texts") {
      options.texts = number();
    } else if (name == "--seed") {
      options.seed = number();
    } else if (name == "--corpus") {
      options.corpus = value;
    } else if (name == "--save") {
      options.save = value;
    } else if (name == "--require") {
      options.required = test::split_words(value);
    } else if (name == "--child") {
      options.child = true;
    } else if (name == "--first") {
      options.first = number();
    } else if (name == "--row") {
      options.row = number();
    } else {
      std::fprintf(stderr,
                   "collet-hostile does not know (%s). It takes --corpus=FOLDER, --texts=N, --seed=N, "
                   "--require=ID,… and --save=FOLDER.\n",
                   argv[i]);
      return std::nullopt;
    }
  }
  return options;
}

// The texts that get damaged: the corpus, and as many random kernels.
std::vector<std::string> read_corpus(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code none;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, none)) {
    if (entry.path().extension() == ".ir") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream file(path);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  for (std::uint64_t seed = 1, count = std::max<std::size_t>(texts.size(), 16); seed <= count; ++seed) {
    const Taste taste = seed % 2 == 0 ? Taste::wild : Taste::portable;
    texts.push_back(ir::print(generate(seed, taste).kernel));
  }
  return texts;
}

std::string text_of(const std::vector<std::string>& corpus, const Options& options, std::uint64_t index,
                    std::uint64_t attempt) {
  const std::uint64_t seed = options.seed + index;
  return mutate(corpus[seed % corpus.size()], seed * kAttempts + attempt);
}

// One line that the parent understands, written before anything else can happen.
void say(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

// A device, by one way to run kernels. Threads: one at a time.
struct Row {
  std::string name;
  Device device;
};

std::vector<Row> open_rows() {
  std::vector<Row> rows;
  const auto open = [&](const DeviceInfo& info, const char* how, CpuTier tier) {
    OpenOptions options;
    options.cpu_tier = tier;
    auto device = Device::open(info.id(), options);
    if (!device) return say("silent " + info.id() + how + " does not open: " + device.error().message());
    rows.push_back({info.id() + how, *std::move(device)});
  };
  for (const DeviceInfo& info : devices()) {
    if (info.backend == "cpu") {
      open(info, " interpreter", CpuTier::interpreter);
      open(info, " native", CpuTier::native);
    } else if (info.backend != "null" && info.backend != "simulated") {
      open(info, "", CpuTier::automatic);
    }
  }
  return rows;
}

// Small numbers, so that what counts by them ends.
std::vector<std::byte> contents(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; i += 4) bytes[i] = static_cast<std::byte>(i / 4 % 23);
  return bytes;
}

Result<Receipt> launch(const Device& device, const AnyKernel& kernel) {
  constexpr std::size_t kBytes = 1 << 14;  // of a buffer, and at least four elements
  std::vector<Buffer<std::byte>> buffers;
  std::vector<AnyArgument> arguments;
  for (const AnyParameter& parameter : kernel.parameters()) {
    if (parameter.buffer) {
      const std::size_t elements = std::max<std::size_t>(kBytes / parameter.size, 4);
      COLLET_TRY(buffer, device.upload(contents(elements * parameter.size)));
      arguments.emplace_back(buffer);
      buffers.push_back(std::move(buffer));
    } else {
      arguments.push_back(AnyArgument::value(std::span<const std::byte>(contents(parameter.size))));
    }
  }
  Stream stream = device.stream();
  stream.launch(kernel, elements(70, 3, 2), arguments);
  return stream.wait(Deadline::in(kMostKernel));
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text.substr(0, 300);
}

// "ran", "late", or a word for what kind of error it is, with the message.
std::string outcome_of(const Result<Receipt>& done) {
  if (done) {
    const bool ran = done->launches.size() == 1 && done->launches[0].facts->executed;
    return ran ? "ran" : "silent a launch that succeeded did not execute";
  }
  const Error& error = done.error();
  if (error.message().empty()) return "silent an error has no message";
  if (error.code() == ErrorCode::timeout) return "late " + one_line(error.message());
  if (error.code() == ErrorCode::internal) return "internal " + one_line(error.describe());
  return "refused " + one_line(error.message());
}

// The first accepted of the attempts. Says "text N ATTEMPT" before each, "refused-text" behind those that the
// verifier refused, and "hopeless" where it refused all.
std::optional<AnyKernel> damaged(const std::vector<std::string>& corpus, const Options& options,
                                 std::uint64_t index) {
  for (std::uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
    say("text " + std::to_string(index) + " " + std::to_string(attempt));
    auto kernel = AnyKernel::parse(text_of(corpus, options, index, attempt));
    if (kernel) return *std::move(kernel);
    say(kernel.error().message().empty() ? "silent the verifier refused a text without a word"
                                         : "refused-text");
  }
  say("hopeless");
  return std::nullopt;
}

// Runs each text on each row: says "on ROW" and then its outcome; "end" when all are done.
int run_child(const Options& options) {
  platform::explain_ends();
  const std::vector<std::string> corpus = read_corpus(options.corpus);
  std::vector<Row> rows = open_rows();
  for (std::uint64_t i = options.first; i < options.texts; ++i) {
    const auto kernel = damaged(corpus, options, i);
    if (!kernel) continue;
    for (std::size_t row = i == options.first ? options.row : 0; row < rows.size(); ++row) {
      say("on " + rows[row].name);
      const std::string outcome = outcome_of(launch(rows[row].device, *kernel));
      say(outcome);
      if (!outcome.starts_with("late")) continue;
      // The device still runs it: this process can't go on with it.
      platform::disarm_ends();
      std::_Exit(0);
    }
  }
  say("end");
  platform::disarm_ends();
  std::_Exit(0);
}

struct Tally {
  std::uint64_t ran = 0, refused = 0, late = 0, crashed = 0, hung = 0, internal = 0;
  std::uint64_t sum() const { return ran + refused + late + crashed + hung + internal; }
};

// Threads: one at a time.
class Parent {
 public:
  Parent(const Options& options, std::string program)
      : options_(options), program_(std::move(program)), corpus_(read_corpus(options.corpus)) {}

  bool run() {
    for (std::uint64_t first = 0; first < options_.texts; first += kPiece) {
      piece(first, std::min(first + kPiece, options_.texts));
      std::fprintf(stderr, "%llu of %llu texts, %llu faults\n",
                   static_cast<unsigned long long>(std::min(first + kPiece, options_.texts)),
                   static_cast<unsigned long long>(options_.texts), static_cast<unsigned long long>(faults_));
    }
    return report();
  }

 private:
  // Children that begin where the last one ended, until all of [first, end) is done.
  void piece(std::uint64_t first, std::uint64_t end) {
    std::size_t row = 0;
    while (first < end) {
      const std::vector<std::string> arguments{"--child",
                                               "--corpus=" + options_.corpus,
                                               "--seed=" + std::to_string(options_.seed),
                                               "--first=" + std::to_string(first),
                                               "--texts=" + std::to_string(end),
                                               "--row=" + std::to_string(row)};
      const auto ended = platform::run_child(program_, arguments, {}, Deadline::in(kMostPiece), kMostOutput);
      if (!ended) return fault(first, "", "A child can't be run: " + ended.error().message());
      if (!read(*ended, first, row)) return;
    }
  }

  // Counts what a child said. False where it said "end"; else `first` and `row` are where to go on.
  bool read(const platform::Ended& ended, std::uint64_t& first, std::size_t& row) {
    std::istringstream lines(ended.output);
    std::string on;
    std::size_t next = row;
    std::string why;
    bool asked = false;  // a row was entered, and has not answered
    std::uint64_t index = first;
    for (std::string line; std::getline(lines, line);) {
      const std::string word = line.substr(0, line.find(' '));
      const std::string rest = line.size() > word.size() ? line.substr(word.size() + 1) : "";
      if (word == "end") return false;
      if (word == "text") {
        std::istringstream(rest) >> index >> attempt_;
        if (index != first) row = 0;
        first = index;
        next = row;
        on.clear();
      } else if (word == "on") {
        on = rest;
        ++next;
        asked = true;
      } else if (word == "fault") {
        why = rest;
      } else if (word == "refused-text" && row != 0) {
        // Said by the child before, which a kernel of this text was late for.
      } else {
        asked = false;
        count(first, on, word, rest);
      }
    }
    row = next;
    if (on.empty()) {
      fault(first, "", "The child ended while it read the text or opened devices: " + how(ended, why));
      ++first;
      row = 0;
    } else if (asked) {
      ++(ended.how == platform::Ended::How::timed_out ? tallies_[on].hung : tallies_[on].crashed);
      fault(first, on, how(ended, why));
    }
    return true;
  }

  static std::string how(const platform::Ended& ended, const std::string& why) {
    const std::string said = why + " " + one_line(ended.errors);
    if (ended.how == platform::Ended::How::timed_out) return "no end within the time limit " + said;
    if (ended.how == platform::Ended::How::crashed) return ended.name + " " + said;
    return "exit with code " + std::to_string(ended.code) + " " + said;
  }

  void count(std::uint64_t index, const std::string& on, const std::string& word, const std::string& rest) {
    if (word == "refused-text") {
      ++refused_;
    } else if (word == "hopeless") {
      ++hopeless_;
    } else if (word == "ran") {
      ++tallies_[on].ran;
    } else if (word == "refused") {
      ++tallies_[on].refused;
    } else if (word == "late") {
      ++tallies_[on].late;
    } else if (word == "internal") {
      ++tallies_[on].internal;
      fault(index, on, rest);
    } else if (word == "silent") {
      ++silent_;
      fault(index, on, rest);
    }
  }

  void fault(std::uint64_t index, const std::string& on, const std::string& what) {
    ++faults_;
    const std::string text = text_of(corpus_, options_, index, attempt_);
    std::printf("\n# seed %llu\n# %s: %s\n%s\n", static_cast<unsigned long long>(options_.seed + index),
                on.empty() ? "no device" : on.c_str(), what.c_str(), text.substr(0, 4000).c_str());
    if (options_.save.empty()) return;
    std::string name = "seed" + std::to_string(options_.seed + index) + "_" + on + ".ir";
    for (char& c : name) c = c == ':' || c == ' ' ? '_' : c;
    std::ofstream(options_.save + "/" + name) << text;
  }

  bool report() {
    for (const auto& [name, tally] : tallies_) {
      std::printf("%s: %llu ran, %llu refused, %llu late, %llu crashes, %llu hangs, %llu internal errors\n",
                  name.c_str(), static_cast<unsigned long long>(tally.ran),
                  static_cast<unsigned long long>(tally.refused), static_cast<unsigned long long>(tally.late),
                  static_cast<unsigned long long>(tally.crashed), static_cast<unsigned long long>(tally.hung),
                  static_cast<unsigned long long>(tally.internal));
      if (tally.ran == 0) {
        std::fprintf(stderr, "%s ran nothing.\n", name.c_str());
        ++faults_;
      }
      if (tally.sum() + hopeless_ != options_.texts) {
        std::fprintf(stderr, "%s was given %llu texts of %llu, and %llu were damaged beyond use.\n",
                     name.c_str(), static_cast<unsigned long long>(tally.sum()),
                     static_cast<unsigned long long>(options_.texts),
                     static_cast<unsigned long long>(hopeless_));
        ++faults_;
      }
    }
    std::printf("%llu texts from seed %llu, and %llu that the verifier refused: %llu silent, %llu faults\n",
                static_cast<unsigned long long>(options_.texts),
                static_cast<unsigned long long>(options_.seed), static_cast<unsigned long long>(refused_),
                static_cast<unsigned long long>(silent_), static_cast<unsigned long long>(faults_));
    return faults_ == 0;
  }

  const Options& options_;
  const std::string program_;
  const std::vector<std::string> corpus_;
  std::map<std::string, Tally> tallies_;
  std::uint64_t attempt_ = 0;  // of the text that is read about
  std::uint64_t refused_ = 0;
  std::uint64_t hopeless_ = 0;  // texts of which no damage was accepted
  std::uint64_t silent_ = 0;
  std::uint64_t faults_ = 0;
};

int run(int argc, char** argv) {
  const auto options = parse(argc, argv);
  if (!options) return 2;
  if (options->child) return run_child(*options);
  if (const std::string missing = test::find_missing(devices(), options->required); !missing.empty()) {
    std::fprintf(stderr, "%s\n", missing.c_str());
    return 2;
  }
  return Parent(*options, platform::executable_path()).run() ? 0 : 1;
}

}  // namespace
}  // namespace collet::fuzz

int main(int argc, char** argv) { return collet::fuzz::run(argc, argv); }
