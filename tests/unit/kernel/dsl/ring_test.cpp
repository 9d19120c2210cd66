// The loop around a ring's handler, in every language. scripts/check-dialects gives what is in
// tests/golden/ring to the compilers of those languages.

#include "collet/ring.hpp"

#include <gtest/gtest.h>

#include "unit/golden.hpp"

namespace collet {
namespace {

void expect_golden(const std::string& name, const std::string& found) {
  test::expect_golden("ring/" + name, found);
}

auto running_sum() {
  return ring_kernel("running_sum",
                     [](Inbox<std::uint32_t> in, Outbox<std::uint32_t> out, State<std::uint32_t> sum) {
                       sum() = sum() + in.message();
                       out.send(sum());
                     });
}

// By the items of a group.
auto dot() {
  return ring_kernel("dot", group(64), [](Inbox<float> in, Outbox<float> out, In<float> table) {
    const auto part = shared<float>(64);
    part[local_id()] = table[local_id()] * in.message();
    barrier();
    Var<float> sum = 0.0f;
    for_(0u, 64u, [&](Expr<std::uint32_t> k) { sum += part[k]; });
    barrier();
    out.send(sum);
  });
}

TEST(RingKernel, WhatWasReviewedIsStillTraced) {
  expect_golden("running_sum.live.ir", running_sum().kernels().live.emit(Format::ir).value().bytes);
  expect_golden("running_sum.batch.ir", running_sum().kernels().batch.emit(Format::ir).value().bytes);
  expect_golden("dot.live.ir", dot().kernels().live.emit(Format::ir).value().bytes);
  expect_golden("dot.batch.ir", dot().kernels().batch.emit(Format::ir).value().bytes);
}

TEST(RingKernel, EveryLanguageHasIt) {
  constexpr std::pair<Format, const char*> kLanguages[] = {
      {Format::opencl_c, "cl"},      {Format::cuda, "cu"},   {Format::hip, "hip"},
      {Format::glsl_vulkan, "comp"}, {Format::glsl, "glsl"}, {Format::glsl_es, "gles"},
      {Format::wgsl, "wgsl"},        {Format::msl, "metal"}};
  for (const auto& [format, extension] : kLanguages) {
    const auto code = running_sum().emit(format);
    ASSERT_TRUE(code) << extension << ": " << code.error().describe();
    expect_golden(std::string("running_sum.") + extension, code->bytes);
    EXPECT_TRUE(dot().emit(format)) << extension;
  }
}

}  // namespace
}  // namespace collet
