// Rivals own their numbers: what is compared is the code, not the memory.

#include "kernels_rivals.hpp"

#include <memory>

#include "blas.hpp"
#include "native_references.hpp"

namespace collet::bench {
namespace {

using Numbers = std::shared_ptr<std::vector<float>>;

Numbers keep(std::vector<float> values) { return std::make_shared<std::vector<float>>(std::move(values)); }

// `run` writes `output`.
Rival rival(std::string name, const std::function<void()>& run, const Numbers& output) {
  run();
  return {std::move(name), run, bits_of(*output)};
}

Rival product(const std::string& name, std::uint32_t n, const Multiply& multiply) {
  const Numbers a = keep(numbers<float>(std::size_t{n} * n, kLeftMost));
  const Numbers b = keep(numbers<float>(std::size_t{n} * n, kRightMost));
  const Numbers c = keep(std::vector<float>(std::size_t{n} * n));
  return rival(name, [=] { multiply(a->data(), b->data(), c->data(), n); }, c);
}

Rivals nest_rivals([[maybe_unused]] std::uint32_t n) {
#ifdef _OPENMP
  return {[=] { return product("a loop nest with OpenMP", n, openmp_tiles); }};
#else
  return {};
#endif
}

}  // namespace

#ifdef _OPENMP
Rivals saxpy_rivals(std::uint32_t count) {
  return {[=] {
    const Numbers x = keep(numbers<float>(count, kSaxpyMost));
    const Numbers y = keep(std::vector<float>(count));
    return rival("C++ with OpenMP", [=] { openmp_saxpy(kSaxpyFactor, x->data(), y->data(), count); }, y);
  }};
}

Rivals sum_rivals(std::uint32_t count) {
  return {[=] {
    const Numbers x = keep(numbers<float>(count, kSumMost));
    const Numbers sum = keep(std::vector<float>(256));  // as many as the last launch's group has
    return rival("C++ with OpenMP", [=] { (*sum)[0] = openmp_sum(x->data(), count); }, sum);
  }};
}

Rivals stencil_rivals(std::uint32_t n) {
  return {[=] {
    const Numbers from = keep(numbers<float>(std::size_t{n} * n, kCellMost));
    const Numbers to = keep(std::vector<float>(std::size_t{n} * n));
    return rival("C++ with OpenMP", [=] { openmp_stencil(from->data(), to->data(), n); }, to);
  }};
}

Rivals tile_rivals(std::uint32_t n) {
  Rivals all = nest_rivals(n);
#if defined(__GNUC__)
  all.insert(all.begin(), [=] { return product("a SIMD tile written by hand", n, simd_tiles); });
#endif
  return all;
}
#else
Rivals saxpy_rivals(std::uint32_t) { return {}; }
Rivals sum_rivals(std::uint32_t) { return {}; }
Rivals stencil_rivals(std::uint32_t) { return {}; }
Rivals tile_rivals(std::uint32_t) { return {}; }
#endif

Rivals block_rivals(std::uint32_t n) {
  Rivals all = nest_rivals(n);
  if (const auto multiply = open_blas())
    all.insert(all.begin(), [=] { return product("OpenBLAS", n, *multiply); });
  return all;
}

}  // namespace collet::bench
