// Who is believed: helpers that others could have planted near a program are not run, and a program with more
// rights than its user obeys none of that user's variables.
//
//   collet-fault-trust_test            every case, each with a copy of this program
//   collet-fault-trust_test victim     says which helper it would run, and what it reads of its environment

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "discovery/probe.hpp"
#include "fault/fault.hpp"
#include "platform/platform.hpp"

namespace {

namespace fs = std::filesystem;
using namespace collet;

constexpr uid_t kNobody = 65534;
constexpr const char* kVariables[] = {"COLLET_PROBE",  "COLLET_LLVM",   "COLLET_CACHE_DIR", "COLLET_LOG",
                                      "COLLET_DEVICE", "COLLET_WEBGPU", "XDG_CACHE_HOME",   "HOME"};

int be_the_victim() {
  const discovery::Helper helper = discovery::find_helper();
  std::printf("secure %d\n", getauxval(AT_SECURE) != 0 ? 1 : 0);
  std::printf("helper %s\nnote %s\n", helper.path.c_str(), helper.note.c_str());
  std::printf("cache %s\n", platform::cache_directory().c_str());
  for (const char* name : kVariables) {
    if (const auto value = platform::environment(name)) std::printf("variable %s %s\n", name, value->c_str());
  }
  std::printf("variables %zu\n", platform::environment().size());
  return 0;
}

// A program in bin/, with a helper in lib/collet/. Gone with the object.
struct Tree {
  Tree() : root(fs::temp_directory_path() / ("collet-trust-" + std::to_string(std::random_device()()))) {
    for (const fs::path& folder : {root, root / "bin", root / "lib", root / "lib/collet"}) {
      fs::create_directory(folder);
      mode(folder, 0755);
    }
    fs::copy_file("/proc/self/exe", program);
    mode(program, 0755);
    plant(helper);
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree() {
    std::error_code none;
    fs::remove_all(root, none);
  }
  static void mode(const fs::path& path, mode_t bits) {
    FAULT_CHECK(chmod(path.c_str(), bits) == 0, path.string());
  }
  static void give_away(const fs::path& path) {
    FAULT_CHECK(lchown(path.c_str(), kNobody, kNobody) == 0, path.string());
  }
  static void plant(const fs::path& path) {
    std::ofstream(path) << "#!/bin/sh\n";
    mode(path, 0755);
  }
  std::string ask(const std::string& probe = "") const {
    const std::vector<std::string> arguments{"victim"};
    const std::vector<std::pair<std::string, std::string>> variables{{"COLLET_PROBE", probe}};
    return platform::run_child(program, arguments, variables, Deadline::in(std::chrono::seconds(30)), 1 << 16)
        .value()
        .output;
  }

  fs::path root;
  fs::path program = root / "bin/program";
  fs::path helper = root / "lib/collet/collet-probe";
};

struct Case {
  const char* name;
  bool needs_root;
  bool believed;
  void (*prepare)(const Tree& tree);
};

constexpr Case kCases[] = {
    {"all as it should be", false, true, [](const Tree&) {}},
    {"a helper that all may write", false, false, [](const Tree& tree) { Tree::mode(tree.helper, 0777); }},
    {"a helper that a group of others may write", true, false,
     [](const Tree& tree) {
       FAULT_CHECK(lchown(tree.helper.c_str(), 0, kNobody) == 0, tree.helper.string());
       Tree::mode(tree.helper, 0775);
     }},
    {"a folder that all may write", false, false,
     [](const Tree& tree) { Tree::mode(tree.helper.parent_path(), 0777); }},
    {"a folder further up that all may write", false, false,
     [](const Tree& tree) { Tree::mode(tree.root, 0777); }},
    {"another user's helper", true, false, [](const Tree& tree) { Tree::give_away(tree.helper); }},
    {"another user's folder", true, false, [](const Tree& tree) { Tree::give_away(tree.root / "lib"); }},
    {"another user's folder further up", true, false, [](const Tree& tree) { Tree::give_away(tree.root); }},
    {"a link into another user's folder", true, false,
     [](const Tree& tree) {
       fs::create_directory(tree.root / "theirs");
       Tree::plant(tree.root / "theirs/program");
       Tree::give_away(tree.root / "theirs");
       fs::remove(tree.helper);
       fs::create_symlink(tree.root / "theirs/program", tree.helper);
     }},
    {"another user's link to a good program", true, false,
     [](const Tree& tree) {
       fs::remove(tree.helper);
       fs::create_symlink("/bin/true", tree.helper);
       Tree::give_away(tree.helper);
     }},
};

void planted_helpers() {
  for (const Case& one : kCases) {
    if (one.needs_root && geteuid() != 0) {
      std::printf("%s: skipped, because only root can give files away\n", one.name);
      continue;
    }
    const Tree tree;
    one.prepare(tree);
    const std::string said = tree.ask();
    const std::string real = fs::canonical(tree.root).string() + "/lib/collet/collet-probe";
    const bool taken = said.find("helper " + real + "\n") != std::string::npos;
    FAULT_CHECK(taken == one.believed, std::string(one.name) + ":\n" + said);
    const bool named = said.find("The program " + real + " is not run. ") != std::string::npos;
    FAULT_CHECK(named != one.believed, std::string(one.name) + ":\n" + said);
  }
}

// Set-user-ID to nobody, run by root: the system marks such a program as one that must not believe its user.
void set_user_id() {
  if (geteuid() != 0)
    return (void)std::printf("set-user-ID: skipped, because only root can make such a program\n");
  const Tree tree;
  Tree::give_away(tree.program);
  Tree::mode(tree.program, 04755);
  for (const char* name : kVariables) setenv(name, "/theirs", 1);
  const std::string said = tree.ask("/theirs");
  for (const char* name : kVariables) unsetenv(name);
  if (said.find("secure 1\n") == std::string::npos)
    return (void)std::printf("set-user-ID: skipped, because the file system of %s does not honour it\n",
                             tree.root.c_str());
  FAULT_CHECK(said.find("/theirs") == std::string::npos, said);
  FAULT_CHECK(said.find("cache \n") != std::string::npos, said);
  FAULT_CHECK(said.find("variables 0\n") != std::string::npos, said);
}

}  // namespace

int main(int count, char**) {
  if (count == 2) return be_the_victim();
  planted_helpers();
  set_user_id();
  std::printf("%zu cases, %d failures\n", std::size(kCases) + 1, fault::failures());
  return fault::failures() == 0 ? 0 : 1;
}
