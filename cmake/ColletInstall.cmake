# What `cmake --install` puts where: the library, its headers, the probe's helper, the CMake package, the pkg-config
# file, the CLI and the debuggers' pretty printers.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/collet")

install(TARGETS collet EXPORT collet
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}"
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT collet NAMESPACE collet:: FILE colletTargets.cmake DESTINATION "${package_dir}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/collet" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h" PATTERN "*.inc")
install(TARGETS collet-probe RUNTIME DESTINATION "${CMAKE_INSTALL_LIBDIR}/collet")
if(TARGET collet-cli)
  install(TARGETS collet-cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

# What shows Collet's types in gdb and lldb: docs/debugging.md.
install(FILES
  "${PROJECT_SOURCE_DIR}/tools/debugger/collet_gdb.py"
  "${PROJECT_SOURCE_DIR}/tools/debugger/collet_layout.py"
  "${PROJECT_SOURCE_DIR}/tools/debugger/collet_lldb.py"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/collet/debugger")

get_property(packages GLOBAL PROPERTY COLLET_PACKAGES)
get_property(pkg_config GLOBAL PROPERTY COLLET_PKG_CONFIG)
list(JOIN pkg_config ", " requires)

# A static library carries its dependencies to the program that links it; a shared one has done that already.
set(COLLET_FIND_DEPENDENCIES "")
set(COLLET_NAME_HELPER "")
set(COLLET_PC_CFLAGS "")
set(COLLET_PC_REQUIRES "Requires.private: ${requires}")
set(COLLET_PC_LIBS "")
if(NOT BUILD_SHARED_LIBS)
  set(COLLET_FIND_DEPENDENCIES "find_dependency(Threads)\n")
  foreach(package IN LISTS packages)
    string(APPEND COLLET_FIND_DEPENDENCIES "find_dependency(${package} CONFIG)\n")
  endforeach()
  # A shared library finds the helper beside itself. A static one is told where the package was found, so that the
  # prefix may be another one than was configured.
  string(CONCAT COLLET_NAME_HELPER
    "configure_file(\"\${CMAKE_CURRENT_LIST_DIR}/colletHelper.cpp.in\" \"\${CMAKE_CURRENT_BINARY_DIR}/colletHelper.cpp\" @ONLY)\n"
    "set_target_properties(collet::collet PROPERTIES INTERFACE_SOURCES \"\${CMAKE_CURRENT_BINARY_DIR}/colletHelper.cpp\")\n")
  install(FILES "${PROJECT_SOURCE_DIR}/cmake/colletHelper.cpp.in" DESTINATION "${package_dir}")
  set(COLLET_PC_CFLAGS " -DCOLLET_STATIC")
  set(COLLET_PC_REQUIRES "Requires: ${requires}")
  set(COLLET_PC_LIBS " -pthread")
  foreach(library IN LISTS CMAKE_DL_LIBS)
    string(APPEND COLLET_PC_LIBS " -l${library}")
  endforeach()
  if(WIN32)
    string(APPEND COLLET_PC_LIBS " -lsynchronization")
  endif()
endif()
get_property(COLLET_ENABLED_BACKENDS GLOBAL PROPERTY COLLET_ENABLED_BACKENDS)

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/colletConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/colletConfig.cmake" INSTALL_DESTINATION "${package_dir}"
  NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Before 1.0 a minor version may break programs.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/colletConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/colletConfig.cmake"
  "${PROJECT_BINARY_DIR}/colletConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/ColletEmbed.cmake"
  DESTINATION "${package_dir}")

file(RELATIVE_PATH COLLET_PC_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
configure_file("${PROJECT_SOURCE_DIR}/cmake/collet.pc.in" "${PROJECT_BINARY_DIR}/collet.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/collet.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
