// What the launch cases of every API share: the work, our way to do it, and the rows.
//
// The work is the kernel `count`: one group that adds a step to y[0] and stores a tag, which differs from
// launch to launch, in y[1]. So each launch depends on the one before, and shows afterwards that it ran.
#pragma once

#include <array>

#include "suites.hpp"

namespace collet::bench {

inline constexpr std::uint32_t kBatch = 1000;  // launches with one wait

// How often the kernel ran by one way, and what y must hold therefore.
//
// Threads: one at a time.
struct Tally {
  std::uint32_t launches = 0;

  std::uint32_t next_tag() { return ++launches; }
};

// The two pieces of work on a bare API. The references are all ways that could change every argument from
// launch to launch; the fastest of them counts. The rest is for information.
struct Bare {
  std::vector<Way> single, single_information;  // a launch and its wait
  std::vector<Way> batch;                       // kBatch launches, each after the one before, and one wait
  std::function<void(Report&)> check;
  // Of a launch and its wait, the limit is for our adaptive wait: a thread of ours stands between, and only
  // where it looks for work before it sleeps can it be compared with a program that has none.
  bool adaptive_counts = false;
  bool limited = true;  // false: no limit was set for this device
};

// Measures both pieces of work and checks what ran.
void compare_launches(const DeviceInfo& info, const Settings& settings,
                      const std::function<Bare()>& open_bare, Report& report);

// Adds a failure unless `y` is what `tally` asks for.
void check_tally(std::string_view what, const Tally& tally, const std::array<std::uint32_t, 2>& y,
                 Report& report);

}  // namespace collet::bench
