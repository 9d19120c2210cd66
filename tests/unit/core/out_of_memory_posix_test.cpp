// Kernels on the cpu backend where the system has no memory left for a group: in a process whose address
// space is limited.

#include <sys/resource.h>

#include <collet/collet.hpp>
#include <cstdio>
#include <cstdlib>

#include "unit/backends/cpu/native/launch.hpp"

namespace collet {
namespace {

constexpr rlim_t kMostBytes = rlim_t{1} << 30;

// Sanitizers reserve more address space than any limit leaves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

class OutOfMemory : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "A sanitizer needs more address space than the test leaves.";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

void limit_memory() {
  const rlimit limit{.rlim_cur = kMostBytes, .rlim_max = kMostBytes};
  if (setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(3);
}

[[noreturn]] void end_with(const Error& error) {
  std::fprintf(stderr, "%s: %s Hint: %s\n", std::string(to_string(error.code())).c_str(),
               error.message().c_str(), error.hint().c_str());
  std::_Exit(0);
}

constexpr const char* kSaid =
    "out_of_memory: There is no memory for the [0-9]{10} bytes that a workgroup .*Hint: Use";

// A group of 1024 items that meet, with 1 MiB of private arrays each.
void run_interpreted() {
  OpenOptions options;
  options.cpu_tier = CpuTier::interpreter;
  const Device device = Device::open("cpu", options).value();
  const auto large = kernel("large", [](Out<std::uint32_t> out) {
                       const auto own = array<std::uint32_t>(1u << 18);
                       own[local_id()] = local_id();
                       barrier();
                       out[global_id()] = own[local_id()];
                     }).with(group(1024));
  const auto out = device.buffer<std::uint32_t>(1024).value();
  device.compile(large).value();
  Stream stream = device.stream();
  limit_memory();
  stream.launch(large, 1024, out);
  const auto done = stream.wait();
  if (done) std::_Exit(4);
  end_with(done.error());
}

TEST_F(OutOfMemory, OfAGroupOnTheInterpreterIsNamedWithItsFigures) {
  EXPECT_EXIT(run_interpreted(), testing::ExitedWithCode(0), kSaid);
}

void run_compiled() {
  const auto kernel = ir::parse(R"(kernel large group(64, 1, 1) {
  buffer x: u32 inout
  workgroup g: u32 [268435456]
  %0: u32 = local_id 0
  store g[%0], %0
  barrier
  %1: u32 = load g[%0]
  store x[%0], %1
}
)");
  const auto program = backend::cpu::native::compile(*kernel, backend::cpu::native::Level::host).value();
  std::vector<std::uint32_t> x(64);
  std::byte* buffers[] = {reinterpret_cast<std::byte*>(x.data())};
  const std::uint64_t sizes[] = {x.size() * 4};
  const backend::HostGroup group{.count = {1, 1, 1},
                                 .size = {64, 1, 1},
                                 .extent = {64, 1, 1},
                                 .buffers = buffers,
                                 .buffer_sizes = sizes};
  backend::cpu::native::Scratch scratch;
  limit_memory();
  const auto done = backend::cpu::native::run(*program, group, 1, scratch);
  if (done) std::_Exit(4);
  end_with(done.error());
}

TEST_F(OutOfMemory, OfAGroupInNativeCodeIsNamedWithItsFigures) {
  if (const std::string why = why_not(backend::cpu::native::Level::host); !why.empty()) GTEST_SKIP() << why;
  EXPECT_EXIT(run_compiled(), testing::ExitedWithCode(0), kSaid);
}

}  // namespace
}  // namespace collet
