// Starts valgrind on ourselves and reads its total.

#include "instructions.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

extern char** environ;

namespace collet::bench {
namespace {

Error failed(ErrorCode code, std::string message) { return {code, Category::runtime, std::move(message)}; }

// The child's standard output and errors go to /dev/null.
Result<void> run(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int status = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (status != 0) return failed(ErrorCode::unavailable, words[0] + " was not found.");
  int ended = 0;
  if (waitpid(child, &ended, 0) != child || !WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
    return failed(ErrorCode::internal, words[0] + " ended with wait status " + std::to_string(ended) + ".");
  return {};
}

Result<std::uint64_t> read_total(const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("totals: ")) return std::strtoull(line.c_str() + 8, nullptr, 10);
  }
  return failed(ErrorCode::internal, "callgrind left no total in " + path + ".");
}

// `suffix` is what callgrind appends to the file that holds the total.
Result<std::uint64_t> run_under_callgrind(const std::vector<std::string>& options, const std::string& suffix,
                                          const std::vector<std::string>& arguments) {
  char folder[] = "/tmp/collet-bench-XXXXXX";
  if (mkdtemp(folder) == nullptr)
    return failed(ErrorCode::internal, "There is no place for a temporary folder in /tmp.");
  const std::string path = std::string(folder) + "/out";
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) <= 0)
    return failed(ErrorCode::internal, "There is no /proc.");
  std::vector<std::string> words{"valgrind", "--tool=callgrind", "--callgrind-out-file=" + path};
  words.insert(words.end(), options.begin(), options.end());
  words.emplace_back(self);
  words.insert(words.end(), arguments.begin(), arguments.end());
  const auto ran = run(words);
  auto total = ran ? read_total(path + suffix) : Result<std::uint64_t>(ran.error());
  std::error_code none;
  std::filesystem::remove_all(folder, none);
  return total;
}

}  // namespace

Result<std::uint64_t> count_instructions(const std::vector<std::string>& arguments) {
  return run_under_callgrind({}, "", arguments);
}

Result<std::uint64_t> count_instructions_outside(const std::string& functions,
                                                 const std::vector<std::string>& arguments) {
  // It begins to collect, and each of these functions turns that off and on again.
  return run_under_callgrind(
      {"--separate-threads=yes", "--toggle-collect=" + functions, "--collect-atstart=yes"}, "-01", arguments);
}

}  // namespace collet::bench
