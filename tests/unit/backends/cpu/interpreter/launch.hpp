// A launch of the interpreter without a device: all groups, on as many threads as asked.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <thread>
#include <vector>

#include "backends/cpu/interpreter/run.hpp"
#include "kernel/ir/text.hpp"
#include "kernel/ir/verify.hpp"

namespace collet {

namespace interpreter = backend::cpu::interpreter;

// Threads: one at a time.
struct Launch {
  ir::Kernel kernel;
  std::array<std::uint64_t, 3> extent{1, 1, 1};
  std::vector<std::vector<std::byte>> buffers;
  std::vector<std::byte> constants;

  template <class T>
  void add_buffer(std::span<const T> values) {
    const auto bytes = std::as_bytes(values);
    buffers.emplace_back(bytes.begin(), bytes.end());
  }
  template <class T>
  void add_buffer(const std::vector<T>& values) {
    add_buffer(std::span<const T>(values));
  }
  template <class T>
  std::vector<T> read(std::size_t buffer) const {
    std::vector<T> values(buffers[buffer].size() / sizeof(T));
    std::memcpy(values.data(), buffers[buffer].data(), values.size() * sizeof(T));
    return values;
  }
  template <class T>
  void add_constant(T value) {
    constants.resize((constants.size() + alignof(T) - 1) / alignof(T) * alignof(T) + sizeof(T));
    std::memcpy(constants.data() + constants.size() - sizeof(T), &value, sizeof(T));
  }

  // Calls body(group) for every group of every thread's share.
  template <class Body>
  void for_groups(std::uint32_t thread, std::uint32_t threads, const Body& body) {
    std::vector<std::byte*> data;
    std::vector<std::uint64_t> sizes;
    for (auto& buffer : buffers) {
      data.push_back(buffer.data());
      sizes.push_back(buffer.size());
    }
    backend::HostGroup group{.size = kernel.group, .extent = extent};
    for (std::size_t d = 0; d < 3; ++d) {
      group.count[d] = static_cast<std::uint32_t>((extent[d] + kernel.group[d] - 1) / kernel.group[d]);
    }
    group.buffers = data.data();
    group.buffer_sizes = sizes.data();
    group.constants = constants.data();
    const std::uint32_t total = group.count[0] * group.count[1] * group.count[2];
    for (std::uint32_t i = thread; i < total; i += threads) {
      group.id = {i % group.count[0], i / group.count[0] % group.count[1],
                  i / group.count[0] / group.count[1]};
      body(group);
    }
  }

  void run(std::uint32_t threads = 1) {
    const auto verified = ir::verify(kernel);
    ASSERT_TRUE(verified) << verified.error().message() << "\n" << ir::print(kernel);
    const auto program = interpreter::lower(kernel);
    ASSERT_TRUE(program) << program.error().message();
    const auto share = [&](std::uint32_t thread) {
      interpreter::Scratch scratch;
      for_groups(thread, threads, [&](const backend::HostGroup& group) {
        const auto ran = interpreter::run(*program, group, scratch);
        EXPECT_TRUE(ran) << ran.error().message();
      });
    };
    std::vector<std::thread> others;
    for (std::uint32_t i = 1; i < threads; ++i) others.emplace_back(share, i);
    share(0);
    for (std::thread& other : others) other.join();
  }
};

inline Launch launch_of(std::string_view text, std::array<std::uint64_t, 3> extent) {
  auto kernel = ir::parse(text);
  EXPECT_TRUE(kernel) << kernel.error().message();
  return Launch{.kernel = *std::move(kernel), .extent = extent, .buffers = {}, .constants = {}};
}

}  // namespace collet
