# The Vulkan backend: volk and the Vulkan headers to compile, SPIRV-Tools to check modules before a driver sees them.

find_package(volk QUIET)
collet_require(volk_FOUND vulkan "volk and the Vulkan headers" "libvulkan-volk-dev libvulkan-dev")
collet_compile_with(volk::volk_headers)

include("${PROJECT_SOURCE_DIR}/cmake/SpirvTools.cmake")

# volk's function pointers have the names of Vulkan's functions. In a static library they would take the place of the
# real ones in a program that links Vulkan itself, so each gets a name of our own.
find_file(volk_header volk.h HINTS "${volk_INCLUDE_DIR}" REQUIRED)
mark_as_advanced(volk_header)
file(STRINGS "${volk_header}" lines REGEX "^extern PFN_vk|^(VkResult|void|uint32_t|VkInstance|VkDevice) volk")
set(names "// Made by CMake from volk.h: our own names for volk's symbols.\n#pragma once\n")
foreach(line IN LISTS lines)
  if(line MATCHES "(vk[A-Za-z0-9]+);" OR line MATCHES "(volk[A-Za-z0-9]+)\\(")
    string(REGEX REPLACE "[;(].*" "" name "${line}")
    string(REGEX REPLACE ".* " "" name "${name}")
    string(APPEND names "#define ${name} collet_${name}\n")
  endif()
endforeach()
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/collet_volk_names.hpp" CONTENT "${names}" @ONLY)
add_library(collet-volk-names INTERFACE)
target_include_directories(collet-volk-names INTERFACE "${PROJECT_BINARY_DIR}/generated")
collet_compile_with(collet-volk-names)
# It has the functions themselves, which volk.h gives only where no file before it has included that.
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/backends/vulkan/volk.cpp" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
