// The launch work on bare WebGPU: one bind group, constants in a uniform at a dynamic offset, one pass.

#include "launch.hpp"

#include <collet_backends.hpp>

#if COLLET_HAS_WEBGPU

#include <collet_embedded/kernels.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "backends/webgpu/api.hpp"
#include "backends/webgpu/files.hpp"

namespace collet::bench {
namespace bare_webgpu {

namespace webgpu = backend::webgpu;
namespace abi = backend::webgpu::abi;

constexpr std::uint32_t kStride = 256;  // of constants: what every adapter allows

// An error that the library calls back ends the benchmark: what follows would not be the same work.
void fail(const abi::Device*, abi::ErrorType, abi::StringView message, void*, void*) {
  std::fprintf(stderr, "The bare WebGPU program: %s\n", webgpu::text(message).c_str());
  std::abort();
}
void on_device(abi::RequestDeviceStatus, abi::Device device, abi::StringView, void* to, void*) {
  *static_cast<abi::Device*>(to) = device;
}
void on_mapped(abi::MapAsyncStatus, abi::StringView, void* to, void*) { *static_cast<bool*>(to) = true; }
void on_done(abi::QueueWorkDoneStatus, abi::StringView, void* to, void*) { *static_cast<bool*>(to) = true; }

// Threads: one at a time.
class Program {
 public:
  explicit Program(const DeviceInfo& info);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void poll_waiting() { run(1, true); }
  void poll_spinning() { run(1, false); }
  void batch() { run(kBatch, true); }

  void check_results(Report& report);

 private:
  abi::Adapter find(const DeviceInfo& info);
  abi::Buffer make_buffer(std::uint64_t size, abi::Flags usage);
  void make_pipeline();
  void run(std::uint32_t launches, bool waiting);
  template <class Encode>
  void submit(const Encode& encode);
  void wait(const bool& done, bool waiting);

  platform::Library library_;
  webgpu::Api wgpu_;
  abi::Instance instance_ = nullptr;
  abi::Device device_ = nullptr;
  abi::Queue queue_ = nullptr;
  abi::Buffer y_ = nullptr;
  abi::Buffer constants_ = nullptr;
  abi::Buffer readback_ = nullptr;
  abi::ComputePipeline pipeline_ = nullptr;
  abi::BindGroup group_ = nullptr;
  std::vector<std::uint32_t> words_;  // of the constants
  Tally tally_;
};

Program::Program(const DeviceInfo& info)
    : library_(platform::open_library("webgpu").value()),
      wgpu_(webgpu::load_api(library_).value()),
      words_(kBatch * kStride / sizeof(std::uint32_t)) {
  if (wgpu_.InstanceEnumerateAdapters == nullptr || wgpu_.DevicePoll == nullptr)
    throw std::runtime_error("The bare WebGPU program needs wgpu-native: " + library_.path() +
                             " is another.");
  const abi::InstanceDescriptor desc;
  instance_ = wgpu_.CreateInstance(&desc);
  const abi::Adapter adapter = find(info);
  const abi::DeviceDescriptor device{.error = {.callback = fail}};
  wgpu_.AdapterRequestDevice(adapter, &device, {.callback = on_device, .first = &device_});
  wgpu_.InstanceProcessEvents(instance_);
  wgpu_.AdapterRelease(adapter);
  if (device_ == nullptr) throw std::runtime_error("The bare WebGPU program gets no device.");
  queue_ = wgpu_.DeviceGetQueue(device_);
  namespace usage = abi::buffer_usage;
  y_ = make_buffer(4096, usage::storage | usage::copy_src | usage::copy_dst);
  constants_ = make_buffer(kBatch * kStride, usage::uniform | usage::copy_dst);
  readback_ = make_buffer(16, usage::map_read | usage::copy_dst);
  make_pipeline();
}

Program::~Program() {
  wgpu_.BindGroupRelease(group_);
  wgpu_.ComputePipelineRelease(pipeline_);
  for (const abi::Buffer buffer : {y_, constants_, readback_}) wgpu_.BufferRelease(buffer);
  wgpu_.QueueRelease(queue_);
  wgpu_.DeviceRelease(device_);
}

// Collet numbers adapters as the library lists them.
abi::Adapter Program::find(const DeviceInfo& info) {
  const abi::EnumerateAdapterOptions options{.backends = webgpu::chosen_backend().value().native_mask};
  std::vector<abi::Adapter> all(wgpu_.InstanceEnumerateAdapters(instance_, &options, nullptr));
  wgpu_.InstanceEnumerateAdapters(instance_, &options, all.data());
  abi::Adapter found = nullptr;
  for (std::size_t i = 0; i < all.size(); ++i) {
    abi::AdapterInfo said;
    wgpu_.AdapterGetInfo(all[i], &said);
    if (i == info.index && webgpu::text(said.device) == info.name)
      found = all[i];
    else
      wgpu_.AdapterRelease(all[i]);
    wgpu_.AdapterInfoFreeMembers(said);
  }
  if (found == nullptr)
    throw std::runtime_error("The bare WebGPU program does not find " + info.id() + " (" + info.name + ").");
  return found;
}

abi::Buffer Program::make_buffer(std::uint64_t size, abi::Flags usage) {
  const abi::BufferDescriptor desc{.usage = usage, .size = size};
  return wgpu_.DeviceCreateBuffer(device_, &desc);
}

void Program::make_pipeline() {
  const abi::ShaderSourceWgsl source{.code = webgpu::view(collet_embedded::count_wgsl)};
  const abi::ShaderModuleDescriptor module_desc{.next = &source.chain};
  const abi::ShaderModule module = wgpu_.DeviceCreateShaderModule(device_, &module_desc);

  std::array<abi::BindGroupLayoutEntry, 2> layouts;
  layouts[0].buffer.type = abi::BufferBindingType::storage;
  layouts[1].binding = 1;
  layouts[1].buffer = {.type = abi::BufferBindingType::uniform, .has_dynamic_offset = 1};
  const abi::BindGroupLayoutDescriptor layout_desc{.entry_count = layouts.size(), .entries = layouts.data()};
  const abi::BindGroupLayout layout = wgpu_.DeviceCreateBindGroupLayout(device_, &layout_desc);

  std::array<abi::BindGroupEntry, 2> entries;
  entries[0].buffer = y_;
  entries[0].size = 4096;
  entries[1].binding = 1;
  entries[1].buffer = constants_;
  entries[1].size = 16;
  const abi::BindGroupDescriptor group{
      .layout = layout, .entry_count = entries.size(), .entries = entries.data()};
  group_ = wgpu_.DeviceCreateBindGroup(device_, &group);

  const abi::PipelineLayoutDescriptor pipeline_layout{.layout_count = 1, .layouts = &layout};
  const abi::PipelineLayout whole = wgpu_.DeviceCreatePipelineLayout(device_, &pipeline_layout);
  const abi::ComputePipelineDescriptor desc{.layout = whole,
                                            .compute = {.module = module, .entry = webgpu::view("count")}};
  pipeline_ = wgpu_.DeviceCreateComputePipeline(device_, &desc);
  wgpu_.PipelineLayoutRelease(whole);
  wgpu_.BindGroupLayoutRelease(layout);
  wgpu_.ShaderModuleRelease(module);
}

template <class Encode>
void Program::submit(const Encode& encode) {
  const abi::CommandEncoderDescriptor desc;
  const abi::CommandEncoder encoder = wgpu_.DeviceCreateCommandEncoder(device_, &desc);
  encode(encoder);
  const abi::CommandBufferDescriptor recorded;
  const abi::CommandBuffer commands = wgpu_.CommandEncoderFinish(encoder, &recorded);
  wgpu_.CommandEncoderRelease(encoder);
  wgpu_.QueueSubmit(queue_, 1, &commands);
  wgpu_.CommandBufferRelease(commands);
}

// Waiting sleeps in the driver, and looks again where the callback is still to come.
void Program::wait(const bool& done, bool waiting) {
  while (!done) wgpu_.DevicePoll(device_, waiting ? 1 : 0, nullptr);
}

void Program::run(std::uint32_t launches, bool waiting) {
  for (std::uint32_t i = 0; i < launches; ++i) {
    words_[i * kStride / 4] = 1;
    words_[i * kStride / 4 + 1] = tally_.next_tag();
  }
  wgpu_.QueueWriteBuffer(queue_, constants_, 0, words_.data(), (launches - 1) * kStride + 16);
  submit([&](abi::CommandEncoder encoder) {
    const abi::ComputePassDescriptor desc;
    const abi::ComputePassEncoder pass = wgpu_.CommandEncoderBeginComputePass(encoder, &desc);
    wgpu_.ComputePassEncoderSetPipeline(pass, pipeline_);
    for (std::uint32_t i = 0; i < launches; ++i) {
      const std::uint32_t offset = i * kStride;
      wgpu_.ComputePassEncoderSetBindGroup(pass, 0, group_, 1, &offset);
      wgpu_.ComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
    }
    wgpu_.ComputePassEncoderEnd(pass);
    wgpu_.ComputePassEncoderRelease(pass);
  });
  bool done = false;
  wgpu_.QueueOnSubmittedWorkDone(queue_, {.callback = on_done, .first = &done});
  wait(done, waiting);
}

void Program::check_results(Report& report) {
  submit([&](abi::CommandEncoder encoder) {
    wgpu_.CommandEncoderCopyBufferToBuffer(encoder, y_, 0, readback_, 0, 8);
  });
  bool mapped = false;
  wgpu_.BufferMapAsync(readback_, abi::kMapModeRead, 0, 8, {.callback = on_mapped, .first = &mapped});
  wait(mapped, true);
  std::array<std::uint32_t, 2> y{};
  std::memcpy(y.data(), wgpu_.BufferGetConstMappedRange(readback_, 0, 8), sizeof y);
  wgpu_.BufferUnmap(readback_);
  check_tally("Bare WebGPU", tally_, y, report);
}

}  // namespace bare_webgpu

void launch_webgpu(const DeviceInfo& info, const Settings& settings, Report& report) {
  const auto open = [&] {
    const auto bare = std::make_shared<bare_webgpu::Program>(info);
    return Bare{
        .single = {{"a poll that waits", [=] { bare->poll_waiting(); }}},
        .single_information = {{"polls that do not wait", [=] { bare->poll_spinning(); }}},
        .batch = {{"one pass", [=] { bare->batch(); }}},
        .check = [=](Report& to) { bare->check_results(to); },
        .limited = info.name.starts_with("llvmpipe"),
    };
  };
  compare_launches(info, settings, open, report);
}

}  // namespace collet::bench

#else

namespace collet::bench {

void launch_webgpu(const DeviceInfo&, const Settings&, Report&) {}

}  // namespace collet::bench

#endif
