# SPIRV-Tools for the backend `id` that is being added; once, whatever the number of backends that ask.

if(NOT "SPIRV-Tools-static" IN_LIST linked)
  find_package(SPIRV-Tools CONFIG QUIET)
  collet_require(SPIRV-Tools_FOUND ${id} "SPIRV-Tools" "spirv-tools")
  collet_link(SPIRV-Tools-static PACKAGE SPIRV-Tools PKG_CONFIG SPIRV-Tools)
endif()
