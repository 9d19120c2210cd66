# The Vulkan backend: volk and the Vulkan headers to compile, SPIRV-Tools to check modules before a driver sees them.

find_package(volk QUIET)
collet_require(volk_FOUND vulkan "volk and the Vulkan headers" "libvulkan-volk-dev libvulkan-dev")
collet_compile_with(volk::volk_headers)

find_package(SPIRV-Tools CONFIG QUIET)
collet_require(SPIRV-Tools_FOUND vulkan "SPIRV-Tools" "spirv-tools")
collet_link(SPIRV-Tools-static PACKAGE SPIRV-Tools PKG_CONFIG SPIRV-Tools)
