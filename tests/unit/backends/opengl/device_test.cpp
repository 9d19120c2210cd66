// What a program's own OpenGL sees of Collet's, and which GLSL is refused. On the first device of both APIs.

#include <gtest/gtest.h>

#include "backends/opengl/backend.hpp"
#include "backends/opengl/device.hpp"

namespace collet::backend::opengl {
namespace {

using Get = egl::Context (*)();

class OpenGl : public testing::TestWithParam<Flavour> {
 protected:
  void SetUp() override {
    backend_ = GetParam() == Flavour::es ? make_es_backend() : make_desktop_backend();
    auto opened = backend_->open(0, {});
    if (!opened) GTEST_SKIP() << opened.error().describe();
    device_ = std::move(*opened);
  }

  // What making a kernel of two buffers and 16 bytes of constants says.
  Result<void> built(const std::string& body) {
    std::string code =
        GetParam() == Flavour::es ? "#version 310 es\nprecision highp float;\n" : "#version 430\n";
    code += body;
    const CompileOptions options;
    COLLET_TRY(program, device_->create_program({.format = device_->caps().formats[0],
                                                 .code = std::as_bytes(std::span(code)),
                                                 .architecture = {},
                                                 .options = &options,
                                                 .label = "test"}));
    Signature signature;
    signature.group_size = {64, 1, 1};
    signature.parameters = {{}, {}, {.kind = Parameter::Kind::constant, .size = 16}};
    signature.buffer_count = 2;
    signature.constants_size = 16;
    auto kernel =
        device_->create_kernel(program.program, {.entry = "named", .signature = &signature, .label = "test"});
    if (kernel) device_->destroy_kernel(*kernel);
    device_->destroy_program(program.program);
    return kernel ? Result<void>() : kernel.error();
  }

  std::unique_ptr<Backend> backend_;
  std::unique_ptr<Device> device_;
};

INSTANTIATE_TEST_SUITE_P(, OpenGl, testing::Values(Flavour::desktop, Flavour::es),
                         [](const auto& one) { return one.param == Flavour::es ? "Es" : "Desktop"; });

TEST_P(OpenGl, LeavesTheContextOfTheProgramsThreadAlone) {
  const Egl egl = load_egl().value();
  const auto current = reinterpret_cast<Get>(egl.GetProcAddress("eglGetCurrentContext"));
  const auto displays = find_displays(egl).value();
  const auto own = Context::create(egl, displays.all.at(0), GetParam()).value();
  ASSERT_TRUE(own->take());
  const egl::Context before = current();
  ASSERT_NE(before, nullptr);
  (void)backend_->probe();
  EXPECT_EQ(current(), before);
  {
    const auto second = backend_->open(0, {}).value();
    const auto memory = second->create_memory({.size = 4096, .label = {}}).value();
    EXPECT_EQ(current(), before);
    second->destroy_memory(memory.memory);
  }
  EXPECT_EQ(current(), before);
  const Gl gl = load_gl(egl, GetParam()).value();
  EXPECT_NE(gl.GetString(gl::kRenderer), nullptr);  // and it still works
  own->leave();
}

const std::string kBlocks =
    "layout(local_size_x = 64) in;\nlayout(std430, binding = 0) buffer A { uint a[]; };\n"
    "layout(std430, binding = 1) buffer B { uint b[]; };\n";

const std::string kOther = kBlocks + "void other() { a[0] = 1u; }\n";

TEST_P(OpenGl, TakesAFunctionOfTheKernelsName) {
  const auto done = built(kOther + "void named() { b[0] = 1u; }\n");
  EXPECT_TRUE(done) << done.error();
  const auto missing = built(kOther);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().cause(), Cause::kernel_not_found);
  EXPECT_EQ(missing.error().message(), "The GLSL has neither main() nor a kernel \"named\"; it has: other.");
}

TEST_P(OpenGl, RefusesWhatNobodyWouldFill) {
  const auto refused = [&](const std::string& more, Cause cause, const std::string& part) {
    const auto done = built(kBlocks + more);
    ASSERT_FALSE(done) << more;
    EXPECT_EQ(done.error().cause(), cause) << done.error();
    EXPECT_NE(done.error().message().find(part), std::string::npos) << done.error();
  };
  refused("uniform uint loose;\nvoid main() { a[0] = loose; }", Cause::argument_type,
          "a uniform that is in no block");
  refused("layout(std430, binding = 2) buffer C { uint c[]; };\nvoid main() { c[0] = a[0]; }",
          Cause::argument_count, "binding 2, but the signature has 2 buffers");
  refused("layout(std140, binding = 1) uniform Other { uint n; };\nvoid main() { a[0] = n; }",
          Cause::argument_type, "a binding other than 0");
  refused(
      "layout(std140, binding = 0) uniform Block { uvec4 n[2]; };\nvoid main() { a[0] = n[0].x + n[1].x; }",
      Cause::argument_type, "has 32 bytes, but the constants of the signature have 16");
}

}  // namespace
}  // namespace collet::backend::opengl
