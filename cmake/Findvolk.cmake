# Finds volk and the Vulkan headers, both used as headers only: the Vulkan loader is opened at run time.
#
# Defines the target volk::volk_headers (the name that volk's own package uses).

find_package(volk CONFIG QUIET)
if(TARGET volk::volk_headers)
  set(volk_FOUND TRUE)
  return()
endif()

find_path(volk_INCLUDE_DIR volk.h PATH_SUFFIXES volk)
find_path(volk_VULKAN_INCLUDE_DIR vulkan/vulkan.h)
mark_as_advanced(volk_INCLUDE_DIR volk_VULKAN_INCLUDE_DIR)

if(volk_INCLUDE_DIR)
  file(STRINGS "${volk_INCLUDE_DIR}/volk.h" volk_version_line REGEX "#define VOLK_HEADER_VERSION [0-9]+" LIMIT_COUNT 1)
  string(REGEX MATCH "[0-9]+" volk_VERSION "${volk_version_line}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(volk
  REQUIRED_VARS volk_INCLUDE_DIR volk_VULKAN_INCLUDE_DIR
  VERSION_VAR volk_VERSION)

if(volk_FOUND AND NOT TARGET volk::volk_headers)
  add_library(volk::volk_headers INTERFACE IMPORTED)
  target_include_directories(volk::volk_headers INTERFACE "${volk_INCLUDE_DIR}" "${volk_VULKAN_INCLUDE_DIR}")
  target_compile_definitions(volk::volk_headers INTERFACE VK_NO_PROTOTYPES)
endif()
