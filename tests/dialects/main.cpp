// collet-dialects: kernels in every language that they are written in, as files for scripts/check-dialects.
//
//   collet-dialects FOLDER [--corpus=FOLDER]... [--kernels=0] [--seed=1] [--to=cuda,wgsl]
//
// The kernels are the IR texts of each corpus and random ones. FOLDER/<dialect>/<kernel>.<ext> is one of
// them, with FOLDER/ir/<kernel>.ir as what it was made of. FOLDER/<dialect>/refused.txt has a line for each
// that the language can't say: its name, a tab, and the message. Without --to, it is every language that
// there is an emitter for. Exit code 0: every kernel was written or refused.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include "collet/collet.hpp"
#include "fuzz/generator.hpp"
#include "kernel/emit/emit.hpp"
#include "kernel/emit/guard.hpp"
#include "kernel/emit/messages.hpp"
#include "kernel/ir/sizes.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"
#include "required.hpp"

namespace collet::fuzz {
namespace {

namespace fs = std::filesystem;

struct Dialect {
  std::string_view name, extension;
  Format format;
};
constexpr std::array kDialects{
    Dialect{"opencl", ".cl", Format::opencl_c}, Dialect{"glsl-vulkan", ".comp", Format::glsl_vulkan},
    Dialect{"glsl", ".comp", Format::glsl},     Dialect{"gles", ".comp", Format::glsl_es},
    Dialect{"cuda", ".cu", Format::cuda},       Dialect{"hip", ".hip", Format::hip},
    Dialect{"wgsl", ".wgsl", Format::wgsl},     Dialect{"msl", ".metal", Format::msl},
};

struct Options {
  fs::path folder;
  std::vector<std::string> corpora;
  std::uint64_t kernels = 0;
  std::uint64_t seed = 1;
  std::vector<Dialect> to;
};

// False after a sentence on stderr.
bool add_dialects(const std::string& words, std::vector<Dialect>& to) {
  for (const std::string& word : test::split_words(words)) {
    const auto* found = std::ranges::find(kDialects, word, &Dialect::name);
    if (found == kDialects.end() || !emit::has_emitter(found->format)) {
      std::fprintf(stderr, "collet-dialects: this build writes no kernels as (%s).\n", word.c_str());
      return false;
    }
    to.push_back(*found);
  }
  return true;
}

// Null after a sentence on stderr.
std::optional<Options> parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const auto [name, value] = test::split_option(argv[i]);
    if (name == "--corpus") {
      options.corpora.push_back(value);
    } else if (name == "--kernels") {
      options.kernels = std::strtoull(value.c_str(), nullptr, 10);
    } else if (name == "--seed") {
      options.seed = std::strtoull(value.c_str(), nullptr, 10);
    } else if (name == "--to") {
      if (!add_dialects(value, options.to)) return std::nullopt;
    } else if (!name.starts_with('-') && options.folder.empty()) {
      options.folder = name;
    } else {
      std::fprintf(stderr,
                   "collet-dialects does not know (%s). It takes a folder, --corpus=FOLDER, --kernels=N, "
                   "--seed=N and --to=DIALECT,….\n",
                   argv[i]);
      return std::nullopt;
    }
  }
  if (options.folder.empty()) {
    std::fprintf(stderr, "usage: collet-dialects FOLDER [--corpus=FOLDER]... [--kernels=N] [--to=LIST]\n");
    return std::nullopt;
  }
  if (options.to.empty())
    std::ranges::copy_if(kDialects, std::back_inserter(options.to),
                         [](const Dialect& dialect) { return emit::has_emitter(dialect.format); });
  return options;
}

// Kernels by name.
using Kernels = std::map<std::string, ir::Kernel>;

// Of workgroup memory, and of one item's arrays. No device has more, so that the library never emits a kernel
// that asks for it, and compilers refuse them.
constexpr std::uint64_t kMostBytes = 64u << 10;
bool has_room(const ir::Kernel& kernel) {
  return ir::workgroup_bytes(kernel) <= kMostBytes && ir::item_bytes(kernel) <= kMostBytes;
}

// The IR texts of a folder; in the tests some are no kernels, or too large, on purpose. False after a
// sentence on stderr.
bool read_corpus(const fs::path& folder, Kernels& kernels) {
  std::error_code none;
  std::size_t read = 0, refused = 0, large = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder, none)) {
    if (entry.path().extension() != ".ir") continue;
    std::ifstream file(entry.path());
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    auto kernel = ir::parse(text);
    if (!kernel || !ir::verify(*kernel)) {
      ++refused;
      continue;
    }
    if (!has_room(*kernel)) {
      ++large;
      continue;
    }
    ++read;
    const std::string name = entry.path().stem().string();
    if (!kernels.emplace(name, *std::move(kernel)).second) {
      std::fprintf(stderr, "collet-dialects: two kernels are named (%s).\n", name.c_str());
      return false;
    }
  }
  std::printf("%s: %zu kernels, %zu texts that the verifier refuses, %zu that no device has room for\n",
              folder.c_str(), read, refused, large);
  if (read == 0) std::fprintf(stderr, "collet-dialects: %s holds no kernel.\n", folder.c_str());
  return read != 0;
}

void add_random(const Options& options, Kernels& kernels) {
  constexpr std::array<std::pair<Taste, std::string_view>, 3> kTastes{
      {{Taste::wide, "wide"}, {Taste::portable, "portable"}, {Taste::out_of_range, "out-of-range"}}};
  for (std::uint64_t i = 0; i < options.kernels; ++i) {
    const std::uint64_t seed = options.seed + i;
    const auto& [taste, name] = kTastes[i % kTastes.size()];
    kernels.emplace(std::string(name) + "-" + std::to_string(seed), generate(seed, taste).kernel);
  }
}

// As the core gives a kernel to an emitter; none of the checks is left out.
Result<emit::Emitted> written(const ir::Kernel& kernel, Format format) {
  ir::Kernel plain = kernel;
  plain.places.clear();
  if (!plain.messages.empty()) {
    COLLET_TRY(made, emit::lower_messages(plain));
    plain = std::move(made);
  }
  emit::Target target = emit::target_of_language(format);
  target.entry = "collet_" + kernel.name;
  return emit::emit(format, emit::guard(plain), target);
}

void write_file(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

// Every kernel in one language. False after a sentence on stderr.
bool write_dialect(const Options& options, const Dialect& dialect, const Kernels& kernels) {
  const fs::path folder = options.folder / dialect.name;
  fs::create_directories(folder);
  std::string refused;
  std::size_t files = 0, refusals = 0, failures = 0;
  for (const auto& [name, kernel] : kernels) {
    const auto code = written(kernel, dialect.format);
    if (code) {
      write_file(folder / (name + std::string(dialect.extension)), code->bytes);
      ++files;
    } else if (code.error().code() == ErrorCode::unsupported) {
      std::string line = code.error().message();
      std::ranges::replace(line, '\n', ' ');
      refused += name + "\t" + line + "\n";
      ++refusals;
    } else {
      std::fprintf(stderr, "%s in %s: %s\n", name.c_str(), std::string(dialect.name).c_str(),
                   code.error().describe().c_str());
      ++failures;
    }
  }
  write_file(folder / "refused.txt", refused);
  std::printf("%s: %zu written, %zu refused, %zu failed\n", std::string(dialect.name).c_str(), files,
              refusals, failures);
  return failures == 0;
}

int run(const Options& options) {
  Kernels kernels;
  for (const std::string& corpus : options.corpora)
    if (!read_corpus(corpus, kernels)) return 2;
  add_random(options, kernels);
  if (kernels.empty()) {
    std::fprintf(stderr, "collet-dialects: there is no kernel to write.\n");
    return 2;
  }
  fs::create_directories(options.folder / "ir");
  for (const auto& [name, kernel] : kernels)
    write_file(options.folder / "ir" / (name + ".ir"), ir::print(kernel));
  bool good = true;
  for (const Dialect& dialect : options.to) good = write_dialect(options, dialect, kernels) && good;
  return good ? 0 : 1;
}

}  // namespace
}  // namespace collet::fuzz

int main(int argc, char** argv) {
  const auto options = collet::fuzz::parse(argc, argv);
  return options ? collet::fuzz::run(*options) : 2;
}
