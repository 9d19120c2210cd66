// WebGPU: opening and closing a device.

#include "backends/webgpu/device.hpp"

#include "backends/common/listing.hpp"
#include "backends/webgpu/answer.hpp"

namespace collet::backend::webgpu {
namespace {

struct Opened {
  abi::RequestDeviceStatus status{};
  abi::Device device = nullptr;
  std::string message;
};

void on_device(abi::RequestDeviceStatus status, abi::Device device, abi::StringView message, void* to,
               void*) {
  answer<Opened>(to, {.status = status, .device = device, .message = text(message)});
}

}  // namespace

Result<std::unique_ptr<Device>> WebGpuDevice::open(const Api& wgpu, abi::Instance instance, Reports& reports,
                                                   const Candidate& candidate, WaitMode mode) {
  COLLET_CHECK(common::check_not_refused(candidate.info, candidate.refusal));
  const abi::DeviceDescriptor desc{.label = view("collet"),
                                   .feature_count = candidate.features.size(),
                                   .features = candidate.features.data(),
                                   .limits = &candidate.limits,
                                   .lost = reports.lost(),
                                   .error = reports.errors()};
  COLLET_TRY(opened, ask<Opened>(wgpu, instance, kOpenDevice, [&](void* to) {
               wgpu.AdapterRequestDevice(candidate.adapter, &desc, {.callback = on_device, .first = to});
             }));
  if (opened.status != abi::RequestDeviceStatus::success || opened.device == nullptr) {
    return Error(ErrorCode::unavailable, Category::device, Cause::device_open_failed,
                 "WebGPU opens no device on " + candidate.info.id() + " (" + candidate.info.name +
                     "): " + opened.message)
        .with_hint(
            "WGPU_BACKEND names the API that the library uses: try another one, such as gl or vulkan.");
  }
  Native native{.wgpu = wgpu,
                .instance = instance,
                .device = opened.device,
                .queue = wgpu.DeviceGetQueue(opened.device),
                .limits = candidate.limits,
                .reports = reports};
  if (wgpu.QueueGetTimestampPeriod != nullptr) native.tick_ns = wgpu.QueueGetTimestampPeriod(native.queue);
  std::unique_ptr<WebGpuDevice> made(new WebGpuDevice(native, candidate));
  COLLET_TRY(worker, common::Worker::start("collet-webgpu", make_executor(made->native_), mode));
  made->worker = std::move(worker);
  return std::unique_ptr<Device>(std::move(made));
}

WebGpuDevice::WebGpuDevice(const Native& native, const Candidate& candidate)
    : native_(native), info_(candidate.info), caps_(device_caps(candidate)) {}

WebGpuDevice::~WebGpuDevice() {
  worker.reset();
  native_.wgpu.QueueRelease(native_.queue);
  native_.wgpu.DeviceDestroy(native_.device);
  native_.wgpu.DeviceRelease(native_.device);
}

void Native::poll() const {
  if (wgpu.DevicePoll != nullptr)
    wgpu.DevicePoll(device, 0, nullptr);
  else
    wgpu.InstanceProcessEvents(instance);
}

void Native::wait() const { wgpu.DevicePoll(device, 1, nullptr); }

void* WebGpuDevice::extension(std::string_view name) {
  if (name == "webgpu.instance") return native_.instance;
  if (name == "webgpu.device") return native_.device;
  if (name == "webgpu.queue") return native_.queue;
  return nullptr;
}

Result<ClockSample> WebGpuDevice::sample_clock() {
  return Error(ErrorCode::unsupported, Category::device,
               "WebGPU has no clock that can be read but in commands.");
}

}  // namespace collet::backend::webgpu
