// The list of built-in kernels, and kernels from files.

#include "kernels.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "built_in/kernels.hpp"
#include "session.hpp"
#include "text.hpp"

namespace collet::tool {
namespace {

constexpr std::uintmax_t kMostText = 64 << 20;

Error no_file(const std::string& path, std::string_view why) {
  return {ErrorCode::invalid_argument, Category::kernel, Cause::kernel_not_found,
          "The file " + path + " " + std::string(why) + "."};
}

Error no_kernel(const std::string& name, const std::vector<std::string>& names) {
  return no_such("built-in kernel", name, names)
      .with_hint("The built-in kernels are: " + joined(names) +
                 ". The name of a file holds a dot or a slash.");
}

}  // namespace

const std::vector<BuiltIn>& built_in_kernels() {
  static const std::vector<BuiltIn> all{
      {"vector_add", "sum[i] = a[i] + b[i]", built_in::vector_add()},
      {"saxpy", "y[i] = a * x[i] + y[i]", built_in::saxpy()},
      {"reduce_sum", "a sum per group of 256, through shared memory", built_in::reduce_sum()},
      {"matmul", "c = a * b, in tiles of 16 x 16", built_in::matmul()},
      {"stencil", "the mean of a cell and its four neighbours", built_in::stencil()},
      {"histogram", "counts values by atomic operations", built_in::histogram()},
      {"mandelbrot", "rounds until a point leaves the circle", built_in::mandelbrot()},
  };
  return all;
}

Result<AnyKernel> find_kernel(const std::string& name) {
  std::vector<std::string> names;
  for (const BuiltIn& one : built_in_kernels()) {
    if (one.name == name) return one.kernel;
    names.push_back(one.name);
  }
  if (name.find_first_of("./\\") == std::string::npos) return no_kernel(name, names);
  std::error_code none;
  if (std::filesystem::is_directory(name, none)) return no_file(name, "is a folder");
  std::ifstream file(name, std::ios::binary | std::ios::ate);
  if (!file) return no_file(name, "can't be read");
  if (static_cast<std::uintmax_t>(file.tellg()) > kMostText) return no_file(name, "is larger than 64 MiB");
  file.seekg(0);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  auto kernel = AnyKernel::parse(text);
  if (!kernel) return kernel.error().during("reading " + name);
  return kernel;
}

}  // namespace collet::tool
