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

  std::optional<Device> device;
};

TEST_F(OpenClProgram, TheWorkgroupMemoryIsCountedAmongTheArgumentsWhereThereIsSome) {
  const auto three = KernelSource<InOut<std::uint32_t>>("three")
                         .opencl("__kernel void three(__global uint* x, uint a, uint b) {}")
                         .kernel();
  EXPECT_EQ(device->compile(three).error().message(),
            "[Kernel \"three\"] has 3 arguments, and its signature asks for 1.");
  EXPECT_EQ(device->compile(three.with(shared_bytes(64))).error().message(),
            "[Kernel \"three\"] has 3 arguments, and its signature asks for 2 (a __local pointer for the "
            "workgroup memory included).");
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
