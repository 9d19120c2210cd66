// Folders, manifests and libraries on disk.

#include "backends/common/driver_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "platform/platform.hpp"

namespace collet::backend::common {
namespace {

namespace fs = std::filesystem;

#ifdef _WIN32
constexpr char kListSeparator = ';';
#else
constexpr char kListSeparator = ':';
#endif
constexpr std::uintmax_t kMostManifest = 64 * 1024;

// The folders that a configuration of the dynamic linker names, those of included files too.
void read_linker_folders(const std::string& path, std::vector<std::string>& folders) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('/')) {
      folders.push_back(line.substr(0, line.find_last_not_of(" \t") + 1));
    } else if (line.starts_with("include ") && line.ends_with("/*.conf")) {
      fs::path folder = line.substr(8, line.size() - 8 - 7);
      if (folder.is_relative()) folder = fs::path(path).parent_path() / folder;
      for (const std::string& one : files_in(folder.string(), ".conf")) read_linker_folders(one, folders);
    }
  }
}

std::vector<std::string> library_folders() {
  std::vector<std::string> folders;
  for (const char* variable : {"LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"}) {
    const auto paths = split_paths(platform::environment(variable).value_or(""));
    folders.insert(folders.end(), paths.begin(), paths.end());
  }
  read_linker_folders("/etc/ld.so.conf", folders);
  for (const char* usual : {"/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib"})
    folders.emplace_back(usual);
  if (const auto windows = platform::environment("SystemRoot")) folders.push_back(*windows + "/System32");
  return folders;
}

bool is_file(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none);
}

}  // namespace

std::vector<std::string> split_paths(std::string_view list) {
  std::vector<std::string> paths;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(kListSeparator), list.size());
    if (end != 0) paths.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return paths;
}

std::vector<std::string> files_in(const std::string& folder, std::string_view ending) {
  std::vector<std::string> found;
  std::error_code none;
  for (fs::directory_iterator at(folder, none), end; !none && at != end; at.increment(none)) {
    if (at->path().filename().string().ends_with(ending)) found.push_back(at->path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string find_library(std::string_view name) {
  if (name.find_first_of("/\\") != std::string_view::npos) return is_file(name) ? std::string(name) : "";
  for (const std::string& folder : library_folders()) {
    const fs::path path = fs::path(folder) / name;
    if (is_file(path)) return path.string();
  }
  return {};
}

DriverFile find_loader(std::string_view api) {
  if (const std::string chosen = platform::chosen_library(api); !chosen.empty()) {
    DriverFile file = find_driver(chosen);
    file.kind = DriverFile::Kind::loader;
    return file;
  }
  const auto names = platform::library_names(api);
  for (const char* name : names) {
    if (std::string path = find_library(name); !path.empty())
      return {.kind = DriverFile::Kind::loader, .path = std::move(path), .problem = {}};
  }
  return {.kind = DriverFile::Kind::loader,
          .path = names.empty() ? std::string(api) : std::string(names.front()),
          .problem = names.empty() ? "this system has none" : "missing"};
}

DriverFile find_driver(const std::string& library) {
  const std::string found = find_library(library);
  return {.kind = DriverFile::Kind::driver,
          .path = found.empty() ? library : found,
          .problem = found.empty() ? "missing" : ""};
}

std::string read_manifest(const std::string& path, std::string& problem) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) {
    problem = error == std::errc::no_such_file_or_directory ? "missing" : "unreadable: " + error.message();
    return {};
  }
  if (size > kMostManifest) {
    problem = "not understood: it has " + std::to_string(size) + " bytes";
    return {};
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) problem = "unreadable";
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void add_driver(const std::string& manifest, const std::string& library, const std::string& problem,
                std::vector<DriverFile>& files) {
  files.push_back({.kind = DriverFile::Kind::manifest, .path = manifest, .problem = problem});
  if (library.empty()) return;
  fs::path path = library;
  if (path.is_relative() && path.has_parent_path())
    path = (fs::path(manifest).parent_path() / path).lexically_normal();
  files.push_back(find_driver(path.string()));
}

std::string json_text(std::string_view json, std::string_view key) {
  const std::size_t at = json.find("\"" + std::string(key) + "\"");
  if (at == std::string_view::npos) return {};
  json.remove_prefix(at + key.size() + 2);
  const auto skip = [&] { json.remove_prefix(std::min(json.find_first_not_of(" \t\r\n"), json.size())); };
  skip();
  if (!json.starts_with(':')) return {};
  json.remove_prefix(1);
  skip();
  if (!json.starts_with('"')) return {};
  std::string text;
  for (std::size_t i = 1; i < json.size() && json[i] != '"'; ++i) {
    if (json[i] == '\\' && i + 1 < json.size()) ++i;  // paths need no escape but of \ and / and "
    text += json[i];
  }
  return text;
}

void add_json_manifest(const std::string& manifest, std::vector<DriverFile>& files) {
  std::string problem;
  const std::string text = read_manifest(manifest, problem);
  const std::string library = json_text(text, "library_path");
  if (problem.empty() && library.empty()) problem = "not understood: it names no library_path";
  add_driver(manifest, library, problem, files);
}

}  // namespace collet::backend::common
