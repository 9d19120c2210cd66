// Reading a kernel with its seed and extent, and comparing buffers.

#include "fuzz/replay.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "fuzz/generator.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

namespace collet::fuzz {

Result<Replay> read_work(const std::string& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::istringstream head(text);
  std::string mark, word, rest;
  std::uint64_t seed = 0;
  std::array<std::uint64_t, 3> extent{};
  head >> mark >> word >> seed >> mark >> rest >> extent[0] >> extent[1] >> extent[2];
  auto kernel = ir::parse(text);
  if (!head || !kernel || !ir::verify(*kernel)) {
    return Error(ErrorCode::invalid_argument, Category::kernel, Cause::other,
                 "(" + path + ") is no file that collet-fuzz wrote. " +
                     (kernel ? std::string() : kernel.error().message()));
  }
  const Taste taste = word == "wide"      ? Taste::wide
                      : word == "talking" ? Taste::talking
                      : word == "stray"   ? Taste::out_of_range
                                          : Taste::portable;
  Replay replay{.work = generate(seed, taste), .seed = seed, .taste = taste};  // for its buffers
  replay.work.kernel = *std::move(kernel);
  replay.work.extent = extent;
  return replay;
}

std::string text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string difference(const std::vector<Bytes>& got, const std::vector<Bytes>& wanted,
                       const ir::Kernel& kernel) {
  for (std::size_t b = 0; b < wanted.size(); ++b) {
    if (b >= kernel.buffer_count()) {  // what was printed
      if (got[b] != wanted[b]) return "it printed\n" + text_of(got[b]) + "not\n" + text_of(wanted[b]);
      continue;
    }
    const auto [at, other] = std::ranges::mismatch(got[b], wanted[b]);
    if (at == got[b].end()) continue;
    return "byte " + std::to_string(at - got[b].begin()) + " of buffer " + kernel.memories[b].name + " is " +
           std::to_string(static_cast<int>(*at)) + ", not " + std::to_string(static_cast<int>(*other));
  }
  return {};
}

}  // namespace collet::fuzz
