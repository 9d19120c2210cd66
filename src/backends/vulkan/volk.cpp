// Vulkan: the one place where volk's code is compiled.

#define VOLK_IMPLEMENTATION
#include "backends/vulkan/api.hpp"
