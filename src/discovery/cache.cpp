// A cache file: the key it was made for, when, and the record.

#include "discovery/cache.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "platform/platform.hpp"

namespace collet::discovery {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostManifest = 64 * 1024;

// FNV-1a. It only tells files apart; what is in them is compared whole.
std::string hashed(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
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

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Something went wrong in it, and may go better: a driver half installed, a machine too busy for the canary.
bool ended_badly(const Record& record) {
  return !record.backend.fault.empty() ||
         std::ranges::any_of(record.devices, [](const DeviceInfo& one) { return !one.refused.empty(); });
}

bool fresh(std::int64_t when) {
  const std::int64_t age = now() - when;
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

std::optional<Record> recall(const CacheKey& key) {
  if (key.file.empty()) return std::nullopt;
  const std::string text = read_file(key.file, kMostBytes + key.text.size() + 64);
  std::string_view rest = text;
  if (!rest.starts_with(key.text + "when ")) return std::nullopt;
  rest.remove_prefix(key.text.size() + 5);
  std::int64_t when = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), when);
  if (error != std::errc()) return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  auto record = decode(rest);
  if (!record) return std::nullopt;
  if (ended_badly(*record) && !fresh(when)) return std::nullopt;
  return std::move(*record);
}

void remember(const CacheKey& key, const Record& record) {
  if (key.file.empty()) return;
  std::error_code error;
  fs::create_directories(fs::path(key.file).parent_path(), error);
  std::random_device random;
  const std::string draft =
      key.file + "." + hashed(std::to_string(random()) + std::to_string(random())) + ".tmp";
  std::ofstream out(draft, std::ios::binary);
  out << key.text << "when " << now() << "\n" << encode(record);
  out.close();
  if (out) fs::rename(draft, key.file, error);
  if (!out || error) fs::remove(draft, error);
}

}  // namespace collet::discovery
