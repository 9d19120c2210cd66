// The suites of collet-bench and the parts that they are made of.
#pragma once

#include "collet/collet.hpp"
#include "harness.hpp"

namespace collet::bench {

// Launches beside the bare API's, on every Vulkan and OpenCL device, and beside OpenMP on the CPU.
void launch(const Settings& settings, Report& report);
// What the host pays on the null device, and what an idle device costs.
void host(const Settings& settings, Report& report);

// What passes before a program has a device: the command-line tool's verbs, discovery and open_best().
void start(const Settings& settings, Report& report);

// Generated kernels beside kernels written by hand, on every device.
void kernels(const Settings& settings, Report& report);

// Checked mode beside the same kernels without it, on every device.
void checked(const Settings& settings, Report& report);

// Messages to kernels that stay, beside launches for the same work, on every device.
void ring(const Settings& settings, Report& report);

// Parts of launch(). Each opens its own bare device beside ours.
void launch_vulkan(const DeviceInfo& info, const Settings& settings, Report& report);
void launch_opencl(const DeviceInfo& info, const Settings& settings, Report& report);
void launch_webgpu(const DeviceInfo& info, const Settings& settings, Report& report);
void launch_opengl(const DeviceInfo& info, const Settings& settings, Report& report);
void launch_cpu(const DeviceInfo& info, const Settings& settings, Report& report);

// Part of kernels(): beside PoCL and OpenMP.
void kernels_cpu(const DeviceInfo& info, const Settings& settings, Report& report);

// Part of host(), in a process of its own: launches `count` times on the null device, waits after each where
// asked to, and ends.
void null_launches(std::uint64_t count, bool waits);
// The same on the first CUDA device, in bursts of 100 with a wait after each.
void cuda_launches(std::uint64_t count);

// Part of start(), in a process of its own: opens the device, or the best one for "best", and gives its id.
std::string open_one(const std::string& which);

}  // namespace collet::bench
