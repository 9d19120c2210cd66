// Loaders, manifests and drivers on disk, found without loading them.

#include "backends/common/driver_files.hpp"

#include <gtest/gtest.h>

#include "discovery/registry.hpp"
#include "unit/folder.hpp"
#include "unit/variables.hpp"

#include <collet_backends.hpp>

namespace collet::backend::common {
namespace {

using test::Setting;

TEST(DriverFiles, ListsOfPathsAreSplit) {
  EXPECT_EQ(split_paths(""), std::vector<std::string>{});
  EXPECT_EQ(split_paths("/a"), std::vector<std::string>{"/a"});
  EXPECT_EQ(split_paths(":/a::/b:"), (std::vector<std::string>{"/a", "/b"}));
}

TEST(DriverFiles, TextIsFoundInJson) {
  EXPECT_EQ(json_text(R"({"ICD": {"library_path" : "/lib/a\\b\/c.so"}})", "library_path"), "/lib/a\\b/c.so");
  for (const char* bad : {"", "{", R"({"library_path")", R"({"library_path":)", R"({"library_path": 7})",
                          R"({"library_path"  "x"})", R"({"other": "x"})"})
    EXPECT_EQ(json_text(bad, "library_path"), "") << bad;
}

TEST(DriverFiles, ALibraryIsFoundByPathAndByName) {
  const Folder folder;
  const std::string path = folder.write("libcollet-test.so", "");
  EXPECT_EQ(find_library(path), path);
  EXPECT_EQ(find_library("libcollet-test.so"), "");
  const Setting search("LD_LIBRARY_PATH", folder.path());
  EXPECT_EQ(find_library("libcollet-test.so"), path);
  EXPECT_EQ(find_library("/no/such/library.so"), "");
}

// "manifest <path> <problem>" for each file but the loader, paths without the folder.
[[maybe_unused]] std::vector<std::string> listed(const char* id, const Folder& folder) {
  std::vector<std::string> lines;
  for (const DriverFile& file : discovery::find_backend(id)->make()->files()) {
    if (file.kind == DriverFile::Kind::loader) continue;
    std::string path = file.path;
    if (path.starts_with(folder.path())) path.erase(0, folder.path().size() + 1);
    lines.push_back((file.kind == DriverFile::Kind::manifest ? "manifest " : "driver ") + path +
                    (file.problem.empty() ? "" : ": " + file.problem));
  }
  return lines;
}

#if COLLET_HAS_VULKAN
TEST(DriverFiles, VulkanManifestsAndTheirDrivers) {
  const Folder folder;
  folder.write("good.so", "");
  const std::string good = folder.write("good.json", R"({"ICD": {"library_path": "./good.so"}})");
  const std::string lost = folder.write("lost.json", R"({"ICD": {"library_path": "/no/such.so"}})");
  const std::string odd = folder.write("odd.json", "what?");
  const Setting chosen("VK_DRIVER_FILES", good + ":" + lost + ":" + odd + ":" + folder.path("none.json"));
  EXPECT_EQ(
      listed("vulkan", folder),
      (std::vector<std::string>{
          "manifest good.json", "driver good.so", "manifest lost.json", "driver /no/such.so: missing",
          "manifest odd.json: not understood: it names no library_path", "manifest none.json: missing"}));
}

TEST(DriverFiles, VulkanFoldersAreReadWhereNothingIsNamed) {
  const Folder folder;
  folder.write("vulkan/icd.d/one.json", R"({"ICD": {"library_path": "libnone-such.so"}})");
  const Setting newer("VK_DRIVER_FILES", "");
  const Setting older("VK_ICD_FILENAMES", "");
  const Setting data("XDG_DATA_DIRS", folder.path());
  const auto lines = listed("vulkan", folder);
  EXPECT_NE(std::find(lines.begin(), lines.end(), "manifest vulkan/icd.d/one.json"), lines.end());
  EXPECT_NE(std::find(lines.begin(), lines.end(), "driver libnone-such.so: missing"), lines.end());
}
#endif

#if COLLET_HAS_OPENCL
TEST(DriverFiles, OpenClManifestsAndTheirDrivers) {
  const Folder folder;
  const std::string library = folder.write("good.so", "");
  folder.write("vendors/a.icd", library + "  \r\n");
  folder.write("vendors/b.icd", "libnone-such.so");
  folder.write("vendors/c.icd", "\n");
  folder.write("vendors/readme.txt", "not one");
  {
    const Setting chosen("OCL_ICD_VENDORS", folder.path("vendors"));
    EXPECT_EQ(listed("opencl", folder),
              (std::vector<std::string>{"manifest vendors/a.icd", "driver good.so", "manifest vendors/b.icd",
                                        "driver libnone-such.so: missing",
                                        "manifest vendors/c.icd: not understood: it names no library"}));
  }
  const Setting one("OCL_ICD_VENDORS", folder.path("vendors/a.icd"));
  const Setting more("OCL_ICD_FILENAMES", library);
  EXPECT_EQ(listed("opencl", folder),
            (std::vector<std::string>{"manifest vendors/a.icd", "driver good.so", "driver good.so"}));
}
#endif

}  // namespace
}  // namespace collet::backend::common
