// A folder of a test's own.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

namespace collet {

// Gone with the object, with all that is in it.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() / ("collet-" + std::to_string(std::random_device()()))) {
    std::filesystem::create_directories(path_);
    // Whatever the umask: Collet believes nothing that others may write.
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
  }

  std::string path(const std::string& name = "") const {
    return name.empty() ? path_.string() : (path_ / name).string();
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path(name);
  }

 private:
  std::filesystem::path path_;
};

inline std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace collet
