// The text of every verb for made-up machines, at 80 and 200 columns and for a pipe, against
// tests/golden/text.
//
// COLLET_UPDATE_GOLDEN=1 writes the files in place of comparing them; look at the difference before you
// commit.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "command_line.hpp"
#include "help.hpp"
#include "machines.hpp"
#include "text.hpp"
#include "verbs.hpp"
#include "views.hpp"

namespace collet::golden {
namespace {

using tool::Style;

const tool::Build kBuild{
    .version = "1.2.3", .compiler = "GCC 12.2.0", .backends = {"cpu", "vulkan", "opencl"}};

struct Verb {
  const char* name;
  std::function<std::string(const Diagnosis&, const Style&)> text;
};

// The widths by the names that the files have.
struct Width {
  const char* name;
  std::size_t columns;
};
constexpr Width kWidths[] = {{"80", 80}, {"200", 200}, {"pipe", 0}};

Machine only(Machine machine, const std::string& id) {
  std::erase_if(machine.backends, [&](const BackendInfo& backend) { return backend.id != id; });
  return machine;
}

std::vector<Verb> verbs() {
  using D = const Diagnosis&;
  using S = const Style&;
  return {
      {"backends", [](D d, S s) { return tool::backends_text(d.machine, s); }},
      {"devices", [](D d, S s) { return tool::devices_text(d.machine, d.choice, s); }},
      {"devices-v", [](D d, S s) { return tool::properties_text(d.machine, d.choice, s); }},
      {"default", [](D d, S s) { return tool::default_text(d.choice, s); }},
      {"summary", [](D d, S s) { return tool::summary_text(kBuild, d.machine, d.choice, s); }},
      {"status", [](D d, S s) { return tool::status_text(d.machine, s); }},
      {"status-vulkan", [](D d, S s) { return tool::status_text(only(d.machine, "vulkan"), s); }},
      {"doctor", [](D d, S s) { return tool::doctor_text(d, s); }},
  };
}

struct Named {
  const char* name;
  Diagnosis diagnosis;
};

std::vector<Named> machines() {
  return {{"workstation", workstation()}, {"bare", bare()}, {"broken", broken()}};
}

// Compares with the file, or writes it.
void expect_golden(const std::string& file, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(COLLET_GOLDEN_DIRECTORY) / file;
  if (std::getenv("COLLET_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream stored(path, std::ios::binary);
  ASSERT_TRUE(stored) << path << " is missing; COLLET_UPDATE_GOLDEN=1 writes it.";
  std::ostringstream expected;
  expected << stored.rdbuf();
  EXPECT_EQ(text, expected.str()) << path;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) out.push_back(line);
  return out;
}

TEST(Golden, EveryVerbShowsEveryMachineAsStored) {
  for (const Named& machine : machines()) {
    for (const Verb& verb : verbs()) {
      for (const Width& width : kWidths) {
        expect_golden(std::string(machine.name) + "/" + verb.name + "." + width.name + ".txt",
                      verb.text(machine.diagnosis, {.width = width.columns}));
      }
    }
  }
}

TEST(Golden, TheVersionIsShownAsStored) {
  for (const Width& width : kWidths)
    expect_golden(std::string("version.") + width.name + ".txt", tool::version_text(kBuild, {width.columns}));
}

// One of everything, and two that are wrong.
std::vector<tool::KernelCheck> checks() {
  const tool::KernelFacts all{
      .name = "everything",
      .group = {16, 8, 1},
      .parameters = {{.name = "source", .type = "f32x4", .buffer = true, .read = true, .size = 16},
                     {.name = "result", .type = "f64", .buffer = true, .written = true, .size = 8},
                     {.name = "state", .type = "", .buffer = true, .read = true, .written = true, .size = 24},
                     {.name = "count", .type = "u32", .size = 4}},
      .workgroup_bytes = 8256,
      .features = {"64-bit floats", "subgroups"},
      .has_barriers = true,
      .has_atomics = true,
      .languages = {
          {"ir", ""},
          {"opencl", ""},
          {"glsl-vulkan", "[Kernel \"everything\"] needs native_sin of 64-bit floats, which Vulkan lacks."},
          {"spirv", "This build writes no kernels in SPIR-V (shader)."}}};
  const tool::KernelFacts nothing{.name = "nothing", .group = {64, 1, 1}, .languages = {{"ir", ""}}};
  const Error flow(
      ErrorCode::invalid_argument, Category::kernel,
      "Line 5 of the IR text: In [Kernel \"k\"], \"barrier\": not all items of a group are sure to "
      "come here.");
  const Error hostile(ErrorCode::invalid_argument, Category::kernel,
                      "Line 1 of the IR text: \"kernel\" is missing before \"\x1b[31m\".");
  return {
      {.given = "everything.ir", .facts = all},
      {.given = "./flow.ir",
       .fault = tool::KernelFault{5, flow.with_hint("Move it out of if_ and loops whose condition depends on "
                                                    "the item.")}},
      {.given = "./\x1b[2J.ir", .fault = tool::KernelFault{1, hostile}},
      {.given = "-", .facts = nothing},
  };
}

TEST(Golden, CheckedKernelsAreShownAsStored) {
  for (const Width& width : kWidths) {
    const std::string text = tool::check_text(checks(), {.width = width.columns});
    expect_golden(std::string("check.") + width.name + ".txt", text);
    EXPECT_EQ(text.find('\x1b'), std::string::npos) << width.name;
    for (const std::string& line : lines(text)) {
      EXPECT_TRUE(width.columns == 0 || tool::columns(line) <= width.columns) << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
  }
}

TEST(Golden, HelpAndCompletionAreAsStored) {
  CLI::App app("Runs compute kernels on whatever this machine has, and says what ran.", "collet");
  tool::Session session;
  tool::describe(app, session);
  expect_golden("help/collet.80.txt", tool::help_text(app, app, {.width = 80}));
  for (const CLI::App* verb : app.get_subcommands({})) {
    const std::string text = tool::help_text(app, *verb, {.width = 80});
    EXPECT_NE(text.find("collet " + verb->get_name()), std::string::npos) << "an example is missing";
    expect_golden("help/" + verb->get_name() + ".80.txt", text);
  }
  for (const char* shell : {"bash", "zsh", "fish"})
    expect_golden(std::string("completion/collet.") + shell, tool::completion_text(app, shell));
}

TEST(Golden, NoLineIsWiderThanTheTerminalOrEndsInASpace) {
  for (const Named& machine : machines()) {
    for (const Verb& verb : verbs()) {
      for (const std::size_t width :
           {std::size_t{80}, std::size_t{100}, std::size_t{132}, std::size_t{200}}) {
        for (const std::string& line : lines(verb.text(machine.diagnosis, {.width = width}))) {
          EXPECT_LE(tool::columns(line), width) << machine.name << " " << verb.name << ": " << line;
          EXPECT_FALSE(line.ends_with(' ')) << machine.name << " " << verb.name << ": " << line;
        }
      }
    }
  }
}

TEST(Golden, ColourOnlyAddsEscapeCodes) {
  for (const Named& machine : machines()) {
    for (const Verb& verb : verbs()) {
      std::string coloured = verb.text(machine.diagnosis, {.width = 80, .colour = true});
      EXPECT_NE(coloured.find('\x1b'), std::string::npos) << machine.name << " " << verb.name;
      for (std::size_t at = 0; (at = coloured.find('\x1b')) != std::string::npos;)
        coloured.erase(at, coloured.find('m', at) + 1 - at);
      EXPECT_EQ(coloured, verb.text(machine.diagnosis, {.width = 80})) << machine.name << " " << verb.name;
    }
  }
}

TEST(Golden, NoControlCharacterOfADriverReachesTheTerminal) {
  const Diagnosis machine = broken();
  for (const Verb& verb : verbs()) {
    for (const Width& width : kWidths) {
      for (const char byte : verb.text(machine, {.width = width.columns})) {
        const bool control = (static_cast<unsigned char>(byte) < 0x20 && byte != '\n') || byte == 0x7f;
        EXPECT_FALSE(control) << verb.name << ": " << static_cast<int>(byte);
      }
    }
  }
}

TEST(Golden, ASummaryHasTenLines) {
  for (const Named& machine : machines()) {
    for (const Width& width : kWidths) {
      const Diagnosis& d = machine.diagnosis;
      EXPECT_EQ(lines(tool::summary_text(kBuild, d.machine, d.choice, {width.columns})).size(), 10u)
          << machine.name << " " << width.name;
    }
  }
}

TEST(Golden, APipeGetsOneLineForEachBackendAndDevice) {
  for (const Named& machine : machines()) {
    const Diagnosis& d = machine.diagnosis;
    EXPECT_EQ(lines(tool::backends_text(d.machine, {})).size(), d.machine.backends.size() + 1)
        << machine.name;
    EXPECT_EQ(lines(tool::devices_text(d.machine, d.choice, {})).size(), d.machine.devices.size() + 1)
        << machine.name;
  }
}

}  // namespace
}  // namespace collet::golden
