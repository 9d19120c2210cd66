// CUDA: opening and closing a device.

#include "backends/cuda/device.hpp"

#include "backends/common/clock.hpp"
#include "backends/common/listing.hpp"
#include "base/log.hpp"

namespace collet::backend::cuda {

Result<std::unique_ptr<Device>> CudaDevice::open(const Api& cuda, const Candidate& candidate,
                                                 const OpenOptions& options) {
  if (options.validation)
    base::log(LogLevel::info, "cuda", "Validation was asked for; CUDA has a tool for it, compute-sanitizer.");
  COLLET_CHECK(common::check_not_refused(candidate.info, candidate.refusal));
  const auto compiler = Compiler::load();
  if (!compiler) base::log(LogLevel::warn, "cuda", compiler.error().message());
  Context context = nullptr;
  COLLET_CHECK(check(cuda.PrimaryCtxRetain(&context, candidate.ordinal), kOpenDevice));
  std::unique_ptr<CudaDevice> made(new CudaDevice(cuda, candidate, context, compiler ? *compiler : nullptr,
                                                  options.wait == WaitMode::adaptive));
  COLLET_CHECK(made->events_.start());
  return std::unique_ptr<Device>(std::move(made));
}

CudaDevice::CudaDevice(const Api& cuda, const Candidate& candidate, Context context, const Compiler* compiler,
                       bool adaptive)
    : cuda_(cuda),
      candidate_(candidate),
      properties_(properties_json(cuda, candidate)),
      context_(context),
      compiler_(compiler),
      adaptive_(adaptive),
      caps_(device_caps(cuda, candidate, compiler != nullptr)),
      events_(cuda, context) {}

CudaDevice::~CudaDevice() {
  events_.stop();
  {
    const Current current(cuda_, context_);
    for (const Stream stream : idle_streams_) cuda_.StreamDestroy(stream);  // unchecked: it gives back
  }
  cuda_.PrimaryCtxRelease(candidate_.ordinal);  // unchecked: it gives back
}

Result<MemoryInfo> CudaDevice::memory_info() {
  const Current current(cuda_, context_);
  COLLET_CHECK(current.check());
  std::size_t available = 0;
  std::size_t total = 0;
  COLLET_CHECK(check(cuda_.MemGetInfo(&available, &total), kAskMemory));
  return MemoryInfo{.total = total, .available = available};
}

void* CudaDevice::extension(std::string_view name) {
  if (name == "cuda.context") return context_;
  return name == "cuda.properties" ? properties_.data() : nullptr;
}

Result<ClockSample> CudaDevice::sample_clock() {
  const Current current(cuda_, context_);
  COLLET_CHECK(current.check());
  return common::sample_clocks([this] { return events_.now(); });
}

}  // namespace collet::backend::cuda
