# The interpreter's loops over lanes: vectorised in every build that is not watched by a sanitizer, and never contracted.
# Nobody reads errno or floating-point flags after them.
file(GLOB lanes CONFIGURE_DEPENDS "backends/cpu/interpreter/lanes_*.cpp")
if(NOT MSVC)
  set(lanes_options -ffp-contract=off -fno-trapping-math -fno-math-errno)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    list(APPEND lanes_options -Wno-pass-failed)  # calls of the C library stay calls
  endif()
  if(NOT COLLET_SANITIZE)
    list(PREPEND lanes_options -O3)
  endif()
  set_source_files_properties(${lanes} PROPERTIES COMPILE_OPTIONS "${lanes_options}")
endif()
