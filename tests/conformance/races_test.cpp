// Planted mistakes that checked mode finds where a backend takes IR: data races, and reads of what nobody
// wrote.

#include "conformance/planted.hpp"

namespace conformance {
using namespace collet;
struct Cell {
  float value;
  std::uint32_t owner;
};
COLLET_STRUCT(Cell, value, owner)

CONFORMANCE_TEST(Races, BetweenItemsOfAGroup) {
  Planted planted(device, Cause::data_race);
  std::uint32_t& line = planted.line;
  const auto x = planted.device().upload(counting(64)).value();

  planted.find(kernel("the_neighbour",
                      [&](InOut<std::uint32_t> to) {
                        const auto part = shared<std::uint32_t>(64);
                        part[local_id()] = to[global_id()];
                        line = next_line();
                        to[global_id()] = part[(local_id() + 1u) % 64u];
                      })
                   .with(group(64)),
               64, {"shared memory", "no barrier between", "barrier()"}, x);
  planted.find(kernel("one_place_for_all",
                      [&](InOut<std::uint32_t> to) {
                        const auto part = shared<std::uint32_t>(1);
                        line = next_line();
                        part[0u] = local_id();
                        barrier();
                        to[global_id()] = part[0u];
                      })
                   .with(group(64)),
               64, {"shared memory", "writes element 0", "wrote it"}, x);
  planted.find(kernel("the_next_round",
                      [&](InOut<std::uint32_t> to) {
                        const auto part = shared<std::uint32_t>(64);
                        Var<std::uint32_t> sum = 0u;
                        for_(0u, 4u, [&](Expr<std::uint32_t> k) {
                          line = next_line();
                          part[local_id()] = k;
                          barrier();
                          sum += part[local_id() ^ 1u];
                        });
                        to[global_id()] = sum;
                      })
                   .with(group(64)),
               64, {"writes element", "read it"}, x);
  planted.find(kernel("a_tree_of_sums",
                      [&](InOut<std::uint32_t> to) {
                        const auto part = shared<std::uint32_t>(64);
                        part[local_id()] = to[global_id()];
                        barrier();
                        for (std::uint32_t step = 32; step > 0; step /= 2) {
                          if_(local_id() < step, [&] {
                            line = next_line();
                            part[local_id()] += part[local_id() + step];
                          });
                        }
                        barrier();
                        to[global_id()] = part[0u];
                      })
                   .with(group(64)),
               64, {"shared memory"}, x);
  planted.find(kernel("a_count_that_is_read",
                      [&](InOut<std::uint32_t> to) {
                        const auto count = shared<std::uint32_t>(1);
                        if_(local_id() == 0u, [&] { count[0u] = 0u; });
                        barrier();
                        (void)atomic_add(count, 0u, 1u);
                        line = next_line();
                        to[global_id()] = count[0u];
                      })
                   .with(group(64)),
               64, {"reads element 0", "atomic operation"}, x);
  planted.find(kernel("two_items_for_a_byte",
                      [&](InOut<std::uint32_t> to) {
                        const auto part = shared<std::uint8_t>(32);
                        line = next_line();
                        part[local_id() / 2u] = cast<std::uint8_t>(local_id());
                        barrier();
                        to[global_id()] = cast<std::uint32_t>(part[local_id() / 2u]);
                      })
                   .with(group(64)),
               64, {"shared memory"}, x);
  planted.find(kernel("a_component",
                      [&](InOut<std::uint32_t> to) {
                        const auto part = shared<uint4>(64);
                        part[local_id()] = compose(0u, 1u, 2u, 3u);
                        line = next_line();
                        part[(local_id() + 1u) % 64u].y = 7u;
                        barrier();
                        to[global_id()] = part[local_id()].y;
                      })
                   .with(group(64)),
               64, {"shared memory"}, x);
  planted.find(kernel("transposed",
                      [&](InOut<std::uint32_t> to) {
                        const auto tile = shared<std::uint32_t>(64);
                        tile[local_id(1) * 8u + local_id(0)] = 4u;
                        barrier();
                        tile[local_id(1) * 8u + local_id(0)] = 5u;
                        line = next_line();
                        to[global_id(1) * 8u + global_id(0)] = tile[local_id(0) * 8u + local_id(1)];
                      })
                   .with(group(8, 8)),
               elements(8, 8), {"shared memory", "item ("}, x);
  planted.find(kernel("the_first_for_all",
                      [&](InOut<std::uint32_t> to) {
                        const auto one = shared<std::uint32_t>(1);
                        line = next_line();
                        if_(local_id() == 0u, [&] { one[0u] = to[0u]; });
                        to[global_id()] = one[0u];
                      })
                   .with(group(64)),
               64, {"item (0, 0, 0) wrote it"}, x);
  planted.find(kernel("counts_that_are_not_atomic",
                      [&](InOut<std::uint32_t> to) {
                        const auto counts = shared<std::uint32_t>(4);
                        if_(local_id() < 4u, [&] { counts[local_id()] = 0u; });
                        barrier();
                        line = next_line();
                        counts[to[global_id()] % 4u] += 1u;
                        barrier();
                        to[global_id()] = counts[local_id() % 4u];
                      })
                   .with(group(64)),
               64, {"shared memory"}, x);
  EXPECT_EQ(planted.found(), 10);
}

CONFORMANCE_TEST(Races, BetweenGroupsOfALaunch) {
  Planted planted(device, Cause::data_race);
  std::uint32_t& line = planted.line;
  const auto x = planted.device().buffer<std::uint32_t>(256, {.label = "x"}).value();
  const std::string of_x = "[Buffer \"x\"]";

  planted.find(kernel("everybody_writes_the_first",
                      [&](Out<std::uint32_t> to) {
                        line = next_line();
                        to[0u] = global_id();
                      })
                   .with(group(64)),
               128, {of_x, "writes element 0", "in the same launch"}, x);
  planted.find(kernel("in_place",
                      [&](InOut<std::uint32_t> to) {
                        line = next_line();
                        to[global_id()] = to[global_id() + 64u] + 1u;
                      })
                   .with(group(64)),
               128, {of_x}, x);
  planted.find(kernel("a_sum_of_groups",
                      [&](InOut<std::uint32_t> to) {
                        if_(local_id() == 0u, [&] {
                          line = next_line();
                          to[0u] += 1u;
                        });
                      })
                   .with(group(64)),
               256, {of_x, "group"}, x);
  planted.find(kernel("tickets_that_are_read",
                      [&](InOut<std::uint32_t> to) {
                        (void)atomic_add(to, 0u, 1u);
                        line = next_line();
                        to[global_id() + 1u] = to[0u];
                      })
                   .with(group(32)),
               64, {of_x, "element 0", "atomic operation"}, x);
  planted.find(kernel("scattered",
                      [&](Out<std::uint32_t> to) {
                        line = next_line();
                        to[global_id(1) * 40u + global_id(0)] = 1u;
                      })
                   .with(group(8, 8)),
               elements(48, 2), {of_x, "group ("}, x);
  EXPECT_EQ(planted.found(), 5);
}

CONFORMANCE_TEST(Races, WhatIsInOrderIsLeftAlone) {
  const auto own = Device::open(device.info().id(), {.checked = true}).value();
  const auto right = kernel("right", [](InOut<std::uint32_t> x, Out<std::uint8_t> bytes) {
                       const auto part = shared<std::uint32_t>(32);
                       const auto small = shared<std::uint8_t>(32);
                       const auto count = shared<std::uint32_t>(1);
                       const auto own_array = array<std::uint32_t>(3);
                       for_(0u, 3u, [&](Expr<std::uint32_t> k) {
                         part[local_id()] = x[global_id()] + k;
                         small[local_id()] = cast<std::uint8_t>(k);
                         if_(local_id() == 0u, [&] { count[0u] = 0u; });
                         barrier();
                         own_array[k] = part[31u - local_id()] + cast<std::uint32_t>(small[0u]);
                         (void)atomic_add(count, 0u, 1u);
                         const Var<std::uint32_t> seen = atomic_load(count, 0u);
                         own_array[k] += seen - seen;
                         barrier();
                         const Var<std::uint32_t> all = atomic_load(count, 0u);
                         own_array[k] += count[0u] + all - all;
                         barrier();
                       });
                       x[global_id()] = own_array[0u] + own_array[1u] + own_array[2u];
                       bytes[global_id()] = std::uint8_t{1};
                     }).with(group(32));
  const auto passed_on = kernel("passed_on", [](InOut<std::uint32_t> x) {
                           if_(group_id() == 0u, [&] {
                             x[1u] = 7u;
                             atomic_store(x, 0u, 1u);
                           }).else_([&] {
                             const Var<std::uint32_t> flag = atomic_load(x, 0u);
                             if_(flag == 1u, [&] { x[2u] = x[1u]; });
                           });
                         }).with(group(1));
  const auto x = own.upload(counting(96)).value();
  const auto bytes = own.buffer<std::uint8_t>(96).value();
  auto stream = own.stream();
  stream.launch(right, 96, x, bytes);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(own, x)[0], 3u * 31u + 2u * 3u + 3u * 32u);
  EXPECT_EQ(read(own, bytes), std::vector<std::uint8_t>(96, 1));
  stream.launch(passed_on, 2, x);
  ASSERT_OK(stream.wait());
}

CONFORMANCE_TEST(Unwritten, SharedMemory) {
  Planted planted(device, Cause::uninitialised_read);
  std::uint32_t& line = planted.line;
  const auto x = planted.device().upload(counting(128)).value();

  planted.find(kernel("nobody_wrote_it",
                      [&](InOut<std::uint32_t> to) {
                        const auto part = shared<std::uint32_t>(64);
                        line = next_line();
                        to[global_id()] = part[local_id()];
                      })
                   .with(group(64)),
               64, {"shared memory", "nobody has written so far"}, x);
  planted.find(kernel("half_of_it",
                      [&](InOut<std::uint32_t> to) {
                        const auto part = shared<std::uint32_t>(64);
                        if_(local_id() < 32u, [&] { part[local_id()] = 1u; });
                        barrier();
                        line = next_line();
                        to[global_id()] = part[local_id()];
                      })
                   .with(group(64)),
               64, {"shared memory"}, x);
  planted.find(kernel("a_count_from_nothing",
                      [&](InOut<std::uint32_t> to) {
                        const auto count = shared<std::uint32_t>(1);
                        line = next_line();
                        (void)atomic_add(count, 0u, 1u);
                        barrier();
                        to[global_id()] = count[0u];
                      })
                   .with(group(64)),
               64, {"changes element 0"}, x);
  planted.find(kernel("a_ragged_group",
                      [&](InOut<std::uint32_t> to) {
                        const auto part = shared<std::uint32_t>(64);
                        part[local_id()] = to[global_id()];
                        barrier();
                        line = next_line();
                        to[global_id()] = part[63u - local_id()];
                      })
                   .with(group(64)),
               70, {"Item (6"}, x);
  planted.find(kernel("a_field",
                      [&](InOut<std::uint32_t> to) {
                        const auto cells = shared<Cell>(64);
                        cells[local_id()].value = 1.0f;
                        barrier();
                        line = next_line();
                        to[global_id()] = cells[local_id()].owner;
                      })
                   .with(group(64)),
               64, {"shared memory"}, x);
  EXPECT_EQ(planted.found(), 5);
}

CONFORMANCE_TEST(Unwritten, ArraysOfItems) {
  Planted planted(device, Cause::uninitialised_read);
  std::uint32_t& line = planted.line;
  const auto x = planted.device().upload(counting(64)).value();

  planted.find(kernel("nobody_wrote_it",
                      [&](InOut<std::uint32_t> to) {
                        const auto own = array<std::uint32_t>(4);
                        line = next_line();
                        to[global_id()] = own[to[global_id()] % 4u];
                      }),
               8, {"an array of the item", "nobody has written so far"}, x);
  planted.find(kernel("one_round_too_few",
                      [&](InOut<std::uint32_t> to) {
                        const auto own = array<std::uint32_t>(40);
                        for_(0u, 39u, [&](Expr<std::uint32_t> k) { own[k] = k; });
                        Var<std::uint32_t> sum = 0u;
                        for_(0u, 40u, [&](Expr<std::uint32_t> k) {
                          line = next_line();
                          sum += own[k];
                        });
                        to[global_id()] = sum;
                      }),
               8, {"reads element 39"}, x);
  planted.find(kernel("a_component",
                      [&](InOut<std::uint32_t> to) {
                        const auto own = array<uint4>(2);
                        own[1u].x = 1u;
                        own[1u].y = 2u;
                        line = next_line();
                        to[global_id()] = own[1u].x + own[1u].z;
                      }),
               8, {"reads element 1"}, x);
  planted.find(kernel("a_branch_that_few_take",
                      [&](InOut<std::uint32_t> to) {
                        const auto own = array<std::uint32_t>(1);
                        if_(to[global_id()] < 60u, [&] { own[0u] = 1u; });
                        line = next_line();
                        to[global_id()] = own[0u];
                      }),
               64, {"Item (6"}, x);
  planted.find(kernel("every_second_byte",
                      [&](InOut<std::uint32_t> to) {
                        const auto own = array<std::uint8_t>(8);
                        for_(0u, 4u, [&](Expr<std::uint32_t> k) { own[k * 2u] = std::uint8_t{1}; });
                        line = next_line();
                        to[global_id()] = cast<std::uint32_t>(own[global_id() % 8u]);
                      }),
               2, {"Item (1, 0, 0)", "reads element 1"}, x);
  EXPECT_EQ(planted.found(), 5);
}

}  // namespace conformance
