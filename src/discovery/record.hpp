// What a probe found, as lines of text: between the helper program and us, and in the cache.
//
//   collet record 1 0.1.0
//   collet doing listing%20devices
//   collet backend id vulkan
//   collet device name llvmpipe
//   collet verdict 0 verified
//   collet end
//
// Drivers print too, so a line that does not begin with "collet " or "fault " is passed over. Nothing in a
// record is trusted: a hostile one is refused, and never more than its first MiB is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collet/properties.hpp"
#include "collet/result.hpp"

namespace collet::discovery {

inline constexpr std::size_t kMostDevices = 256;
inline constexpr std::size_t kMostBytes = 1 << 20;

struct Record {
  BackendInfo backend;
  std::vector<DeviceInfo> devices;
};

// The lines, each ended by a newline. A record is its first line, any number of the others, and end_line().
std::string first_line();
std::string doing_line(std::string_view what);
std::string backend_lines(const BackendInfo& backend);
std::string device_lines(const DeviceInfo& device);
std::string verdict_line(const DeviceInfo& device);  // its rung, and why it is refused, as a canary left them
std::string end_line();

std::string encode(const Record& record);
// Whose records these are, as Heard::version says it: "0.1.0 (record 1)".
std::string own_version();
// The whole record, or why it is none.
Result<Record> decode(std::string_view text);

// What can be made of a record that may end anywhere.
struct Heard {
  Record record;
  bool begun = false;          // the first line was there and of this version
  std::string version;         // "" or the other version that the first line was of
  bool ended = false;          // and so was the last
  std::string doing;           // the last thing that was begun
  std::vector<bool> judged;    // by device: a verdict was heard
  std::string fault, library;  // what explain_ends() wrote
  std::string problem;  // "" or what is wrong with the first line that is no good; none after it counts
};
Heard listen(std::string_view text);

// One word of printable ASCII, whatever the text holds.
std::string escape(std::string_view text);

// Text that can be shown: control bytes and what is no UTF-8 become \xNN.
std::string printable(std::string_view text);

}  // namespace collet::discovery
