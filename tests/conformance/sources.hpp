// Kernels from sources, each in every language that a backend here takes: kernels/NAME.comp, kernels/NAME.cl,
// kernels/NAME.wgsl, kernels/NAME.glsl (behind its first lines for OpenGL or OpenGL ES) and the function
// below say the same. For behaviours that are about sources: how they are compiled, how arguments reach them,
// and faults of drivers that traced kernels avoid. Others use kernels.hpp.
//
// Threads: thread-safe. The kernels are leaked on purpose, so that they outlive every device.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "collet/collet.hpp"
#include "collet_embedded/kernels.hpp"
#include "conformance/kernels.hpp"

namespace conformance::sources {

using collet::Count;
using collet::CountY;
using collet::CountZ;
using collet::In;
using collet::InOut;
using collet::Item;
using collet::MayAlias;
using collet::Out;
using collet::Value;
using collet::Workgroup;
using std::uint32_t;
using Read = std::span<const uint32_t>;
using Write = std::span<uint32_t>;

// A kernel in the languages of APIs; "" where one can't say it.
struct Code {
  std::span<const std::byte> spirv;
  std::string_view opencl, cuda, wgsl, glsl;
};

// What `cuda` begins with.
inline constexpr std::string_view kCuda =
    "typedef unsigned char uchar; typedef unsigned short ushort; typedef unsigned int uint;\n"
    "typedef unsigned long long ulong;\n";

// What `glsl` begins with for OpenGL, and for OpenGL ES.
inline constexpr std::string_view kGlsl = "#version 430\n";
inline constexpr std::string_view kGlslEs =
    "#version 310 es\n#extension GL_EXT_gpu_shader5 : enable\nprecision highp float;\nprecision highp int;\n";

// Adds the GLSL for both to a module or a kernel's sources.
template <class Sources>
void add_glsl(Sources& sources, std::string_view code) {
  sources.glsl(std::string(kGlsl) + std::string(code)).glsl_es(std::string(kGlslEs) + std::string(code));
}

#define CODE(name)                                                                       \
  Code {                                                                                 \
    collet_embedded::name##_spv, collet_embedded::name##_cl, collet_embedded::name##_cu, \
        collet_embedded::name##_wgsl, collet_embedded::name##_glsl                       \
  }

// Collects the forms of a kernel; kernel() or another option comes next.
template <class... Args, class Body>
collet::KernelSource<Args...> source(std::string name, const Code& code, Body body) {
  collet::KernelSource<Args...> made(std::move(name));
  made.spirv(code.spirv).opencl(code.opencl).cpu(std::move(body));
  made.cuda(std::string(kCuda) + std::string(code.cuda));
  if (!code.wgsl.empty()) made.wgsl(code.wgsl);
  if (!code.glsl.empty()) add_glsl(made, code.glsl);
  return made;
}

// A kernel that lives on: KEEP(source<…>(…).kernel()).
#define KEEP(...)                                           \
  static const auto& kept = *new const auto((__VA_ARGS__)); \
  return kept

// A copy of its own each time, where a test wants one that no device has compiled yet.
inline auto fresh_increment() {
  return source<InOut<uint32_t>, Count>("increment", CODE(increment),
                                        [](Item item, Write x, uint32_t) { x[item.x] += 1; })
      .kernel();
}
inline const auto& increment() { KEEP(fresh_increment()); }

inline const auto& copy() {
  KEEP(source<In<uint32_t>, Out<uint32_t>, Count>(
           "copy", CODE(copy), [](Item item, Read x, Write y, uint32_t) { y[item.x] = x[item.x]; })
           .kernel());
}

inline const auto& saxpy() {
  KEEP(source<In<float>, InOut<float>, Value<float>, Count>(
           "saxpy", CODE(saxpy),
           [](Item item, std::span<const float> x, std::span<float> y, float a, uint32_t) {
             y[item.x] = a * x[item.x] + y[item.x];
           })
           .kernel());
}

// It takes no Count.
inline const auto& group_ids() {
  KEEP(source<Out<uint32_t>>(
           "group_ids", CODE(group_ids),
           [](const Workgroup& group, Write result) {
             const uint32_t linear =
                 (group.id(2) * group.count(1) + group.id(1)) * group.count(0) + group.id(0);
             const uint32_t items = group.size(0) * group.size(1) * group.size(2);
             group.for_each([&](const Item& item) {
               const uint32_t local =
                   (item.local[2] * group.size(1) + item.local[1]) * group.size(0) + item.local[0];
               result[linear * items + local] =
                   group.id(0) | (group.id(1) << 8) | (group.id(2) << 16) | (local << 24);
             });
           })
           .group(32)
           .kernel());
}

inline const auto& reduce() {
  KEEP(source<In<uint32_t>, Out<uint32_t>, Count>("reduce", CODE(reduce),
                                                  [](const Workgroup& group, Read x, Write sums, uint32_t) {
                                                    auto* partial = group.shared<uint32_t>();
                                                    std::fill_n(partial, group.size(), 0u);
                                                    group.for_each([&](const Item& item) {
                                                      partial[item.local[0]] = x[item.x];
                                                    });
                                                    uint32_t sum = 0;
                                                    for (uint32_t i = 0; i < group.size(); ++i)
                                                      sum += partial[i];
                                                    sums[group.id()] = sum;
                                                  })
           .group(64)
           .shared_bytes(64 * 4)
           .kernel());
}

inline const auto& branches() {
  KEEP(source<InOut<uint32_t>, InOut<uint32_t>, Value<uint32_t>, Count>(
           "branches", CODE(branches),
           [](const Workgroup& group, Write first, Write second, uint32_t some, uint32_t) {
             group.for_each([&](const Item& item) {
               if (group.id() < some) first[item.x] = static_cast<uint32_t>(item.x) + 1;
               second[item.x] = 13;
             });
           })
           .group(8)
           .kernel());
}

inline const auto& to_float() {
  KEEP(source<In<uint32_t>, Out<float>, Count>(
           "to_float", CODE(to_float),
           [](Item item, Read x, std::span<float> y, uint32_t) { y[item.x] = static_cast<float>(x[item.x]); })
           .kernel());
}

inline const auto& negative() {
  KEEP(source<Out<float>, Count>("negative", CODE(negative), [](Item item, std::span<float> y, uint32_t) {
         y[item.x] = -5.0f;
       }).kernel());
}

inline const auto& zeros() {
  KEEP(source<In<float>, Out<uint32_t>, Out<uint32_t>, Count>(
           "zeros", CODE(zeros),
           [](Item item, std::span<const float> x, Write sums, Write products, uint32_t) {
             sums[item.x] = std::bit_cast<uint32_t>(x[item.x] + 0.0f);
             products[item.x] = std::bit_cast<uint32_t>(x[item.x] * 0.0f);
           })
           .kernel());
}

inline const auto& fences() {
  KEEP(source<Out<uint32_t>, Count>(
           "fences",
           Code{collet_embedded::fences_spv,
                collet_embedded::fences_cl,
                collet_embedded::fences_cu,
                {},
                collet_embedded::fences_glsl},
           [](Item item, Write rounds, uint32_t) { rounds[item.x] = static_cast<uint32_t>(item.x + 1); })
           .kernel());
}

inline const auto& fixed_group() {
  KEEP(source<Out<uint32_t>, Count>(
           "fixed_group", CODE(fixed_group),
           [](Item item, Write result, uint32_t) { result[item.x] = static_cast<uint32_t>(item.x); })
           .group(64)
           .kernel());
}

inline const auto& interleaved() {
  KEEP(source<Value<uint32_t>, Out<uint32_t>, Value<uint32_t>, In<uint32_t>, Count, Value<uint32_t>>(
           "interleaved", CODE(interleaved),
           [](Item item, uint32_t a, Write result, uint32_t b, Read x, uint32_t, uint32_t c) {
             result[item.x] = a + 10 * b + 100 * c + 1000 * x[item.x];
           })
           .kernel());
}

struct Scalars {
  std::int8_t i8 = 0;
  std::uint8_t u8 = 0;
  std::int16_t i16 = 0;
  std::uint16_t u16 = 0;
  std::int32_t i32 = 0;
  uint32_t u32 = 0;
  std::int64_t i64 = 0;
  std::uint64_t u64 = 0;
  float f32 = 0;
  double f64 = 0;
};
// What the kernel writes for them.
inline std::array<uint32_t, 13> scalar_words(const Scalars& s) {
  const auto wide = std::bit_cast<std::uint64_t>(s.f64);
  const auto i64 = static_cast<std::uint64_t>(s.i64);
  return {static_cast<uint32_t>(s.i8),      s.u8,
          static_cast<uint32_t>(s.i16),     s.u16,
          static_cast<uint32_t>(s.i32),     s.u32,
          static_cast<uint32_t>(i64),       static_cast<uint32_t>(i64 >> 32),
          static_cast<uint32_t>(s.u64),     static_cast<uint32_t>(s.u64 >> 32),
          std::bit_cast<uint32_t>(s.f32),   static_cast<uint32_t>(wide),
          static_cast<uint32_t>(wide >> 32)};
}
inline const auto& scalars() {
  KEEP(source<Out<uint32_t>, Value<std::int8_t>, Value<std::uint8_t>, Value<std::int16_t>,
              Value<std::uint16_t>, Value<std::int32_t>, Value<uint32_t>, Value<std::int64_t>,
              Value<std::uint64_t>, Value<float>,
              Value<double>>("scalars", CODE(scalars), [](Item item, Write result, auto... values) {
         if (item.x != 0) return;
         const auto words = scalar_words(Scalars{values...});
         std::copy(words.begin(), words.end(), result.begin());
       }).kernel());
}

struct Particle {
  float x = 0, y = 0, z = 0;
  uint32_t id = 0;
  friend bool operator==(const Particle&, const Particle&) = default;
};
struct Step {
  float dt = 0;
  std::array<float, 3> velocity{};
  uint32_t stride = 0;
};
inline Particle moved(Particle particle, const Step& step, uint32_t index) {
  particle.x += step.dt * step.velocity[0];
  particle.y += step.dt * step.velocity[1];
  particle.z += step.dt * step.velocity[2];
  particle.id += step.stride * index;
  return particle;
}
inline const auto& particles() {
  KEEP(source<InOut<Particle>, Value<Step>, Count>(
           "particles", CODE(particles),
           [](Item item, std::span<Particle> all, const Step& step, uint32_t) {
             all[item.x] = moved(all[item.x], step, static_cast<uint32_t>(item.x));
           })
           .kernel());
}

// Adds 1 to every byte; an item does four of them.
inline const auto& bytes() {
  KEEP(source<InOut<std::uint8_t>, Count>("bytes", CODE(bytes),
                                          [](Item item, std::span<std::uint8_t> x, uint32_t) {
                                            for (std::uint8_t& one : x.subspan(4 * item.x, 4)) {
                                              one = static_cast<std::uint8_t>(one + 1);
                                            }
                                          })
           .kernel());
}

inline const auto& spin() {
  KEEP(source<InOut<uint32_t>, Value<uint32_t>, Count>("spin", CODE(spin),
                                                       [](Item item, Write x, uint32_t rounds, uint32_t) {
                                                         x[item.x] = kernels::spun(x[item.x], rounds);
                                                       })
           .kernel());
}

inline const auto& wide() {
  using Wide = std::uint64_t;
  KEEP(source<InOut<Wide>, Value<Wide>, Count>(
           "wide",
           Code{collet_embedded::wide_spv, collet_embedded::wide_cl, collet_embedded::wide_cu, {}, {}},
           [](Item item, std::span<Wide> x, Wide factor, uint32_t) {
             x[item.x] = x[item.x] * factor + item.x;
           })
           .kernel());
}

inline const auto& doubles() {
  KEEP(
      source<InOut<double>, Value<double>, Count>(
          "doubles",
          Code{
              collet_embedded::doubles_spv, collet_embedded::doubles_cl, collet_embedded::doubles_cu, {}, {}},
          [](Item item, std::span<double> x, double amount, uint32_t) { x[item.x] = x[item.x] + amount; })
          .kernel());
}

struct Block {
  std::array<uint32_t, 64> words{};
};
inline const auto& block() {
  KEEP(source<Out<uint32_t>, Value<Block>>("block", CODE(block),
                                           [](Item item, Write result, const Block& constants) {
                                             if (item.x < 64) result[item.x] = constants.words[item.x];
                                           })
           .kernel());
}

namespace detail {

template <class T, std::size_t>
using Repeat = T;

// result[i] = the sum of (b + 1) * in_b[i] and of (1000 + s) * scalar_s, then the count.
template <std::size_t... kIn, std::size_t... kScalar>
auto sum(std::string name, const Code& code, std::index_sequence<kIn...>, std::index_sequence<kScalar...>) {
  return source<Out<uint32_t>, Repeat<In<uint32_t>, kIn>..., Repeat<Value<uint32_t>, kScalar>..., Count>(
             std::move(name), code,
             [](Item item, Write result, Repeat<Read, kIn>... in, Repeat<uint32_t, kScalar>... scalar,
                uint32_t) {
               uint32_t total = 0;
               ((total += static_cast<uint32_t>(kIn + 1) * in[item.x]), ...);
               ((total += static_cast<uint32_t>(kScalar + 1000) * scalar), ...);
               result[item.x] = total;
             })
      .kernel();
}

}  // namespace detail

using Nineteen = std::make_index_sequence<19>;
using Nine = std::make_index_sequence<9>;
using ThirtyNine = std::make_index_sequence<39>;

inline const auto& thirty() { KEEP(detail::sum("thirty", CODE(thirty), Nineteen{}, Nine{})); }
inline const auto& forty() { KEEP(detail::sum("forty", CODE(forty), ThirtyNine{}, std::index_sequence<>{})); }

#undef KEEP
#undef CODE

}  // namespace conformance::sources
