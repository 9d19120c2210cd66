// The list of built-in kernels, and kernels from files.

#include "kernels.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <vector>

#include "built_in/kernels.hpp"
#include "built_in/rings.hpp"
#include "core/kernel_state.hpp"
#include "kernel/ir/text.hpp"
#include "session.hpp"
#include "text.hpp"

namespace collet::tool {
namespace {

constexpr std::size_t kMostText = 64 << 20;

Error no_text(const std::string& what, std::string_view why) {
  return {ErrorCode::invalid_argument, Category::kernel, Cause::kernel_not_found,
          what + " " + std::string(why) + "."};
}

// All of `from`, which need not know its size and may have no end.
Result<std::string> read_text(std::istream& from, const std::string& what) {
  std::string text;
  std::vector<char> part(1 << 16);
  while (from.read(part.data(), static_cast<std::streamsize>(part.size())) || from.gcount() != 0) {
    text.append(part.data(), static_cast<std::size_t>(from.gcount()));
    if (text.size() > kMostText) return no_text(what, "is larger than 64 MiB");
  }
  if (from.bad()) return no_text(what, "can't be read");
  return text;
}

// Nothing but a regular file is opened: a pipe would wait for its writer, and a device may have no end.
Result<std::string> read_file(const std::string& path) {
  const std::string what = "The file " + path;
  std::error_code none;
  const auto status = std::filesystem::status(path, none);
  if (std::filesystem::is_directory(status)) return no_text(what, "is a folder");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    return no_text(what, "is a pipe or a device, not a regular file")
        .with_hint("Give - to read the kernel from standard input.");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return no_text(what, "can't be read");
  return read_text(file, what);
}

Error no_kernel(const std::string& name, const std::vector<std::string>& names) {
  return no_such("built-in kernel", name, names)
      .with_hint("The built-in kernels are: " + joined(names) +
                 ". The name of a file holds a dot or a slash; - is standard input.");
}

}  // namespace

const std::vector<BuiltIn>& built_in_kernels() {
  static const std::vector<BuiltIn> all{
      {"vector_add", "sum[i] = a[i] + b[i]", built_in::vector_add()},
      {"saxpy", "y[i] = a * x[i] + y[i]", built_in::saxpy(), {"1024"}, {"2"}},
      {"reduce_sum", "a sum per group of 256, through shared memory", built_in::reduce_sum()},
      {"matmul", "c = a * b, in tiles of 16 x 16", built_in::matmul(), {"64", "64"}, {"x"}},
      {"stencil",
       "the mean of a cell and its four neighbours",
       built_in::stencil(),
       {"64", "64"},
       {"x", "y"}},
      {"histogram", "counts values by atomic operations", built_in::histogram()},
      {"mandelbrot",
       "rounds until a point leaves the circle",
       built_in::mandelbrot(),
       {"64", "64"},
       {"x", "y", "256"}},
  };
  return all;
}

const std::vector<BuiltInRing>& built_in_rings() {
  static const std::vector<BuiltInRing> all{
      {"running_sum", "a ring kernel: answers each number with the sum of all so far",
       [](Format format, Lines lines) { return built_in::running_sum().emit(format, lines); }},
  };
  return all;
}

const BuiltIn* find_built_in(const std::string& name) {
  const auto& all = built_in_kernels();
  const auto found = std::ranges::find(all, name, &BuiltIn::name);
  return found == all.end() ? nullptr : &*found;
}

Result<AnyKernel> find_kernel(const std::string& name, std::uint32_t* line) {
  if (const BuiltIn* found = find_built_in(name)) return found->kernel;
  std::vector<std::string> names;
  for (const BuiltIn& one : built_in_kernels()) names.push_back(one.name);
  const bool piped = name == kStandardInput;
  if (!piped && name.find_first_of("./\\") == std::string::npos) return no_kernel(name, names);
  COLLET_TRY(text, piped ? read_text(std::cin, "Standard input") : read_file(name));
  auto kernel = ir::read(text, line);
  if (!kernel) return kernel.error().during(piped ? "reading standard input" : "reading " + name);
  return AnyKernel(detail::make_kernel(std::move(*kernel)));
}

}  // namespace collet::tool
