# For a cross build: headers of the building machine that serve every system, by links in a folder of their own. The
# folder they come from holds that machine's C library too, which must not be seen.

set(host_root "${PROJECT_BINARY_DIR}/host")
file(MAKE_DIRECTORY "${host_root}/include")
foreach(header IN ITEMS CL CLI fmt nlohmann spirv vk_video volk.h vulkan)
  find_path(folder "${header}" PATHS /usr/local/include /usr/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH NO_CACHE)
  if(folder)
    file(CREATE_LINK "${folder}/${header}" "${host_root}/include/${header}" SYMBOLIC)
  endif()
  unset(folder)
endforeach()
list(PREPEND CMAKE_FIND_ROOT_PATH "${host_root}")
