// Rows as a table for people and as JSON for machines.

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "harness.hpp"
#include "limits.hpp"

namespace collet::bench {
namespace {

std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string figure(double value) { return formatted(value < 100 && value != 0 ? "%.3g" : "%.0f", value); }

std::string line(const Row& row) {
  const auto value = ratio_of(row);
  std::string text(row.information ? 4 : 2, ' ');
  text += row.name;
  text = padded(text + " ", 44) + padded(figure(row.ours), 9) + padded(figure(row.reference), 9) +
         padded(row.unit, 22) + padded(value ? formatted("%.3f", *value) : "over", 7);
  text = padded(text, 91);
  if (row.bounds) {
    text += padded(std::string("[") + formatted("%.3f", row.bounds->low) + ", " +
                       formatted("%.3f", row.bounds->high) + "]",
                   16);
  } else {
    text += std::string(16, ' ');
  }
  return text + row.reference_name + (row.tier.empty() ? "" : ", ours: " + row.tier);
}

}  // namespace

void Report::add(Row row) {
  progress(line(row));
  rows_.push_back(std::move(row));
}

void Report::leave_out(std::string_view what, std::string_view why) {
  left_out_.push_back(std::string(what) + " is left out: " + std::string(why));
  progress(left_out_.back());
}

void Report::fail(std::string_view what, std::string_view why) {
  failed_ = true;
  left_out_.push_back(std::string(what) + " failed: " + std::string(why));
  progress(left_out_.back());
}

bool Report::check() const {
  const std::vector<std::string> missed = missed_limits(rows_);
  for (const std::string& one : missed) progress("missed: " + one);
  for (const std::string& one : left_out_) progress("missed: " + one);
  const auto limits = std::ranges::count_if(rows_, [](const Row& row) { return limit_of(row).has_value(); });
  progress(std::to_string(missed.size()) + " of " + std::to_string(limits) + " limits were missed, " +
           std::to_string(left_out_.size()) + " cases were not measured.");
  return missed.empty() && left_out_.empty() && limits != 0;
}

std::string Report::json() const {
  auto results = nlohmann::ordered_json::array();
  for (const Row& row : rows_) {
    nlohmann::ordered_json one{
        {"case", row.name}, {"backend", row.device.backend}, {"device", row.device.name},
        {"ours", row.ours}, {"reference", row.reference},    {"reference_name", row.reference_name},
        {"unit", row.unit}};
    const auto value = ratio_of(row);
    one["ratio"] = value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
    one["id"] = row.device.id();
    if (row.bounds) {
      one["ratio_low"] = row.bounds->low;
      one["ratio_high"] = row.bounds->high;
      one["pairs"] = row.pairs;
    }
    if (!row.tier.empty()) one["tier"] = row.tier;
    if (row.information) one["information"] = true;
    if (const auto limit = limit_of(row)) {
      one["limit"] = limit->most(row.reference);
      if (is_missed(row)) one["missed"] = true;
    }
    results.push_back(std::move(one));
  }
  const nlohmann::ordered_json document{{"version", 1}, {"results", std::move(results)}};
  // A driver's name may be anything.
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string Report::table() const {
  std::string text;
  std::string device;
  for (const Row& row : rows_) {
    if (row.device.id() != device) {
      device = row.device.id();
      if (!text.empty()) text += '\n';
      text += padded((device + "  " + row.device.name).substr(0, 43), 44) + padded("ours", 9) +
              padded("ref.", 9) + padded("unit", 22) + padded("ratio", 7) + padded("95%", 16) + "reference\n";
    }
    text += line(row) + "\n";
  }
  for (const std::string& one : left_out_) text += one + "\n";
  return text;
}

}  // namespace collet::bench
