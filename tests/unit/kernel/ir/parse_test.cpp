// The text form of kernels: each thing that can be missing or wrong is told with its line, and limits are
// exact.

#include <gtest/gtest.h>

#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

namespace collet::ir {
namespace {

constexpr std::string_view kAccepted = "accepted";

std::string said(std::string_view text) {
  const auto parsed = parse(text);
  return parsed ? std::string(kAccepted) : parsed.error().message();
}

// Of a kernel with these lines: what is wrong, without its place.
std::string said_of(std::string_view lines) {
  const std::string found =
      said("kernel k group(1, 1, 1) {\nbuffer x: u32 inout\nvalue n: u32\n" + std::string(lines) + "}\n");
  if (found == kAccepted) return found;
  const std::size_t begin = found.find(": ") + 2;
  return found.substr(begin, found.rfind(" before ") - begin);
}

struct Row {
  std::string_view lines;
  std::string_view said;
};

TEST(IrParse, TellsWhatIsMissingInTheHead) {
  const Row rows[] = {
      {"", "\"kernel\" is missing before \"\"."},
      {"kernelk group", "\"kernel\" is missing before \"kernelk group\"."},
      {"kernel {", "the kernel's name is missing before \"{\"."},
      {"kernel k {", "\"group\" is missing before \"{\"."},
      {"kernel k group{", "\"(\" is missing before \"{\"."},
      {"kernel k group(1 1, 1) {}", "\",\" is missing before \"1, 1) {}\"."},
      {"kernel k group(1, x, 1) {}", "\"x\" is no number, but a group size is one before \", 1) {}\"."},
      {"kernel k group(1, 2x, 1) {}", "\"2x\" is no number, but a group size is one before \", 1) {}\"."},
      {"kernel k group(1, 1, 4294967296) {}", "the group is too large before \") {}\"."},
      {"kernel k group(1, 1, 1, 1) {}", "\")\" is missing before \", 1) {}\"."},
      {"kernel k group(1, 1, 1) }", "\"{\" is missing before \"}\"."},
      {"kernel k group(1, 1, 1) {} kernel", "something follows the kernel before \"kernel\"."},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(said(row.lines), "Line 1 of the IR text: " + std::string(row.said)) << row.lines;
  }
  EXPECT_EQ(said("kernel k group(1, 1, 4294967295) {} # a comment"), kAccepted);
  EXPECT_EQ(said("\t\r\n# a comment\nkernel k group(1, 1, 1) {\n}\n\n# }\n"), kAccepted);
}

TEST(IrParse, QuotesAtMostTheRestOfTheLine) {
  EXPECT_EQ(said("# one\n# two\nkernel k group(1, 1, 1) {\n  wrong 0123456789012345678901234567890\n}\n"),
            "Line 4 of the IR text: \"wrong\" is no operation before \" 01234567890123456789012\".");
}

TEST(IrParse, TellsWhatIsWrongWithADeclaration) {
  const Row rows[] = {
      {"buffer : u32 in\n", "a buffer's name is missing"},
      {"buffer y u32 in\n", "\":\" is missing"},
      {"buffer y: u33 in\n", "\"u33\" is no type"},
      {"buffer y: u32x5 in\n", "\"u32x5\" is no type"},
      {"buffer y: u32x4 in\n", kAccepted},
      {"buffer y: u32\n", "in, out or inout is missing"},
      {"buffer y: bytes 4 in\n", "\"(\" is missing"},
      {"buffer y: bytes(4 in\n", "\")\" is missing"},
      {"buffer y: bytes(4294967295) in\n", kAccepted},
      {"buffer y: bytes(4294967296) in\n", "the element is too large"},
      {"buffer y: u32 stride(16) in\n", kAccepted},
      {"buffer y: u32 stride(4294967295) in\n", kAccepted},
      {"buffer y: u32 stride(4294967296) in\n", "the stride is too large"},
      {"buffer y: u32 stride 16 in\n", "\"(\" is missing"},
      {"workgroup s: u32 [4]\nbuffer y: u32 in\n", "buffers come before other memory"},
      {"workgroup s: u32 4\n", "\"[\" is missing"},
      {"workgroup s: u32 [4\n", "\"]\" is missing"},
      {"workgroup s: u32 []\n", "a number of elements is missing"},
      {"item : u32 [4]\n", "a name is missing"},
      {"value : u32\n", "a value's name is missing"},
      {"value m u32\n", "\":\" is missing"},
      {"value m: bytes(8)\n", "\",\" is missing"},
      {"value m: bytes(8, 4\n", "\")\" is missing"},
      {"value m: bytes(4294967295, 4)\n", kAccepted},
      {"value m: bytes(4294967296, 4)\n", "the value is too large"},
      {"value m: bytes(4, 4294967295)\n", kAccepted},
      {"value m: bytes(4, 4294967296)\n", "the value is too large"},
  };
  for (const Row& row : rows) EXPECT_EQ(said_of(row.lines), row.said) << row.lines;
}

TEST(IrParse, TellsWhatIsWrongWithAStatement) {
  const Row rows[] = {
      {"%: u32 = constant 1\n", "a value's number is missing"},
      {"%0 u32 = constant 1\n", "\":\" is missing"},
      {"%0: u32 constant 1\n", "\"=\" is missing"},
      {"%0: u32 = \n", "an operation is missing"},
      {"%0: u32 = constant 1\n%0: u32 = constant 2\n", "%0 is defined twice"},
      {"%0: u32 = negate %1\n", "%1 is not defined"},
      {"%0: u32 = negate 1\n", "\"%\" is missing"},
      {"%0: u32 = constant 1\n%1: u32 = add %0\n", "\",\" is missing"},
      {"%0: u32 = constant 1\n%1: u32x2 = compose %0, %0\n", kAccepted},
      {"%0: u32 = constant 1\n%1: u32 = load y[%0]\n", "there is no memory called y"},
      {"%0: u32 = constant 1\n%1: u32 = load x %0\n", "\"[\" is missing"},
      {"%0: u32 = constant 1\n%1: u32 = load x[%0\n", "\"]\" is missing"},
      {"%0: u32 = constant 1\n%1: u32 = load x[%0]+\n", "an offset is missing"},
      {"%0: u32 = constant 1\n%1: u32 = load x[%0]+4294967295\n", kAccepted},
      {"%0: u32 = constant 1\n%1: u32 = load x[%0]+4294967296\n", "the offset is too large"},
      {"%0: u32 = parameter m\n", "there is no value called m"},
      {"%0: u32 = parameter n+4294967295\n", kAccepted},
      {"%0: u32 = parameter n+4294967296\n", "the offset is too large"},
      {"%0: u32 = length y\n", "there is no memory called y"},
      {"%0: u32 = global_id x\n", "\"x\" is no number, but a dimension is one"},
      {"%0: u32 = constant 1\n%1: u32x2 = compose %0, %0\n%2: u32 = extract %1 0\n", "\",\" is missing"},
      {"fence item\n", "\"device\" is missing"},
      {"loop\n", "\"{\" is missing"},
      {"loop {\n} continuing\n", "\"{\" is missing"},
      {"loop {\n} else {\n}\n", "\"else\" is no operation"},
      {"loop {\n", "a statement or \"}\" is missing"},
  };
  for (const Row& row : rows) EXPECT_EQ(said_of(row.lines), row.said) << row.lines;
}

TEST(IrParse, LiteralsFitTheirTypes) {
  const struct {
    std::string_view type, literal;
    std::uint64_t bits;
  } rows[] = {
      {"i8", "-128", 0x80},
      {"i8", "127", 0x7f},
      {"i32", "-1", 0xffffffff},
      {"i64", "-9223372036854775808", 0x8000000000000000},
      {"u64", "18446744073709551615", 0xffffffffffffffff},
      {"u32", "0xff", 0xff},
      {"bool", "true", 1},
      {"bool", "false", 0},
      {"f32", "-1.5e+1", 0xc1700000},
      {"f64", "0.5", 0x3fe0000000000000},
      {"f16", "0x3c00", 0x3c00},
  };
  for (const auto& row : rows) {
    const auto kernel = parse("kernel k group(1, 1, 1) { %0: " + std::string(row.type) + " = constant " +
                              std::string(row.literal) + " }");
    ASSERT_TRUE(kernel) << row.literal;
    EXPECT_EQ(kernel->nodes[0].immediate, row.bits) << row.literal;
  }
  for (const auto& [type, literal] : {std::pair{"i8", "128"},
                                      {"i8", "-129"},
                                      {"i64", "9223372036854775808"},
                                      {"u32", "-1"},
                                      {"u32", "1.5"},
                                      {"bool", "1"},
                                      {"f32", "one"},
                                      {"f32", "1.0x"},
                                      {"f16", "1.0"},
                                      {"u64", "18446744073709551616"},
                                      {"u64", "0xg"}}) {
    const std::string text = std::string("%0: ") + type + " = constant " + literal + "\n";
    EXPECT_NE(said_of(text).find("\"" + std::string(literal) + "\" is no " + type), std::string::npos)
        << text;
  }
}

TEST(IrParse, BlocksNestTwoHundredDeep) {
  const auto nested = [](std::size_t depth) {
    std::string text = "kernel k group(1, 1, 1) { %0: bool = constant true\n";
    for (std::size_t i = 1; i < depth; ++i) text += "if %0 {\n";
    for (std::size_t i = 1; i < depth; ++i) text += "}\n";
    return said(text + "}");
  };
  EXPECT_EQ(nested(200), kAccepted);
  EXPECT_NE(nested(201).find("blocks nest more than 200 deep"), std::string::npos);
  // Those that stand one after the other do not nest.
  std::string text = "kernel k group(1, 1, 1) { %0: bool = constant true\n";
  for (int i = 0; i < 300; ++i) text += "if %0 {\n} else {\n}\n";
  EXPECT_EQ(said(text + "}"), kAccepted);
}

TEST(IrParse, PrintsBackWhatIsRarelyUsed) {
  constexpr std::string_view kText = R"(kernel k group(1, 2, 3) {
  buffer x: u32 stride(16) out
  buffer y: f16 in may_alias
  value n: i64
  workgroup s: bytes(12) [4]
  item p: f64x3 [2]
  %0: u32 = constant 1
  %1: u32 = length y
  %2: i64 = parameter n
  %3: u16 = load y[%0]
  fence workgroup
  %4: u32x4 = compose %0, %1, %0, %1
  %5: bool = constant false
  if %5 {
    %6: u32 = load s[%0]+8
  } else {
    atomic_store s[%0]+4, %0
  }
  %7: u32 = atomic_compare_exchange s[%0], %0, %1
  %8: i16 = constant -2
  %9: f32 = constant 0xff800000
  %10: f64 = constant 3.0
}
)";
  const auto kernel = parse(kText);
  ASSERT_TRUE(kernel) << kernel.error().message();
  EXPECT_EQ(print(*kernel), kText);
}

struct Violation {
  std::uint32_t line;
  std::string_view text;
  std::string_view said;
};

TEST(IrRead, NamesTheLineOfWhatTheVerifierRefuses) {
  const Violation rows[] = {
      {2, "\nkernel k group(0, 1, 1) {\n}\n", "A group has 1 to 1024 items in each dimension."},
      {3, "kernel k group(1, 1, 1) {\n  buffer x: u32 in\n  buffer y: bool in\n}\n",
       "Elements of y have a size of 1 to 65536 bytes."},
      {4, "kernel k group(1, 1, 1) {\n  buffer x: u32 in\n\n  workgroup t:\n u32 [9999999999]\n}\n",
       "Memory t is too large."},
      {3, "kernel k group(1, 1, 1) {\n  value a: u32\n  value b: bytes(4, 3)\n}\n",
       "Parameter b has no size that a launch could pass."},
      {3, "kernel k group(1, 1, 1) {\n  value a: u32\n  message print(f16) \"{}\" at \"k.cpp\", 1\n}\n",
       "A message tells something else than booleans and numbers of 32 or 64 bits."},
      {2, "kernel k group(1, 1, 1) {\n  function f() -> () {\n  }\n}\n", "The function f gives nothing."},
      {4,
       "kernel k group(1, 1, 1) {\n  function f(u32) -> (u32) {\n    %0: u32 = argument 0\n    %1: f32 = add "
       "%0, %0\n    give %0\n  }\n}\n",
       "In the function f of [Kernel \"k\"], \"%1: f32 = add %0, %0\": takes and gives numbers of one type."},
      {5,
       "kernel k group(1, 1, 1) {\n  buffer x: u32 in\n  # a comment\n  %7: u32 = constant 0\n  store x[%7], "
       "%7\n}\n",
       "In [Kernel \"k\"], \"store x[%0], %0\": x is read only."},
      {6,
       "kernel k group(2, 1, 1) {\n  %0: u32 = local_id 0\n  %1: u32 = constant 0\n  %2: bool = eq %0, %1\n"
       "  if %2 {\n    barrier\n  }\n}\n",
       "In [Kernel \"k\"], \"barrier\": not all items of a group are sure to come here."},
  };
  for (const Violation& row : rows) {
    std::uint32_t line = 0;
    const auto made = read(row.text, &line);
    ASSERT_FALSE(made) << row.text;
    EXPECT_EQ(made.error().message(),
              "Line " + std::to_string(row.line) + " of the IR text: " + std::string(row.said));
    EXPECT_EQ(line, row.line) << row.text;
  }
}

TEST(IrRead, KeepsTheHintAndWhatWasBeingDone) {
  const auto flow =
      read("kernel k group(2, 1, 1) {\n%0: u32 = local_id 0\n%1: bool = eq %0, %0\nif %1 {\nbarrier\n}\n}\n");
  ASSERT_FALSE(flow);
  EXPECT_NE(flow.error().hint().find("uniform()"), std::string::npos);
  const auto message =
      read("kernel k group(2, 1, 1) {\n  message print() \"{}\" at \"k.cpp\", 1\n}\n").error();
  EXPECT_TRUE(message.message().starts_with("Line 2 of the IR text: ")) << message.message();
  EXPECT_EQ(message.context().size(), 1u) << message.describe();
}

TEST(IrRead, LeavesTheLineAloneWhereNothingIsWrong) {
  std::uint32_t line = 77;
  EXPECT_TRUE(read("kernel k group(1, 1, 1) {\n}\n", &line));
  EXPECT_EQ(line, 77u);
  EXPECT_FALSE(read("kernel k group(1, 1, 1) {\n  wrong\n}\n", &line));
  EXPECT_EQ(line, 2u);
}

}  // namespace
}  // namespace collet::ir
