// What the kernel cases of every API share: the work, done by generated code and by code written by hand.
//
// Both run through Collet, over the same buffers in groups of the same size, so that what differs is the
// code.
#pragma once

#include "suites.hpp"

namespace collet::bench {

enum class Author : std::uint8_t { collet, hand };

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
  std::function<Rival()> open_openmp = {};  // the same in C++ with OpenMP; may be empty
};

// The same cases for every device, those that were asked for. Quick ones have fewer elements.
std::vector<KernelCase> kernel_cases(const Settings& settings);

// interleave() with as many pairs and samples as the time of a run allows.
std::vector<Times> interleave_by_length(const std::function<Opened()>& open, const Settings& settings);

// What a run leaves that begins from nothing.
std::vector<std::uint32_t> first_result(const Work& work, Author author);

// Adds a failure unless both are the same.
void compare_results(std::string_view what, const std::vector<std::uint32_t>& ours,
                     const std::vector<std::uint32_t>& reference, Report& report);

#ifdef _OPENMP
// y = a * x + y on the threads of OpenMP, compiled for the processor that compiled it.
void openmp_saxpy(float a, const float* x, float* y, std::size_t count);
#endif

}  // namespace collet::bench
