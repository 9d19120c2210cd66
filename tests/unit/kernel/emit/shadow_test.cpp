// Shadow memory: what is watched, and in which units.

#include "kernel/emit/shadow.hpp"

#include <gtest/gtest.h>

#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

namespace collet::emit {
namespace {

ir::Kernel parsed(const std::string& body) {
  return ir::parse("kernel k group(64, 1, 1) {\n" + body + "}\n").value();
}

// The verifier wants a field for each value of a message, and a race has more.
void expect_valid(ir::Kernel kernel) {
  for (ir::Message& message : kernel.messages) {
    message.text.clear();
    for (std::size_t i = 0; i < message.values.size(); ++i) message.text += "{}";
  }
  const auto valid = ir::verify(kernel);
  EXPECT_TRUE(valid) << valid.error().message();
}

TEST(Shadow, UnitsAreWhatEveryAccessKeepsTo) {
  const Shadowed made = lower_shadow(
      parsed("  buffer a: bytes(16) inout\n  buffer b: f32 in\n  buffer c: u8 inout\n  buffer d: bytes(16) "
             "inout\n"
             "  %0: u32 = constant 0\n  %1: f32x4 = load a[%0]\n  store a[%0], %1\n"
             "  %2: u8 = load c[%0]\n  store c[%0], %2\n  %3: f32 = load b[%0]\n  store d[%0]+4, %3\n"),
      true);
  EXPECT_EQ(made.units, (std::vector<std::uint32_t>{16, 0, 1, 4}));  // nobody writes b
  ASSERT_EQ(made.kernel.memories.size(), 5u);
  EXPECT_EQ(made.kernel.memories[4].stride, kShadowBytes);
  EXPECT_EQ(made.kernel.buffer_count(), 5u);
  expect_valid(made.kernel);
}

TEST(Shadow, MemoryOfGroupsAndItemsHasItsOwn) {
  const Shadowed made = lower_shadow(
      parsed("  buffer out: u32 out\n  workgroup tile: bytes(16) [8]\n  item own: u16 [100]\n  table t: u32 "
             "[1, 2]\n"
             "  %0: u32 = local_id 0\n  %1: u16 = load own[%0]\n  store own[%0], %1\n"
             "  %2: f32x2 = load tile[%0]+8\n  store tile[%0], %2\n  barrier\n  %3: u32 = load t[%0]\n"
             "  store out[%0], %3\n"),
      false);
  EXPECT_TRUE(made.units.empty());
  const auto& memories = made.kernel.memories;
  ASSERT_EQ(memories.size(), 6u);  // a table has none
  EXPECT_EQ(memories[4].space, ir::Space::workgroup);
  EXPECT_EQ(memories[4].count, 16u);  // of 8 bytes
  EXPECT_EQ(memories[5].space, ir::Space::item);
  EXPECT_EQ(memories[5].count, 4u);  // 100 bits
  expect_valid(made.kernel);
}

TEST(Shadow, KernelsThatReleaseAndAcquireHaveNoRaces) {
  const auto has_race = [](const std::string& more) {
    const Shadowed made = lower_shadow(
        parsed(
            "  buffer x: u32 inout\n  workgroup tile: u32 [8]\n  %0: u32 = local_id 0\n  store tile[%0], %0\n"
            "  store x[%0], %0\n" +
            more),
        true);
    bool found = false;
    for (const ir::Message& message : made.kernel.messages) found |= message.kind == ir::Message::Kind::race;
    EXPECT_EQ(found, !made.units.empty());
    return found;
  };
  EXPECT_TRUE(has_race(""));
  EXPECT_TRUE(has_race("  %1: u32 = atomic_load x[%0]\n"));
  EXPECT_TRUE(has_race("  atomic_store x[%0], %0\n"));
  EXPECT_FALSE(has_race("  %1: u32 = atomic_load x[%0]\n  atomic_store x[%0], %0\n"));
  EXPECT_FALSE(has_race("  fence device\n"));
  // As the language writes them, with a fence of their own.
  EXPECT_TRUE(has_race("  %1: u32 = atomic_load x[%0]\n  fence device\n"));
  EXPECT_TRUE(has_race("  fence device\n  atomic_store x[%0], %0\n"));
}

}  // namespace
}  // namespace collet::emit
