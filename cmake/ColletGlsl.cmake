# Kernels of our own tests, benchmarks and examples. Not installed: the library needs no shader compiler.

# collet_glsl(RESULT <variable> FILES <a.comp>...): compiles GLSL compute shaders to SPIR-V for Vulkan 1.1 and returns
# the paths of the modules, <a.spv>.
function(collet_glsl)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "RESULT" "FILES")
  find_program(COLLET_GLSLANG glslangValidator)
  mark_as_advanced(COLLET_GLSLANG)
  if(NOT COLLET_GLSLANG)
    message(FATAL_ERROR "glslangValidator was not found: the tests, benchmarks and examples compile their GLSL kernels "
      "with it. On Debian: apt install glslang-tools. "
      "To build the library alone: -DCOLLET_TESTS=OFF -DCOLLET_BENCH=OFF -DCOLLET_EXAMPLES=OFF.")
  endif()
  set(modules)
  foreach(file IN LISTS arg_FILES)
    get_filename_component(file "${file}" ABSOLUTE)
    file(RELATIVE_PATH relative "${CMAKE_CURRENT_SOURCE_DIR}" "${file}")
    get_filename_component(folder "${relative}" DIRECTORY)
    get_filename_component(stem "${relative}" NAME_WLE)
    set(module "${CMAKE_CURRENT_BINARY_DIR}/${folder}/${stem}.spv")
    get_source_file_property(known "${module}" GENERATED)
    if(NOT known)
      file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${folder}")
      add_custom_command(
        OUTPUT "${module}"
        COMMAND "${COLLET_GLSLANG}" --quiet -V --target-env vulkan1.1 --depfile "${module}.d" -o "${module}" "${file}"
        DEPENDS "${file}"
        DEPFILE "${module}.d"
        COMMENT "Compiling ${relative}"
        VERBATIM)
    endif()
    list(APPEND modules "${module}")
  endforeach()
  set(${arg_RESULT} "${modules}" PARENT_SCOPE)
endfunction()

# collet_kernels(TARGET <target> NAME <name> DIRECTORY <folder>): embeds every kernel in the folder, the .comp files as
# SPIR-V. An empty or absent folder adds nothing.
function(collet_kernels)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;NAME;DIRECTORY" "")
  file(GLOB shaders CONFIGURE_DEPENDS "${arg_DIRECTORY}/*.comp")
  file(GLOB files CONFIGURE_DEPENDS "${arg_DIRECTORY}/*.cl" "${arg_DIRECTORY}/*.spv" "${arg_DIRECTORY}/*.ptx"
    "${arg_DIRECTORY}/*.wgsl" "${arg_DIRECTORY}/*.glsl" "${arg_DIRECTORY}/*.gles" "${arg_DIRECTORY}/*.cu" "${arg_DIRECTORY}/*.bin" "${arg_DIRECTORY}/*.txt")
  if(shaders)
    collet_glsl(RESULT modules FILES ${shaders})
    list(APPEND files ${modules})
  endif()
  if(files)
    collet_embed(TARGET ${arg_TARGET} NAME ${arg_NAME} FILES ${files})
  endif()
endfunction()
