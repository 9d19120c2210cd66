// OpenCL programs below the waist, on a driver of this machine: binaries that come back whole, damaged and
// foreign, and defines that are none.

#include <gtest/gtest.h>

#include <cstring>

#include "collet/collet.hpp"

namespace collet {
namespace {

using backend::ProgramDesc;

constexpr std::string_view kSource =
    "#ifndef VALUE\n#define VALUE 1\n#endif\n__kernel void one(__global uint* x) { x[get_global_id(0)] = "
    "VALUE; }";

class OpenClProgram : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = Device::open("opencl");
    if (!opened) GTEST_SKIP() << "no OpenCL device: " << opened.error().message();
    device.emplace(std::move(*opened));
  }

  Result<backend::BuiltProgram> made(Format format, std::span<const std::byte> code,
                                     const CompileOptions& options = {}) {
    ProgramDesc desc;
    desc.format = format;
    desc.code = code;
    desc.options = &options;
    desc.label = "tested";
    return device->native().create_program(desc);
  }

  Result<backend::BuiltProgram> from_source(const CompileOptions& options = {}) {
    return made(Format::opencl_c, std::as_bytes(std::span(kSource)), options);
  }

  std::vector<std::byte> binary() {
    const auto built = from_source().value();
    auto code = device->native().program_binary(built.program).value();
    device->native().destroy_program(built.program);
    return code;
  }

  std::string refusal(std::span<const std::byte> code) {
    const auto built = made(Format::native_binary, code);
    if (!built) return built.error().message();
    device->native().destroy_program(built->program);
    return "taken";
  }

  std::optional<Device> device;
};

TEST_F(OpenClProgram, ItsBinaryIsTakenBackAndHasTheKernel) {
  const auto code = binary();
  ASSERT_GT(code.size(), 32u);
  const auto built = made(Format::native_binary, code);
  ASSERT_TRUE(built) << built.error().describe();
  backend::Signature signature;
  signature.parameters = {{.kind = backend::Parameter::Kind::buffer}};
  signature.buffer_count = 1;
  backend::KernelDesc desc;
  desc.entry = "one";
  desc.signature = &signature;
  const auto kernel = device->native().create_kernel(built->program, desc);
  ASSERT_TRUE(kernel) << kernel.error().describe();
  device->native().destroy_kernel(*kernel);
  device->native().destroy_program(built->program);
}

TEST_F(OpenClProgram, ABinaryThatIsDamagedOrForeignIsRefusedByName) {
  const auto code = binary();
  const auto changed = [&](std::size_t at) {
    auto other = code;
    other[at] ^= std::byte{1};
    return refusal(other);
  };
  const std::string here = "The binary can't be used here: ";
  const std::string bytes = std::to_string(code.size() - 32);
  EXPECT_EQ(refusal(std::span(code).first(31)), here + "it has only 31 bytes.");
  EXPECT_EQ(refusal({}), here + "it has only 0 bytes.");
  EXPECT_EQ(refusal(std::span(code).first(32)), here + "it holds 0 of its " + bytes + " bytes.");
  EXPECT_EQ(refusal(std::span(code).first(code.size() - 1)),
            here + "it holds " + std::to_string(code.size() - 33) + " of its " + bytes + " bytes.");
  EXPECT_EQ(changed(0), here + "it was not made by Collet's OpenCL backend.");
  EXPECT_EQ(changed(7), here + "it was not made by Collet's OpenCL backend.");
  EXPECT_EQ(changed(8), here + "it was made on another device or driver.");
  EXPECT_EQ(changed(16), here + "its contents are damaged.");
  EXPECT_EQ(changed(32), here + "its contents are damaged.");
  EXPECT_EQ(changed(code.size() - 1), here + "its contents are damaged.");
}

TEST_F(OpenClProgram, OptionsThatABinaryCanNotHonourAreNamed) {
  const auto built =
      made(Format::native_binary, binary(),
           {.optimise = CompileOptions::Optimise::none, .fast_math = true, .defines = {{"A", "1"}}});
  ASSERT_TRUE(built) << built.error().describe();
  EXPECT_EQ(built->ignored, (std::vector<std::string>{"optimise=none", "fast_math", "defines=1"}));
  device->native().destroy_program(built->program);
}

TEST_F(OpenClProgram, DefinesThatWouldChangeTheSourceAreRefused) {
  const auto said = [&](const std::string& name, const std::string& value) -> std::string {
    const auto built = from_source({.defines = {{name, value}}});
    if (!built) return built.error().message();
    device->native().destroy_program(built->program);
    return "";
  };
  for (const char* name : {"A", "z9_", "_", "aZ0"}) EXPECT_EQ(said(name, "1"), "") << name;
  for (const char* name : {"", "9a", "a b", "a-b", "a(x)", "\xc3\xa4", "a@", "a[", "a`", "a{", "a:", "a/"})
    EXPECT_EQ(said(name, "1"), "The define \"" + std::string(name) + "\" is no identifier.");
  for (const std::string& value : {std::string("1\n2"), std::string("1\r"), std::string("1\0", 2),
                                   std::string("1\\"), std::string("/*")}) {
    EXPECT_EQ(said("VALUE", value), "The value of the define VALUE (" + std::to_string(value.size()) +
                                        " characters) has a line break, a comment or a final backslash.");
  }
}

}  // namespace
}  // namespace collet
