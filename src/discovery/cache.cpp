// A cache file: the key it was made for, a checksum, when, and the record.

#include "discovery/cache.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "base/hash.hpp"
#include "discovery/notice.hpp"
#include "platform/platform.hpp"
#include "platform/trust.hpp"

namespace collet::discovery {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostManifest = 64 * 1024;

std::string hashed(std::string_view text) {
  const std::uint64_t hash = base::Hash().add(text).value();
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) out += "0123456789abcdef"[hash >> shift & 15];
  return out;
}

std::string folder() {
  if (const auto chosen = platform::environment("COLLET_CACHE_DIR"); chosen && !chosen->empty())
    return *chosen == "off" ? std::string() : *chosen;
  const std::string shared = platform::cache_directory();
  return shared.empty() ? shared : shared + "/collet";
}

std::string read_file(const std::string& path, std::uintmax_t most) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error || size > most) return {};
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Path, size and time of last change.
std::string stamp(const std::string& path) {
  std::error_code missing;
  const std::uintmax_t size = fs::file_size(path, missing);
  if (missing) return escape(path) + " missing";
  std::error_code none;
  return escape(path) + " " + std::to_string(size) + " " +
         std::to_string(fs::last_write_time(path, none).time_since_epoch().count());
}

std::int64_t seconds_of(std::chrono::system_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

constexpr std::string_view kSum = "sum ";
constexpr std::string_view kWhen = "when ";
constexpr std::size_t kMostAround = 128;  // of the lines between key and record

// The key, a checksum, and what it is of. It guards against damage only: who may write the file is checked
// before it is read.
std::string sealed(const std::string& key, const std::string& body) {
  return key + std::string(kSum) + hashed(body) + "\n" + body;
}

std::optional<std::string_view> sealed_body(std::string_view text, const std::string& key) {
  const std::string begin = key + std::string(kSum);
  if (!text.starts_with(begin)) return std::nullopt;
  text.remove_prefix(begin.size());
  const std::size_t newline = text.find('\n');
  if (newline == std::string_view::npos) return std::nullopt;
  const std::string_view body = text.substr(newline + 1);
  if (text.substr(0, newline) != hashed(body)) return std::nullopt;
  return body;
}

// The real path of a cache file, or of the folder for one, that no other user could have written. Nothing
// where there is none, or another user could: then it is neither read nor written, and the log warns once.
std::optional<std::string> believed(const std::string& path) {
  std::error_code none;
  if (!fs::exists(fs::symlink_status(path, none))) return std::nullopt;
  auto trusted = platform::trusted_path(path);
  if (trusted) return *std::move(trusted);
  say_once(LogLevel::warn,
           "The results of probes are not kept in " + path + ". " + trusted.error().message());
  return std::nullopt;
}

// Something went wrong in it, and may go better: a driver half installed, a machine too busy for the canary.
bool ended_badly(const Record& record) {
  return !record.backend.fault.empty() ||
         std::ranges::any_of(record.devices, [](const DeviceInfo& one) { return !one.refused.empty(); });
}

bool fresh(std::int64_t when, std::int64_t now) {
  const std::int64_t age = now - when;
  return age >= 0 && age < std::chrono::seconds(kBadProbeLasts).count();
}

}  // namespace

CacheKey cache_key(std::string_view id, std::span<const DriverFile> files,
                   std::span<const std::string> variables, const std::string& helper) {
  CacheKey key;
  const std::string where = folder();
  if (where.empty()) return key;
  std::string settings;
  for (const std::string& name : variables) {
    if (const auto value = platform::environment(name.c_str()))
      settings += "key variable " + name + " " + escape(*value) + "\n";
  }
  const std::string own = platform::own_path();
  key.file =
      where + "/probe-" + std::string(id) + "-" + hashed(own + "\n" + helper + "\n" + settings) + ".txt";

  key.text = "key collet " COLLET_VERSION "\nkey library " + stamp(own) + "\n" + settings;
  key.text += helper.empty() ? "key in this process\n" : "key helper " + stamp(helper) + "\n";
  for (const DriverFile& file : files) {
    key.text += "key file " + stamp(file.path) + "\n";
    if (file.kind == DriverFile::Kind::manifest)
      key.text += "key holds " + escape(read_file(file.path, kMostManifest)) + "\n";
  }
  if (files.empty()) return key;  // what reads no file opens no device either
  for (const platform::DeviceNode& node : platform::device_nodes())
    key.text += "key node " + escape(node.path) + (node.usable ? " usable\n" : " closed\n");
  return key;
}

std::optional<Record> recall(const CacheKey& key, std::chrono::system_clock::time_point now) {
  if (key.file.empty()) return std::nullopt;
  const auto trusted = believed(key.file);
  if (!trusted) return std::nullopt;
  const std::string text = read_file(*trusted, kMostBytes + key.text.size() + kMostAround);
  const auto body = sealed_body(text, key.text);
  if (!body) return std::nullopt;
  std::string_view rest = *body;
  if (!rest.starts_with(kWhen)) return std::nullopt;
  rest.remove_prefix(kWhen.size());
  std::int64_t when = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), when);
  if (error != std::errc()) return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  auto record = decode(rest);
  if (!record) return std::nullopt;
  if (ended_badly(*record) && !fresh(when, seconds_of(now))) return std::nullopt;
  return std::move(*record);
}

void remember(const CacheKey& key, const Record& record) {
  if (key.file.empty()) return;
  const fs::path file = key.file;
  if (!platform::make_private_folder(file.parent_path().string())) return;
  const auto folder = believed(file.parent_path().string());
  if (!folder) return;
  std::random_device random;
  const fs::path kept = fs::path(*folder) / file.filename();
  const std::string draft =
      kept.string() + "." + hashed(std::to_string(random()) + std::to_string(random())) + ".tmp";
  std::ofstream out(draft, std::ios::binary);
  std::error_code error;
  fs::permissions(draft, fs::perms::owner_read | fs::perms::owner_write, error);  // whatever the umask is
  const std::string when = std::to_string(seconds_of(std::chrono::system_clock::now()));
  out << sealed(key.text, std::string(kWhen) + when + "\n" + encode(record));
  out.close();
  if (out) fs::rename(draft, kept, error);
  if (!out || error) fs::remove(draft, error);
}

}  // namespace collet::discovery
