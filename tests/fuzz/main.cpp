// collet-fuzz: random kernels on every device of the machine, compared bit for bit with the interpreter.
//
//   collet-fuzz [--kernels=200] [--seed=1|today] [--devices=cpu,vulkan:0] [--require=cpu,lavapipe]
//               [--save=FOLDER] [--out-of-range] [--without=QUIRK] [--through=glsl] [--doubles]
//   collet-fuzz --replay=FILE [--devices=…]
//
// With --out-of-range, kernels also reach beyond every memory that they have. Where this process runs them
// itself, buffers lie between pages that nobody may touch, and on devices between zones that must not change.
//
// The cpu is two rows: its interpreter and its native code. A kernel that shows a fault is shrunk and
// printed, and written to the folder; --replay runs such a file again. `today` is a seed that changes once a
// day. --without leaves out what avoids a driver's fault, to find a kernel that shows it. --through=glsl is
// for Vulkan devices: their kernels are written in GLSL, which glslang compiles. Exit code 0: every device
// gave the same, or refused by name.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "collet/collet.hpp"
#include "doubles/glsl_device.hpp"
#include "drivers/quirks.hpp"
#include "fuzz/generator.hpp"
#include "fuzz/oracle.hpp"
#include "fuzz/replay.hpp"
#include "fuzz/shrink.hpp"
#include "fuzz/target.hpp"
#include "kernel/ir/passes.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"
#include "required.hpp"
#ifdef COLLET_CUDA_DOUBLE_LIBRARY
#include "doubles/cuda_library.hpp"
#endif

namespace collet::fuzz {
namespace {

constexpr std::size_t kBatch = 64;
constexpr std::size_t kMostText = 4000;  // of a kernel on the screen

struct Options {
  std::uint64_t kernels = 200;
  std::uint64_t seed = 1;
  std::vector<std::string> devices;
  std::vector<std::string> required;
  std::string save;
  std::string replay;
  bool out_of_range = false;
  std::string without;
  bool through_glsl = false;
};

// 2026-11-16 is 20,261,116 times 100,000, so that the seeds of two days do not meet.
std::uint64_t seed_of_today() {
  const std::chrono::year_month_day day{
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())};
  const auto number = static_cast<std::uint64_t>(static_cast<int>(day.year())) * 10'000 +
                      static_cast<unsigned>(day.month()) * 100 + static_cast<unsigned>(day.day());
  return number * 100'000;
}

// Null after a sentence on stderr.
std::optional<Options> parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const auto [name, value] = test::split_option(argv[i]);
    if (name == "--kernels") {
      options.kernels = std::strtoull(value.c_str(), nullptr, 10);
    } else if (name == "--seed") {
      options.seed = value == "today" ? seed_of_today() : std::strtoull(value.c_str(), nullptr, 10);
    } else if (name == "--devices") {
      options.devices = test::split_words(value);
    } else if (name == "--require") {
      options.required = test::split_words(value);
    } else if (name == "--save") {
      options.save = value;
    } else if (name == "--replay") {
      options.replay = value;
    } else if (name == "--without") {
      options.without = value;
    } else if (argv[i] == std::string_view("--through=glsl")) {
      options.through_glsl = true;
#ifdef COLLET_CUDA_DOUBLE_LIBRARY
    } else if (argv[i] == std::string_view("--doubles")) {
      test::use_doubles();
#endif
    } else if (argv[i] == std::string_view("--out-of-range")) {
      options.out_of_range = true;
    } else {
      std::fprintf(stderr,
                   "collet-fuzz does not know (%s). It takes --kernels=N, --seed=N, --devices=ID,…, "
                   "--require=ID,…, --save=FOLDER, --out-of-range, --without=QUIRK, --through=glsl and "
                   "--replay=FILE.\n",
                   argv[i]);
      return std::nullopt;
    }
  }
  return options;
}

struct Row {
  Target target;
  std::size_t each = 1;  // of so many kernels one runs here
  std::uint64_t executed = 0, refused = 0, mismatches = 0;
};

// A row for each format of a device that has the quirk, without what avoids it. False after a sentence on
// stderr.
bool open_without(std::vector<Row>& rows, const DeviceInfo& info, const std::string& id) {
  for (const drivers::Quirk* quirk : drivers::quirks_of(info)) {
    if (quirk->id != id) continue;
    const auto device = Device::open(info.id());
    if (!device) {
      std::fprintf(stderr, "%s does not open: %s\n", info.id().c_str(), device.error().message().c_str());
      return false;
    }
    for (const Format format : device->native().caps().formats) {
      if (emit::has_emitter(format)) rows.push_back({.target = Target(*device, format, quirk->workaround)});
    }
  }
  return true;
}

// False after a sentence on stderr.
bool open_row(std::vector<Row>& rows, const DeviceInfo& info, const Options& options) {
  if (!options.without.empty()) return open_without(rows, info, options.without);
  const auto heard = std::make_shared<Heard>();
  const auto open = [&](CpuTier tier) {
    const OpenOptions how{.cpu_tier = tier, .print = Heard::by(heard)};
    auto device =
        options.through_glsl ? test::open_through_glsl(info.id(), how) : Device::open(info.id(), how);
    if (!device) {
      std::fprintf(stderr, "%s does not open: %s\n", info.id().c_str(), device.error().message().c_str());
    }
    return device;
  };
  if (info.backend == "cpu") {
    for (const auto& [tier, name] :
         {std::pair(CpuTier::interpreter, " interpreted"), std::pair(CpuTier::native, " natively")}) {
      auto device = open(tier);
      if (!device) return false;
      rows.push_back({.target = Target(*device, name)});
      rows.back().target.hear(heard);
    }
    return true;
  }
  auto device = open(CpuTier::automatic);
  if (!device) return false;
  const std::vector<Format>& formats = device->native().caps().formats;
  const auto takes = [&](Format format) { return std::ranges::find(formats, format) != formats.end(); };
  // Intel's own compiler for OpenCL C is what its SPIR-V goes through too.
  if (takes(Format::spirv_kernel)) {
    rows.push_back({.target = Target(*device, Format::spirv_kernel, 1)});
  } else if (takes(Format::opencl_c)) {
    rows.push_back({.target = Target(*device, Format::opencl_c, kBatch)});
    // The library leaves out checks that the launch answers; a program for each kernel takes long.
    if (options.out_of_range) rows.push_back({.target = Target(*device), .each = 8});
  } else {
    rows.push_back({.target = Target(*device)});
  }
  rows.back().target.hear(heard);
  return true;
}

// What kernels print must be what they print on the interpreter. Nothing after a sentence on stderr.
std::optional<Target> open_reference() {
  const auto heard = std::make_shared<Heard>();
  auto device = Device::open("cpu", {.cpu_tier = CpuTier::interpreter, .print = Heard::by(heard)});
  if (!device) {
    std::fprintf(stderr, "cpu does not open: %s\n", device.error().message().c_str());
    return std::nullopt;
  }
  Target target(*device);
  target.hear(heard);
  return target;
}

// Every device, by every way that it takes; empty after a sentence on stderr.
std::vector<Row> open_rows(const Options& options) {
  std::vector<Row> rows;
  const auto chosen = test::choose(devices(), options.devices, options.required);
  if (!chosen) return {};
  for (const DeviceInfo& info : *chosen) {
    if (!open_row(rows, info, options)) return {};
  }
  if (rows.empty()) std::fprintf(stderr, "There is no device to run on.\n");
  return rows;
}

// What is wrong with an outcome; "" where nothing is, and where the device refused.
std::string fault(const Target::Outcome& outcome, const std::vector<Bytes>& wanted,
                  const ir::Kernel& kernel) {
  if (outcome) return difference(*outcome, wanted, kernel);
  return outcome.error().code() == ErrorCode::unsupported ? "" : outcome.error().describe();
}

std::string described(const Work& work, Taste taste, std::uint64_t seed, const std::string& where,
                      const std::string& what) {
  std::string text = taste == Taste::talking    ? "# talking "
                     : taste == Taste::wide     ? "# wide "
                     : taste == Taste::portable ? "# seed "
                                                : "# stray ";
  text += std::to_string(seed) + "\n# extent";
  for (const std::uint64_t extent : work.extent) text += " " + std::to_string(extent);
  std::istringstream lines(where + ": " + what);
  for (std::string line; std::getline(lines, line);) text += "\n# " + line;
  return text + "\n" + ir::print(work.kernel);
}

// Threads: one at a time.
class Session {
 public:
  Session(const Options& options, std::vector<Row> rows, Target reference)
      : options_(options),
        rows_(std::move(rows)),
        reference_(std::move(reference)),
        taste_(options.out_of_range      ? Taste::out_of_range
               : options.without.empty() ? Taste::talking
                                         : Taste::wide) {}

  bool run() {
    for (std::uint64_t done = 0; done < options_.kernels; done += kBatch) {
      const std::uint64_t count = std::min<std::uint64_t>(kBatch, options_.kernels - done);
      batch(options_.seed + done, count);
      progress(done + count);
    }
    return report();
  }

  // Whether a file that say() wrote runs as the interpreter says.
  bool replay() {
    auto read = read_work(options_.replay);
    if (!read) {
      std::fprintf(stderr, "%s\n", read.error().message().c_str());
      return false;
    }
    taste_ = read->taste;
    const Work& work = read->work;
    compare({&work, 1}, read->seed, false);
    return report();
  }

 private:
  void batch(std::uint64_t seed, std::uint64_t count) {
    std::vector<Work> works;
    for (std::uint64_t i = 0; i < count; ++i) works.push_back(generate(seed + i, taste_));
    compare(works, seed, taste_ != Taste::out_of_range);  // what is shrunk keeps its indices inside
  }

  void compare(std::span<const Work> works, std::uint64_t seed, bool shrinks) {
    std::vector<std::vector<Bytes>> wanted;
    for (std::size_t i = 0; i < works.size(); ++i) {
      auto answer = with_lines(oracle(works[i]), works[i]);
      if (!answer) {
        ++oracle_faults_;
        const auto bad = [&](const Work& changed) { return !oracle(changed); };
        const Work small = shrinks ? shrink(works[i], bad) : works[i];
        say(small, seed + i, "oracle", oracle(small).error().message());
      }
      if (answer && !works[i].kernel.messages.empty() && !answer->back().empty()) ++printed_;
      wanted.push_back(answer ? *std::move(answer) : std::vector<Bytes>());
    }
    for (Row& row : rows_) {
      const auto outcomes = run(row, works);
      for (std::size_t i = 0; i < works.size(); i += row.each) {
        if (wanted[i].empty()) continue;  // there is no answer to compare with
        const Target::Outcome& outcome = outcomes[i / row.each];
        const std::string what = fault(outcome, wanted[i], works[i].kernel);
        ++(!what.empty() ? row.mismatches : outcome ? row.executed : row.refused);
        if (!what.empty()) blame(row, works[i], seed + i, what, shrinks);
      }
    }
  }

  static std::vector<Target::Outcome> run(Row& row, std::span<const Work> works) {
    if (row.each == 1) return row.target.run(works);
    std::vector<Work> some;
    for (std::size_t i = 0; i < works.size(); i += row.each) some.push_back(works[i]);
    return row.target.run(some);
  }

  // Behind the buffers, what the kernel prints, by the library on the interpreter.
  Result<std::vector<Bytes>> with_lines(Result<std::vector<Bytes>> buffers, const Work& work) {
    if (!buffers || work.kernel.messages.empty()) return buffers;
    COLLET_TRY(after, reference_.run({&work, 1}).front());
    const std::string what = difference(after, *buffers, work.kernel);
    if (!what.empty())
      return Error(ErrorCode::internal, Category::kernel, Cause::other, "While it prints, " + what + ".");
    buffers->push_back(after.back());
    return buffers;
  }

  // The interpreter's answer, where everything that runs here agrees on it.
  Result<std::vector<Bytes>> oracle(const Work& work) {
    const auto wrong = [](std::string what) {
      return Error(ErrorCode::internal, Category::kernel, Cause::other, std::move(what));
    };
    COLLET_CHECK(ir::verify(work.kernel));
    COLLET_TRY(wanted, interpret(work));
    Work folded = work;
    ir::fold(folded.kernel);
    ir::compact(folded.kernel);
    COLLET_CHECK(ir::verify(folded.kernel));
    COLLET_TRY(after, interpret(folded));
    std::string what = difference(after, wanted, work.kernel);
    if (!what.empty()) return wrong("Folded, " + what + ".");
    if (taste_ == Taste::out_of_range) {
      const auto native =
          run_native(work, backend::cpu::native::Level::host);  // a row says where there is none
      what = native ? difference(*native, wanted, work.kernel) : std::string();
      if (!what.empty()) return wrong("As native code, " + what + ".");
    }
    if (!is_sequential(work.kernel)) return wanted;
    ++evaluated_;
    what = difference(wanted, run_items(work), work.kernel);
    if (!what.empty()) return wrong("Against one item at a time, " + what + ".");
    return wanted;
  }

  void blame(Row& row, const Work& work, std::uint64_t seed, const std::string& what, bool shrinks) {
    std::string now = what;
    const auto bad = [&](const Work& changed) {
      const auto answer = with_lines(interpret(changed), changed);
      if (!answer) return false;
      const std::string still = fault(row.target.run({&changed, 1}).front(), *answer, changed.kernel);
      if (!still.empty()) now = still;
      return !still.empty();
    };
    say(shrinks && row.mismatches <= 5 ? shrink(work, bad) : work, seed, row.target.name(), now);
  }

  void say(const Work& work, std::uint64_t seed, const std::string& where, const std::string& what) {
    const std::string text = described(work, taste_, seed, where, what);
    std::printf("\n%s\n", text.substr(0, kMostText).c_str());
    if (text.size() > kMostText) std::printf("… and %zu characters more\n", text.size() - kMostText);
    if (options_.save.empty()) return;
    const std::string id = where.substr(0, where.find(' '));
    std::string name = "seed" + std::to_string(seed) + "_" + id + ".ir";
    std::ranges::replace(name, ':', '_');
    std::ofstream(options_.save + "/" + name) << text;
  }

  void progress(std::uint64_t done) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
    std::uint64_t mismatches = oracle_faults_;
    for (const Row& row : rows_) mismatches += row.mismatches;
    std::fprintf(stderr, "%llu of %llu kernels, %.0f s, %llu mismatches\n",
                 static_cast<unsigned long long>(done), static_cast<unsigned long long>(options_.kernels),
                 passed.count(), static_cast<unsigned long long>(mismatches));
  }

  bool report() {
    std::uint64_t mismatches = oracle_faults_;
    for (const Row& row : rows_) {
      std::printf("%s: %llu executed, %llu refused, %llu mismatches\n", row.target.name().c_str(),
                  static_cast<unsigned long long>(row.executed), static_cast<unsigned long long>(row.refused),
                  static_cast<unsigned long long>(row.mismatches));
      mismatches += row.mismatches;
      const bool may_refuse = !options_.replay.empty() && row.refused != 0;  // of many it takes some
      if (row.executed == 0 && !may_refuse) {
        std::fprintf(stderr, "%s executed nothing.\n", row.target.name().c_str());
        ++mismatches;
      }
    }
    std::printf("%llu kernels from seed %llu: %llu also item by item, %llu printed, %llu mismatches\n",
                static_cast<unsigned long long>(options_.replay.empty() ? options_.kernels : 1),
                static_cast<unsigned long long>(options_.seed), static_cast<unsigned long long>(evaluated_),
                static_cast<unsigned long long>(printed_), static_cast<unsigned long long>(mismatches));
    return mismatches == 0;
  }

  const Options& options_;
  std::vector<Row> rows_;
  Target reference_;
  Taste taste_;  // of what is generated; a replayed file names its own
  std::uint64_t evaluated_ = 0, printed_ = 0;
  std::uint64_t oracle_faults_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

int run(int argc, char** argv) {
  const auto options = parse(argc, argv);
  if (!options) return 2;
  std::vector<Row> rows = open_rows(*options);
  if (rows.empty()) return 2;
  auto reference = open_reference();
  if (!reference) return 2;
  Session session(*options, std::move(rows), *std::move(reference));
  return (options->replay.empty() ? session.run() : session.replay()) ? 0 : 1;
}

}  // namespace
}  // namespace collet::fuzz

int main(int argc, char** argv) { return collet::fuzz::run(argc, argv); }
