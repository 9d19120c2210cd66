// Messages of a kernel: their text form comes back as it was, and what one can't be is refused by name.

#include "kernel/ir/message.hpp"

#include <gtest/gtest.h>

#include "kernel/emit/messages.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

namespace collet::ir {
namespace {

constexpr std::string_view kSays = R"(kernel k group(64, 1, 1) {
  buffer x: u32 inout
  workgroup shared1: u32 [4]
  message print(u32, f32) "\"{}\" is\x0a {:.3f}" at "a\\b.cpp", 12
  message assert() "" at "b.cpp", 4294967295
  function f(u32) -> (u32) {
    %0: u32 = argument 0
    print 1
    give %0
  }
  %0: u32 = global_id 0
  %1: f32 = constant 2.0
  pass %0
  pass %1
  print 0
  pass %0
  call f
  %2: u32 = result 0
  store shared1[%0], %2
}
)";

std::string said(const std::string& message, const std::string& lines = "") {
  const auto kernel = parse("kernel k group(1, 1, 1) {\nbuffer x: u32 inout\n" + message + lines + "}\n");
  if (!kernel) return kernel.error().message();
  const auto good = verify(*kernel);
  return good ? "accepted" : good.error().message();
}

std::string of_text(const std::string& text, const std::string& types = "u32") {
  return said("message print(" + types + ") \"" + text + "\" at \"a.cpp\", 1\n");
}

TEST(IrMessages, PrintAsTheyAreRead) {
  const auto kernel = parse(kSays);
  ASSERT_TRUE(kernel) << kernel.error().message();
  ASSERT_TRUE(verify(*kernel)) << verify(*kernel).error().message();
  EXPECT_EQ(print(*kernel), kSays);
  EXPECT_EQ(kernel->messages[0].text, "\"{}\" is\n {:.3f}");
  EXPECT_EQ(kernel->messages[0].file, "a\\b.cpp");
}

TEST(IrMessages, TellTheirValues) {
  const Message message{.kind = Message::Kind::print,
                        .text = "{} {} {} {} {} {} {:#x}",
                        .file = "",
                        .line = 0,
                        .values = {Scalar::boolean, Scalar::i32, Scalar::u32, Scalar::f32, Scalar::f64,
                                   Scalar::i64, Scalar::u64}};
  ASSERT_TRUE(check_message(message));
  const std::vector<std::uint64_t> values{
      1, 0xffffffff, 0xffffffff, 0xbfc00000, 0x3ff8000000000000, ~std::uint64_t{0}, ~std::uint64_t{0}};
  EXPECT_EQ(tell(message, values), "true -1 4294967295 -1.5 1.5 -1 0xffffffffffffffff");
}

TEST(IrMessages, OnlyFieldsThatFitAreTaken) {
  for (const char* const good : {"{}", "{{{}}}", "{:5}", "{:<999}", "{:#x}", "}}{{ {}"})
    EXPECT_EQ(of_text(good), "accepted") << good;
  for (const char* const bad : {"{", "}", "{0}", "{x}", "{:{}}", "{:1000}", "{:.2f}", "{:s}", "{ }"})
    EXPECT_NE(of_text(bad), "accepted") << bad;
  EXPECT_EQ(of_text("no field"), "The text \"no field\" of a.cpp:1 has 0 fields for 1 values.");
  EXPECT_EQ(of_text("{}, {}"), "The text \"{}, {}\" of a.cpp:1 has 2 fields for 1 values.");
  EXPECT_NE(of_text("{:.2f}").find("does not fit its value"), std::string::npos) << of_text("{:.2f}");
  EXPECT_EQ(of_text("{}", "u16"),
            "A message tells something else than booleans and numbers of 32 or 64 bits.");
  EXPECT_NE(of_text(std::string(5000, 'x'), ""), "accepted");
}

TEST(IrMessages, WhatIsPassedIsWhatTheyTell) {
  const std::string message = "message print(u32) \"{}\" at \"a.cpp\", 1\n%0: u32 = constant 1\n";
  EXPECT_EQ(said(message, "pass %0\nprint 0\n"), "accepted");
  EXPECT_NE(said(message, "print 0\n").find("what is passed is not what it tells"), std::string::npos);
  EXPECT_NE(said(message, "pass %0\npass %0\nprint 0\n").find("not what it tells"), std::string::npos);
  EXPECT_NE(said(message, "pass %0\nprint 1\n").find("there is no such message"), std::string::npos);
  EXPECT_NE(said(message, "pass %0\n").find("a block ends between a pass"), std::string::npos);
}

TEST(IrMessages, ATextThatDoesNotEndIsNone) {
  for (const char* const bad : {"\"", "\"a", "\"\\", "\"\\x1\"", "\"\\xg0\"", "a\"", "\"a\nb\""})
    EXPECT_FALSE(from_quotes(bad)) << bad;
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  const auto back = from_quotes(in_quotes(all) + " and more");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->text, all);
  EXPECT_EQ(back->length, in_quotes(all).size());
}

TEST(IrMessages, BecomeABufferBehindTheOthers) {
  const auto kernel = parse(kSays);
  const auto lowered = emit::lower_messages(*kernel);
  ASSERT_TRUE(lowered);
  EXPECT_TRUE(verify(*lowered)) << verify(*lowered).error().message();
  EXPECT_EQ(lowered->buffer_count(), 2u);
  EXPECT_EQ(lowered->memories[1].name, "messages");
  EXPECT_EQ(lowered->memories[2].name, "shared1");
  EXPECT_TRUE(lowered->messages.empty());
  EXPECT_TRUE(lowered->functions.empty()) << "it prints";
  EXPECT_EQ(print(*lowered).find("print"), std::string::npos);
}

TEST(IrMessages, CheckedModeAsksWhatIsNotSureToBeInside) {
  const auto checked = [](const std::string& lines) {
    const auto kernel =
        parse("kernel k group(8, 1, 1) {\n  buffer x: u32 inout\n  workgroup w: u32 [8]\n" + lines + "}\n");
    EXPECT_TRUE(kernel && verify(*kernel)) << lines;
    const Kernel made = emit::lower_checks(*kernel);
    EXPECT_TRUE(verify(made)) << verify(made).error().message();
    return made.messages;
  };
  EXPECT_TRUE(checked("  %0: u32 = local_id 0\n  store w[%0], %0\n").empty());
  const auto one = checked("  %0: u32 = global_id 0\n  %1: u32 = load x[%0]\n  store x[%0], %0\n");
  ASSERT_EQ(one.size(), 2u) << "one for each line";
  EXPECT_EQ(one[0].file, "IR text");
  EXPECT_EQ(one[0].line, 5u);
  EXPECT_EQ(one[1].line, 6u);
  EXPECT_EQ(one[0].memory, 0u);
  const auto beyond = checked("  %0: u32 = constant 8\n  store w[%0], %0\n");
  ASSERT_EQ(beyond.size(), 1u);
  EXPECT_EQ(beyond[0].memory, 1u);
}

// Each on a line of its own: the last ones share a message without a line.
TEST(IrMessages, CheckedModeHasNoMoreThanThereMayBe) {
  std::string lines = "  %0: u32 = global_id 0\n";
  for (std::size_t i = 0; i < kMostMessages + 50; ++i) lines += "  store x[%0], %0\n";
  const auto kernel = parse("kernel k group(8, 1, 1) {\n  buffer x: u32 inout\n" + lines + "}\n");
  ASSERT_TRUE(kernel);
  const Kernel made = emit::lower_checks(*kernel);
  EXPECT_LE(made.messages.size(), kMostMessages);
  EXPECT_EQ(made.messages.back().line, 0u);
  EXPECT_TRUE(verify(made));
}

}  // namespace
}  // namespace collet::ir
