// What the kernel cases of every API share: the work, done by generated code and by code written by hand.
//
// Both run through Collet, over the same buffers in groups of the same size, so that what differs is the
// code.
#pragma once

#include <cstring>
#include <random>

#include "suites.hpp"

namespace collet::bench {

enum class Author : std::uint8_t { collet, hand };

// Whole numbers from 0 to `most`.
template <class T>
std::vector<T> numbers(std::size_t count, std::uint32_t most) {
  std::mt19937 random(1);
  std::vector<T> made(count);
  for (T& one : made) one = static_cast<T>(random() % (most + 1));
  return made;
}

template <class T>
std::vector<std::uint32_t> bits_of(const std::vector<T>& values) {
  std::vector<std::uint32_t> bits(values.size());
  std::memcpy(bits.data(), values.data(), values.size() * sizeof(T));
  return bits;
}

// A case on an open device: buffers, and both kernels over them. It owns what it uses.
//
// Threads: one at a time.
struct Work {
  std::function<Receipt(Author)> run;  // launches and waits
  std::function<void()> reset;         // makes the results what they were before the first run
  std::function<std::vector<std::uint32_t>()> result;  // what the runs wrote, as bits
};

// The work of a case by something that is not Collet. It owns what it uses.
struct Rival {
  std::string name;
  std::function<void()> run;
  std::vector<std::uint32_t> first;  // the result of its first run, which was made already
};

struct KernelCase {
  std::string name;
  std::function<Work(const Device&)> open;
  std::vector<std::function<Rival()>> rivals{};      // the same on the processor, by others
  std::function<Rival()> rival_of_interpreter = {};  // one of them; may be empty
  bool shows_rounding = false;                       // its results tell how sums were rounded
};

// The same cases for every device, those that were asked for. Quick ones have fewer elements.
std::vector<KernelCase> kernel_cases(const Settings& settings);

// Those that there is no kernel by hand for, nor one for other devices: what native code is measured with.
std::vector<KernelCase> processor_cases(const Settings& settings);

// interleave() with as many pairs and samples as the time of a run allows.
std::vector<Times> interleave_by_length(const std::function<Opened()>& open, const Settings& settings);

// What a run leaves that begins from nothing.
std::vector<std::uint32_t> first_result(const Work& work, Author author);

// Adds a failure unless both are the same.
void compare_results(std::string_view what, const std::vector<std::uint32_t>& ours,
                     const std::vector<std::uint32_t>& reference, Report& report);

}  // namespace collet::bench
