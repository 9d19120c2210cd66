// The kernel cases. Their numbers are whole and small where sums are rounded, so that the order does not
// show.

#include <collet_embedded/kernels.hpp>
#include <collet_embedded/opengl_kernels.hpp>
#include <memory>

#include "built_in/kernels.hpp"
#include "kernels.hpp"
#include "kernels_rivals.hpp"

namespace collet::bench {
namespace {

using U32 = std::uint32_t;

// One item of it computes one element of c.
auto naive_matmul() {
  return kernel("naive_matmul",
                [](In<float> a, In<float> b, Out<float> c, Value<U32> n) {
                  const auto column = global_id(0);
                  const auto row = global_id(1);
                  Var<float> sum = 0.0f;
                  for_(0u, n, [&](auto k) { sum += a[row * n + k] * b[k * n + column]; });
                  c[row * n + column] = sum;
                })
      .with(group(16, 16));
}

// In tiles that the group shares, multiplied and added in one step: what an expert writes who knows that
// fma() is fast here.
auto fused_tiled_matmul() {
  return built_in::tiled_matmul("fused_tiled_matmul",
                                [](const auto& a, const auto& b, const auto& sum) { return fma(a, b, sum); });
}

constexpr U32 kBlockRows = 8;     // of an item
constexpr U32 kBlockColumns = 2;  // 16 apart
constexpr U32 kBlockDepth = 32;   // of what the group shares
constexpr U32 kBlockHeight = 8;   // rows of items

// An item computes a block of elements of c, which it keeps in registers; the group copies its parts of a and
// b aside, where they lie close together and no index needs a check.
auto blocked_matmul_kernel() {
  return kernel(
             "blocked_matmul",
             [](In<float> a, In<float> b, Out<float> c, Value<U32> n) {
               constexpr U32 kWidth = 16 * kBlockColumns;
               const auto tile_a = shared<float>(std::size_t{kBlockHeight} * kBlockRows * kBlockDepth);
               const auto tile_b = shared<float>(std::size_t{kBlockDepth} * kWidth);
               const auto x = local_id(0);
               const auto y = local_id(1);
               const auto left = group_id(0) * kWidth;
               const auto top = global_id(1) * kBlockRows;
               std::vector<Var<float>> sums;
               sums.reserve(std::size_t{kBlockRows} * kBlockColumns);
               for (U32 i = 0; i < kBlockRows * kBlockColumns; ++i) sums.emplace_back(0.0f);
               for_(0u, n, kBlockDepth, [&](auto first) {
                 for (U32 i = 0; i < kBlockRows; ++i) {
                   for (U32 part = 0; part < kBlockDepth; part += 16) {
                     const auto column = part + x;
                     tile_a[(y * kBlockRows + i) * kBlockDepth + column] = a[(top + i) * n + first + column];
                   }
                 }
                 for (U32 i = 0; i < kBlockDepth; i += kBlockHeight) {
                   for (U32 part = 0; part < kWidth; part += 16) {
                     const auto column = part + x;
                     tile_b[(y + i) * kWidth + column] = b[(first + i + y) * n + left + column];
                   }
                 }
                 barrier();
                 for_(0u, kBlockDepth, [&](auto k) {
                   std::vector<Expr<float>> row;
                   for (U32 i = 0; i < kBlockColumns; ++i) row.push_back(tile_b[k * kWidth + i * 16u + x]);
                   for (U32 i = 0; i < kBlockRows * kBlockColumns; ++i) {
                     const Expr<float> one = tile_a[(y * kBlockRows + i / kBlockColumns) * kBlockDepth + k];
                     sums[i] = fma(one, row[i % kBlockColumns], sums[i]);
                   }
                 });
                 barrier();
               });
               for (U32 i = 0; i < kBlockRows * kBlockColumns; ++i)
                 c[(top + i / kBlockColumns) * n + left + i % kBlockColumns * 16u + x] = sums[i];
             })
      .with(group(16, kBlockHeight));
}

constexpr U32 kBins = 256;
constexpr U32 kValuesOfItem = 20;

// By the values' lowest byte: those of a group in bins of its own, then those together.
auto histogram_kernel() {
  return kernel("histogram",
                [](In<U32> values, InOut<U32> bins) {
                  const auto own = shared<U32>(kBins);
                  const auto local = local_id();
                  own[local] = 0u;
                  barrier();
                  for_(0u, kValuesOfItem, [&](auto k) {
                    const auto at = (group_id() * kValuesOfItem + k) * kBins + local;
                    (void)atomic_add(own, values[at] & (kBins - 1), 1u);
                  });
                  barrier();
                  (void)atomic_add(bins, local, own[local]);
                })
      .with(group(kBins));
}

template <class T>
std::vector<T> downloaded(Stream& stream, const Buffer<T>& buffer) {
  std::vector<T> host(buffer.size());
  stream.download(buffer, std::span(host));
  stream.wait().value();
  return host;
}

template <class T>
using Kept = std::shared_ptr<const Buffer<T>>;

template <class T>
Kept<T> keep(Result<Buffer<T>> made) {
  return std::make_shared<const Buffer<T>>(std::move(made).value());
}

// Work that writes `output`; `launch` adds the launches of one run to a stream.
template <class T>
Work work(const Device& device, const Kept<T>& output, std::function<void(Stream&, Author)> launch) {
  const auto stream = std::make_shared<Stream>(device.stream());
  return {.run =
              [=](Author author) {
                launch(*stream, author);
                return stream->wait().value();
              },
          .reset = [=] { stream->fill(*output, T{}); },
          .result = [=] { return bits_of(downloaded(*stream, *output)); }};
}

Work saxpy(const Device& device, U32 count) {
  const auto ours = built_in::saxpy().with(group(256));
  const auto theirs = KernelSource<In<float>, InOut<float>, Value<float>, Count>("saxpy")
                          .group(256)
                          .spirv(collet_embedded::saxpy_spv)
                          .opencl(collet_embedded::saxpy_cl)
                          .wgsl(collet_embedded::saxpy_wgsl)
                          .glsl(collet_embedded::saxpy_glsl)
                          .kernel();
  const auto x = keep(device.upload(numbers<float>(count, kSaxpyMost)));
  const auto y = keep(device.buffer<float>(count));
  return work(device, y, [=](Stream& stream, Author author) {
    stream.launch(author == Author::collet ? ours : theirs, count, *x, *y, kSaxpyFactor);
  });
}

// Down to one number: each launch leaves a sum per group of 256, and zeros behind them that fill the last
// group.
Work reduction(const Device& device, U32 count) {
  const auto ours = built_in::reduce_sum();
  const auto theirs = KernelSource<In<float>, Out<float>, Count>("reduce_sum")
                          .group(256)
                          .spirv(collet_embedded::reduce_sum_spv)
                          .opencl(collet_embedded::reduce_sum_cl)
                          .wgsl(collet_embedded::reduce_sum_wgsl)
                          .glsl(collet_embedded::reduce_sum_glsl)
                          .kernel();
  std::vector<Kept<float>> levels{keep(device.upload(numbers<float>(count, kSumMost)))};
  do {
    count = (count + 255) / 256;
    levels.push_back(keep(device.buffer<float>((count + 255) / 256 * 256)));
  } while (count > 1);
  return work(device, levels.back(), [=](Stream& stream, Author author) {
    for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
      stream.launch(author == Author::collet ? ours : theirs, levels[i]->size(), *levels[i], *levels[i + 1]);
    }
  });
}

// One or several launches per run, by the author.
template <class Launch>
Work matrices(const Device& device, U32 n, const Launch& launch) {
  const auto a = keep(device.upload(numbers<float>(std::size_t{n} * n, kLeftMost)));
  const auto b = keep(device.upload(numbers<float>(std::size_t{n} * n, kRightMost)));
  const auto c = keep(device.buffer<float>(std::size_t{n} * n));
  return work(device, c, [=](Stream& stream, Author author) { launch(stream, author, *a, *b, *c); });
}

Work matmul(const Device& device, U32 n, bool tiled) {
  const auto ours = tiled ? built_in::matmul() : naive_matmul();
  KernelSource<In<float>, In<float>, Out<float>, Value<U32>> source(tiled ? "matmul" : "naive_matmul");
  source.group(16, 16)
      .spirv(tiled ? collet_embedded::matmul_spv : collet_embedded::naive_matmul_spv)
      .opencl(tiled ? collet_embedded::matmul_cl : collet_embedded::naive_matmul_cl)
      .wgsl(tiled ? collet_embedded::matmul_wgsl : collet_embedded::naive_matmul_wgsl)
      .glsl(tiled ? collet_embedded::matmul_glsl : collet_embedded::naive_matmul_glsl);
  const auto theirs = source.kernel();
  return matrices(device, n, [=](Stream& stream, Author author, auto& a, auto& b, auto& c) {
    stream.launch(author == Author::collet ? ours : theirs, elements(n, n), a, b, c, n);
  });
}

Work fused_matmul(const Device& device, U32 n) {
  const auto ours = fused_tiled_matmul();
  return matrices(device, n, [=](Stream& stream, Author, auto& a, auto& b, auto& c) {
    stream.launch(ours, elements(n, n), a, b, c, n);
  });
}

Work blocked_matmul(const Device& device, U32 n) {
  const auto ours = blocked_matmul_kernel();
  return matrices(device, n, [=](Stream& stream, Author, auto& a, auto& b, auto& c) {
    stream.launch(ours, elements(n / kBlockColumns, n / kBlockRows), a, b, c, n);
  });
}

Work stencil(const Device& device, U32 n) {
  const auto ours = built_in::stencil();
  const auto theirs = KernelSource<In<float>, Out<float>, Value<U32>, Value<U32>>("stencil")
                          .group(16, 16)
                          .spirv(collet_embedded::stencil_spv)
                          .opencl(collet_embedded::stencil_cl)
                          .wgsl(collet_embedded::stencil_wgsl)
                          .glsl(collet_embedded::stencil_glsl)
                          .kernel();
  const auto from = keep(device.upload(numbers<float>(std::size_t{n} * n, kCellMost)));
  const auto to = keep(device.buffer<float>(std::size_t{n} * n));
  return work(device, to, [=](Stream& stream, Author author) {
    stream.launch(author == Author::collet ? ours : theirs, elements(n, n), *from, *to, n, n);
  });
}

Work histogram(const Device& device, U32 count) {
  const auto ours = histogram_kernel();
  const auto theirs = KernelSource<In<U32>, InOut<U32>>("histogram")
                          .group(kBins)
                          .spirv(collet_embedded::histogram_spv)
                          .opencl(collet_embedded::histogram_cl)
                          .wgsl(collet_embedded::histogram_wgsl)
                          .glsl(collet_embedded::histogram_glsl)
                          .kernel();
  const auto values = keep(device.upload(numbers<U32>(count, 1'000'000)));
  const auto bins = keep(device.buffer<U32>(kBins));
  return work(device, bins, [=](Stream& stream, Author author) {
    stream.launch(author == Author::collet ? ours : theirs, count / kValuesOfItem, *values, *bins);
  });
}

Work mandelbrot(const Device& device, U32 n) {
  const auto ours = built_in::mandelbrot();
  const auto theirs = KernelSource<Out<U32>, Value<U32>, Value<U32>, Value<U32>>("mandelbrot")
                          .group(16, 16)
                          .spirv(collet_embedded::mandelbrot_spv)
                          .opencl(collet_embedded::mandelbrot_cl)
                          .wgsl(collet_embedded::mandelbrot_wgsl)
                          .glsl(collet_embedded::mandelbrot_glsl)
                          .kernel();
  const auto rounds = keep(device.buffer<U32>(std::size_t{n} * n));
  return work(device, rounds, [=](Stream& stream, Author author) {
    stream.launch(author == Author::collet ? ours : theirs, elements(n, n), *rounds, n, n, 256u);
  });
}

std::vector<KernelCase> wanted(std::vector<KernelCase> cases, const Settings& settings) {
  std::erase_if(cases,
                [&](const KernelCase& one) { return one.name.find(settings.part) == std::string::npos; });
  return cases;
}

}  // namespace

std::vector<KernelCase> kernel_cases(const Settings& settings) {
  const bool quick = settings.quick;
  // 62,500 groups of 256: one launch, on drivers that take 65,535. Histograms have whole groups of 5,120.
  const U32 many = quick ? 256'000 : 16'000'000;
  const std::string count = quick ? " 256k" : " 16M";
  const auto squared = [](U32 n) { return " " + std::to_string(n) + "^2"; };

  std::vector<KernelCase> cases{
      {"saxpy" + count, [=](const Device& device) { return saxpy(device, many); }},
      {"reduction" + count, [=](const Device& device) { return reduction(device, many); }}};
  cases[0].rivals = saxpy_rivals(many);
  if (!cases[0].rivals.empty()) cases[0].rival_of_interpreter = cases[0].rivals.front();
  cases[1].rivals = sum_rivals(many);
  for (const U32 n : quick ? std::vector<U32>{64} : std::vector<U32>{512, 1024}) {
    for (const bool tiled : {false, true}) {
      cases.push_back({(tiled ? "tiled matmul " : "naive matmul ") + std::to_string(n),
                       [=](const Device& device) { return matmul(device, n, tiled); }});
    }
  }
  const U32 cells = quick ? 256 : 2048;
  const U32 points = quick ? 128 : 1024;
  cases.push_back({"stencil" + squared(cells), [=](const Device& device) { return stencil(device, cells); }});
  cases.back().rivals = stencil_rivals(cells);
  cases.push_back({"histogram" + count, [=](const Device& device) { return histogram(device, many); }});
  cases.push_back(
      {"mandelbrot" + squared(points), [=](const Device& device) { return mandelbrot(device, points); }});
  cases.back().shows_rounding = true;
  return wanted(std::move(cases), settings);
}

std::vector<KernelCase> processor_cases(const Settings& settings) {
  std::vector<KernelCase> cases;
  for (const U32 n : settings.quick ? std::vector<U32>{64} : std::vector<U32>{512, 1024}) {
    cases.push_back({.name = "fused tiled matmul " + std::to_string(n),
                     .open = [=](const Device& device) { return fused_matmul(device, n); },
                     .rivals = tile_rivals(n)});
    cases.push_back({.name = "blocked matmul " + std::to_string(n),
                     .open = [=](const Device& device) { return blocked_matmul(device, n); },
                     .rivals = block_rivals(n)});
  }
  return wanted(std::move(cases), settings);
}

}  // namespace collet::bench
