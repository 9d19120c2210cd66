// OpenCL: a device's context, health and clock.

#include "backends/opencl/device.hpp"

#include "backends/common/clock.hpp"
#include "backends/common/listing.hpp"

namespace collet::backend::opencl {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

OpenClDevice::OpenClDevice(const Api& cl, const Candidate& candidate, cl_context context, bool adaptive)
    : cl_(cl),
      candidate_(candidate),
      caps_(device_caps(cl, candidate)),
      context_(context),
      adaptive_(adaptive),
      events_(cl) {}

OpenClDevice::~OpenClDevice() { cl_.clReleaseContext(context_); }

Result<std::unique_ptr<Device>> OpenClDevice::open(const Api& cl, const Candidate& candidate,
                                                   const OpenOptions& options) {
  COLLET_CHECK(common::check_not_refused(candidate.info, candidate.refusal));
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                              reinterpret_cast<cl_context_properties>(candidate.platform), 0};
  cl_int status = CL_SUCCESS;
  const cl_context context = cl.clCreateContext(properties, 1, &candidate.device, nullptr, nullptr, &status);
  if (auto made = check(status, kOpenDevice); !made)
    return made.error().during("opening " + candidate.info.id() + " (" + candidate.info.name + ")");
  const bool adaptive = options.wait == WaitMode::adaptive;
  return std::unique_ptr<Device>(new OpenClDevice(cl, candidate, context, adaptive));
}

Result<void> OpenClDevice::health() { return health_.check(); }

void* OpenClDevice::extension(std::string_view name) {
  if (name == "opencl.context") return context_;
  if (name == "opencl.device") return candidate_.device;
  if (name == "opencl.platform") return candidate_.platform;
  return nullptr;
}

Result<ClockSample> OpenClDevice::sample_clock() {
  if (candidate_.version < 210 || cl_.clGetDeviceAndHostTimer == nullptr) {
    return Error(ErrorCode::unsupported, Category::device,
                 candidate_.info.id() + " has OpenCL " + candidate_.info.api_version +
                     ", and reading a device's clock needs 2.1.");
  }
  // OpenCL's own host time has an epoch of its own, so ours is taken around the call.
  return common::sample_clocks([this]() -> Result<std::uint64_t> {
    cl_ulong device = 0;
    cl_ulong host = 0;
    COLLET_CHECK(check(cl_.clGetDeviceAndHostTimer(candidate_.device, &device, &host), kSampleClock));
    return device;
  });
}

}  // namespace collet::backend::opencl
