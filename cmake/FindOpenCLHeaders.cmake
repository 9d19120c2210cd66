# Finds the OpenCL headers; the OpenCL loader is opened at run time.
#
# Defines the target OpenCL::Headers (the name that Khronos' own package uses).

find_package(OpenCLHeaders CONFIG QUIET)
if(TARGET OpenCL::Headers)
  set(OpenCLHeaders_FOUND TRUE)
  return()
endif()

find_path(OpenCLHeaders_INCLUDE_DIR CL/cl.h)
mark_as_advanced(OpenCLHeaders_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenCLHeaders REQUIRED_VARS OpenCLHeaders_INCLUDE_DIR)

if(OpenCLHeaders_FOUND AND NOT TARGET OpenCL::Headers)
  add_library(OpenCL::Headers INTERFACE IMPORTED)
  target_include_directories(OpenCL::Headers INTERFACE "${OpenCLHeaders_INCLUDE_DIR}")
endif()
