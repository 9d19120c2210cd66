// The environment: what is asked for, what is refused, what is documented.

#include "discovery/environment.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "collet/discovery.hpp"
#include "unit/captured_log.hpp"
#include "unit/variables.hpp"

namespace collet {
namespace {

// Nothing of the machine's own environment reaches a test.
class Environment : public testing::Test {
 protected:
  test::Variables variables{{"COLLET_BACKEND", nullptr},
                            {"COLLET_DEVICE", nullptr},
                            {"COLLET_STRICT", nullptr},
                            {"COLLET_FAKE", nullptr}};

  std::string selector(const char* backend, const char* device) {
    variables.set("COLLET_BACKEND", backend);
    variables.set("COLLET_DEVICE", device);
    const auto request = Request::from_environment();
    return request ? request->selector : request.error().message();
  }
  std::string refusal(const char* name, const char* value) {
    variables.set(name, value);
    const auto request = Request::from_environment();
    variables.set(name, nullptr);
    return request ? "no error" : request.error().message();
  }
};

TEST_F(Environment, AsksForTheBestWhereNothingIsSet) {
  const Request request = Request::from_environment().value();
  EXPECT_EQ(request.selector, "auto");
  EXPECT_FALSE(request.strict);
  EXPECT_FALSE(request.simulated);
}

TEST_F(Environment, IsReadAtEveryCall) {
  EXPECT_EQ(selector("vulkan", nullptr), "vulkan");
  EXPECT_EQ(selector("opencl", nullptr), "opencl");
  variables.set("COLLET_STRICT", "1");
  variables.set("COLLET_FAKE", "memory=1G,gpus=2");
  const Request request = Request::from_environment().value();
  EXPECT_TRUE(request.strict);
  EXPECT_TRUE(request.simulated);
}

TEST_F(Environment, BackendAndDeviceCombine) {
  EXPECT_EQ(selector(nullptr, "vulkan:1"), "vulkan:1");
  EXPECT_EQ(selector(nullptr, "opencl:cpu:1"), "opencl:cpu:1");
  EXPECT_EQ(selector(nullptr, "1"), "1");
  EXPECT_EQ(selector(nullptr, "gpu"), "gpu");
  EXPECT_EQ(selector("gpu", nullptr), "gpu");
  EXPECT_EQ(selector("", ""), "auto");
  EXPECT_EQ(selector("auto", "auto"), "auto");
  EXPECT_EQ(selector("auto", "2"), "2");
  EXPECT_EQ(selector("vulkan", "1"), "vulkan:1");
  EXPECT_EQ(selector("vulkan", "auto"), "vulkan");
  EXPECT_EQ(selector("vulkan", "vulkan"), "vulkan");
  EXPECT_EQ(selector("vulkan", "vulkan:1"), "vulkan:1");
  EXPECT_EQ(selector("vulkan", "gpu"), "vulkan:gpu");
  EXPECT_EQ(selector("opencl", "cpu:1"), "opencl:cpu:1");
  EXPECT_EQ(selector("cpu", "cpu:0"), "cpu:0");
}

TEST_F(Environment, ContradictionsNameBoth) {
  EXPECT_EQ(selector("vulkan", "opencl:0"),
            "COLLET_BACKEND is \"vulkan\" and COLLET_DEVICE is \"opencl:0\". The one asks for vulkan and the "
            "other for opencl:0.");
  EXPECT_EQ(
      selector("gpu", "cpu"),
      "COLLET_BACKEND is \"gpu\" and COLLET_DEVICE is \"cpu\". The one asks for gpu and the other for cpu.");
}

TEST_F(Environment, UnusableValuesAreErrorsThatNameTheVariable) {
  EXPECT_EQ(refusal("COLLET_BACKEND", "vulcan"),
            "COLLET_BACKEND is \"vulcan\". There is no backend called \"vulcan\".");
  EXPECT_EQ(refusal("COLLET_BACKEND", "vulkan:0"),
            "COLLET_BACKEND is \"vulkan:0\". There is no backend called \"vulkan:0\".");
  EXPECT_EQ(refusal("COLLET_DEVICE", "opencl:cpuu:0"),
            "COLLET_DEVICE is \"opencl:cpuu:0\". \"cpuu\" is no type of device.");
  EXPECT_EQ(refusal("COLLET_STRICT", "maybe"), "COLLET_STRICT is \"maybe\", which is neither on nor off.");
  EXPECT_EQ(refusal("COLLET_FAKE", "memry=1G"),
            "COLLET_FAKE is \"memry=1G\". There is no limit called \"memry\"; did you mean \"memory\"?");
}

TEST_F(Environment, SwitchesTakeTheUsualWords) {
  for (const char* word : {"1", "on", "true", "yes"}) {
    variables.set("COLLET_STRICT", word);
    EXPECT_TRUE(discovery::environment_switch("COLLET_STRICT").value()) << word;
  }
  for (const char* word : {"0", "off", "false", "no", ""}) {
    variables.set("COLLET_STRICT", word);
    EXPECT_FALSE(discovery::environment_switch("COLLET_STRICT").value()) << word;
  }
}

TEST_F(Environment, UnknownVariablesAreFoundWithTheNearestName) {
  variables.set("COLLET_DEVCE", "1");
  variables.set("COLLET_TEST_ANYTHING", "1");
  variables.set("COLLET_STRESS_OPERATIONS", "1");
  variables.set("COLLETT", "1");
  std::string found;
  for (const discovery::UnknownVariable& one : discovery::unknown_variables()) {
    if (one.name.starts_with("COLLET_")) found += one.name + " (" + one.nearest + ") ";
  }
  EXPECT_NE(found.find("COLLET_DEVCE (COLLET_DEVICE) "), std::string::npos) << found;
  EXPECT_EQ(found.find("COLLET_TEST_ANYTHING"), std::string::npos) << found;
  EXPECT_EQ(found.find("COLLET_STRESS_OPERATIONS"), std::string::npos) << found;
  EXPECT_EQ(found.find("COLLETT"), std::string::npos) << found;
}

// Names in the first column of the tables of docs/environment.md.
std::set<std::string> documented() {
  std::set<std::string> names;
  std::ifstream page(COLLET_SOURCE_DIRECTORY "/docs/environment.md");
  EXPECT_TRUE(page) << "docs/environment.md can't be read.";
  for (std::string line; std::getline(page, line);) {
    constexpr std::string_view kStart = "| `COLLET_";
    if (line.starts_with(kStart)) names.insert(line.substr(3, line.find('`', 3) - 3));
  }
  return names;
}

TEST_F(Environment, EveryVariableIsDocumentedAndEveryDocumentedOneIsKnown) {
  std::set<std::string> known;
  for (const discovery::KnownVariable& one : discovery::known_variables()) {
    known.insert(std::string(one.name));
    EXPECT_FALSE(one.meaning.empty()) << one.name;
  }
  EXPECT_EQ(documented(), known);
}

}  // namespace
}  // namespace collet
