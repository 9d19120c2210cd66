// Names of arguments and variables in emitted code, and lines of the program in comments.

#include <gtest/gtest.h>

#include "collet/collet.hpp"

namespace collet {
namespace {

const auto sum_of = [](In<float> x, Out<float> y, Value<std::uint32_t> count) {
  Var<float> total = 0.0f;
  named(total, "total");
  for_(0u, count, [&](auto i) { total += x[i]; });
  y[global_id()] = total;
};

std::string text(const Kernel<In<float>, Out<float>, Value<std::uint32_t>>& kernel,
                 Lines lines = Lines::hide) {
  return kernel.emit(Format::opencl_c, lines).value().bytes;
}

TEST(Names, OfArgumentsAndVariablesAreInEmittedCode) {
  const std::string code = text(kernel("sum_of", {"x", "sums", "rounds"}, sum_of));
  EXPECT_NE(code.find("restrict m0_x,"), std::string::npos) << code;
  EXPECT_NE(code.find("restrict m1_sums,"), std::string::npos) << code;
  EXPECT_NE(code.find("uint p0_rounds"), std::string::npos) << code;
  EXPECT_NE(code.find("_total = "), std::string::npos) << code;
  EXPECT_EQ(text(kernel("sum_of", sum_of)).find("m0_x"), std::string::npos);
}

TEST(Names, OfShapedBuffersNameBothOfTheirParts) {
  const auto copy = kernel("copy", {"from", "to"}, [](In<float, 2> from, Out<float, 2> to) {
    const auto at = global_id_xy();
    to(at.y, at.x) = from(at.y, at.x);
  });
  const std::string code = copy.emit(Format::ir).value().bytes;
  EXPECT_NE(code.find("buffer from: f32 in"), std::string::npos) << code;
  EXPECT_NE(code.find("value to_shape: "), std::string::npos) << code;
}

TEST(Names, ThatCodeCannotHaveAreErrors) {
  const auto message = [](std::initializer_list<std::string_view> names) {
    return kernel("sum_of", names, sum_of).emit(Format::ir).error().message();
  };
  EXPECT_NE(message({"x", "y"}).find("has 3 arguments and 2 names"), std::string::npos)
      << message({"x", "y"});
  EXPECT_NE(message({"x", "x", "n"}).find("Two arguments have the name \"x\""), std::string::npos);
  EXPECT_NE(message({"x", "2y", "n"}).find("the name \"2y\""), std::string::npos);
  EXPECT_NE(message({"x", "y;", "n"}).find("the name \"y;\""), std::string::npos);
  const auto variable = kernel("variable", [](Out<float> y) {
    Var<float> one = 1.0f;
    named(one, "one\n");
    y[0u] = one;
  });
  EXPECT_NE(variable.emit(Format::ir).error().message().find("A variable has the name"), std::string::npos);
}

TEST(Names, LinesOfTheProgramAreCommentsWhereAsked) {
  const auto sum = kernel("sum_of", sum_of);
  EXPECT_EQ(text(sum).find("//"), std::string::npos);
  const std::string code = text(sum, Lines::show);
  const std::size_t load = code.find("  // names_test.cpp:13\n");
  EXPECT_NE(load, std::string::npos) << code;
  EXPECT_NE(code.find("  // names_test.cpp:14\n", load), std::string::npos) << code;
}

}  // namespace
}  // namespace collet
