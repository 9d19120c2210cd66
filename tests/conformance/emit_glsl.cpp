// Vulkan devices whose kernels go through GLSL and glslang: --through=glsl.

#include "conformance/registry.hpp"
#include "doubles/glsl_device.hpp"

namespace conformance {
namespace {

const bool kAdded = add_way(
    "glsl", [](const collet::DeviceInfo& info) { return collet::test::open_through_glsl(info.id()); });

}  // namespace
}  // namespace conformance
