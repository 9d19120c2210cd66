# The OpenCL backend: headers to compile, SPIRV-Tools to check modules before a driver sees them.

find_package(OpenCLHeaders QUIET)
collet_require(OpenCLHeaders_FOUND opencl "the OpenCL headers" "opencl-headers")
collet_compile_with(OpenCL::Headers)
collet_define(CL_TARGET_OPENCL_VERSION=300)

include("${PROJECT_SOURCE_DIR}/cmake/SpirvTools.cmake")
