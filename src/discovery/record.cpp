// Records: writing is a line per field; reading stops at the first line that is no good.

#include "discovery/record.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <type_traits>

#include "collet/detail/device_fields.hpp"

namespace collet::discovery {
namespace {

constexpr std::string_view kVersion = "1";
constexpr std::string_view kHex = "0123456789abcdef";

std::optional<std::string> unescape(std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (text == "%") return std::string();
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const std::size_t high = kHex.find(text[i + 1]);
    const std::size_t low = kHex.find(text[i + 2]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    out += static_cast<char>(high << 4 | low);
    i += 2;
  }
  return printable(out);
}

// --- Values ---------------------------------------------------------------------------------------------

std::string write(const std::string& value) { return escape(value); }
std::string write(bool value) { return value ? "yes" : "no"; }
std::string write(std::uint32_t value) { return std::to_string(value); }
std::string write(std::uint64_t value) { return std::to_string(value); }
std::string write(DeviceType value) { return escape(to_string(value)); }
std::string write(Rung value) { return escape(to_string(value)); }
std::string write(const std::array<std::uint32_t, 3>& value) {
  return write(value[0]) + "," + write(value[1]) + "," + write(value[2]);
}

bool read(std::string_view text, std::string& value) {
  auto plain = unescape(text);
  if (!plain) return false;
  value = std::move(*plain);
  return true;
}

bool read(std::string_view text, bool& value) {
  value = text == "yes";
  return value || text == "no";
}

template <class T>
  requires std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>
bool read(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

template <class T>
  requires std::is_enum_v<T>
bool read_name(std::string_view text, T& value, T last) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (escape(to_string(static_cast<T>(i))) != text) continue;
    value = static_cast<T>(i);
    return true;
  }
  return false;
}
bool read(std::string_view text, DeviceType& value) { return read_name(text, value, DeviceType::other); }
bool read(std::string_view text, Rung& value) { return read_name(text, value, Rung::verified); }

bool read(std::string_view text, std::array<std::uint32_t, 3>& value) {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t comma = i < 2 ? text.find(',') : text.size();
    if (comma == std::string_view::npos || !read(text.substr(0, comma), value[i])) return false;
    text.remove_prefix(i < 2 ? comma + 1 : comma);
  }
  return true;
}

template <class T>
bool read(std::string_view text, std::optional<T>& value) {
  return read(text, value.emplace());
}

// What a record holds of a BackendInfo, beside its files.
template <class Info, class Visit>
void each_backend_field(Info& info, Visit&& visit) {
  visit("id", info.id);
  visit("rung", info.rung);
  visit("message", info.message);
  visit("fix", info.fix);
  visit("library", info.library);
  visit("version", info.version);
  visit("device_count", info.device_count);
  visit("isolated", info.isolated);
  visit("cached", info.cached);
  visit("probe_ms", info.probe_ms);
  visit("fault", info.fault);
}

std::string line(std::string_view kind, std::string_view name, std::string_view value) {
  return std::string("collet ").append(kind).append(" ").append(name).append(" ").append(value).append("\n");
}

constexpr std::array<std::string_view, 3> kFileKinds = {"loader", "manifest", "driver"};

// --- Reading --------------------------------------------------------------------------------------------

// The next word of a line; "" at its end.
std::string_view word(std::string_view& rest) {
  const std::size_t blank = rest.find(' ');
  const std::string_view first = rest.substr(0, blank);
  rest.remove_prefix(blank == std::string_view::npos ? rest.size() : blank + 1);
  return first;
}

std::string refuse(std::string_view what, std::string_view words) {
  return std::string(what).append(" (").append(printable(words.substr(0, 80))).append(")");
}

// Each returns what is wrong with the line, "" where nothing is.
std::string hear_file(std::string_view rest, BackendInfo& backend) {
  DriverFile file;
  const std::string_view kind = word(rest);
  const std::string_view path = word(rest);
  for (std::size_t i = 0; i < kFileKinds.size(); ++i) {
    if (kFileKinds[i] != kind) continue;
    file.kind = static_cast<DriverFile::Kind>(i);
    if (!read(path, file.path) || !read(rest, file.problem)) return refuse("a file that is none", rest);
    backend.files.push_back(std::move(file));
    return {};
  }
  return refuse("a kind of file that is unknown", kind);
}

std::string hear_backend(std::string_view rest, BackendInfo& backend) {
  const std::string_view name = word(rest);
  if (name == "file") return hear_file(rest, backend);
  bool known = false;
  bool good = false;
  each_backend_field(backend, [&](std::string_view field, auto& value) {
    if (field != name) return;
    known = true;
    good = read(rest, value);
  });
  if (!known) return refuse("a field of a backend that is unknown", name);
  return good ? std::string() : refuse("a value that " + std::string(name) + " can't have", rest);
}

std::string hear_device(std::string_view rest, Heard& heard) {
  const std::string_view name = word(rest);
  std::vector<DeviceInfo>& devices = heard.record.devices;
  if (name == "new") {
    if (devices.size() == kMostDevices) return "more than " + std::to_string(kMostDevices) + " devices";
    devices.emplace_back();
    devices.back().index = static_cast<std::uint32_t>(devices.size() - 1);
    heard.judged.push_back(false);
    return {};
  }
  if (devices.empty()) return refuse("a field of no device", name);
  bool known = false;
  bool good = false;
  detail::each_field(devices.back(), [&](std::string_view field, auto& value) {
    if (field != name) return;
    known = true;
    good = read(rest, value);
  });
  if (!known) return refuse("a field of a device that is unknown", name);
  if (!good) return refuse("a value that " + std::string(name) + " can't have", rest);
  if (devices.back().index != devices.size() - 1) return refuse("a device in the wrong place", rest);
  return {};
}

std::string hear_verdict(std::string_view rest, Heard& heard) {
  std::uint32_t index = 0;
  const std::string_view number = word(rest);
  if (!read(number, index) || index >= heard.record.devices.size())
    return refuse("a verdict on no device", number);
  DeviceInfo& device = heard.record.devices[index];
  const std::string_view rung = word(rest);
  if (!read(rung, device.rung) || !read(rest, device.refused)) return refuse("a verdict that is none", rest);
  heard.judged[index] = true;
  return {};
}

std::string version(std::string_view record, std::string_view collet) {
  return printable(collet.substr(0, 40)) + " (record " + printable(record.substr(0, 40)) + ")";
}

std::string hear_first(std::string_view kind, std::string_view rest, Heard& heard) {
  if (kind != "record") return refuse("a line before the first", kind);
  const std::string_view record = word(rest);
  if (record.empty() || rest.empty()) return refuse("a first line without a version", record);
  heard.begun = record == kVersion && rest == COLLET_VERSION;
  if (heard.begun) return {};
  heard.version = version(record, rest);
  return "another version: " + heard.version;
}

std::string hear(std::string_view rest, Heard& heard) {
  const std::string_view kind = word(rest);
  if (!heard.begun) return hear_first(kind, rest, heard);
  if (kind == "doing") return read(rest, heard.doing) ? std::string() : refuse("a step that is none", rest);
  if (kind == "backend") return hear_backend(rest, heard.record.backend);
  if (kind == "device") return hear_device(rest, heard);
  if (kind == "verdict") return hear_verdict(rest, heard);
  if (kind != "end" || !rest.empty()) return refuse("a line that is unknown", kind);
  heard.ended = true;
  return {};
}

// The length of the UTF-8 character at the start of `text`; 0 where there is none that may be shown.
std::size_t character(std::string_view text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](std::size_t i) { return (at(i) & 0xc0u) == 0x80u; };
  const unsigned first = at(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  if (first == 0xc2 && at(1) < 0xa0) return 0;  // control characters of their own
  if (first >= 0xc2 && first < 0xe0) return follows(1) ? 2 : 0;
  if (first == 0xe0 && at(1) < 0xa0) return 0;   // too long for what it says
  if (first == 0xed && at(1) >= 0xa0) return 0;  // surrogates
  if (first >= 0xe0 && first < 0xf0) return follows(1) && follows(2) ? 3 : 0;
  if ((first == 0xf0 && at(1) < 0x90) || (first == 0xf4 && at(1) >= 0x90)) return 0;
  if (first >= 0xf0 && first < 0xf5) return follows(1) && follows(2) && follows(3) ? 4 : 0;
  return 0;
}

}  // namespace

// Printable ASCII without blanks; "%" itself stands for a text that is there and empty.
std::string escape(std::string_view text) {
  if (text.empty()) return "%";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7f && c != '%') {
      out += c;
    } else {
      out += '%';
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  return out;
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::size_t length = character(text);
    if (length != 0) {
      out.append(text.substr(0, length));
    } else {
      const auto byte = static_cast<unsigned char>(text[0]);
      out.append("\\x");
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
      length = 1;
    }
    text.remove_prefix(length);
  }
  return out;
}

std::string own_version() { return version(kVersion, COLLET_VERSION); }

std::string first_line() { return line("record", kVersion, COLLET_VERSION); }
std::string doing_line(std::string_view what) { return "collet doing " + escape(what) + "\n"; }
std::string end_line() { return "collet end\n"; }

std::string backend_lines(const BackendInfo& backend) {
  std::string out;
  each_backend_field(
      backend, [&](std::string_view name, const auto& value) { out += line("backend", name, write(value)); });
  for (const DriverFile& file : backend.files) {
    out += line("backend file", kFileKinds.at(static_cast<std::size_t>(file.kind)),
                escape(file.path) + " " + escape(file.problem));
  }
  return out;
}

std::string device_lines(const DeviceInfo& device) {
  std::string out = "collet device new\n";
  detail::each_field(device, [&](std::string_view name, const auto& value) {
    if constexpr (requires { value.has_value(); }) {
      if (value) out += line("device", name, write(*value));
    } else {
      out += line("device", name, write(value));
    }
  });
  return out;
}

std::string verdict_line(const DeviceInfo& device) {
  return line("verdict", std::to_string(device.index), write(device.rung) + " " + write(device.refused));
}

std::string encode(const Record& record) {
  std::string out = first_line() + backend_lines(record.backend);
  for (const DeviceInfo& device : record.devices) out += device_lines(device);
  return out + end_line();
}

Heard listen(std::string_view text) {
  Heard heard;
  bool cut = text.size() > kMostBytes;
  if (cut) text = text.substr(0, kMostBytes);
  while (!text.empty() && heard.problem.empty()) {
    const std::size_t newline = text.find('\n');
    if (newline == std::string_view::npos) break;  // a line that was cut off says nothing
    std::string_view rest = text.substr(0, newline);
    text.remove_prefix(newline + 1);
    if (rest.starts_with("fault ")) {
      rest.remove_prefix(6);
      heard.fault = printable(word(rest));
      heard.library = printable(rest);
    } else if (rest.starts_with("collet ") && !heard.ended) {
      rest.remove_prefix(7);
      heard.problem = hear(rest, heard);
    }
  }
  if (cut && !heard.ended && heard.problem.empty())
    heard.problem = "more than " + std::to_string(kMostBytes) + " bytes";
  return heard;
}

Result<Record> decode(std::string_view text) {
  Heard heard = listen(text);
  std::string problem = heard.problem;
  if (problem.empty() && !heard.begun) problem = "no first line";
  if (problem.empty() && !heard.ended) problem = "no end";
  if (problem.empty() && heard.record.backend.device_count != heard.record.devices.size())
    problem = std::to_string(heard.record.devices.size()) + " devices where its backend counts " +
              std::to_string(heard.record.backend.device_count);
  if (problem.empty()) return std::move(heard.record);
  return Error(ErrorCode::invalid_argument, Category::device, "The record of a probe has " + problem + ".");
}

}  // namespace collet::discovery
