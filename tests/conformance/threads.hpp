// Runs a behaviour's body on many threads.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

namespace conformance {

// Runs body(index) on `count` threads and waits for them.
template <class Body>
void on_threads(std::uint32_t count, const Body& body) {
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < count; ++i) {
    threads.emplace_back([&body, i] {
      try {
        body(i);
      } catch (const std::exception& thrown) {
        ADD_FAILURE() << "thread " << i << ": " << thrown.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace conformance
