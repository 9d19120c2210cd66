// Native code of modules that LLVM does not take, and of processors that this one is not.

#include "backends/cpu/native/code.hpp"

#include "unit/backends/cpu/native/launch.hpp"

namespace collet::backend::cpu::native {
namespace {

class NativeCode : public testing::Test {
 protected:
  void SetUp() override { COLLET_NEEDS_LLVM(); }

  static const Llvm& llvm() { return **load_llvm(); }
  static std::string said(const Llvm& llvm, const std::string& text) {
    const auto code = Code::compile(llvm, find_machine(llvm, Level::host).value(), text);
    return code ? "" : code.error().message();
  }
};

constexpr const char* kEmpty = "define void @kernel() {\n  ret void\n}\n";

TEST_F(NativeCode, SaysAtWhichStepLlvmFailed) {
  EXPECT_EQ(said(llvm(), kEmpty), "");
  EXPECT_NE(said(llvm(), "define").find("reading the kernel"), std::string::npos);
  EXPECT_NE(
      said(llvm(), "define void @kernel() {\n  %a = add i32 %b, 1\n  %b = add i32 1, 1\n  ret void\n}\n")
          .find("verifying the kernel"),
      std::string::npos);
  EXPECT_NE(said(llvm(), "define void @other() {\n  ret void\n}\n").find("making code"), std::string::npos);
  Llvm other = llvm();
  other.passes = "no-such-pass";
  EXPECT_NE(said(other, kEmpty).find("optimising the kernel"), std::string::npos);
}

TEST_F(NativeCode, EveryWidthUpToTheHostsIsThere) {
  const std::uint32_t width = find_machine(llvm(), Level::host).value().vectors.width;
#if defined(__x86_64__)
  const std::pair<Level, std::uint32_t> levels[] = {
      {Level::scalar, 1}, {Level::sse2, 4}, {Level::avx2, 8}, {Level::avx512, 16}};
  const Level of_another_kind = Level::neon;
#else
  const std::pair<Level, std::uint32_t> levels[] = {{Level::scalar, 1}, {Level::neon, 4}};
  const Level of_another_kind = Level::avx2;
#endif
  for (const auto& [level, lanes] : levels) {
    const auto machine = find_machine(llvm(), level);
    EXPECT_EQ(machine.has_value(), lanes <= width) << lanes;
    if (machine) {
      EXPECT_EQ(machine->vectors.width, lanes);
    }
  }
  const auto none = find_machine(llvm(), of_another_kind);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message().find("is of another kind"), std::string::npos);
}

}  // namespace
}  // namespace collet::backend::cpu::native
