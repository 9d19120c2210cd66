// What the tests of native code share: the levels of vectors, and a launch that runs on both tiers.
#pragma once

#include <cstdlib>
#include <string>

#include "backends/cpu/native/program.hpp"
#include "unit/backends/cpu/interpreter/launch.hpp"

namespace collet {

inline std::string level_name(const testing::TestParamInfo<backend::cpu::native::Level>& level) {
  constexpr const char* kNames[] = {"host", "scalar", "sse2", "avx2", "avx512", "neon"};
  return kNames[static_cast<std::size_t>(level.param)];
}

// Ends the test where there is no libLLVM: as failed where COLLET_TEST_REQUIRE_LLVM is set, else as skipped.
#define COLLET_NEEDS_LLVM()                                                     \
  if (const auto llvm_ = ::collet::backend::cpu::native::load_llvm(); !llvm_) { \
    if (std::getenv("COLLET_TEST_REQUIRE_LLVM") != nullptr)                     \
      FAIL() << "COLLET_TEST_REQUIRE_LLVM is set. " << llvm_.error().message(); \
    GTEST_SKIP() << llvm_.error().message();                                    \
  }

// "" or why this machine can't test that level.
inline std::string why_not(backend::cpu::native::Level level) {
  const auto llvm = backend::cpu::native::load_llvm();
  if (!llvm) return llvm.error().message();
  const auto machine = backend::cpu::native::find_machine(**llvm, level);
  return machine ? std::string() : machine.error().message();
}

// Every buffer must hold the same bits behind both tiers.
inline void compare_tiers(Launch launch, backend::cpu::native::Level level) {
  const auto program = backend::cpu::native::compile(launch.kernel, level);
  ASSERT_TRUE(program) << program.error().message();
  Launch native = launch;
  launch.run();
  backend::cpu::native::Scratch scratch;
  native.for_groups(0, 1, [&](const backend::HostGroup& group) {
    if (group.id[0] != 0) return;
    EXPECT_TRUE(backend::cpu::native::run(**program, group, group.count[0], scratch));
  });
  for (std::size_t b = 0; b < launch.buffers.size(); ++b)
    EXPECT_EQ(native.buffers[b], launch.buffers[b]) << "buffer " << b << " of " << launch.kernel.name;
}

}  // namespace collet
