// Kernels of many names, variables, blocks and long chains: what is done with a text takes time linear in its
// size. Eight times the text may take 28 times as long, for larger data is slower to reach; what is quadratic
// takes 64 times as long.
//
// COLLET_TEXT_BYTES is the size of the larger text, 128 KiB unless given, or 512 KiB where it is about names.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>

#include "backends/cpu/interpreter/program.hpp"
#include "backends/cpu/native/form.hpp"
#include "backends/cpu/native/vectors.hpp"
#include "kernel/emit/emit.hpp"
#include "kernel/emit/guard.hpp"
#include "kernel/ir/passes.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

namespace collet::ir {
namespace {

std::string number(std::size_t n) { return std::to_string(n); }
std::string value(std::size_t n) { return "%" + number(n); }

// `frame` declares what stands before the statements, and %0 to %3 are there for them.
std::string kernel_of(const std::string& frame, const std::string& statements) {
  return "kernel k group(64, 1, 1) {\n  buffer x: u32 inout\n  buffer r: u32 in\n" + frame +
         "  %0: u32 = local_id 0\n  %1: u32 = constant 7\n  %2: u32 = load r[%1]\n  %3: bool = lt %2, %1\n" +
         statements + "}\n";
}

std::string many_names(std::size_t count) {
  std::string frame, statements;
  for (std::size_t i = 0; i < count; ++i) {
    frame += "  workgroup s" + number(i) + ": u32 [2]\n";
    statements += "  store s" + number(i) + "[%1], %0\n";
  }
  return kernel_of(frame, statements);
}

std::string many_buffers(std::size_t count) {
  std::string frame, statements;
  for (std::size_t i = 0; i < count; ++i) {
    frame += "  buffer b" + number(i) + ": u16 in\n";
    statements +=
        "  " + value(4 + i) + ": u32 = length b" + number(i) + "\n  store x[%0], " + value(4 + i) + "\n";
  }
  return kernel_of(frame, statements);
}

// In each round, what differs between items moves on by one variable.
std::string a_chain_of_variables(std::size_t count) {
  std::string statements;
  for (std::size_t i = 0; i <= count; ++i) statements += "  " + value(4 + i) + ": u32 = variable\n";
  statements += "  loop {\n";
  for (std::size_t i = 0; i < count; ++i) {
    const std::string got = value(5 + count + i);
    statements +=
        "    " + got + ": u32 = get " + value(5 + i) + "\n    set " + value(4 + i) + ", " + got + "\n";
  }
  statements += "    set " + value(4 + count) + ", %0\n    if %3 {\n      break\n    }\n  }\n";
  return kernel_of("", statements + "  " + value(5 + 2 * count) + ": u32 = get %4\n  store x[%0], " +
                           value(5 + 2 * count) + "\n");
}

// That a variable is read comes to light one after the other, from behind.
std::string variables_read_late(std::size_t count) {
  std::string statements;
  for (std::size_t i = 0; i <= count; ++i) statements += "  " + value(4 + i) + ": u32 = variable\n";
  for (std::size_t i = count; i-- > 0;) {
    const std::string got = value(5 + 2 * count - i);
    statements += "  " + got + ": u32 = get " + value(5 + i) + "\n  set " + value(4 + i) + ", " + got + "\n";
  }
  return kernel_of("", statements + "  " + value(6 + 2 * count) + ": u32 = get %4\n  store x[%0], " +
                           value(6 + 2 * count) + "\n");
}

// Each value has twice as many ways to what it is made of.
std::string doublings(std::size_t count) {
  std::string statements;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string before = i == 0 ? "%0" : value(3 + i);
    statements += "  " + value(4 + i) + ": u32 = add " + before + ", " + before + "\n";
  }
  return kernel_of("  workgroup g: u32 [64]\n", "  store g[%0], %0\n" + statements +
                                                    "  barrier\n  store x[%0], " + value(3 + count) + "\n");
}

std::string values_that_wait(std::size_t count) {
  std::string statements, stores;
  for (std::size_t i = 0; i < count; ++i) {
    statements += "  " + value(4 + i) + ": u32 = add %0, %1\n";
    stores += "  store x[%0], " + value(4 + i) + "\n";
  }
  return kernel_of("", statements + stores);
}

std::string many_branches(std::size_t count) {
  std::string statements;
  for (std::size_t i = 0; i < count; ++i) statements += "  if %3 {\n    store x[%0], %1\n  }\n";
  return kernel_of("", statements);
}

std::string many_returns_before_a_barrier(std::size_t count) {
  std::string statements;
  for (std::size_t i = 0; i < count; ++i) statements += "  if %3 {\n    return\n  }\n";
  return kernel_of("  workgroup g: u32 [64]\n", "  store g[%0], %0\n" + statements + "  barrier\n");
}

// Each of these jumps asks what is around it.
std::string jumps_deep_inside(std::size_t count) {
  constexpr std::size_t kDepth = 60;
  std::string before, inside, after;
  for (std::size_t i = 0; i < kDepth; ++i) {
    before += "  %" + number(10 + 2 * i) + ": u32 = add %0, %1\n  %" + number(11 + 2 * i) + ": bool = lt %" +
              number(10 + 2 * i) + ", %1\n  if %" + number(11 + 2 * i) + " {\n  loop {\n";
    after += "  break\n  }\n  }\n";
  }
  for (std::size_t i = 0; i < count; ++i)
    inside += i % 2 == 0 ? "  if %3 {\n  break\n  }\n" : "  if %3 {\n  return\n  }\n";
  return kernel_of("", before + inside + after);
}

std::string many_atomics(std::size_t count) {
  std::string statements;
  for (std::size_t i = 0; i < count; ++i)
    statements += "  " + value(4 + i) + ": u32 = atomic_add x[%0], %1\n";
  return kernel_of("", statements);
}

struct Shape {
  const char* name;
  std::string (*text)(std::size_t count);
  std::size_t factor = 1;  // of the text's size, where less would not show
};

constexpr Shape kShapes[] = {{"Names", many_names, 4},
                             {"Buffers", many_buffers, 4},
                             {"ChainOfVariables", a_chain_of_variables},
                             {"VariablesReadLate", variables_read_late},
                             {"Doublings", doublings},
                             {"ValuesThatWait", values_that_wait},
                             {"Branches", many_branches},
                             {"ReturnsBeforeABarrier", many_returns_before_a_barrier},
                             {"JumpsDeepInside", jumps_deep_inside},
                             {"Atomics", many_atomics}};

void PrintTo(const Shape& shape, std::ostream* to) { *to << shape.name; }

std::size_t large_bytes(const Shape& shape) {
  const char* given = std::getenv("COLLET_TEXT_BYTES");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : shape.factor << 17;
}

// Of what a shape repeats, up to two nodes each: a kernel has a million of them.
constexpr std::size_t kMost = 490'000;

// A text of about that many bytes, or the longest that is accepted.
std::string text_of(const Shape& shape, std::size_t bytes) {
  const std::size_t few = 1000;
  return shape.text(std::clamp<std::size_t>(few * bytes / shape.text(few).size(), 8, kMost));
}

constexpr double kMostRatio = 28;
constexpr double kTooShort = 0.005;  // seconds: not worth a judgement
constexpr int kRounds = 3, kMostRounds = 15;

// Of the processor, in seconds. Windows counts passed milliseconds there, too few for the small texts.
double time_of(const std::function<void()>& call) {
#ifdef _WIN32
  const auto begin = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
#else
  const std::clock_t begin = std::clock();
  call();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
#endif
}

struct Times {
  double few = 1e9, many = 1e9;

  bool linear() const { return many <= kTooShort || many < kMostRatio * few; }
};

// The best of a few rounds, since other programs run too; of more where they seem to have disturbed all of
// these. What is quadratic stays so.
Times times_of(const std::function<void()>& few, const std::function<void()>& many) {
  Times best;
  for (int round = 0; round < kRounds || (!best.linear() && round < kMostRounds); ++round) {
    best.few = std::min(best.few, time_of(few));
    best.many = std::min(best.many, time_of(many));
  }
  return best;
}

emit::Target any_target() {
  emit::Target target;
  target.int64 = target.storage8 = target.storage16 = true;
  return target;
}

struct Stage {
  const char* name;
  void (*run)(const Kernel& kernel);
};

const Stage kStages[] = {
    {"verify", [](const Kernel& kernel) { EXPECT_TRUE(verify(kernel)); }},
    {"fold and compact",
     [](const Kernel& kernel) {
       Kernel changed = kernel;
       fold(changed);
       compact(changed);
     }},
    {"print", [](const Kernel& kernel) { (void)print(kernel); }},
    {"guard", [](const Kernel& kernel) { (void)emit::guard(kernel); }},
    {"lower for the interpreter",
     [](const Kernel& kernel) { (void)backend::cpu::interpreter::lower(kernel); }},
    {"write for LLVM",
     [](const Kernel& kernel) {
       (void)backend::cpu::native::write_text(kernel, backend::cpu::native::Vectors{});
     }},
    {"emit OpenCL C", [](const Kernel& kernel) { (void)emit::emit(Format::opencl_c, kernel, any_target()); }},
    {"emit GLSL", [](const Kernel& kernel) { (void)emit::emit(Format::glsl_vulkan, kernel, any_target()); }},
    {"emit SPIR-V for Vulkan",
     [](const Kernel& kernel) { (void)emit::emit(Format::spirv_shader, kernel, any_target()); }},
    {"emit SPIR-V for OpenCL",
     [](const Kernel& kernel) { (void)emit::emit(Format::spirv_kernel, kernel, any_target()); }},
};

class IrLinear : public testing::TestWithParam<Shape> {};

TEST_P(IrLinear, EightTimesTheTextTakesAboutEightTimesAsLong) {
  const std::string small = text_of(GetParam(), large_bytes(GetParam()) / 8);
  const std::string large = text_of(GetParam(), large_bytes(GetParam()));
  const auto judge = [](const char* stage, const Times& times) {
    if (std::getenv("COLLET_TEXT_BYTES") != nullptr)
      std::printf("%-18s %-26s %8.3f s, of an eighth %8.3f s\n", GetParam().name, stage, times.many,
                  times.few);
    EXPECT_TRUE(times.linear()) << stage << ": " << times.many << " s, of an eighth " << times.few << " s";
  };
  Kernel few, many;
  judge("parse", times_of([&] { few = parse(small).value(); }, [&] { many = parse(large).value(); }));
  for (const Stage& stage : kStages)
    judge(stage.name, times_of([&] { stage.run(few); }, [&] { stage.run(many); }));
}

INSTANTIATE_TEST_SUITE_P(Texts, IrLinear, testing::ValuesIn(kShapes),
                         [](const testing::TestParamInfo<Shape>& shape) { return shape.param.name; });

TEST(IrLinear, ANameIsDeclaredOnce) {
  const auto said = [](const std::string& frame) {
    const auto parsed = parse("kernel k group(1, 1, 1) {\n" + frame + "}\n");
    return parsed ? std::string("accepted") : parsed.error().message();
  };
  EXPECT_EQ(said("buffer x: u32 in\nvalue x: u32\n"), "accepted");
  EXPECT_NE(said("buffer x: u32 in\nbuffer x: f32 out\n").find("x is declared twice"), std::string::npos);
  EXPECT_NE(said("buffer x: u32 in\nitem x: f32 [2]\n").find("x is declared twice"), std::string::npos);
  EXPECT_NE(said("value x: u32\nvalue x: f32\n").find("x is declared twice"), std::string::npos);
}

}  // namespace
}  // namespace collet::ir
