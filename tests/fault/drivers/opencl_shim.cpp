// PoCL with a fault of its own: it works and answers wrongly (wrong), or crashes or hangs when its second
// device runs a kernel (second_crash, second_hang).

#include "opencl_pocl.hpp"

namespace {

using pocl::real;

// Element 17 of whatever is read is off by one.
[[maybe_unused]] cl_int CL_API_CALL read_wrongly(cl_command_queue queue, cl_mem buffer, cl_bool /*blocking*/,
                                                 std::size_t offset, std::size_t size, void* to,
                                                 cl_uint wait_count, const cl_event* waits, cl_event* event) {
  const cl_int status =
      real.clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, size, to, wait_count, waits, event);
  if (status == CL_SUCCESS && size >= 18 * sizeof(std::uint32_t)) static_cast<std::uint32_t*>(to)[17] ^= 1;
  return status;
}

[[maybe_unused]] cl_int CL_API_CALL launch_badly(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                 const std::size_t* offset, const std::size_t* global,
                                                 const std::size_t* local, cl_uint wait_count,
                                                 const cl_event* waits, cl_event* event) {
  cl_device_id device = nullptr;
  real.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
  cl_platform_id platform = nullptr;
  real.clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
  cl_device_id all[8] = {};
  real.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 8, all, nullptr);
  if (device == all[1]) misbehave();
  return real.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, wait_count, waits,
                                     event);
}

}  // namespace

void pocl::spoil(cl_icd_dispatch& table) {
#ifdef FAULT_WRONG
  table.clEnqueueReadBuffer = read_wrongly;
#else
  table.clEnqueueNDRangeKernel = launch_badly;
#endif
}
