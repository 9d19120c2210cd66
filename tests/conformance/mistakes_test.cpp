// Planted mistakes that every device finds: indices out of range, failed asserts, barriers in the wrong
// place.

#include "conformance/planted.hpp"

namespace conformance {
using namespace collet;
struct Particle {
  float3 at;
  float weight;
};
COLLET_STRUCT(Particle, at, weight)

CONFORMANCE_TEST(Mistakes, IndicesIntoBuffers) {
  Planted planted(device, Cause::index_out_of_range);
  std::uint32_t& line = planted.line;
  const auto x = planted.device().buffer<float>(64, {.label = "x"}).value();
  const auto y = planted.device().buffer<float>(64, {.label = "y"}).value();
  const std::string of_x = "[Buffer \"x\"]", of_y = "[Buffer \"y\"]";

  planted.find(kernel("one_further",
                      [&](In<float> from, Out<float> to) {
                        line = next_line();
                        to[global_id() + 1u] = from[global_id()];
                      }),
               64, {of_y, "index 64 where there are 64 elements", "item (63, 0, 0)"}, x, y);
  planted.find(kernel("the_one_before",
                      [&](In<float> from, Out<float> to) {
                        line = next_line();
                        const auto before = from[global_id() - 1u];
                        to[global_id()] = before;
                      }),
               64, {of_x, "item (0, 0, 0)", "-1"}, x, y);
  planted.find(kernel("every_second",
                      [&](In<float> from, Out<float> to) {
                        line = next_line();
                        to[global_id()] = from[global_id() * 2u];
                      }),
               64, {of_x}, x, y);
  planted.find(kernel("one_round_too_many",
                      [&](In<float> from, Out<float> to) {
                        Var<float> sum = 0.0f;
                        for_(0u, from.size() + 1u, [&](Expr<std::uint32_t> k) {
                          line = next_line();
                          sum += from[k];
                        });
                        to[global_id()] = sum;
                      }),
               1, {of_x, "index 64 where"}, x, y);
  planted.find(kernel("an_index_from_memory",
                      [&](In<float> from, Out<float> to) {
                        const auto at = cast<std::uint32_t>(from[global_id()]) + 1000u;
                        line = next_line();
                        to[at] = 1.0f;
                      }),
               1, {of_y, "index 1000"}, x, y);
  planted.find(kernel("a_negative_index",
                      [&](InOut<float> to) {
                        const auto at = cast<std::int32_t>(global_id()) - 3;
                        line = next_line();
                        to[at] += 1.0f;
                      }),
               4, {of_x, "-"}, x);
  planted.find(kernel("an_index_of_64_bits",
                      [&](InOut<float> to) {
                        const auto at = cast<std::int64_t>(global_id()) + (std::int64_t{1} << 32);
                        line = next_line();
                        to[at] = 1.0f;
                      }),
               1, {of_x}, x);
  planted.find(kernel("behind_two_branches",
                      [&](InOut<float> to) {
                        const auto i = global_id();
                        if_(i > 5u, [&] {
                          if_(i % 2u == 0u, [&] { to[i] = 1.0f; }).else_([&] {
                            line = next_line();
                            to[i + 60u] = 2.0f;
                          });
                        });
                      }),
               8, {of_x, "item (7, 0, 0)", "index 67"}, x);
  planted.find(kernel("a_launch_beyond_the_buffer",
                      [&](InOut<float> to) {
                        line = next_line();
                        to[global_id()] = 1.0f;
                      }),
               65, {of_x, "item (64, 0, 0)"}, x);
  EXPECT_EQ(planted.found(), 9);
}

CONFORMANCE_TEST(Mistakes, IndicesOfOtherTypesAndRows) {
  Planted planted(device, Cause::index_out_of_range);
  std::uint32_t& line = planted.line;
  const Device& own = planted.device();
  const auto bytes = own.buffer<std::uint8_t>(30, {.label = "bytes"}).value();
  const auto halves = own.buffer<half>(30, {.label = "halves"}).value();
  const auto vectors = own.buffer<float4>(8, {.label = "vectors"}).value();
  const auto particles = own.buffer<Particle>(8, {.label = "particles"}).value();
  const auto words = own.buffer<std::uint32_t>(60, {.label = "words"}).value();

  planted.find(kernel("a_byte",
                      [&](Out<std::uint8_t> to) {
                        line = next_line();
                        to[global_id()] = std::uint8_t{1};
                      }),
               31, {"[Buffer \"bytes\"]", "index 30 where there are 30"}, bytes);
  planted.find(kernel("a_half",
                      [&](InOut<half> x) {
                        line = next_line();
                        const auto last = x[30u];
                        x[0u] = last;
                      }),
               1, {"[Buffer \"halves\"]"}, halves);
  planted.find(kernel("a_component",
                      [&](InOut<float4> x) {
                        line = next_line();
                        x[global_id() * 3u].y = 1.0f;
                      }),
               4, {"[Buffer \"vectors\"]", "index 9 where there are 8"}, vectors);
  planted.find(kernel("a_field",
                      [&](InOut<Particle> x) {
                        line = next_line();
                        x[global_id() + 8u].weight = 1.0f;
                      }),
               1, {"[Buffer \"particles\"]", "index 8 where there are 8"}, particles);
  planted.find(kernel("rows_for_columns",
                      [&](Out<std::uint32_t, 2> image) {
                        line = next_line();
                        image(global_id(0), global_id(1)) = 1u;
                      }),
               elements(10, 6), {"[Buffer \"words\"]"}, words.as_rows(6, 10));
  planted.find(kernel("a_plane_too_many",
                      [&](Out<std::uint32_t, 3> image) {
                        line = next_line();
                        image(global_id(2) + 1u, global_id(1), global_id(0)) = 1u;
                      }),
               elements(5, 4, 3), {"[Buffer \"words\"]"}, words.as_planes(3, 4, 5));
  planted.find(kernel("a_bucket",
                      [&](InOut<std::uint32_t> buckets) {
                        line = next_line();
                        (void)atomic_add(buckets, global_id() / 2u, 1u);
                      }),
               128, {"[Buffer \"words\"]"}, words);
  EXPECT_EQ(planted.found(), 7);
}

CONFORMANCE_TEST(Mistakes, IndicesIntoOtherMemory) {
  Planted planted(device, Cause::index_out_of_range);
  std::uint32_t& line = planted.line;
  const auto x = planted.device().buffer<std::uint32_t>(64).value();

  planted.find(kernel("the_neighbour",
                      [&](InOut<std::uint32_t> to) {
                        const auto part = shared<std::uint32_t>(64);
                        part[local_id()] = global_id();
                        barrier();
                        line = next_line();
                        to[global_id()] = part[local_id() + 1u];
                      })
                   .with(group(64)),
               64, {"shared memory", "index 64 where there are 64"}, x);
  planted.find(kernel("exchanged",
                      [&](InOut<std::uint32_t> to) {
                        const auto part = shared<std::uint32_t>(4);
                        if_(local_id() < 4u, [&] { part[local_id()] = 0u; });
                        barrier();
                        line = next_line();
                        const Var<std::uint32_t> before = atomic_exchange(part, local_id(), 7u);
                        to[global_id()] = before;
                      })
                   .with(group(8)),
               8, {"shared memory", "where there are 4"}, x);
  planted.find(kernel("an_array",
                      [&](InOut<std::uint32_t> to) {
                        const auto own = array<std::uint32_t>(4);
                        for_(0u, 4u, [&](Expr<std::uint32_t> k) { own[k] = k; });
                        line = next_line();
                        to[global_id()] = own[global_id()];
                      }),
               5, {"an array of the item", "index 4 where there are 4"}, x);
  planted.find(kernel("a_table",
                      [&](InOut<std::uint32_t> to) {
                        const auto table = constant_table<std::uint32_t>({1, 2, 3});
                        line = next_line();
                        to[global_id()] = table[global_id()];
                      }),
               4, {"a table", "index 3 where there are 3"}, x);
  EXPECT_EQ(planted.found(), 4);
}

CONFORMANCE_TEST(Mistakes, WhatIsAsserted) {
  Planted planted(device, Cause::assertion_failed);
  std::uint32_t& line = planted.line;
  std::vector<float> values(64, 1.0f);
  values[40] = -1.0f;
  const auto x = planted.device().upload(values).value();
  const auto words = planted.device().upload(counting(64)).value();

  planted.find(kernel("of_a_load",
                      [&](In<float> from) {
                        line = next_line();
                        assert_(from[global_id()] > 0.0f, "it is {}", from[global_id()]);
                      }),
               64, {"item (40, 0, 0): it is -1"}, x);
  planted.find(kernel("the_second_of_two",
                      [&](In<float> from) {
                        assert_(from[global_id()] < 2.0f, "too large");
                        line = next_line();
                        assert_(from[global_id()] > 0.0f, "too small");
                      }),
               64, {"too small"}, x);
  planted.find(kernel("in_a_loop",
                      [&](In<float> from) {
                        for_(0u, from.size(), [&](Expr<std::uint32_t> k) {
                          line = next_line();
                          assert_(from[k] > 0.0f, "round {}", k);
                        });
                      }),
               1, {"round 40"}, x);
  planted.find(kernel("in_the_other_branch",
                      [&](In<float> from) {
                        if_(global_id() < 32u, [] {}).else_([&] {
                          line = next_line();
                          assert_(from[global_id()] > 0.0f, "item {}", global_id());
                        });
                      }),
               64, {"item 40"}, x);
  const auto positive = function("positive", [&](Expr<float> value) {
    line = next_line();
    assert_(value > 0.0f, "positive({})", value);
    return value;
  });
  planted.find(kernel("in_a_function", [&](InOut<float> to) { to[global_id()] = positive(to[global_id()]); }),
               64, {"positive(-1)"}, x);
  planted.find(kernel("behind_a_barrier",
                      [&](In<std::uint32_t> from) {
                        const auto part = shared<std::uint32_t>(64);
                        part[63u - local_id()] = from[global_id()];
                        barrier();
                        line = next_line();
                        assert_(part[local_id()] != 13u, "item {} has 13", local_id());
                      })
                   .with(group(64)),
               64, {"item 50 has 13"}, words);
  planted.find(kernel("without_values",
                      [&](In<std::uint32_t> from) {
                        line = next_line();
                        assert_(from[global_id()] != 5u, "five");
                      }),
               64, {"item (5, 0, 0): five."}, words);
  planted.find(kernel("of_a_vector",
                      [&](In<std::uint32_t> from) {
                        const auto v = compose(cast<float>(from[global_id()]), 0.5f);
                        line = next_line();
                        assert_(v.x < 63.0f, "v is {:.1f}", v);
                      }),
               64, {"v is (63.0, 0.5)"}, words);
  planted.find(kernel("of_64_bits",
                      [&](In<std::uint32_t> from) {
                        const auto wide = cast<std::int64_t>(from[global_id()]) * -100'000'000'000;
                        line = next_line();
                        assert_(wide > -6'300'000'000'000, "it is {}", wide);
                      }),
               64, {"it is -6300000000000"}, words);
  planted.find(kernel("in_two_dimensions",
                      [&](In<std::uint32_t> from) {
                        const auto i = global_id(1) * 8u + global_id(0);
                        line = next_line();
                        assert_(from[i] != 29u && global_id(0) < 8u, "at ({}, {})", global_id(0),
                                global_id(1));
                      }),
               elements(8, 8), {"item (5, 3, 0): at (5, 3)"}, words);
  EXPECT_EQ(planted.found(), 10);
}

CONFORMANCE_TEST(Mistakes, BarriersThatNotAllMeet) {
  std::uint32_t line = 0;
  const auto expect_refused = [&](const auto& wrong) {
    expect_error(device.compile(wrong), ErrorCode::invalid_argument,
                 {"not all items of a group are sure to come here",
                  "mistakes_test.cpp:" + std::to_string(line), "[Kernel \"" + wrong.name() + "\"]"});
  };
  expect_refused(kernel("in_a_branch", [&](InOut<float> x) {
    if_(local_id() < 8u, [&] {
      line = next_line();
      barrier();
    });
    x[global_id()] = 1.0f;
  }));
  expect_refused(kernel("in_rounds_of_its_own", [&](InOut<float> x) {
    for_(0u, global_id(), [&](Expr<std::uint32_t>) {
      line = next_line();
      barrier();
    });
    x[global_id()] = 1.0f;
  }));
  expect_refused(kernel("behind_a_return", [&](InOut<float> x) {
    if_(x[global_id()] > 1.0f, [] { return_(); });
    line = next_line();
    barrier();
    x[global_id()] = 1.0f;
  }));
  expect_refused(kernel("one_value_for_some", [&](InOut<float> x) {
    if_(x[global_id()] > 1.0f, [&] {
      line = next_line();
      x[global_id()] = uniform(x[0u]);
    });
  }));
  expect_refused(kernel("a_sum_of_some", [&](InOut<float> x) {
    if_(local_id() % 2u == 0u, [&] {
      line = next_line();
      x[global_id()] = subgroup_add(x[global_id()]);
    });
  }));
}

}  // namespace conformance
