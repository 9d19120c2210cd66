# One packaging test: cmake -DNAME=<test> ... -P run.cmake. Fails with the output of the step that failed.

cmake_policy(VERSION 3.25)

function(step what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "While ${what}, this failed with (${code}):\n${command}\n${output}")
  endif()
  message(STATUS "${what}: done")
  set(step_output "${output}" PARENT_SCOPE)
endfunction()

set(here "${CMAKE_CURRENT_LIST_DIR}")
set(prefix "${WORK}/prefix")
# What is built here runs once.
set(toolchain -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}"
  -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0)

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# Builds the project in <folder> here and runs its program.
function(build_and_run folder)
  step("configuring the consumer" "${CMAKE_COMMAND}" -S "${here}/${folder}" -B "${WORK}/consumer" ${toolchain}
    "-DEXAMPLES=${COLLET_SOURCE}/examples" ${ARGN})
  step("building the consumer" "${CMAKE_COMMAND}" --build "${WORK}/consumer" -j2)
  step("running the consumer" "${WORK}/consumer/consumer")
endfunction()

if(NAME STREQUAL "find_package")
  step("installing" "${CMAKE_COMMAND}" --install "${COLLET_BUILD}" --prefix "${prefix}")
  build_and_run(find_package "-DCMAKE_PREFIX_PATH=${prefix}")
  step("probing apart" "${WORK}/consumer/isolated")
  find_program(GDB gdb REQUIRED)
  step("loading the pretty printers" "${GDB}" -batch -nx -ex "source ${prefix}/share/collet/debugger/collet_gdb.py"
    -ex "info pretty-printer global collet")
  if(NOT step_output MATCHES "collet\n +Buffer\n +Device\n +Error")
    message(FATAL_ERROR "gdb did not load the pretty printers:\n${step_output}")
  endif()

elseif(NAME STREQUAL "pkg_config")
  step("installing" "${CMAKE_COMMAND}" --install "${COLLET_BUILD}" --prefix "${prefix}")
  find_program(PKG_CONFIG NAMES pkg-config pkgconf REQUIRED)
  set(ENV{PKG_CONFIG_PATH} "${prefix}/${LIBDIR}/pkgconfig")
  step("asking pkg-config" "${PKG_CONFIG}" --cflags --libs collet)
  separate_arguments(flags UNIX_COMMAND "${step_output}")
  step("compiling" "${COMPILER}" -std=c++20 "${COLLET_SOURCE}/examples/first_kernel.cpp" -o "${WORK}/program" ${flags})
  set(run "${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${prefix}/${LIBDIR}" COLLET_CACHE_DIR=off)
  # pkg-config can't tell the static library where its helper is: the program says that it has none, or is told.
  step("running" ${run} "${WORK}/program")
  set(warning "Drivers are probed in this process: the program collet-probe was not found.")
  if(NOT SHARED AND NOT step_output MATCHES "${warning}")
    message(FATAL_ERROR "The program lost its isolation in silence:\n${step_output}")
  endif()
  step("asking for the helper" "${PKG_CONFIG}" --variable=helper collet)
  string(STRIP "${step_output}" helper)
  step("running with the helper" ${run} "COLLET_PROBE=${helper}" "${WORK}/program")
  if(step_output MATCHES "probed in this process")
    message(FATAL_ERROR "The helper (${helper}) was not used:\n${step_output}")
  endif()

elseif(NAME STREQUAL "add_subdirectory")
  # As a shared library, and with its install rules, for the test below.
  build_and_run(add_subdirectory "-DCOLLET_SOURCE=${COLLET_SOURCE}" -DCOLLET_GPU=OFF -DBUILD_SHARED_LIBS=ON
    -DCOLLET_INSTALL=ON)

elseif(NAME STREQUAL "shared")
  step("installing" "${CMAKE_COMMAND}" --install "${WORK}/../add_subdirectory/consumer" --prefix "${prefix}")
  build_and_run(find_package "-DCMAKE_PREFIX_PATH=${prefix}")

else()
  message(FATAL_ERROR "There is no packaging test (${NAME}).")
endif()
