// Which files decide what EGL finds.

#include "backends/opengl/files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "unit/variables.hpp"

namespace collet::backend::opengl {
namespace {

using test::Variables;

TEST(OpenGlFiles, AManifestNamesItsVendorsLibrary) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "egl_vendors";
  std::filesystem::create_directories(folder);
  const std::string good = (folder / "10_good.json").string();
  const std::string bad = (folder / "20_bad.json").string();
  std::ofstream(good)
      << R"({"file_format_version": "1.0.0", "ICD": {"library_path": "libnonexistent.so.0"}})";
  std::ofstream(bad) << "{}";
  for (const auto& [variable, value] : {std::pair("__EGL_VENDOR_LIBRARY_DIRS", folder.string()),
                                        std::pair("__EGL_VENDOR_LIBRARY_FILENAMES", good + ":" + bad)}) {
    Variables variables{{"__EGL_VENDOR_LIBRARY_DIRS", nullptr}, {"__EGL_VENDOR_LIBRARY_FILENAMES", nullptr}};
    variables.set(variable, value.c_str());
    const auto files = driver_files();
    ASSERT_EQ(files.size(), 4u) << variable;
    EXPECT_EQ(files[0].kind, DriverFile::Kind::loader);
    EXPECT_EQ(files[1].path, good);
    EXPECT_EQ(files[1].problem, "");
    EXPECT_EQ(files[2].path, "libnonexistent.so.0");
    EXPECT_EQ(files[2].problem, "missing");
    EXPECT_EQ(files[3].path, bad);
    EXPECT_EQ(files[3].problem, "not understood: it names no library_path");
  }
  std::filesystem::remove_all(folder);
}

TEST(OpenGlFiles, VariablesOfTheLoaderAndOfMesaDecide) {
  const auto names = driver_variables();
  for (const char* name : {"__EGL_VENDOR_LIBRARY_DIRS", "LIBGL_ALWAYS_SOFTWARE", "MESA_GL_VERSION_OVERRIDE"})
    EXPECT_EQ(std::ranges::count(names, name), 1) << name;
}

}  // namespace
}  // namespace collet::backend::opengl
