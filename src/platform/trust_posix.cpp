// Linux, Android, macOS: walks a path as the system would, and looks at every step of it.

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "platform/trust.hpp"

namespace collet::platform {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // what Linux follows

Error not_believed(const std::string& why) { return Error(ErrorCode::unavailable, Category::runtime, why); }

Error refused_by_system(const std::string& what) {
  return not_believed(what + ": " + std::system_category().message(errno) + ".");
}

std::string octal(mode_t mode) {
  char text[16];
  std::snprintf(text, sizeof text, "%04o", static_cast<unsigned>(mode & 07777));
  return text;
}

bool ours(uid_t owner) { return owner == 0 || owner == geteuid(); }

// Whether this is the effective user's private group: its primary one, of its name, that lists nobody else.
// Systems with such groups have a umask of 002, so that what users make can be written by their group.
bool is_private(gid_t group) {
  std::vector<char> user_text(16 * 1024);
  std::vector<char> group_text(16 * 1024);
  passwd user{};
  struct group facts{};
  passwd* found_user = nullptr;
  struct group* found_group = nullptr;
  if (getpwuid_r(geteuid(), &user, user_text.data(), user_text.size(), &found_user) != 0) return false;
  if (getgrgid_r(group, &facts, group_text.data(), group_text.size(), &found_group) != 0) return false;
  if (found_user == nullptr || found_group == nullptr || user.pw_gid != group) return false;
  const std::string_view name = user.pw_name;
  if (name != facts.gr_name) return false;
  for (char** member = facts.gr_mem; *member != nullptr; ++member) {
    if (name != *member) return false;
  }
  return true;
}

// `step` as it stands: a file, a folder or a link. Links have no mode of their own.
Result<void> judge(const std::string& step, const struct stat& facts) {
  const std::string what = S_ISDIR(facts.st_mode) ? "The folder " : "The file ";
  if (!ours(facts.st_uid)) {
    return not_believed(what + step + " belongs to another user (" + std::to_string(facts.st_uid) +
                        ") than root and the one that this program runs as (" + std::to_string(geteuid()) +
                        ").");
  }
  if (S_ISLNK(facts.st_mode) || (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0) return {};
  if (S_ISDIR(facts.st_mode) && (facts.st_mode & S_ISVTX) != 0) return {};
  if ((facts.st_mode & S_IWOTH) == 0 && is_private(facts.st_gid)) return {};
  return not_believed(what + step + " can be written by other users (mode " + octal(facts.st_mode) + ").");
}

// The parts of a path that are still to be walked, the next one first.
void put_first(std::deque<std::string>& steps, const fs::path& path) {
  auto at = steps.begin();
  for (const fs::path& part : path.relative_path()) at = std::next(steps.insert(at, part.string()));
}

Result<std::string> target_of(const std::string& link) {
  std::string target(PATH_MAX, '\0');
  const ssize_t size = readlink(link.c_str(), target.data(), target.size());
  if (size < 0) return refused_by_system("The link " + link + " can't be read");
  target.resize(static_cast<std::size_t>(size));
  return target;
}

Result<std::string> walk(const std::string& path) {
  std::error_code failed;
  const fs::path whole = fs::absolute(path, failed);
  if (failed) return not_believed("The folder that this program runs in is gone: " + failed.message() + ".");
  std::deque<std::string> steps;
  put_first(steps, whole);
  fs::path real = "/";
  struct stat facts{};
  if (lstat("/", &facts) != 0) return refused_by_system("The folder / can't be looked at");
  COLLET_CHECK(judge("/", facts));
  for (int links = 0; !steps.empty();) {
    const std::string step = steps.front();
    steps.pop_front();
    if (step.empty() || step == ".") continue;
    if (step == "..") {
      real = real.parent_path();
      continue;
    }
    const fs::path next = real / step;
    if (lstat(next.c_str(), &facts) != 0) return refused_by_system(next.string() + " can't be looked at");
    COLLET_CHECK(judge(next.string(), facts));
    if (!S_ISLNK(facts.st_mode)) {
      real = next;
      continue;
    }
    if (++links > kMostLinks) return not_believed("The path " + path + " has too many links.");
    COLLET_TRY(target, target_of(next.string()));
    if (target.starts_with('/')) real = "/";
    put_first(steps, target);
  }
  return real.string();
}

}  // namespace

Result<std::string> trusted_path(const std::string& path) { return walk(path); }

Result<void> make_private_folder(const std::string& path) {
  std::error_code failed;
  const fs::path whole = fs::absolute(path, failed);
  fs::path made;
  for (const fs::path& part : whole) {
    made /= part;
    if (mkdir(made.c_str(), 0700) == 0 || errno == EEXIST) continue;
    const int code = errno;
    if (fs::is_directory(made, failed)) continue;  // a read-only system says so before it looks
    errno = code;
    return refused_by_system("The folder " + made.string() + " can't be made");
  }
  return {};
}

}  // namespace collet::platform
