// The double as a program sees it: a library that is opened by its path, and NVRTC beside it.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "abi.hpp"

namespace collet::cuda_double {

// The exported functions of the library.
struct Api {
#define COLLET_CUDA_DOUBLE_FUNCTION(name, ...) Result (*name)(__VA_ARGS__) = nullptr;
#include "functions.inc"
#undef COLLET_CUDA_DOUBLE_FUNCTION
  int (*ask)(const char*) = nullptr;
  void (*forget)() = nullptr;
  void (*lose_context)(int) = nullptr;
  unsigned long long (*instructions)() = nullptr;
  const char* (*last_fault)() = nullptr;
  unsigned long long (*objects)() = nullptr;
};

template <class T>
void find_function(void* library, const char* name, T& function) {
  function = reinterpret_cast<T>(dlsym(library, name));
}

// Opened once; ends the program where it can't be.
inline const Api& api() {
  static const Api found = [] {
    void* library = dlopen(COLLET_CUDA_DOUBLE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      std::abort();
    }
    Api made;
#define COLLET_CUDA_DOUBLE_FUNCTION(name, ...) find_function(library, #name, made.name);
#include "functions.inc"
#undef COLLET_CUDA_DOUBLE_FUNCTION
    find_function(library, "collet_cuda_double_ask", made.ask);
    find_function(library, "collet_cuda_double_forget", made.forget);
    find_function(library, "collet_cuda_double_lose_context", made.lose_context);
    find_function(library, "collet_cuda_double_instructions", made.instructions);
    find_function(library, "collet_cuda_double_last_fault", made.last_fault);
    find_function(library, "collet_cuda_double_objects", made.objects);
    return made;
  }();
  return found;
}

// NVIDIA's compiler, where it is installed.
class Nvrtc {
 public:
  // nullptr: it is not there.
  static const Nvrtc* find() {
    static const Nvrtc found;
    return found.create_ != nullptr ? &found : nullptr;
  }

  // The PTX; a failure of the test and "" where the source is not right.
  std::string compile(const std::string& source) const {
    void* program = nullptr;
    EXPECT_EQ(create_(&program, source.c_str(), "test.cu", 0, nullptr, nullptr), 0);
    const char* options[] = {"--gpu-architecture=compute_75", "--fmad=false"};
    const int result = compile_(program, 2, options);
    std::size_t size = 0;
    std::string text;
    if (result != 0) {
      log_size_(program, &size);
      text.resize(size);
      log_(program, text.data());
      ADD_FAILURE() << text;
      text.clear();
    } else {
      ptx_size_(program, &size);
      text.resize(size);
      ptx_(program, text.data());
      text.resize(std::strlen(text.c_str()));
    }
    destroy_(&program);
    return text;
  }

 private:
  Nvrtc() {
    void* library = nullptr;
    for (const char* name :
         {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so",
          "/usr/local/cuda/lib64/libnvrtc.so.13", "/usr/local/cuda/lib64/libnvrtc.so.12"}) {
      if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    if (library == nullptr) return;
    find_function(library, "nvrtcCreateProgram", create_);
    find_function(library, "nvrtcCompileProgram", compile_);
    find_function(library, "nvrtcGetProgramLogSize", log_size_);
    find_function(library, "nvrtcGetProgramLog", log_);
    find_function(library, "nvrtcGetPTXSize", ptx_size_);
    find_function(library, "nvrtcGetPTX", ptx_);
    find_function(library, "nvrtcDestroyProgram", destroy_);
  }

  int (*create_)(void**, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*compile_)(void*, int, const char* const*) = nullptr;
  int (*log_size_)(void*, std::size_t*) = nullptr;
  int (*log_)(void*, char*) = nullptr;
  int (*ptx_size_)(void*, std::size_t*) = nullptr;
  int (*ptx_)(void*, char*) = nullptr;
  int (*destroy_)(void**) = nullptr;
};

// Each test has a new context on device 0, and a stream.
class CudaDouble : public testing::Test {
 protected:
  void SetUp() override {
    cu.forget();
    ASSERT_EQ(cu.cuInit(0), kSuccess);
    ASSERT_EQ(cu.cuDevicePrimaryCtxRetain(&context, 0), kSuccess);
    ASSERT_EQ(cu.cuCtxSetCurrent(context), kSuccess);
    ASSERT_EQ(cu.cuStreamCreate(&stream, kStreamNonBlocking), kSuccess);
  }
  void TearDown() override {
    cu.cuDevicePrimaryCtxRelease_v2(0);
    cu.forget();
  }

  // The result of loading; `log` is what the double says of it.
  Result load(const std::string& ptx) {
    char error[2000] = "", info[2000] = "";
    std::array<int, 4> options{kJitErrorLog, kJitErrorLogSize, kJitInfoLog, kJitInfoLogSize};
    std::array<void*, 4> values{error, reinterpret_cast<void*>(sizeof error), info,
                                reinterpret_cast<void*>(sizeof info)};
    const Result result = cu.cuModuleLoadDataEx(&module, ptx.c_str(), 4, options.data(), values.data());
    log = error;
    return result;
  }
  FunctionHandle* function(const char* name) {
    FunctionHandle* found = nullptr;
    EXPECT_EQ(cu.cuModuleGetFunction(&found, module, name), kSuccess) << log;
    return found;
  }
  // CUDA C++ with one extern "C" kernel named k.
  FunctionHandle* compile(const std::string& source) {
    EXPECT_EQ(load(Nvrtc::find()->compile(source)), kSuccess) << log;
    return function("k");
  }

  template <class... Args>
  Result launch(FunctionHandle* kernel, unsigned blocks, unsigned threads, Args... args) {
    void* parameters[] = {&args..., nullptr};
    return cu.cuLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, 0, stream, parameters, nullptr);
  }
  // Waits too.
  template <class... Args>
  void run(FunctionHandle* kernel, unsigned blocks, unsigned threads, Args... args) {
    EXPECT_EQ(launch(kernel, blocks, threads, args...), kSuccess);
    EXPECT_EQ(cu.cuStreamSynchronize(stream), kSuccess) << cu.last_fault();
  }

  CuDevicePtr allocate(std::size_t bytes) {
    CuDevicePtr made = 0;
    EXPECT_EQ(cu.cuMemAlloc_v2(&made, bytes), kSuccess);
    return made;
  }
  template <class T>
  CuDevicePtr upload(const std::vector<T>& values) {
    const CuDevicePtr made = allocate(values.size() * sizeof(T));
    EXPECT_EQ(cu.cuMemcpyHtoDAsync_v2(made, values.data(), values.size() * sizeof(T), stream), kSuccess);
    EXPECT_EQ(cu.cuStreamSynchronize(stream), kSuccess);
    return made;
  }
  template <class T>
  std::vector<T> download(CuDevicePtr from, std::size_t count) {
    std::vector<T> values(count);
    EXPECT_EQ(cu.cuMemcpyDtoHAsync_v2(values.data(), from, count * sizeof(T), stream), kSuccess);
    EXPECT_EQ(cu.cuStreamSynchronize(stream), kSuccess);
    return values;
  }

  const Api& cu = api();
  ContextHandle* context = nullptr;
  StreamHandle* stream = nullptr;
  ModuleHandle* module = nullptr;
  std::string log;
};

#define NEEDS_NVRTC() \
  if (Nvrtc::find() == nullptr) GTEST_SKIP() << "NVRTC is not installed."

}  // namespace collet::cuda_double
