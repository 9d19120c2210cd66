// Interleaved measurements of several ways to do the same work, and the rows that they become.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collet/properties.hpp"

namespace collet::bench {

// One way to do the work.
struct Way {
  std::string name;
  std::function<void()> run;
};

// All ways, opened afresh: the same names in the same order each time. They own what they use.
struct Opened {
  std::vector<Way> ways;
  std::function<void()> check;  // called after the last run; may be empty
};

// A pair is one block of every way; a block is `samples` timed stretches of `runs` runs each.
struct Plan {
  std::uint32_t pairs = 0;
  std::uint32_t warm_up = 0;  // runs before each half of a block that are not timed
  // And as many more as take this long: the threads of the way before it may spin, and take a processor from
  // this one. OpenMP's do for 15 ms.
  double warm_up_milliseconds = 0;
  std::uint32_t samples = 2;
  std::uint32_t runs = 1;
};

// What one way took: the median of each block, in microseconds per run.
struct Times {
  std::string name;
  std::vector<double> blocks;

  double median() const;
};

// Measures all ways in turn, half of each block forwards and half backwards (A B B A), so that a slow drift
// of the machine meets them alike. Everything is opened afresh for each pair: where a driver's threads come
// to lie among the processors stays as it is for as long as they live, and moves a launch by a half, so pairs
// from one opening would all have the same luck.
std::vector<Times> interleave(const std::function<Opened()>& open, const Plan& plan);

struct Ratio {
  double value = 0;
  double low = 0, high = 0;  // 95% bounds: pairs drawn again with replacement (bootstrap, fixed seed)
};

// The ratio of medians; both were measured in one interleave().
Ratio ratio(const Times& ours, const Times& reference);

double median(std::vector<double> values);

struct Row {
  std::string name;  // "case" in JSON
  DeviceInfo device;
  double ours = 0;
  double reference = 0;
  std::string reference_name;
  std::string unit;
  std::optional<Ratio> bounds;  // absent where `ours` is a count and not a sample
  std::uint32_t pairs = 0;
  bool information = false;  // shown beside a row that counts
  std::string tier = {};     // how the CPU ran our kernel; "" where that is not asked
};

// A row whose reference is the most that we allow ourselves.
Row budget_row(std::string name, const DeviceInfo& device, double ours, double budget, std::string unit);
// `scale` turns a run's microseconds into the unit.
Row compared_row(std::string name, const DeviceInfo& device, const Times& ours, const Times& reference,
                 double scale, std::string unit);

struct Settings {
  std::uint32_t pairs = 40;  // of every case
  std::string device;        // "" for all; "vulkan" or "vulkan:0"
  std::string part;          // cases whose name holds it; "" for all
  bool steady = false;       // only what is the same on every run (limits.hpp)
  bool doubles = false;      // doubles of drivers are among the devices
  bool quick = false;        // shows that a suite works, in seconds; its figures mean little

  bool wants(const DeviceInfo& info) const;
};

// Threads: one at a time.
class Report {
 public:
  // Goes to stderr at once: a suite takes long, and who stops it keeps what it measured.
  void add(Row row);
  // A case that could not be measured, and why. Goes to stderr at once and into the table.
  void leave_out(std::string_view what, std::string_view why);
  // A case whose result was wrong: the program ends with 4.
  void fail(std::string_view what, std::string_view why);

  const std::vector<Row>& rows() const { return rows_; }
  bool failed() const { return failed_; }
  // Whether every case was measured and keeps its limit (limits.hpp), and there is a limit at all. What is
  // missed goes to stderr.
  bool check() const;
  std::string json() const;
  std::string table() const;

 private:
  std::vector<Row> rows_;
  std::vector<std::string> left_out_;
  bool failed_ = false;
};

// ours / reference. 0 of a budget of 0 is 1; more than 0 of it has no ratio.
std::optional<double> ratio_of(const Row& row);

void progress(std::string_view text);  // a line on stderr

}  // namespace collet::bench
