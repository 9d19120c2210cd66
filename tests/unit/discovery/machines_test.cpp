// Made-up machines: the documented choice on each, and the reason that is given.

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "collet/discovery.hpp"

namespace collet {
namespace {

// A machine is a device per line: backend, type, then any of 8G (memory), v1.3 (API version), cc8.9,
// uuid=…, pci=…, a rung (verified when none is given), refused=… (to the end of the line). "fault BACKEND …"
// and "says BACKEND …" are how a backend's probe ended and what it said.
struct Row {
  const char* name;
  const char* request;  // [strict] [fake] selector
  const char* machine;
  const char* selected;  // "none": the reason is the error's message
  const char* reason;
};

// For GoogleTest.
[[maybe_unused]] void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

constexpr Row kRows[] = {
    // Types.
    {"NothingAtAll", "auto", "", "none", "This machine has no device that Collet can reach."},
    {"OnlyTheCpu", "auto", "cpu cpu 16G", "cpu:0", "the only usable device; no GPU can be used"},
    {"DiscreteBeforeIntegrated", "auto",
     "vulkan integrated 16G v1.3\n"
     "vulkan discrete 8G v1.3",
     "vulkan:1", "discrete (1000) goes before integrated (500) of vulkan:0"},
    {"IntegratedBeforeVirtual", "auto",
     "vulkan virtual 64G v1.3\n"
     "opencl integrated 2G v3.0",
     "opencl:0", "integrated (500) goes before virtual (100) of vulkan:0"},
    {"VirtualBeforeTheCpu", "auto", "cpu cpu 64G\nvulkan virtual 1G v1.1", "vulkan:0",
     "virtual (100) goes before cpu (50) of cpu:0"},
    {"TheCpuBeforeSoftwareDevices", "auto",
     "vulkan software 16G v1.3\n"
     "opencl software 16G v3.0\n"
     "cpu cpu 16G",
     "cpu:0", "cpu (50) goes before software (20) of opencl:0; no GPU can be used"},
    {"OnlySoftwareDevices", "auto", "vulkan software 16G v1.3\nopencl software 16G v3.0", "opencl:0",
     "opencl goes before vulkan in the order of APIs; no GPU can be used"},
    {"SoftwareBeforeOthers", "auto", "opencl other 16G v3.0\nvulkan software 1G v1.1", "vulkan:0",
     "software (20) goes before other (10) of opencl:0; no GPU can be used"},
    {"AllTypesAtOnce", "auto",
     "cpu cpu 16G\n"
     "vulkan software 16G v1.3\n"
     "vulkan virtual 16G v1.3\n"
     "vulkan integrated 16G v1.3\n"
     "vulkan discrete 2G v1.1",
     "vulkan:3", "discrete (1000) goes before integrated (500) of vulkan:2"},

    // Equal types of one API.
    {"TwoOfOneKind", "auto", "vulkan discrete 8G v1.3 pci=1\nvulkan discrete 8G v1.3 pci=2", "vulkan:0",
     "equal to vulkan:1, which is listed after it"},
    {"NewerApiVersionWithinOneApi", "auto", "vulkan discrete 8G v1.1 pci=1\nvulkan discrete 8G v1.3 pci=2",
     "vulkan:1", "API version 1.3 goes before 1.1 of vulkan:0"},
    {"ApiVersionBeforeMemoryWithinOneApi", "auto",
     "vulkan discrete 24G v1.2 pci=1\nvulkan discrete 8G v1.3 pci=2", "vulkan:1",
     "API version 1.3 goes before 1.2 of vulkan:0"},
    {"PatchVersionsAreEqual", "auto", "vulkan discrete 8G v1.3.9 pci=1\nvulkan discrete 8G v1.3.230 pci=2",
     "vulkan:0", "equal to vulkan:1, which is listed after it"},
    {"MoreMemoryWithinOneApi", "auto", "vulkan discrete 8G v1.3 pci=1\nvulkan discrete 24G v1.3 pci=2",
     "vulkan:1", "24 GiB goes before 8 GiB of vulkan:0"},
    {"ComputeCapabilityWithinOneApi", "auto",
     "cuda discrete 12G v12.4 cc3.7 pci=1\ncuda discrete 8G v12.4 cc8.6 pci=2", "cuda:1",
     "compute capability 8.6 goes before 3.7 of cuda:0"},
    {"ComputeCapabilityIsNoText", "auto",
     "cuda discrete 12G v12.4 cc9.0 pci=1\ncuda discrete 12G v12.4 cc10.0 pci=2", "cuda:1",
     "compute capability 10.0 goes before 9.0 of cuda:0"},
    {"ApiVersionsSaturate", "auto", "opencl discrete 4G v2.2 pci=1\nopencl discrete 8G v3.0 pci=2",
     "opencl:1", "8 GiB goes before 4 GiB of opencl:0"},

    // Equal types of several APIs.
    {"MoreMemoryBetweenApis", "auto", "cuda discrete 8G v12.4 pci=1\nvulkan discrete 16G v1.1 pci=2",
     "vulkan:0", "16 GiB goes before 8 GiB of cuda:0"},
    {"ApiVersionIsNotComparedBetweenApis", "auto",
     "opencl discrete 8G v3.0 pci=1\nvulkan discrete 9G v1.1 pci=2", "vulkan:0",
     "9 GiB goes before 8 GiB of opencl:0"},
    {"MemoryTiesGoByTheOrder", "auto", "vulkan discrete 8G v1.3 pci=1\nhip discrete 8G v6.0 pci=2", "hip:0",
     "hip goes before vulkan in the order of APIs"},
    {"MemoryCountsInWholeGib", "auto", "vulkan discrete 8900M v1.3 pci=1\nlevel_zero discrete 8G v1.6 pci=2",
     "level_zero:0", "level_zero goes before vulkan in the order of APIs"},
    {"UnreportedMemoryIsNone", "auto", "cuda discrete v12.4 pci=1\nopengl discrete 1G v4.6 pci=2", "opengl:0",
     "1 GiB goes before 0 GiB of cuda:0"},
    {"TheWholeOrder", "auto",
     "opengl discrete 8G v4.6 pci=8\nwebgpu discrete 8G pci=7\nmetal discrete 8G v3.0 pci=6\n"
     "vulkan discrete 8G v1.3 pci=5\nopencl discrete 8G v3.0 pci=4\nlevel_zero discrete 8G v1.6 pci=3\n"
     "hip discrete 8G v6.0 pci=2\ncuda discrete 8G v12.0 pci=1",
     "cuda:0", "cuda goes before hip in the order of APIs"},
    {"OldOpenClComesAfterOpenGl", "auto",
     "opencl discrete 8G v2.0 pci=1\nopengles discrete 8G v3.2 pci=2\nopengl discrete 8G v4.6 pci=3",
     "opengl:0", "opengl goes before opengles in the order of APIs"},
    {"OldOpenClComesBeforeTheCpu", "auto", "cpu cpu 8G\nopencl software 8G v1.2", "cpu:0",
     "cpu (50) goes before software (20) of opencl:0; no GPU can be used"},
    {"TwoVendors", "auto",
     "vulkan discrete 8G v1.3 uuid=a1 pci=1\nvulkan discrete 12G v1.3 uuid=b2 pci=2\n"
     "cuda discrete 8G v12.4 cc8.9 uuid=a1 pci=1",
     "vulkan:1", "12 GiB goes before 8 GiB of cuda:0"},
    {"AnApiGoesByItsFirstDevice", "auto",  // by pairs these three would go in a circle
     "vulkan discrete 4G v1.3 pci=1\nvulkan discrete 16G v1.1 pci=2\nopencl discrete 8G v3.0 pci=3",
     "opencl:0", "8 GiB goes before 4 GiB of vulkan:0"},

    // One piece of hardware by several routes.
    {"OneGpuThroughThreeApis", "auto",
     "vulkan discrete 8G v1.3 uuid=a1\nopencl discrete 8G v3.0 uuid=a1\ncuda discrete 8G v12.4 uuid=a1",
     "cuda:0", "the only usable device; the same hardware as opencl:0, vulkan:0"},
    {"RoutesGoByTheOrderAlone", "auto", "vulkan discrete 16G v1.3 pci=1\nopencl discrete 8G v3.0 pci=1",
     "opencl:0", "the only usable device; the same hardware as vulkan:0"},
    {"RoutesByPciAddress", "auto",
     "vulkan discrete 8G v1.3 uuid=a1 pci=1\nopencl discrete 8G v3.0 uuid=b2 pci=1", "opencl:0",
     "the only usable device; the same hardware as vulkan:0"},
    {"EqualUuidsAtTwoPciAddressesAreTwoDevices", "auto",
     "vulkan discrete 8G v1.3 uuid=a1 pci=1\nopencl discrete 8G v3.0 uuid=a1 pci=2", "opencl:0",
     "opencl goes before vulkan in the order of APIs"},
    {"AUuidOfZerosIsNone", "auto", "vulkan discrete 8G v1.3 uuid=00\nopencl discrete 8G v3.0 uuid=00",
     "opencl:0", "opencl goes before vulkan in the order of APIs"},
    {"SoftwareDevicesAreNotMerged", "auto",
     "vulkan software 8G v1.3 uuid=a1 pci=1\nopencl software 8G v3.0 uuid=a1 pci=1", "opencl:0",
     "opencl goes before vulkan in the order of APIs; no GPU can be used"},
    {"TwoRoutesToEachOfTwoGpus", "auto",
     "vulkan integrated 8G v1.3 pci=1\nvulkan discrete 8G v1.3 pci=2\n"
     "opencl discrete 8G v3.0 pci=2\nopencl integrated 8G v3.0 pci=1",
     "opencl:0", "discrete (1000) goes before integrated (500) of opencl:1; the same hardware as vulkan:1"},
    {"ARouteThatIsRefusedLeavesTheOther", "auto",
     "opencl discrete 8G v3.0 pci=1 refused=element 17 is 5, the CPU says 9\n"
     "vulkan discrete 8G v1.3 pci=1",
     "vulkan:0", "the only usable device"},
    {"AVerifiedRouteGoesFirst", "auto",
     "cuda discrete 8G v12.4 pci=1 initialised\nvulkan discrete 8G v1.3 pci=1", "vulkan:0",
     "the only usable device; the same hardware as cuda:0"},
    {"OneGpuThroughTwoDriversOfOneApi", "auto",
     "vulkan discrete 8G v1.2 pci=1\nvulkan discrete 8G v1.3 pci=1", "vulkan:1",
     "the only usable device; the same hardware as vulkan:0"},

    // Standing.
    {"VerifiedBeforeABetterType", "auto", "vulkan discrete 8G v1.3 initialised\ncpu cpu 8G", "cpu:0",
     "verified goes before initialised of vulkan:0; no GPU can be used"},
    {"NothingVerified", "auto", "vulkan discrete 8G v1.3 initialised\ncpu cpu 8G initialised", "vulkan:0",
     "discrete (1000) goes before cpu (50) of cpu:0; not verified"},
    {"ExecutedIsNotVerified", "auto", "vulkan discrete 8G v1.3 executed\nvulkan integrated 8G v1.3",
     "vulkan:1", "verified goes before executed of vulkan:0"},
    {"ARefusedDeviceIsNeverChosen", "auto",
     "vulkan discrete 8G v1.3 refused=element 17 is 5, the CPU says 9\ncpu cpu 8G", "cpu:0",
     "the only usable device; no GPU can be used"},
    {"TheOnlyDeviceIsRefused", "auto", "vulkan discrete 8G v1.3 refused=element 17 is 5, the CPU says 9",
     "none", "vulkan:0 can't be used: element 17 is 5, the CPU says 9."},
    {"AllDevicesAreRefused", "auto",
     "vulkan discrete 8G v1.3 refused=it is wrong\nopencl discrete 8G v3.0 refused=it hangs", "none",
     "None of the 2 devices that were asked for (auto) can be used."},
    {"ABackendThatCrashed", "auto",
     "fault vulkan crashed with SIGSEGV in libbad.so\nvulkan discrete 8G v1.3 initialised\ncpu cpu 8G",
     "cpu:0", "the only usable device; no GPU can be used"},
    {"ABackendThatCrashedByName", "vulkan",
     "fault vulkan crashed with SIGSEGV in libbad.so\nvulkan discrete 8G v1.3 initialised\ncpu cpu 8G",
     "none", "vulkan:0 can't be used: the probe of vulkan crashed with SIGSEGV in libbad.so."},
    {"ACrashLeavesWhatWasVerified", "auto",
     "fault vulkan crashed with SIGSEGV in libbad.so\nvulkan discrete 8G v1.3\n"
     "vulkan discrete 24G v1.3 initialised\ncpu cpu 8G",
     "vulkan:0", "discrete (1000) goes before cpu (50) of cpu:0"},
    {"ABackendThatCrashedWithoutDevices", "vulkan", "fault vulkan hung for 10 s in libbad.so\ncpu cpu 8G",
     "none", "The backend vulkan has no device: hung for 10 s in libbad.so."},

    // Asked for by name.
    {"ABackend", "vulkan", "cuda discrete 8G v12.4 pci=1\nvulkan discrete 8G v1.3 pci=1", "vulkan:0",
     "the only usable device that was asked for"},
    {"TheBestOfABackend", "vulkan", "vulkan integrated 8G v1.3\nvulkan discrete 8G v1.3\ncpu cpu 8G",
     "vulkan:1", "discrete (1000) goes before integrated (500) of vulkan:0"},
    {"ADeviceById", "vulkan:0", "vulkan integrated 8G v1.3\nvulkan discrete 8G v1.3", "vulkan:0",
     "it was asked for"},
    {"ADeviceByIdThatIsNotVerified", "vulkan:0", "vulkan integrated 8G v1.3 initialised", "vulkan:0",
     "it was asked for; not verified"},
    {"ADeviceByIdThatIsRefused", "vulkan:0",
     "vulkan discrete 8G v1.3 refused=element 17 is 5, the CPU says 9\ncpu cpu 8G", "none",
     "vulkan:0 can't be used: element 17 is 5, the CPU says 9."},
    {"ADeviceByIndexInItsBackend", "vulkan:7", "vulkan discrete 8G v1.3\nvulkan discrete 8G v1.3\ncpu cpu 8G",
     "none", "There is no vulkan:7: the backend vulkan has 2 devices, and they count from 0."},
    {"ADeviceByTypeAndIndex", "opencl:cpu:1",
     "opencl discrete 8G v3.0\nopencl software 8G v3.0\nopencl integrated 8G v3.0\nopencl software 4G v3.0",
     "opencl:3", "it was asked for"},
    {"ADeviceByTypeAndIndexThatIsNotThere", "opencl:cpu:1",
     "opencl discrete 8G v3.0\nopencl software 8G v3.0", "none",
     "There is no opencl:cpu:1: the backend opencl has 2 devices."},
    {"ABackendByType", "opencl:gpu", "opencl software 8G v3.0\nopencl integrated 2G v3.0", "opencl:1",
     "the only usable device that was asked for"},
    {"ADeviceByItsPlaceInTheList", "2", "cpu cpu 8G\nvulkan discrete 8G v1.3\nopencl software 8G v3.0",
     "opencl:0", "it was asked for"},
    {"APlaceBeyondTheList", "3", "cpu cpu 8G", "none",
     "There is no device 3: this machine has 1 device, and they count from 0."},
    {"AnyGpu", "gpu", "cpu cpu 8G\nvulkan software 8G v1.3\nvulkan integrated 1G v1.1", "vulkan:1",
     "the only usable device that was asked for"},
    {"NoGpu", "gpu", "cpu cpu 8G\nvulkan software 8G v1.3", "none",
     "This machine has no GPU that Collet can reach."},
    {"ABackendWithoutDevices", "vulkan", "says vulkan libvulkan.so.1: cannot open\ncpu cpu 8G", "none",
     "The backend vulkan has no device: libvulkan.so.1: cannot open."},
    {"ABackendThatDoesNotExist", "vulcan", "cpu cpu 8G", "none", "There is no backend called \"vulcan\"."},
    {"ATypeThatDoesNotExist", "opencl:cpuu:0", "cpu cpu 8G", "none", "\"cpuu\" is no type of device."},

    // Strict.
    {"StrictTakesTheCpuAndSaysSo", "strict auto", "cpu cpu 8G\nvulkan software 8G v1.3", "cpu:0",
     "cpu (50) goes before software (20) of vulkan:0; no GPU can be used"},
    {"StrictTakesNothingUnverified", "strict auto", "vulkan discrete 8G v1.3 initialised\ncpu cpu 8G",
     "cpu:0", "the only usable device; no GPU can be used"},
    {"StrictWithNothingVerified", "strict auto", "vulkan discrete 8G v1.3 executed", "none",
     "vulkan:0 can't be used: it is only executed, and strict mode chooses what is verified."},
    {"StrictAnyGpuIsVerified", "strict gpu", "vulkan discrete 8G v1.3 initialised\nvulkan integrated 8G v1.3",
     "vulkan:1", "the only usable device that was asked for"},
    {"StrictOpensWhatIsNamed", "strict vulkan:0", "vulkan discrete 8G v1.3 initialised\ncpu cpu 8G",
     "vulkan:0", "it was asked for; not verified"},
    {"StrictTakesTheBackendThatIsNamed", "strict vulkan", "vulkan discrete 8G v1.3 initialised\ncpu cpu 8G",
     "vulkan:0", "the only usable device that was asked for; not verified"},
    {"StrictFailsWhereTheNamedIsMissing", "strict vulkan", "says vulkan not found\ncpu cpu 8G", "none",
     "The backend vulkan has no device: not found."},

    // Simulated.
    {"SimulatedIsRefusedUnlessAskedFor", "auto", "simulated simulated 1G", "none",
     "simulated:0 can't be used: it is simulated, and COLLET_FAKE does not ask for it."},
    {"SimulatedComesLast", "fake auto", "simulated simulated 64G\nopencl other 1G v1.2", "opencl:0",
     "other (10) goes before simulated (0) of simulated:0"},
    {"SimulatedByName", "fake simulated", "cpu cpu 8G\nsimulated simulated 1G", "simulated:0",
     "the only usable device that was asked for; simulated, as COLLET_FAKE asks"},
    {"SimulatedByIndex", "fake simulated:1", "simulated simulated 1G\nsimulated simulated 1G", "simulated:1",
     "it was asked for; simulated, as COLLET_FAKE asks"},
    {"SimulatedStandsForAGpu", "fake gpu", "cpu cpu 8G\nsimulated simulated 1G", "simulated:0",
     "the only usable device that was asked for; simulated, as COLLET_FAKE asks"},
    {"StrictRefusesSimulatedEvenThen", "strict fake simulated", "cpu cpu 8G\nsimulated simulated 1G", "none",
     "simulated:0 can't be used: it is simulated, and strict mode takes nothing simulated."},
};

BackendInfo& backend_in(Machine& machine, const std::string& id) {
  for (BackendInfo& one : machine.backends) {
    if (one.id == id) return one;
  }
  machine.backends.emplace_back().id = id;
  return machine.backends.back();
}

DeviceType type_named(const std::string& word) {
  for (int i = 0; i <= static_cast<int>(DeviceType::other); ++i) {
    if (word == to_string(static_cast<DeviceType>(i))) return static_cast<DeviceType>(i);
  }
  ADD_FAILURE() << "no type: " << word;
  return DeviceType::other;
}

void add_word(DeviceInfo& device, const std::string& word) {
  const char last = word.back();
  if (word == "initialised") {
    device.rung = Rung::initialised;
  } else if (word == "executed") {
    device.rung = Rung::executed;
  } else if (word.starts_with("uuid=")) {
    device.uuid = std::string(32 - (word.size() - 5), '0') + word.substr(5);
  } else if (word.starts_with("pci=")) {
    device.pci_address = "0000:0" + word.substr(4) + ":00.0";
  } else if (word.starts_with("cc")) {
    device.compute_capability = word.substr(2);
  } else if (word.starts_with("v")) {
    device.api_version = word.substr(1);
  } else if (last == 'G' || last == 'M') {
    device.memory_total = std::stoull(word) << (last == 'G' ? 30 : 20);
  } else {
    ADD_FAILURE() << "no word: " << word;
  }
}

Machine machine_of(const std::string& text) {
  Machine machine;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    DeviceInfo device;
    device.rung = Rung::verified;
    if (const auto at = line.find("refused="); at != std::string::npos) {
      device.refused = line.substr(at + 8);
      line.erase(at);
    }
    std::istringstream words(line);
    std::string first, second;
    words >> first >> second;
    if (first == "fault" || first == "says") {
      std::string rest;
      std::getline(words >> std::ws, rest);
      (first == "fault" ? backend_in(machine, second).fault : backend_in(machine, second).message) = rest;
      continue;
    }
    device.backend = first;
    device.name = first + " device";
    device.index = backend_in(machine, first).device_count++;
    device.type = type_named(second);
    for (std::string word; words >> word;) add_word(device, word);
    machine.devices.push_back(device);
  }
  return machine;
}

Request request_of(const std::string& text) {
  Request request;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == "strict") {
      request.strict = true;
    } else if (word == "fake") {
      request.simulated = true;
    } else {
      request.selector = word;
    }
  }
  return request;
}

class Machines : public testing::TestWithParam<Row> {};

TEST_P(Machines, GiveTheDocumentedChoiceAndReason) {
  const Row& row = GetParam();
  const Machine machine = machine_of(row.machine);
  const Choice choice = choose(machine, request_of(row.request));
  EXPECT_EQ(choice.selected ? choice.candidates[*choice.selected].device.id() : "none", row.selected);
  EXPECT_EQ(choice.reason, row.reason);
  EXPECT_NE(choice.selected.has_value(), choice.error.has_value());
  EXPECT_EQ(choice.candidates.size(), machine.devices.size());
  if (choice.error) {
    EXPECT_EQ(choice.error->message(), row.reason);
  }
  if (choice.selected) {
    const Candidate& chosen = choice.candidates[*choice.selected];
    EXPECT_EQ(chosen.refused + chosen.same_as, "");
  }
  std::istringstream lines(choice.explain());
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

std::string row_name(const testing::TestParamInfo<Row>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(MadeUp, Machines, testing::ValuesIn(kRows), row_name);

// A name of three-byte characters, behind none to two others.
TEST(Choice, LongNamesAreCutBetweenCharacters) {
  for (const char* begin : {"", "a", "ab"}) {
    Machine machine = machine_of("vulkan discrete 8G v1.3 pci=1\n");
    machine.devices[0].name = begin;
    for (int i = 0; i < 100; ++i) machine.devices[0].name += "\xe6\xbc\xa2";
    std::istringstream lines(choose(machine).explain());
    int cut = 0;
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 100u) << line;
      if (!line.ends_with("...")) continue;
      ++cut;
      EXPECT_EQ(line.substr(line.size() - 6), "\xe6\xbc\xa2...");
    }
    EXPECT_EQ(cut, 1) << begin;
  }
}

TEST(Choice, EveryRowHasItsOwnName) {
  std::map<std::string, int> names;
  for (const Row& row : kRows) EXPECT_EQ(++names[row.name], 1) << row.name;
  EXPECT_GE(names.size(), 40u);
}

TEST(Choice, CandidatesComeBestFirstThenOtherRoutesThenTheRefused) {
  const Choice choice =
      choose(machine_of("cpu cpu 8G\nvulkan discrete 8G v1.3 pci=1\nvulkan integrated 8G v1.3\n"
                        "opencl discrete 8G v3.0 pci=1\nopencl discrete 8G v3.0 pci=3 refused=it lies"));
  std::string order;
  for (const Candidate& one : choice.candidates) order += one.device.id() + " ";
  EXPECT_EQ(order, "opencl:0 vulkan:1 cpu:0 vulkan:0 opencl:1 ");
  EXPECT_EQ(choice.candidates[3].same_as, "opencl:0");
  EXPECT_EQ(choice.candidates[4].refused, "it lies");
}

TEST(Choice, PartsNameWhatWasCompared) {
  const Choice choice = choose(machine_of("cuda discrete 8G v12.4 cc8.9"));
  std::string text;
  for (const ScorePart& part : choice.candidates[0].parts)
    text += part.name + " " + std::to_string(part.points) + " " + part.because + "; ";
  EXPECT_EQ(text,
            "type 1000 discrete; memory 8 8 GiB; order 1 cuda; api version 10 12.4; "
            "compute capability 89 8.9; ");
  EXPECT_EQ(choice.candidates[0].score, 1000);
}

TEST(Choice, SummaryIsOneLine) {
  const Machine machine =
      machine_of("opencl software 8G v3.0\ncpu cpu 8G\nvulkan discrete 8G v1.3 refused=it lies");
  EXPECT_EQ(
      choose(machine).summary(),
      "requested=auto detected=[cpu, vulkan, opencl] selected=cpu:0 reason=cpu (50) goes before software "
      "(20) of opencl:0; no GPU can be used");
  Machine two_lines = machine_of("says vulkan The first line");
  two_lines.backends[0].message += "\nand the second";
  EXPECT_EQ(
      choose(two_lines, {.selector = "vulkan"}).summary(),
      "requested=vulkan detected=[] selected=none reason=The backend vulkan has no device: The first line "
      "and the second.");
  EXPECT_EQ(
      choose({}).summary(),
      "requested=auto detected=[] selected=none reason=This machine has no device that Collet can reach.");
}

TEST(Choice, ExplainIsATableOfEveryCandidate) {
  const Choice choice = choose(machine_of(
      "cpu cpu 16G\n"
      "vulkan discrete 8G v1.3.230 pci=1\n"
      "cuda discrete 8G v12.4 cc8.9 pci=1\n"
      "opencl integrated 2G v3.0 initialised refused=element 17 is 5, the CPU says 9, and this goes "
      "on for so long that it does not fit into one line of a hundred columns"));
  EXPECT_EQ(choice.explain(),
            "requested  auto\n"
            "selected   cuda:0\n"
            "reason     discrete (1000) goes before cpu (50) of cpu:0; the same hardware as vulkan:0\n"
            "\n"
            "  device    score  type        memory  order  API version       standing     name\n"
            "> cuda:0     1000  discrete    8 GiB       1  12.4 (10) cc 8.9  verified     cuda device\n"
            "  cpu:0        50  cpu         16 GiB     11  -                 verified     cpu device\n"
            "  vulkan:0   1000  discrete    8 GiB       5  1.3.230 (2)       verified     vulkan device\n"
            "    the same hardware as cuda:0\n"
            "  opencl:0    500  integrated  2 GiB       4  3.0 (10)          initialised  opencl device\n"
            "    refused: element 17 is 5, the CPU says 9, and this goes on for so long that it does not fit "
            "into\n"
            "             one line of a hundred columns\n");
  EXPECT_EQ(choose({}).explain(),
            "requested  auto\n"
            "selected   none\n"
            "reason     This machine has no device that Collet can reach.\n"
            "There is no device.\n");
}

TEST(Choice, ErrorsSuggestAndListWhatThereIs) {
  const Machine machine = machine_of("cpu cpu 8G\nvulkan discrete 8G v1.3");
  EXPECT_EQ(choose(machine, {.selector = "opencl:1"}).error->hint(), "These can be used: cpu:0, vulkan:0.");
  EXPECT_TRUE(choose(machine, {.selector = "vulkna"}).error->hint().starts_with("Did you mean \"vulkan\"? "));
  EXPECT_TRUE(choose(machine, {.selector = "opencl:discret"})
                  .error->hint()
                  .starts_with("Did you mean \"discrete\"? "));
}

TEST(Choice, TheOrderOfTheListDoesNotMatterButForEquals) {
  const std::string a = "cuda discrete 8G v12.4 pci=1", b = "vulkan discrete 8G v1.3 pci=1",
                    c = "cpu cpu 64G";
  for (const std::string& text :
       {a + "\n" + b + "\n" + c, c + "\n" + b + "\n" + a, b + "\n" + c + "\n" + a}) {
    const Choice choice = choose(machine_of(text));
    EXPECT_EQ(choice.candidates[*choice.selected].device.id(), "cuda:0");
    EXPECT_EQ(choice.reason, "discrete (1000) goes before cpu (50) of cpu:0; the same hardware as vulkan:0");
  }
}

}  // namespace
}  // namespace collet
