// The verifier, rule by rule: the last kernel that it accepts and the first that it refuses, with the
// sentence.

#include "kernel/ir/verify.hpp"

#include <gtest/gtest.h>

#include <span>

#include <functional>

#include "kernel/ir/text.hpp"

namespace collet::ir {
namespace {

constexpr std::string_view kAccepted = "accepted";

std::string judged(const Kernel& kernel) {
  const auto verified = verify(kernel);
  return verified ? std::string(kAccepted) : verified.error().message();
}

// A value of every kind that the rules tell apart: %0 to %19.
constexpr std::string_view kBefore = R"(kernel k group(64, 1, 1) {
  buffer x: u32 inout
  buffer r: u32 in
  buffer w: u32 out
  buffer b: bytes(12) inout
  buffer h: u16 inout
  buffer d: u64 inout
  buffer v: f32x4 inout
  value n: u32
  value s: bytes(12, 4)
  workgroup g: u32 [64]
  item p: u32 [8]
  %0: u32 = constant 1
  %1: i32 = constant 1
  %2: f32 = constant 1
  %3: bool = constant true
  %4: u64 = constant 1
  %5: u16 = constant 1
  %6: u32x2 = compose %0, %0
  %7: f32x2 = compose %2, %2
  %8: boolx2 = compose %3, %3
  %9: u32 = variable
  %10: u32x3 = compose %0, %0, %0
  %11: f64 = convert %2
  %12: f16 = convert %2
  %13: u32 = local_id 0
  %14: bool = lt %13, %0
  %15: i64 = constant 1
)";

std::string text_of(std::string_view statements) {
  return std::string(kBefore) + std::string(statements) + "}\n";
}

// What the verifier says of these statements, without the kernel and the line.
std::string judged(std::string_view statements) {
  const auto kernel = parse(text_of(statements));
  if (!kernel) return kernel.error().message();
  const std::string said = judged(*kernel);
  const std::size_t end = said.rfind("\": ");
  return end == std::string::npos ? said : said.substr(end + 3);
}

Kernel changed(const std::function<void(Kernel&)>& change) {
  Kernel kernel = parse(text_of("")).value();
  change(kernel);
  return kernel;
}

struct Row {
  std::string_view statements;
  std::string_view said;
};

void expect_all(std::span<const Row> rows) {
  for (const Row& row : rows) EXPECT_EQ(judged(row.statements), row.said) << row.statements;
}

TEST(IrVerifyRules, Arithmetic) {
  const std::string_view number = "takes and gives numbers of one type.";
  const std::string_view integer = "takes and gives integers of one type.";
  const std::string_view floats = "takes and gives floats of one type.";
  const std::string_view bits = "takes and gives integers or booleans of one type.";
  const Row rows[] = {
      {"%20: u32 = negate %0\n", kAccepted},       {"%20: bool = negate %3\n", number},
      {"%20: i32 = negate %0\n", number},          {"%20: f32 = add %2, %2\n", kAccepted},
      {"%20: f32x2 = add %7, %7\n", kAccepted},    {"%20: bool = add %3, %3\n", number},
      {"%20: f32x2 = add %7, %2\n", number},       {"%20: u32 = add %0, %1\n", number},
      {"%20: u32 = add %1, %0\n", number},         {"%20: u32 = mul_high %0, %0\n", kAccepted},
      {"%20: f32 = mul_high %2, %2\n", integer},   {"%20: bool = shl %3, %3\n", integer},
      {"%20: u32 = shl %0, %1\n", integer},        {"%20: u32 = count_bits %0\n", kAccepted},
      {"%20: f32 = count_bits %2\n", integer},     {"%20: u32 = count_bits %1\n", integer},
      {"%20: f32 = sqrt %2\n", kAccepted},         {"%20: u32 = sqrt %0\n", floats},
      {"%20: f32 = sqrt %12\n", floats},           {"%20: f32 = native_pow %2, %2\n", kAccepted},
      {"%20: f32 = native_pow %2, %12\n", floats}, {"%20: f32 = fma %2, %2, %2\n", kAccepted},
      {"%20: f32 = fma %2, %2, %12\n", floats},    {"%20: i32 = fma %1, %1, %1\n", floats},
      {"%20: bool = bit_not %3\n", kAccepted},     {"%20: u16 = bit_not %5\n", kAccepted},
      {"%20: f32 = bit_not %2\n", bits},           {"%20: boolx2 = bit_and %8, %8\n", kAccepted},
      {"%20: u32 = bit_and %0, %3\n", bits},       {"%20: f32 = bit_and %2, %2\n", bits},
  };
  expect_all(rows);
}

TEST(IrVerifyRules, ComparisonsAndChoices) {
  const std::string_view equal = "compares two values of one type and gives a boolean for each component.";
  const std::string_view order = "compares two numbers of one type and gives a boolean for each component.";
  const std::string_view select = "chooses between two values of one type by a boolean.";
  const std::string_view reduce = "makes one boolean of several.";
  const Row rows[] = {
      {"%20: bool = eq %3, %3\n", kAccepted},
      {"%20: boolx2 = eq %7, %7\n", kAccepted},
      {"%20: bool = eq %7, %7\n", equal},
      {"%20: bool = eq %0, %1\n", equal},
      {"%20: u32 = eq %0, %0\n", equal},
      {"%20: boolx2 = lt %6, %6\n", kAccepted},
      {"%20: bool = lt %3, %3\n", order},
      {"%20: bool = lt %0, %1\n", order},
      {"%20: bool = lt %6, %6\n", order},
      {"%20: u32 = select %3, %0, %0\n", kAccepted},
      {"%20: u32x2 = select %3, %6, %6\n", kAccepted},
      {"%20: u32x2 = select %8, %6, %6\n", kAccepted},
      {"%20: bool = select %3, %3, %3\n", kAccepted},
      {"%20: u32x3 = select %8, %10, %10\n", select},
      {"%20: u32 = select %0, %0, %0\n", select},
      {"%20: u32 = select %3, %1, %0\n", select},
      {"%20: u32 = select %3, %0, %1\n", select},
      {"%20: bool = any %8\n", kAccepted},
      {"%20: bool = all %8\n", kAccepted},
      {"%20: bool = any %3\n", reduce},
      {"%20: bool = any %6\n", reduce},
      {"%20: u32 = any %8\n", reduce},
      {"%20: boolx2 = all %8\n", reduce},
  };
  expect_all(rows);
}

TEST(IrVerifyRules, ConversionsAndVectors) {
  const std::string_view convert = "keeps the number of components.";
  const std::string_view bitcast = "keeps the size, and booleans have none.";
  const std::string_view compose = "makes a vector of as many scalars of its type.";
  const std::string_view extract = "gives one component of a vector.";
  const Row rows[] = {
      {"%20: bool = convert %0\n", kAccepted},    {"%20: f32x2 = convert %6\n", kAccepted},
      {"%20: f32 = convert %6\n", convert},       {"%20: f32 = bitcast %0\n", kAccepted},
      {"%20: f32x2 = bitcast %6\n", kAccepted},   {"%20: u64 = bitcast %0\n", bitcast},
      {"%20: u32 = bitcast %3\n", bitcast},       {"%20: bool = bitcast %3\n", bitcast},
      {"%20: bool = bitcast %0\n", bitcast},      {"%20: u64 = bitcast %6\n", bitcast},
      {"%20: f32 = bitcast %6\n", bitcast},       {"%20: u32x4 = compose %0, %0, %0, %0\n", kAccepted},
      {"%20: u32x3 = compose %0, %0\n", compose}, {"%20: u32x2 = compose %0, %0, %0\n", compose},
      {"%20: u32x2 = compose %0, %1\n", compose}, {"%20: u32x2 = compose %1, %0\n", compose},
      {"%20: u32x2 = compose %6, %6\n", compose}, {"%20: u32 = extract %6, 1\n", kAccepted},
      {"%20: u32 = extract %6, 2\n", extract},    {"%20: u32 = extract %0, 0\n", extract},
      {"%20: i32 = extract %6, 0\n", extract},    {"%20: u32x2 = extract %6, 0\n", extract},
  };
  expect_all(rows);
}

TEST(IrVerifyRules, WhatComesFromNowhere) {
  const std::string_view constant = "a constant is a scalar, and its bits fit its type.";
  const std::string_view builtin = "is a u32 of dimension 0, 1 or 2.";
  const std::string_view parameter =
      "reads beyond its parameter, or at a byte that its type is not aligned to.";
  const Row rows[] = {
      {"%20: u16 = constant 65535\n", kAccepted},
      {"%20: u16 = constant 65536\n", constant},
      {"%20: f32 = constant 0xffffffff\n", kAccepted},
      {"%20: f32 = constant 0x100000000\n", constant},
      {"%20: u64 = constant 18446744073709551615\n", kAccepted},
      {"%20: u32x2 = constant 1\n", constant},
      {"%20: u32 = global_id 2\n", kAccepted},
      {"%20: u32 = global_id 3\n", builtin},
      {"%20: i32 = global_id 0\n", builtin},
      {"%20: u32 = length x\n", kAccepted},
      {"%20: u32 = length v\n", kAccepted},
      {"%20: u64 = length x\n", "the length of a buffer is a u32."},
      {"%20: u32 = length g\n", "the length of a buffer is a u32."},
      {"%20: u32 = parameter n\n", kAccepted},
      {"%20: u16 = parameter n+2\n", kAccepted},
      {"%20: u16 = parameter n+1\n", parameter},
      {"%20: u16 = parameter n+4\n", parameter},
      {"%20: u64 = parameter n\n", parameter},
      {"%20: bool = parameter n\n", parameter},
      {"%20: f32x3 = parameter s\n", kAccepted},
      {"%20: f32x2 = parameter s+4\n", kAccepted},
      {"%20: f32x2 = parameter s+8\n", parameter},
  };
  expect_all(rows);
  const auto beyond = [](std::uint32_t index) {
    return judged(changed([&](Kernel& kernel) {
      kernel.nodes.push_back({.op = Op::parameter, .type = kU32, .immediate = index});
      kernel.blocks[0].nodes.push_back(static_cast<Id>(kernel.nodes.size() - 1));
    }));
  };
  EXPECT_EQ(beyond(1), kAccepted);
  EXPECT_NE(beyond(2).find("there is no such parameter."), std::string::npos);
}

TEST(IrVerifyRules, Variables) {
  const std::string_view reached = "a variable is reached by get and set only.";
  const Row rows[] = {
      {"%20: u32 = get %9\n", kAccepted},
      {"%20: i32 = get %9\n", "gives the variable's type."},
      {"%20: u32 = get %0\n", "its first argument is no variable."},
      {"set %9, %0\n", kAccepted},
      {"set %9, %1\n", "sets a value of the variable's type."},
      {"set %0, %0\n", "its first argument is no variable."},
      {"set %9, %9\n", reached},
      {"%20: u32 = add %9, %0\n", reached},
      {"%20: u32 = negate %9\n", reached},
      {"%20: u32 = set %9, %0\n", "sets a value of the variable's type."},
      {"variable\n", "a variable has a type."},
      {"%20: u32x4 = variable\n", kAccepted},
  };
  expect_all(rows);
}

TEST(IrVerifyRules, Memory) {
  const std::string_view aligned = "is not aligned to its type.";
  const std::string_view numbers = "memory holds numbers only.";
  const Row rows[] = {
      {"%20: u32 = load x[%0]\n", kAccepted},
      {"%20: f32 = load x[%0]\n", kAccepted},
      {"%20: u16 = load x[%0]+2\n", kAccepted},
      {"%20: u16 = load x[%0]+1\n", aligned},
      {"%20: u32 = load x[%0]+1\n", "reaches beyond its element of 4 bytes."},
      {"%20: u32x2 = load x[%0]\n", "reaches beyond its element of 4 bytes."},
      {"%20: u32x3 = load b[%0]\n", kAccepted},
      {"%20: u32x2 = load b[%0]+4\n", kAccepted},
      {"%20: u32 = load b[%0]+2\n", aligned},
      {"%20: u64 = load b[%0]\n", aligned},
      {"%20: u32 = load x[%1]\n", "an index is a u32."},
      {"%20: u32 = load x[%4]\n", "an index is a u32."},
      {"%20: bool = load x[%0]\n", numbers},
      {"store x[%0], %3\n", numbers},
      {"load x[%0]\n", "a store has no value, and a load has one."},
      {"%20: u32 = store x[%0], %0\n", "a store has no value, and a load has one."},
      {"store x[%0], %0\n", kAccepted},
      {"store x[%0], %4\n", "reaches beyond its element of 4 bytes."},
      {"%20: u32 = load w[%0]\n", "w is written only."},
      {"store w[%0], %0\n", kAccepted},
      {"%20: u32 = load r[%0]\n", kAccepted},
      {"store r[%0], %0\n", "r is read only."},
      {"%20: u32 = atomic_load r[%0]\n", kAccepted},
      {"%20: u32 = atomic_add r[%0], %0\n", "r is read only."},
      {"%20: u32 = atomic_add w[%0], %0\n", "w is written only."},
      {"atomic_store w[%0], %0\n", kAccepted},
      {"atomic_store r[%0], %0\n", "r is read only."},
      {"%20: u32 = atomic_load w[%0]\n", "w is written only."},
      {"%20: u32 = atomic_add x[%0], %0\n", kAccepted},
      {"%20: i32 = atomic_add x[%0], %1\n", kAccepted},
      {"%20: u64 = atomic_add d[%0], %4\n", kAccepted},
      {"%20: u32 = atomic_add g[%0], %0\n", kAccepted},
      {"%20: u32 = atomic_add p[%0], %0\n", "an atomic operation reaches memory that items share."},
      {"%20: u16 = atomic_add h[%0], %5\n", "is for integers and floats of 32 or 64 bits."},
      {"%20: f32 = atomic_add x[%0], %2\n", "accepted"},
      {"%20: f32 = atomic_and x[%0], %2\n", "is for integers of 32 or 64 bits."},
      {"%20: u32x2 = atomic_add d[%0], %6\n", "is for integers and floats of 32 or 64 bits."},
      {"%20: u32 = atomic_add x[%0], %1\n", "its values have the type of the memory."},
      {"%20: u32 = atomic_compare_exchange x[%0], %0, %0\n", kAccepted},
      {"%20: u32 = atomic_compare_exchange x[%0], %1, %0\n", "its values have the type of the memory."},
      {"%20: u32 = atomic_compare_exchange x[%0], %0, %1\n", "its values have the type of the memory."},
  };
  expect_all(rows);
  const auto reached = [](std::uint32_t memory) {
    return judged(changed([&](Kernel& kernel) {
      kernel.nodes.push_back({.op = Op::load,
                              .type = kU32,
                              .count = 1,
                              .arguments = {0, kNone, kNone, kNone},
                              .immediate = memory});
      kernel.blocks[0].nodes.push_back(static_cast<Id>(kernel.nodes.size() - 1));
    }));
  };
  EXPECT_EQ(reached(8), kAccepted);
  EXPECT_NE(reached(9).find("there is no such memory."), std::string::npos);
}

TEST(IrVerifyRules, WhatGroupsDoTogether) {
  const std::string_view number = "takes and gives numbers of one type.";
  const std::string_view vote = "takes and gives one boolean.";
  const std::string_view shuffle = "takes a value and the u32 of a lane.";
  const Row rows[] = {
      {"barrier\n", kAccepted},
      {"%20: u32 = barrier\n", "has no value."},
      {"fence workgroup\n", kAccepted},
      {"fence device\n", kAccepted},
      {"%20: u32 = fence device\n", "has a scope and no value."},
      {"%20: u32 = uniform %13\n", kAccepted},
      {"%20: bool = uniform %14\n", kAccepted},
      {"%20: i32 = uniform %0\n", "keeps its type."},
      {"%20: u32 = subgroup_broadcast_first %0\n", kAccepted},
      {"%20: i32 = subgroup_broadcast_first %0\n", "keeps its type."},
      {"%20: f32 = subgroup_add %2\n", kAccepted},
      {"%20: bool = subgroup_add %3\n", number},
      {"%20: i32 = subgroup_add %0\n", number},
      {"%20: u32 = subgroup_and %0\n", kAccepted},
      {"%20: f32 = subgroup_and %2\n", "takes and gives integers of one type."},
      {"%20: i32 = subgroup_and %0\n", "takes and gives integers of one type."},
      {"%20: bool = subgroup_any %14\n", kAccepted},
      {"%20: boolx2 = subgroup_any %8\n", vote},
      {"%20: bool = subgroup_any %0\n", vote},
      {"%20: f32 = subgroup_shuffle %2, %0\n", kAccepted},
      {"%20: f32 = subgroup_shuffle %2, %1\n", shuffle},
      {"%20: u32 = subgroup_shuffle %2, %0\n", shuffle},
  };
  expect_all(rows);
}

TEST(IrVerifyRules, ControlFlow) {
  const std::string_view range = "counts in integers of 32 or 64 bits, all of one type.";
  const Row rows[] = {
      {"if %3 {\n}\n", kAccepted},
      {"if %0 {\n}\n", "is decided by one boolean."},
      {"if %8 {\n}\n", "is decided by one boolean."},
      {"%20: u32 = if %3 {\n}\n", "is decided by one boolean."},
      {"%20: u32 = range %0, %0, %0 {\n}\n", kAccepted},
      {"%20: i32 = range %1, %1, %1 {\n}\n", kAccepted},
      {"%20: u64 = range %4, %4, %4 {\n}\n", kAccepted},
      {"%20: i64 = range %15, %15, %15 {\n}\n", kAccepted},
      {"%20: u16 = range %5, %5, %5 {\n}\n", range},
      {"%20: f32 = range %2, %2, %2 {\n}\n", range},
      {"%20: u32x2 = range %6, %6, %6 {\n}\n", range},
      {"%20: u32 = range %0, %1, %0 {\n}\n", range},
      {"%20: u32 = range %0, %0, %0 {\n  store x[%20], %0\n}\n", kAccepted},
      {"%20: u32 = loop {\n}\n", "has no value."},
      {"%20: u32 = return\n", "has no value."},
      {"return\n", kAccepted},
      {"break\n", "is outside a loop."},
      {"continue\n", "is outside a loop."},
      {"if %3 {\n  break\n}\n", "is outside a loop."},
      {"loop {\n  if %3 {\n    break\n  } else {\n    continue\n  }\n}\n", kAccepted},
      {"%20: u32 = range %0, %0, %0 {\n  break\n}\n", kAccepted},
      {"loop {\n  break\n}\nbreak\n", "is outside a loop."},
      {"loop {\n  if %3 {\n    break\n  }\n}\nbreak\n", "is outside a loop."},
      {"loop {\n  break\n  store x[%0], %0\n}\n", "nothing may follow a jump in its block."},
      {"loop {\n  break\n} continuing {\n  break\n}\n", "leaves a continuing block."},
      {"loop {\n  break\n} continuing {\n  if %3 {\n    continue\n  }\n}\n", "leaves a continuing block."},
      {"loop {\n  break\n} continuing {\n  if %3 {\n    return\n  }\n}\n", "leaves a continuing block."},
      {"loop {\n  break\n} continuing {\n  loop {\n    break\n  }\n}\n", kAccepted},
      {"loop {\n  break\n} continuing {\n  store x[%0], %0\n}\nreturn\n", kAccepted},
      {"loop {\n  loop {\n    break\n  } continuing {\n    store x[%0], %0\n  }\n  break\n}\n", kAccepted},
      {"if %3 {\n  %20: u32 = constant 1\n}\nstore x[%20], %0\n", "argument 0 is not defined here."},
      {"%20: u32 = range %0, %0, %0 {\n}\nstore x[%20], %0\n", "argument 0 is not defined here."},
      {"if %3 {\n  %20: u32 = constant 1\n} else {\n  store x[%0], %20\n}\n",
       "argument 1 is not defined here."},
  };
  expect_all(rows);
}

TEST(IrVerifyRules, Frame) {
  using Change = void (*)(Kernel&);
  const std::string name(255, 'a');
  const std::string kName = "A kernel's name is letters, digits and _, at most 255 of them.";
  for (const std::string& good : {std::string("a"), std::string("Z"), std::string("_z"), std::string("A0_9"),
                                  std::string("aAzZ"), name}) {
    EXPECT_EQ(judged(changed([&](Kernel& kernel) { kernel.name = good; })), kAccepted) << good;
  }
  for (const std::string& bad : {std::string(), std::string("0a"), std::string("a b"), std::string("a-b"),
                                 std::string("a/"), std::string("a:"), std::string("a@"), std::string("a["),
                                 std::string("a`"), std::string("a{"), name + "a"}) {
    EXPECT_EQ(judged(changed([&](Kernel& kernel) { kernel.name = bad; })), kName) << bad;
  }
  const std::string group = "A group has 1 to 1024 items in each dimension.";
  const std::string parameter = "Parameter n has no size that a launch could pass.";
  const std::string stride = "Elements of x have a size of 1 to 65536 bytes.";
  const std::string held = "Elements of x have a type that memory can't hold.";
  const std::string arguments = "The list of arguments does not match the buffers and parameters.";
  const struct {
    Change change;
    std::string said;
  } rows[] = {
      {[](Kernel& k) { k.group = {1024, 4, 1}; }, std::string(kAccepted)},
      {[](Kernel& k) { k.group = {1025, 1, 1}; }, group},
      {[](Kernel& k) { k.group = {1, 0, 1}; }, group},
      {[](Kernel& k) { k.group = {1, 1, 1025}; }, group},
      {[](Kernel& k) { k.group = {1024, 4, 2}; }, "A group has at most 4096 items."},
      {[](Kernel& k) { k.blocks.clear(); }, "[Kernel \"k\"] has no body."},
      {[](Kernel& k) { k.memories[0].name = "1"; }, "The name of memory is letters, digits and _."},
      {[](Kernel& k) { k.parameters[0].name = "1"; }, "A parameter's name is letters, digits and _."},
      {[](Kernel& k) { k.memories[0].stride = 65536; }, std::string(kAccepted)},
      {[](Kernel& k) { k.memories[0].stride = 65537; }, stride},
      {[](Kernel& k) { k.memories[0].stride = 0; }, stride},
      {[](Kernel& k) { k.memories[0].element = kBool; }, held},
      {[](Kernel& k) { k.memories[0].element.width = 0; }, held},
      {[](Kernel& k) { k.memories[0].element.width = 4; }, std::string(kAccepted)},
      {[](Kernel& k) { k.memories[0].element.width = 5; }, held},
      {[](Kernel& k) { k.memories[0].count = 1; }, "The length of buffer x is known at launch only."},
      {[](Kernel& k) { k.memories[7].count = 0; }, "Memory g has no elements."},
      {[](Kernel& k) { k.memories[7].count = (1u << 30) + 1; }, "Memory g is too large."},
      {[](Kernel& k) { k.memories[7].count = 1u << 30; },
       "[Kernel \"k\"] has workgroup memory of 4294967296 bytes up to and with g (1073741824 elements of 4 "
       "bytes); at most 1073741824 are allowed."},
      {[](Kernel& k) { k.memories[7].count = 1u << 28; }, std::string(kAccepted)},
      {[](Kernel& k) { k.memories[7].count = (1u << 28) + 1; },
       "[Kernel \"k\"] has workgroup memory of 1073741828 bytes up to and with g (268435457 elements of 4 "
       "bytes); at most 1073741824 are allowed."},
      {[](Kernel& k) { k.memories[8].count = 1u << 18; }, std::string(kAccepted)},
      {[](Kernel& k) { k.memories[8].count = (1u << 18) + 1; },
       "[Kernel \"k\"] has private arrays of 1048580 bytes per item up to and with p (262145 elements of 4 "
       "bytes); at most 1048576 are allowed."},
      {[](Kernel& k) { std::swap(k.memories[6], k.memories[7]); }, "Buffers come before all other memory."},
      {[](Kernel& k) { k.parameters[0].size = 65536 - 12; }, std::string(kAccepted)},
      {[](Kernel& k) { k.parameters[0].size = 65536 - 11; },
       "The parameters are larger than 64 KiB together."},
      {[](Kernel& k) { k.parameters[0].size = 65537; }, parameter},
      {[](Kernel& k) { k.parameters[0].size = 0; }, parameter},
      {[](Kernel& k) { k.parameters[0].alignment = 0; }, parameter},
      {[](Kernel& k) { k.parameters[0].alignment = 3; }, parameter},
      {[](Kernel& k) { k.parameters[0].alignment = 16; }, std::string(kAccepted)},
      {[](Kernel& k) { k.parameters[0].alignment = 32; }, parameter},
      {[](Kernel& k) { k.buffer_argument[0] = false; }, arguments},
      {[](Kernel& k) { k.buffer_argument.push_back(false); }, arguments},
      {[](Kernel& k) { k.buffer_argument.push_back(true); }, arguments},
      {[](Kernel& k) { k.nodes.resize(kMostNodes); }, std::string(kAccepted)},
      {[](Kernel& k) { k.nodes.resize(kMostNodes + 1); },
       "[Kernel \"k\"] has 1000001 nodes; at most 1000000 are allowed."},
  };
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    EXPECT_EQ(judged(changed(rows[i].change)), rows[i].said) << "row " << i;
  }
}

// 262,144 times 2^30 elements of 64 KiB are 2^64 bytes.
TEST(IrVerifyRules, SizesThatWrapAroundTogetherAreRefused) {
  for (const Space space : {Space::item, Space::workgroup}) {
    const std::string said = judged(changed([&](Kernel& k) {
      k.memories.resize(7);
      for (int i = 0; i < 1 << 18; ++i) {
        Memory memory;
        memory.space = space;
        memory.name = "m" + std::to_string(i);
        memory.stride = 65536;
        memory.count = 1u << 30;
        k.memories.push_back(std::move(memory));
      }
    }));
    const bool item = space == Space::item;
    EXPECT_EQ(said, std::string("[Kernel \"k\"] has ") +
                        (item ? "private arrays of 70368744177664 bytes per item"
                              : "workgroup memory of 70368744177664 bytes") +
                        " up to and with m0 (1073741824 elements of 65536 bytes); at most " +
                        (item ? "1048576" : "1073741824") + " are allowed.");
  }
}

TEST(IrVerifyRules, NodesAndBlocksThatAreNone) {
  const auto said = [](const std::function<void(Kernel&)>& change) { return judged(changed(change)); };
  const auto add = [](Kernel& kernel, const Node& node) {
    kernel.nodes.push_back(node);
    kernel.blocks[0].nodes.push_back(static_cast<Id>(kernel.nodes.size() - 1));
  };
  const auto branch = [](std::uint32_t block) {
    return Node{.op = Op::if_,
                .type = kNothing,
                .count = 1,
                .arguments = {3, kNone, kNone, kNone},
                .immediate = std::uint64_t{kNone} << 32 | block};
  };
  EXPECT_EQ(said([&](Kernel& k) { add(k, branch(1)); }), "[Kernel \"k\"] refers to block 1 of 1.");
  EXPECT_EQ(said([&](Kernel& k) { add(k, branch(0)); }), "Block 0 belongs to two nodes.");
  EXPECT_EQ(said([&](Kernel& k) {
              k.blocks.emplace_back();
              add(k, branch(1));
            }),
            kAccepted);
  EXPECT_EQ(said([](Kernel& k) { k.blocks[0].nodes.push_back(static_cast<Id>(k.nodes.size())); }),
            "A block lists node 16, which is none.");
  EXPECT_NE(said([](Kernel& k) { k.blocks[0].nodes.push_back(0); }).find("stands in two places."),
            std::string::npos);
  const auto typed = [&](Type type) {
    return said([&](Kernel& k) { add(k, {.op = Op::variable, .type = type}); });
  };
  EXPECT_EQ(typed({Scalar::f64, 4}), kAccepted);
  EXPECT_EQ(typed({Scalar::f64, 5}), "Node 16 has an unknown type.");
  EXPECT_EQ(typed({Scalar::f64, 0}), "Node 16 has an unknown type.");
  EXPECT_EQ(typed({static_cast<Scalar>(static_cast<int>(Scalar::f64) + 1), 1}),
            "Node 16 has an unknown type.");
  EXPECT_EQ(said([&](Kernel& k) {
              add(k, {.op = static_cast<Op>(static_cast<int>(Op::return_) + 1), .type = kU32});
            }),
            "Node 16 has an unknown operation.");
  const auto counted = [&](Op op, std::uint8_t count) {
    return said([&](Kernel& k) {
      add(k, {.op = op,
              .type = op == Op::compose ? Type{Scalar::u32, count} : kU32,
              .count = count,
              .arguments = {0, 0, 0, 0}});
    });
  };
  EXPECT_EQ(counted(Op::add, 2), kAccepted);
  EXPECT_NE(counted(Op::add, 1).find("takes 2 arguments, not 1."), std::string::npos);
  EXPECT_NE(counted(Op::add, 3).find("takes 2 arguments, not 3."), std::string::npos);
  EXPECT_EQ(counted(Op::compose, 4), kAccepted);
  const auto compose = [&](std::uint8_t count) {
    return said([&](Kernel& k) {
      add(k, {.op = Op::compose, .type = {Scalar::u32, 4}, .count = count, .arguments = {0, 0, 0, 0}});
    });
  };
  EXPECT_NE(compose(1).find("takes 2 to 4 arguments, not 1."), std::string::npos) << compose(1);
  EXPECT_NE(compose(5).find("takes 2 to 4 arguments, not 5."), std::string::npos) << compose(5);
  const auto argument = [&](Id id) {
    return said([&](Kernel& k) {
      add(k, {.op = Op::negate, .type = kU32, .count = 1, .arguments = {id, kNone, kNone, kNone}});
    });
  };
  EXPECT_EQ(argument(0), kAccepted);
  EXPECT_NE(argument(16).find("argument 0 is not defined here."), std::string::npos);
  EXPECT_NE(argument(17).find("argument 0 is not defined here."), std::string::npos);
  EXPECT_NE(said([&](Kernel& k) {
              add(k, {.op = Op::barrier, .type = kNothing});
              add(k, {.op = Op::negate, .type = kU32, .count = 1, .arguments = {16, kNone, kNone, kNone}});
            }).find("argument 0 has no value."),
            std::string::npos);
}

TEST(IrVerifyRules, BlocksNestTwoHundredDeep) {
  // The kernel as the parser would make it, were it as patient.
  const auto nested = [](std::uint32_t depth) {
    Kernel kernel =
        parse("kernel k group(1, 1, 1) {\n  buffer x: u32 in\n  %0: bool = constant true\n}\n").value();
    for (std::uint32_t i = 0; i < depth; ++i) {
      kernel.nodes.push_back({.op = Op::if_,
                              .type = kNothing,
                              .count = 1,
                              .arguments = {0, kNone, kNone, kNone},
                              .immediate = std::uint64_t{kNone} << 32 | (i + 1)});
      kernel.blocks[i].nodes.push_back(static_cast<Id>(kernel.nodes.size() - 1));
      kernel.blocks.emplace_back();
    }
    return judged(kernel);
  };
  EXPECT_EQ(nested(200), kAccepted);
  EXPECT_EQ(nested(201), "[Kernel \"k\"] nests blocks more than 200 deep.");
}

TEST(IrVerifyUniformity, DependsOnWhatAConditionIsMadeOf) {
  const std::string_view divergent = "not all items of a group are sure to come here.";
  const auto under = [](std::string_view condition) {
    return std::string(condition) + "if %30 {\n  barrier\n}\n";
  };
  const auto compared = [&](std::string_view value) {
    return under(std::string(value) + "%30: bool = eq %20, %0\n");
  };
  const struct {
    std::string statements;
    std::string_view said;
  } rows[] = {
      {compared("%20: u32 = group_id 0\n"), kAccepted},
      {compared("%20: u32 = group_size 0\n"), kAccepted},
      {compared("%20: u32 = subgroup_size 0\n"), kAccepted},
      {compared("%20: u32 = parameter n\n"), kAccepted},
      {compared("%20: u32 = length x\n"), kAccepted},
      {compared("%20: u32 = global_id 0\n"), divergent},
      {compared("%20: u32 = local_id 0\n"), divergent},
      {compared("%20: u32 = subgroup_lane 0\n"), divergent},
      {compared("%20: u32 = subgroup_id 0\n"), divergent},
      {compared("%20: u32 = uniform %13\n"), kAccepted},
      {compared("%20: u32 = load r[%0]\n"), kAccepted},
      {compared("%20: u32 = load r[%13]\n"), divergent},
      {compared("%20: u32 = load x[%0]\n"), divergent},
      {compared("%20: u32 = load g[%0]\n"), divergent},
      {compared("%20: u32 = load p[%0]\n"), divergent},
      {compared("%20: u32 = atomic_load r[%0]\n"), divergent},
      {compared("%20: u32 = subgroup_add %0\n"), divergent},
      {compared("%20: u32 = subgroup_shuffle %0, %0\n"), divergent},
      {compared("%20: u32 = subgroup_broadcast_first %0\n"), divergent},
      {compared("%21: u32 = add %0, %0\n%20: u32 = mul %21, %13\n"), divergent},
      {compared("%21: u32 = add %0, %0\n%20: u32 = mul %13, %21\n"), divergent},
      {compared("set %9, %0\n%20: u32 = get %9\n"), kAccepted},
      {compared("set %9, %13\n%20: u32 = get %9\n"), divergent},
      {compared("if %14 {\n  set %9, %0\n}\n%20: u32 = get %9\n"), divergent},
      {compared("if %3 {\n  set %9, %0\n}\n%20: u32 = get %9\n"), kAccepted},
      {"if %14 {\n} else {\n  barrier\n}\n", divergent},
      {"if %3 {\n} else {\n  barrier\n}\n", kAccepted},
      {"%20: u32 = range %0, %0, %0 {\n  barrier\n}\n", kAccepted},
      {"%20: u32 = range %13, %0, %0 {\n  barrier\n}\n", divergent},
      {"%20: u32 = range %0, %0, %13 {\n  barrier\n}\n", divergent},
      {"%20: u32 = range %0, %0, %0 {\n  %30: bool = eq %20, %0\n  if %30 {\n    barrier\n  }\n}\n",
       kAccepted},
      {"loop {\n  barrier\n  if %3 {\n    break\n  }\n}\n", kAccepted},
      {"loop {\n  barrier\n  if %14 {\n    break\n  }\n}\n", divergent},
      {"loop {\n  if %14 {\n    break\n  }\n  barrier\n}\n", divergent},
      {"loop {\n  if %14 {\n    continue\n  }\n  barrier\n  break\n}\n", divergent},
      {"loop {\n  barrier\n  if %3 {\n    break\n  }\n  if %14 {\n    continue\n  }\n  store x[%0], %0\n}\n",
       kAccepted},
      {"loop {\n  if %14 {\n    continue\n  }\n  if %3 {\n    break\n  }\n} continuing {\n  barrier\n}\n",
       divergent},
      {"loop {\n  if %3 {\n    break\n  }\n  if %14 {\n    continue\n  }\n} continuing {\n  barrier\n}\n",
       kAccepted},
      {"loop {\n  if %14 {\n    break\n  }\n}\nbarrier\n", kAccepted},
      {"loop {\n  loop {\n    if %14 {\n      break\n    }\n  }\n  barrier\n  if %3 {\n    break\n  }\n}\n",
       kAccepted},
      {"loop {\n  if %14 {\n    return\n  }\n  break\n}\nbarrier\n", divergent},
      {"loop {\n  barrier\n  if %14 {\n    return\n  }\n}\n", divergent},
      {"loop {\n  loop {\n    barrier\n    break\n  }\n  if %14 {\n    return\n  }\n}\n", divergent},
      {"loop {\n  barrier\n  if %3 {\n    return\n  }\n}\n", kAccepted},
      {"if %14 {\n  return\n}\nbarrier\n", divergent},
      {"if %3 {\n  return\n}\nbarrier\n", kAccepted},
      {"if %14 {\n  %20: u32 = subgroup_add %0\n}\n", divergent},
      {"if %14 {\n  %20: u32 = subgroup_shuffle %0, %0\n}\n", divergent},
      {"if %14 {\n  %20: u32 = uniform %0\n}\n", divergent},
      {"if %14 {\n  fence device\n}\n", kAccepted},
  };
  for (const auto& row : rows) EXPECT_EQ(judged(row.statements), row.said) << row.statements;
}

}  // namespace
}  // namespace collet::ir
