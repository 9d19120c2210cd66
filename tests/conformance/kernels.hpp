// Kernels of the suite, written once in the kernel language. Those that are about sources are in sources.hpp.
//
// Threads: thread-safe. The kernels are leaked on purpose, so that they outlive every device.
#pragma once

#include <cstdint>

#include "collet/collet.hpp"

namespace conformance::kernels {

using collet::global_id;
using collet::In;
using collet::InOut;
using collet::MayAlias;
using collet::Out;
using collet::Value;
using collet::Var;
using std::uint32_t;

// A kernel that lives on: KEEP(collet::kernel(…)).
#define KEEP(...)                                           \
  static const auto& kept = *new const auto((__VA_ARGS__)); \
  return kept

// A copy of its own each time, where a test wants one that no device has compiled yet.
inline auto fresh_increment() {
  return collet::kernel("increment", [](InOut<uint32_t> x) { x[global_id()] += 1u; });
}
inline const auto& increment() { KEEP(fresh_increment()); }

inline const auto& iota() {
  KEEP(collet::kernel("iota", [](Out<uint32_t> result, Value<uint32_t> start) {
    result[global_id()] = start + global_id();
  }));
}

inline const auto& strided() {
  KEEP(collet::kernel("strided", [](InOut<uint32_t> x, Value<uint32_t> stride, Value<uint32_t> start) {
    x[global_id() * stride] = start + global_id();
  }));
}

inline const auto& copy() {
  KEEP(collet::kernel("copy", [](In<uint32_t> x, Out<uint32_t> y) { y[global_id()] = x[global_id()]; }));
}

inline const auto& add() {
  KEEP(collet::kernel("add", [](In<uint32_t> x, Out<uint32_t> y, Value<uint32_t> amount) {
    y[global_id()] = x[global_id()] + amount;
  }));
}
// x and y may be the same buffer.
inline const auto& add_aliased() {
  KEEP(collet::kernel("add", [](In<uint32_t> x, MayAlias<Out<uint32_t>> y, Value<uint32_t> amount) {
    y[global_id()] = x[global_id()] + amount;
  }));
}

// The first columns and rows of an image.
inline const auto& scale2d() {
  KEEP(collet::kernel("scale2d", [](InOut<float> image, Value<uint32_t> pitch, Value<float> factor) {
         image[global_id(1) * pitch + global_id(0)] *= factor;
       }).with(collet::group(8, 8)));
}

inline const auto& histogram() {
  KEEP(collet::kernel("histogram", [](In<uint32_t> x, InOut<uint32_t> bins) {
    (void)collet::atomic_add(bins, x[global_id()] % 16u, 1u);
  }));
}

inline const auto& index3d() {
  KEEP(collet::kernel("index3d", [](Out<uint32_t> result) {
         const auto x = global_id(0), y = global_id(1), z = global_id(2);
         result[(z * collet::element_count(1) + y) * collet::element_count(0) + x] = x | y << 10u | z << 20u;
       }).with(collet::group(4, 4, 4)));
}

inline const auto& group_ids() {
  KEEP(collet::kernel("group_ids", [](Out<uint32_t> result) {
         using collet::group_count, collet::group_id, collet::group_size, collet::local_id;
         const auto linear = (group_id(2) * group_count(1) + group_id(1)) * group_count(0) + group_id(0);
         const auto local = (local_id(2) * group_size(1) + local_id(1)) * group_size(0) + local_id(0);
         const auto items = group_size(0) * group_size(1) * group_size(2);
         result[linear * items + local] = group_id(0) | group_id(1) << 8u | group_id(2) << 16u | local << 24u;
       }).with(collet::group(32)));
}

// lavapipe 22 cuts loops at 65,535 rounds.
inline constexpr uint32_t kSpinRounds = 50'000;
inline uint32_t spun(uint32_t value, uint32_t rounds) {
  for (uint32_t round = 0; round < rounds; ++round) value = value * 1664525u + 1013904223u;
  return value;
}
inline const auto& spin() {
  KEEP(collet::kernel("spin", [](InOut<uint32_t> x, Value<uint32_t> rounds) {
    Var<uint32_t> value = x[global_id()];
    collet::for_(0u, rounds, [&](auto) { value = value * 1664525u + 1013904223u; });
    x[global_id()] = value;
  }));
}

#undef KEEP

}  // namespace conformance::kernels
