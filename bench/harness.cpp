// The measuring loop and its statistics.

#include "harness.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>

namespace collet::bench {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds(Clock::duration span) { return std::chrono::duration<double, std::micro>(span).count(); }

void half_block(const Way& way, const Plan& plan, std::vector<double>& samples) {
  const auto begin = Clock::now();
  for (std::uint32_t i = 0;
       i < plan.warm_up || microseconds(Clock::now() - begin) < plan.warm_up_milliseconds * 1000; ++i)
    way.run();
  for (std::uint32_t i = 0; i < plan.samples; i += 2) {
    const auto start = Clock::now();
    for (std::uint32_t run = 0; run < plan.runs; ++run) way.run();
    samples.push_back(microseconds(Clock::now() - start) / plan.runs);
  }
}

// Reorders; for values that are drawn anew each time.
double median_in_place(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace

double median(std::vector<double> values) { return values.empty() ? 0 : median_in_place(values); }

double Times::median() const { return bench::median(blocks); }

std::vector<Times> interleave(const std::function<Opened()>& open, const Plan& plan) {
  std::vector<Times> times;
  std::vector<std::vector<double>> samples;
  for (std::uint32_t pair = 0; pair < plan.pairs; ++pair) {
    const Opened opened = open();
    const std::vector<Way>& ways = opened.ways;
    samples.assign(ways.size(), {});
    for (std::size_t i = 0; i < ways.size(); ++i) half_block(ways[i], plan, samples[i]);
    for (std::size_t i = ways.size(); i-- > 0;) half_block(ways[i], plan, samples[i]);
    if (opened.check) opened.check();
    times.resize(ways.size());
    for (std::size_t i = 0; i < ways.size(); ++i) {
      times[i].name = ways[i].name;
      times[i].blocks.push_back(median_in_place(samples[i]));
    }
  }
  return times;
}

Ratio ratio(const Times& ours, const Times& reference) {
  constexpr std::size_t kDraws = 4000;
  const std::size_t pairs = std::min(ours.blocks.size(), reference.blocks.size());
  if (pairs == 0) return {};
  std::mt19937 random(1);
  std::uniform_int_distribution<std::size_t> pick(0, pairs - 1);
  std::vector<double> a(pairs), b(pairs), ratios(kDraws);
  for (double& one : ratios) {
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::size_t drawn = pick(random);
      a[i] = ours.blocks[drawn];
      b[i] = reference.blocks[drawn];
    }
    one = median_in_place(a) / median_in_place(b);
  }
  std::sort(ratios.begin(), ratios.end());
  return {ours.median() / reference.median(), ratios[kDraws / 40], ratios[kDraws - 1 - kDraws / 40]};
}

Row budget_row(std::string name, const DeviceInfo& device, double ours, double budget, std::string unit) {
  return {.name = std::move(name),
          .device = device,
          .ours = ours,
          .reference = budget,
          .reference_name = "budget",
          .unit = std::move(unit),
          .bounds = std::nullopt};
}

Row compared_row(std::string name, const DeviceInfo& device, const Times& ours, const Times& reference,
                 double scale, std::string unit) {
  return {.name = std::move(name),
          .device = device,
          .ours = ours.median() * scale,
          .reference = reference.median() * scale,
          .reference_name = reference.name,
          .unit = std::move(unit),
          .bounds = ratio(ours, reference),
          .pairs = static_cast<std::uint32_t>(ours.blocks.size())};
}

bool Settings::wants(const DeviceInfo& info) const {
  return device.empty() || device == info.backend || device == info.id();
}

void progress(std::string_view text) {
  std::fflush(stdout);  // both may go to one file
  std::fprintf(stderr, "%.*s\n", static_cast<int>(text.size()), text.data());
}

}  // namespace collet::bench
