// What is said about backends that did not come far, and about the environment.

#include <gtest/gtest.h>

#include <algorithm>
#include <collet_backends.hpp>

#include "collet/diagnosis.hpp"
#include "discovery/advice.hpp"
#include "unit/variables.hpp"

namespace collet {
namespace {

BackendInfo advised(const char* id, Rung rung, std::string fix = {}) {
  BackendInfo info;
  info.id = id;
  info.rung = rung;
  info.fix = std::move(fix);
  discovery::advise(*discovery::find_backend(id), info);
  return info;
}

// In this process, so that no helper is needed, and without drivers.
Diagnosis diagnose_cpu() {
  return diagnose({.isolated = false, .cached = false, .backends = {"cpu", "hip"}});
}

const Finding* about(const Diagnosis& diagnosis, const std::string& subject) {
  const auto found = std::ranges::find(diagnosis.findings, subject, &Finding::subject);
  return found == diagnosis.findings.end() ? nullptr : &*found;
}

TEST(Advice, NamesThePackagesOfWhatIsMissing) {
  EXPECT_EQ(advised("vulkan", Rung::compiled_in).fix,
            "Install it; on Debian: apt install libvulkan1 mesa-vulkan-drivers.");
  EXPECT_EQ(advised("opencl", Rung::compiled_in).fix,
            "Install it; on Debian: apt install ocl-icd-libopencl1 pocl-opencl-icd.");
  EXPECT_EQ(
      advised("opencl", Rung::loaded).fix,
      "Install the driver of your device; on Debian one that runs on the CPU: apt install pocl-opencl-icd.");
  EXPECT_EQ(advised("vulkan", Rung::not_built).fix, "Build Collet with -DCOLLET_VULKAN=ON.");
}

TEST(Advice, IsSilentWhereNothingCanBeDoneOrSomeoneKnowsBetter) {
  EXPECT_EQ(advised("hip", Rung::not_built).fix, "");
  EXPECT_EQ(advised("webgl2", Rung::not_built).fix, "");
  EXPECT_EQ(advised("vulkan", Rung::compiled_in, "Update the driver.").fix, "Update the driver.");
  BackendInfo fine;
  fine.id = "vulkan";
  fine.rung = Rung::verified;
  fine.device_count = 1;
  discovery::advise(*discovery::find_backend("vulkan"), fine);
  EXPECT_EQ(fine.fix, "");
}

TEST(Diagnose, AVerifiedBackendIsGoodAndAnUnwrittenOneIsNoFinding) {
  const test::Variables clean({{"COLLET_BACKEND", nullptr}, {"COLLET_DEVICE", nullptr}});
  const Diagnosis diagnosis = diagnose_cpu();
  const Finding* cpu = about(diagnosis, "cpu");
  ASSERT_NE(cpu, nullptr);
  EXPECT_EQ(cpu->severity, Finding::Severity::good);
  EXPECT_EQ(cpu->message, "It has 1 device, and computes what the CPU computes.");
  EXPECT_EQ(about(diagnosis, "hip"), nullptr);
  ASSERT_TRUE(diagnosis.choice.selected);
  EXPECT_EQ(diagnosis.choice.candidates[*diagnosis.choice.selected].device.id(), "cpu:0");
}

TEST(Diagnose, AnUnknownVariableIsAProblemWithTheNameThatMayBeMeant) {
  const test::Variables set({{"COLLET_DEVCE", "1"}, {"COLLET_LOG", "off"}});
  const Diagnosis diagnosis = diagnose_cpu();
  const Finding* finding = about(diagnosis, "COLLET_DEVCE");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, Finding::Severity::problem);
  EXPECT_EQ(finding->fix, "Did you mean COLLET_DEVICE?");
  const auto known = std::ranges::find(diagnosis.variables, "COLLET_LOG", &Variable::name);
  ASSERT_NE(known, diagnosis.variables.end());
  EXPECT_TRUE(known->set && known->known);
  EXPECT_EQ(known->value, "off");
  const auto unknown = std::ranges::find(diagnosis.variables, "COLLET_DEVCE", &Variable::name);
  ASSERT_NE(unknown, diagnosis.variables.end());
  EXPECT_FALSE(unknown->known);
}

TEST(Diagnose, AnUnusableVariableIsAProblemAndNothingIsChosen) {
  const test::Variables set({{"COLLET_STRICT", "perhaps"}});
  const Diagnosis diagnosis = diagnose_cpu();
  const Finding* finding = about(diagnosis, "environment");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, Finding::Severity::problem);
  EXPECT_NE(finding->message.find("COLLET_STRICT"), std::string::npos) << finding->message;
  EXPECT_FALSE(diagnosis.choice.selected);
  EXPECT_TRUE(diagnosis.choice.error);
}

TEST(Diagnose, NothingToOpenIsAProblem) {
  const test::Variables set({{"COLLET_DEVICE", "vulkan:77"}});
  const Diagnosis diagnosis = diagnose_cpu();
  const Finding* finding = about(diagnosis, "open_best()");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, Finding::Severity::problem);
  EXPECT_TRUE(diagnosis.choice.error);
}

#if COLLET_HAS_VULKAN
TEST(Diagnose, TheVariablesOfDriversAreListedWhereSet) {
  const test::Variables set({{"VK_ICD_FILENAMES", "/nowhere.json"}});
  const Diagnosis diagnosis = diagnose_cpu();
  const auto found = std::ranges::find(diagnosis.driver_variables, "VK_ICD_FILENAMES", &Variable::name);
  ASSERT_NE(found, diagnosis.driver_variables.end());
  EXPECT_EQ(found->value, "/nowhere.json");
  EXPECT_TRUE(std::ranges::all_of(diagnosis.driver_variables, &Variable::set));
}

TEST(Diagnose, ADriverFileThatIsMissingIsAProblem) {
  const test::Variables set({{"VK_ICD_FILENAMES", "/nowhere.json"}});
  // In a process of its own: this one may have Vulkan loaded, or load it later.
  const Diagnosis diagnosis = diagnose({.cached = false, .backends = {"vulkan"}});
  const Finding* finding = about(diagnosis, "/nowhere.json");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, Finding::Severity::problem);
  EXPECT_FALSE(finding->fix.empty());
}

TEST(Diagnose, LostIsolationIsAProblemUnlessItWasAskedFor) {
  const auto finding_with = [](const char* helper) {
    const test::Variables set({{"COLLET_PROBE", helper}, {"VK_ICD_FILENAMES", "/nowhere.json"}});
    const Diagnosis diagnosis = diagnose({.cached = false, .backends = {"vulkan"}});
    const Finding* found = about(diagnosis, "collet-probe");
    return found == nullptr ? Finding{} : *found;
  };
  const Finding missing = finding_with("/no/such/helper");
  EXPECT_EQ(missing.severity, Finding::Severity::problem);
  EXPECT_NE(missing.message.find("(/no/such/helper)"), std::string::npos) << missing.message;
  EXPECT_NE(missing.fix, "");
  EXPECT_EQ(finding_with("off").severity, Finding::Severity::note);
}
#endif

}  // namespace
}  // namespace collet
