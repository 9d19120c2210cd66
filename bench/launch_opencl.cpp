// The launch work on bare OpenCL: an in-order queue, and only the argument that changes is set again.

#include "launch.hpp"

#include <collet_backends.hpp>

#if COLLET_HAS_OPENCL

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS  // clCreateCommandQueue is the one that every version has
#include <CL/cl.h>

#include <collet_embedded/kernels.hpp>
#include <memory>
#include <stdexcept>

#include "platform/platform.hpp"

namespace collet::bench {
namespace bare_opencl {

// clang-format off
#define BENCH_CL(X) \
  X(clGetPlatformIDs) X(clGetDeviceIDs) X(clGetDeviceInfo) X(clCreateContext) \
  X(clCreateCommandQueue) X(clCreateBuffer) X(clCreateProgramWithSource) X(clBuildProgram) \
  X(clCreateKernel) X(clSetKernelArg) X(clEnqueueNDRangeKernel) X(clEnqueueWriteBuffer) \
  X(clEnqueueReadBuffer) X(clFlush) X(clFinish) X(clWaitForEvents) X(clReleaseEvent) \
  X(clReleaseContext) X(clReleaseCommandQueue) X(clReleaseMemObject) X(clReleaseProgram) \
  X(clReleaseKernel)
// clang-format on

// Threads: immutable once loaded.
struct Api {
#define BENCH_CL_MEMBER(name) decltype(&::name) name = nullptr;
  BENCH_CL(BENCH_CL_MEMBER)
#undef BENCH_CL_MEMBER
};

void check(cl_int status) {
  if (status != CL_SUCCESS)
    throw std::runtime_error("The bare OpenCL program got status " + std::to_string(status) + ".");
}

// Threads: one at a time.
class Program {
 public:
  explicit Program(const DeviceInfo& info);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void finish() { set_tag(), enqueue(nullptr), check(cl_.clFinish(queue_)); }
  void flush_and_finish() {
    set_tag(), enqueue(nullptr), check(cl_.clFlush(queue_)), check(cl_.clFinish(queue_));
  }
  void wait_event();
  void unchanged() { enqueue(nullptr), check(cl_.clFinish(queue_)), ++fixed_.launches; }
  void batch_finish();
  void batch_flushed();

  void check_results(Report& report);

 private:
  cl_device_id find(const DeviceInfo& info);
  void make_kernel(cl_device_id device);

  void set_tag() {
    const cl_uint tag = tally_.next_tag();
    check(cl_.clSetKernelArg(kernel_, 2, sizeof tag, &tag));
  }
  void enqueue(cl_event* event) {
    const std::size_t one = 1;
    check(cl_.clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &one, &one, 0, nullptr, event));
  }

  platform::Library library_;
  Api cl_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_mem y_ = nullptr;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
  Tally tally_;
  Tally fixed_;  // launches that set no tag
};

Program::Program(const DeviceInfo& info)
    : library_(platform::Library::open(platform::library_names("opencl")).value()) {
#define BENCH_CL_LOAD(name) cl_.name = reinterpret_cast<decltype(&::name)>(library_.symbol(#name));
  BENCH_CL(BENCH_CL_LOAD)
#undef BENCH_CL_LOAD
  cl_device_id device = find(info);
  cl_int status = CL_SUCCESS;
  context_ = cl_.clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  check(status);
  queue_ = cl_.clCreateCommandQueue(context_, device, 0, &status);
  check(status);
  y_ = cl_.clCreateBuffer(context_, CL_MEM_READ_WRITE, 4096, nullptr, &status);
  check(status);
  const std::array<cl_uint, 1024> zeros{};
  check(cl_.clEnqueueWriteBuffer(queue_, y_, CL_TRUE, 0, sizeof zeros, zeros.data(), 0, nullptr, nullptr));
  make_kernel(device);
}

Program::~Program() {
  cl_.clReleaseKernel(kernel_);
  cl_.clReleaseProgram(program_);
  cl_.clReleaseMemObject(y_);
  cl_.clReleaseCommandQueue(queue_);
  cl_.clReleaseContext(context_);
}

// Collet numbers OpenCL's devices platform by platform.
cl_device_id Program::find(const DeviceInfo& info) {
  cl_uint count = 0;
  check(cl_.clGetPlatformIDs(0, nullptr, &count));
  std::vector<cl_platform_id> platforms(count);
  check(cl_.clGetPlatformIDs(count, platforms.data(), nullptr));
  std::vector<cl_device_id> all;
  for (cl_platform_id platform : platforms) {
    if (cl_.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) continue;
    const std::size_t before = all.size();
    all.resize(before + count);
    check(cl_.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, all.data() + before, nullptr));
  }
  char name[256] = {};
  if (info.index < all.size())
    cl_.clGetDeviceInfo(all[info.index], CL_DEVICE_NAME, sizeof name - 1, name, nullptr);
  if (info.index >= all.size() || info.name != name)
    throw std::runtime_error("The bare OpenCL program does not find " + info.id() + " (" + info.name + ").");
  return all[info.index];
}

void Program::make_kernel(cl_device_id device) {
  cl_int status = CL_SUCCESS;
  const char* text = collet_embedded::count_cl.data();
  const std::size_t size = collet_embedded::count_cl.size();
  program_ = cl_.clCreateProgramWithSource(context_, 1, &text, &size, &status);
  check(status);
  check(cl_.clBuildProgram(program_, 1, &device, "", nullptr, nullptr));
  kernel_ = cl_.clCreateKernel(program_, "count", &status);
  check(status);
  const cl_uint step = 1;
  check(cl_.clSetKernelArg(kernel_, 0, sizeof y_, &y_));
  check(cl_.clSetKernelArg(kernel_, 1, sizeof step, &step));
}

void Program::wait_event() {
  set_tag();
  cl_event event = nullptr;
  enqueue(&event);
  check(cl_.clWaitForEvents(1, &event));
  check(cl_.clReleaseEvent(event));
}

void Program::batch_finish() {
  for (std::uint32_t i = 0; i < kBatch; ++i) {
    set_tag();
    enqueue(nullptr);
  }
  check(cl_.clFinish(queue_));
}

// The device may begin while the rest is still being enqueued.
void Program::batch_flushed() {
  for (std::uint32_t i = 0; i < kBatch; ++i) {
    set_tag();
    enqueue(nullptr);
    if (i % 64 == 0) check(cl_.clFlush(queue_));
  }
  check(cl_.clFinish(queue_));
}

void Program::check_results(Report& report) {
  finish();  // the last one has a tag
  std::array<std::uint32_t, 2> y{};
  check(cl_.clEnqueueReadBuffer(queue_, y_, CL_TRUE, 0, sizeof y, y.data(), 0, nullptr, nullptr));
  y[0] -= fixed_.launches;
  check_tally("Bare OpenCL", tally_, y, report);
}

}  // namespace bare_opencl

void launch_opencl(const DeviceInfo& info, const Settings& settings, Report& report) {
  const auto open = [&] {
    const auto bare = std::make_shared<bare_opencl::Program>(info);
    return Bare{
        .single = {{"clFinish", [=] { bare->finish(); }},
                   {"clFlush + clFinish", [=] { bare->flush_and_finish(); }},
                   {"clWaitForEvents", [=] { bare->wait_event(); }}},
        .single_information = {{"clFinish, no argument set", [=] { bare->unchanged(); }}},
        .batch = {{"one clFinish", [=] { bare->batch_finish(); }},
                  {"one clFinish, clFlush every 64", [=] { bare->batch_flushed(); }}},
        .check = [=](Report& to) { bare->check_results(to); },
    };
  };
  compare_launches(info, settings, open, report);
}

}  // namespace collet::bench

#else

namespace collet::bench {

void launch_opencl(const DeviceInfo&, const Settings&, Report&) {}

}  // namespace collet::bench

#endif
