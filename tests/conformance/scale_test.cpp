// Scale: sizes and counts at which 32 bits, a driver's table or a slow leak would show.
//
// COLLET_SCALE_SUBMISSIONS sets the number of submissions; COLLET_SCALE_LARGE demands that the large buffer
// is made and not refused.

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "conformance/conformance.hpp"
#include "conformance/kernels.hpp"
#include "conformance/threads.hpp"
#include "machine.hpp"

namespace conformance {
namespace {

constexpr uint64_t kFourGiB = uint64_t{1} << 32;
constexpr uint64_t kLargeBytes = kFourGiB + (uint64_t{512} << 20);
constexpr uint64_t kLargeCount = kLargeBytes / sizeof(uint32_t);

uint32_t submissions() {
  const char* asked = std::getenv("COLLET_SCALE_SUBMISSIONS");
  return asked != nullptr ? static_cast<uint32_t>(std::strtoul(asked, nullptr, 10)) : 20'000;
}

Words part_of(collet::Stream& stream, const collet::Buffer<uint32_t>& buffer, uint64_t first,
              uint64_t count) {
  Words host(count);
  stream.download(buffer.slice(first, count), std::span(host));
  stream.wait().value();
  return host;
}

// Transfers, fills, copies and launches on both sides of 4 GiB. The first part of the buffer is where an
// address cut to 32 bits would land.
void use_large_buffer(collet::Device& device, const collet::Buffer<uint32_t>& buffer) {
  constexpr uint64_t kPart = 4096;
  constexpr uint64_t kAcross = kFourGiB / sizeof(uint32_t) - kPart / 2;
  constexpr uint64_t kEnd = kLargeCount - kPart;
  const Words first = pattern(kPart, 1);
  const Words across = pattern(kPart, 2);
  auto stream = device.stream();
  stream.upload(first, buffer.slice(0, kPart));
  stream.upload(across, buffer.slice(kAcross, kPart));
  stream.fill(buffer.slice(kEnd, kPart), 7u);
  EXPECT_EQ(part_of(stream, buffer, 0, kPart), first);
  EXPECT_EQ(part_of(stream, buffer, kAcross, kPart), across);
  EXPECT_EQ(part_of(stream, buffer, kEnd, kPart), Words(kPart, 7));

  stream.copy(buffer.slice(kAcross, kPart), buffer.slice(kEnd, kPart));
  stream.launch(kernels::iota(), kPart, buffer.slice(kAcross, kPart), 100u);
  EXPECT_EQ(part_of(stream, buffer, kEnd, kPart), across);
  EXPECT_EQ(part_of(stream, buffer, kAcross, kPart), counting(kPart, 100));
  EXPECT_EQ(part_of(stream, buffer, 0, kPart), first);

  // One element in every 64 MiB of the whole.
  constexpr uint32_t kStride = (64u << 20) / sizeof(uint32_t);
  constexpr uint32_t kTouched = kLargeCount / kStride;
  static_assert(uint64_t{kTouched - 1} * kStride * sizeof(uint32_t) > kFourGiB);
  stream.launch(kernels::strided(), kTouched, buffer, kStride, 500u);
  const auto done = stream.wait();
  if (const uint64_t most = caps(device).max_binding_range; most < kLargeBytes) {
    expect_error(done, ErrorCode::unsupported, {std::to_string(kLargeBytes), std::to_string(most)});
    return;
  }
  ASSERT_OK(done);
  for (uint32_t i = 0; i < kTouched; ++i) {
    ASSERT_EQ(part_of(stream, buffer, uint64_t{i} * kStride, 1), Words{500 + i}) << i;
  }
}

}  // namespace

CONFORMANCE_TEST(Scale, BufferOfMoreThanFourGiBIsUsableOrRefusedWithTheDevicesFigure) {
  const uint64_t most = caps(device).max_allocation;
  if (most < kLargeBytes) {
    ASSERT_EQ(std::getenv("COLLET_SCALE_LARGE"), nullptr) << device.name() << " allows " << most << " bytes.";
    const auto before = device.memory_usage();
    expect_cause(device.buffer<uint32_t>(kLargeCount, {.label = "large", .zeroed = false}),
                 ErrorCode::out_of_memory, Cause::allocation_failed,
                 {device.name(), std::to_string(kLargeBytes), std::to_string(most)});
    EXPECT_EQ(device.memory_usage().buffers, before.buffers);
    return;
  }
  if (const auto free = machine::free_memory(); free && *free < kLargeBytes) {
    GTEST_SKIP() << kLargeBytes << " bytes are needed, and the machine has " << *free << " free.";
  }
  auto buffer = device.buffer<uint32_t>(kLargeCount, {.label = "large", .zeroed = false});
  ASSERT_OK(buffer);
  use_large_buffer(device, *buffer);
}

CONFORMANCE_TEST(Scale, SixteenOpenDevicesWorkAtOnce) {
  constexpr uint32_t kDevices = 16;
  constexpr std::size_t kCount = 20'000;
  std::vector<collet::Device> all{device};
  while (all.size() < kDevices) {
    const collet::DeviceInfo& next = devices()[all.size() % devices().size()];
    all.push_back(collet::Device::open(next.id()).value());
  }
  on_threads(kDevices, [&](uint32_t thread) {
    const collet::Device& own = all[thread];
    auto x = own.upload(pattern(kCount, thread)).value();
    auto y = own.buffer<uint32_t>(kCount).value();
    auto stream = own.stream();
    for (uint32_t i = 0; i < 50; ++i) {
      stream.launch(kernels::add(), kCount, x, y, thread + 1);
      stream.copy(y, x);
    }
    ASSERT_OK(stream.wait());
    Words expected = pattern(kCount, thread);
    for (uint32_t& one : expected) one += 50 * (thread + 1);
    EXPECT_TRUE(read(own, x) == expected) << own.info().id();
  });
}

CONFORMANCE_TEST(Scale, HundredThousandLiveBuffersAreEachUsable) {
  const uint32_t count = std::getenv("COLLET_SHORT") != nullptr ? 10'000 : 100'000;
  constexpr uint32_t kWords = 4;
  auto own = collet::Device::open(device.info().id()).value();
  std::vector<collet::Buffer<uint32_t>> buffers;
  for (uint32_t i = 0; i < count; ++i) {
    auto buffer = own.buffer<uint32_t>(kWords);
    ASSERT_OK(buffer);
    buffers.push_back(std::move(*buffer));
  }
  const auto usage = own.memory_usage();
  EXPECT_GE(usage.buffers, count);
  const uint64_t most = caps(own).max_allocations;
  EXPECT_TRUE(most == 0 || usage.blocks <= most) << usage.blocks << " of " << most;

  Words host(std::size_t{count} * kWords);
  auto stream = own.stream();
  for (uint32_t i = 0; i < count; ++i) stream.fill(buffers[i].slice(0, kWords - 1), i);
  for (uint32_t i = 0; i < count; ++i) stream.launch(kernels::increment(), kWords, buffers[i]);
  for (uint32_t i = 0; i < count; ++i) {
    stream.download(buffers[i], std::span(host).subspan(std::size_t{i} * kWords, kWords));
  }
  ASSERT_OK(stream.wait());
  for (uint32_t i = 0; i < count; ++i) {
    const std::span<const uint32_t> words = std::span(host).subspan(std::size_t{i} * kWords, kWords);
    ASSERT_EQ(Words(words.begin(), words.end()), (Words{i + 1, i + 1, i + 1, 1})) << i;
  }
  std::printf("%u live buffers of %u bytes in %llu native allocations\n", count,
              static_cast<unsigned>(kWords * sizeof(uint32_t)),
              static_cast<unsigned long long>(usage.blocks));
}

// Sanitizers keep what was freed for a while: AddressSanitizer up to 256 MiB of it.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kSlack = 512u << 20;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr uint64_t kSlack = 512u << 20;
#else
constexpr uint64_t kSlack = 4u << 20;
#endif
#else
constexpr uint64_t kSlack = 4u << 20;
#endif

CONFORMANCE_TEST(Scale, MemoryStaysFlatOverManySubmissions) {
  const uint32_t count = submissions();
  auto own = collet::Device::open(device.info().id()).value();
  auto buffer = own.buffer<uint32_t>(64).value();
  auto stream = own.stream();
  const auto submit = [&](uint32_t times) {
    for (uint32_t i = 0; i < times; ++i) {
      stream.launch(kernels::increment(), 64, buffer);
      stream.flush();
    }
  };
  const uint32_t warm_up = std::max(count / 10, 5000u);
  submit(warm_up);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(own, buffer), Words(64, warm_up));  // what it is read through is kept
  const auto before = own.memory_usage();
  const auto resident = machine::resident_memory();
  const auto began = std::chrono::steady_clock::now();
  submit(count);
  const auto receipt = stream.wait();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  ASSERT_OK(receipt);
  EXPECT_EQ(receipt->launch_count, count);
  EXPECT_EQ(read(own, buffer), Words(64, warm_up + count));

  const auto after = own.memory_usage();
  EXPECT_EQ(after.reserved, before.reserved);
  EXPECT_EQ(after.used, before.used);
  EXPECT_EQ(after.buffers, before.buffers);
  EXPECT_EQ(after.blocks, before.blocks);
  if (!resident) return;
  const auto now = machine::resident_memory().value();
  EXPECT_LT(now, *resident + kSlack);
  std::printf("%u submissions in %.2f s; resident before %llu, after %llu bytes\n", count, took.count(),
              static_cast<unsigned long long>(*resident), static_cast<unsigned long long>(now));
}

// Up to 2^24 each sum is an integer that a float holds. COLLET_FLOAT_SUMS is how many values are added.
CONFORMANCE_TEST(Scale, SumsOfFloatsLoseNothing) {
  using namespace collet;
  const char* asked = std::getenv("COLLET_FLOAT_SUMS");
  const uint64_t count = asked != nullptr ? std::strtoull(asked, nullptr, 10) : 100'000;
  const auto sums = kernel("sums", [](InOut<float> total) {
                      const auto of_group = shared<float>(1);
                      if_(local_id() == 0u, [&] { of_group[0u] = 0.0f; });
                      barrier();
                      (void)atomic_add(of_group, 0u, 1.0f);
                      (void)atomic_add(total, 0u, 1.0f);
                      barrier();
                      if_(local_id() == 0u, [&] { (void)atomic_add(total, 1u, of_group[0u]); });
                    }).with(group(64));
  const auto total = device.buffer<float>(2).value();
  auto stream = device.stream();
  stream.launch(sums, count, total);
  ASSERT_OK(stream.wait());
  EXPECT_EQ(read(device, total), (std::vector<float>(2, static_cast<float>(count))));
}

}  // namespace conformance
