// What the driver promises: order, memory, errors that stay, and the faults that tests ask for.

#include <atomic>
#include <cstring>
#include <thread>

#include "double_fixture.hpp"

namespace collet::cuda_double {
namespace {

const char* const kStore = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 to, .param .u32 value) {
  .reg .b32 %r<3>; .reg .b64 %d<4>;
  ld.param.u64 %d0, [to]; ld.param.u32 %r0, [value];
  mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4; add.s64 %d2, %d0, %d1; add.s32 %r2, %r0, %r1;
  st.global.u32 [%d2], %r2; ret;
})";
// Stores 1 at `seen`, then waits until `go` is not 0.
const char* const kWait = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 seen, .param .u64 go) {
  .reg .b32 %r<3>; .reg .b64 %d<4>; .reg .pred %p;
  ld.param.u64 %d0, [seen]; ld.param.u64 %d1, [go]; st.global.u32 [%d0], 1;
AGAIN:
  ld.volatile.global.u32 %r0, [%d1]; setp.eq.u32 %p, %r0, 0; @%p bra AGAIN; ret;
})";

class Driver : public CudaDouble {
 protected:
  FunctionHandle* load_kernel(const std::string& ptx) {
    EXPECT_EQ(load(ptx), kSuccess) << log;
    return function("k");
  }
  // Memory of the host that kernels see, as two numbers.
  int* mapped() {
    void* made = nullptr;
    EXPECT_EQ(cu.cuMemHostAlloc(&made, 64, 2), kSuccess);
    std::memset(made, 0, 64);
    return static_cast<int*>(made);
  }
  CuDevicePtr device_pointer(int* host) {
    CuDevicePtr found = 0;
    EXPECT_EQ(cu.cuMemHostGetDevicePointer_v2(&found, host, 0), kSuccess);
    return found;
  }
};

TEST_F(Driver, ShowsDevicesThatSayWhatTheyAre) {
  int count = 0;
  EXPECT_EQ(cu.cuDeviceGetCount(&count), kSuccess);
  EXPECT_EQ(count, 2);
  char name[100];
  EXPECT_EQ(cu.cuDeviceGetName(name, 100, 1), kSuccess);
  EXPECT_STREQ(name, "Collet CUDA double 1 (PTX interpreter, no GPU)");
  int value = 0;
  EXPECT_EQ(cu.cuDeviceGetAttribute(&value, 75, 0), kSuccess);
  EXPECT_EQ(value, 7);
  EXPECT_EQ(cu.cuDeviceGetAttribute(&value, 10, 0), kSuccess);
  EXPECT_EQ(value, 32);
  CuDevice device = 0;
  EXPECT_EQ(cu.cuDeviceGet(&device, 2), kErrorInvalidDevice);
  const char* text = nullptr;
  EXPECT_EQ(cu.cuGetErrorName(kErrorIllegalAddress, &text), kSuccess);
  EXPECT_STREQ(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
  const void* table = nullptr;
  EXPECT_EQ(cu.cuGetExportTable(&table, nullptr), kErrorNotFound);
  void* address = nullptr;
  int found = -1;
  EXPECT_EQ(cu.cuGetProcAddress_v2("cuMemAlloc", &address, 12000, 0, &found), kSuccess);
  EXPECT_EQ(address, reinterpret_cast<void*>(cu.cuMemAlloc_v2));
  EXPECT_EQ(cu.cuGetProcAddress_v2("cuGraphCreate", &address, 12000, 0, &found), kSuccess);
  EXPECT_EQ(found, 1);
}

TEST_F(Driver, LaunchesReturnBeforeTheKernelEnds) {
  FunctionHandle* kernel = load_kernel(kWait);
  int* box = mapped();
  const CuDevicePtr seen = device_pointer(box), go = device_pointer(box + 1);
  ASSERT_EQ(launch(kernel, 1, 1, seen, go), kSuccess);
  while (std::atomic_ref(box[0]).load() == 0) std::this_thread::yield();
  EXPECT_EQ(cu.cuStreamQuery(stream), kErrorNotReady);
  std::atomic_ref(box[1]).store(1);
  EXPECT_EQ(cu.cuStreamSynchronize(stream), kSuccess);
  EXPECT_EQ(cu.cuStreamQuery(stream), kSuccess);
}

TEST_F(Driver, EventsOrderStreams) {
  FunctionHandle* waits = load_kernel(kWait);
  FunctionHandle* stores = load_kernel(kStore);
  StreamHandle* second = nullptr;
  EventHandle *before = nullptr, *after = nullptr;
  ASSERT_EQ(cu.cuStreamCreateWithPriority(&second, kStreamNonBlocking, -1), kSuccess);
  ASSERT_EQ(cu.cuEventCreate(&before, 0), kSuccess);
  ASSERT_EQ(cu.cuEventCreate(&after, 0), kSuccess);
  int* box = mapped();
  const CuDevicePtr out = upload(std::vector<int>{0});
  ASSERT_EQ(cu.cuEventRecord(before, stream), kSuccess);
  ASSERT_EQ(launch(waits, 1, 1, device_pointer(box), device_pointer(box + 1)), kSuccess);
  ASSERT_EQ(launch(stores, 1, 1, out, 5), kSuccess);
  ASSERT_EQ(cu.cuEventRecord(after, stream), kSuccess);
  ASSERT_EQ(cu.cuStreamWaitEvent(second, after, 0), kSuccess);
  int copied = 0;
  ASSERT_EQ(cu.cuMemcpyDtoHAsync_v2(&copied, out, 4, second), kSuccess);
  static std::atomic<int> seen_by_host;
  seen_by_host = 0;
  ASSERT_EQ(cu.cuLaunchHostFunc(
                second, [](void* of) { seen_by_host = 10 + *static_cast<int*>(of); }, &copied),
            kSuccess);
  EXPECT_EQ(cu.cuEventSynchronize(before), kSuccess);
  EXPECT_EQ(cu.cuEventQuery(after), kErrorNotReady);
  float milliseconds = -1;
  EXPECT_EQ(cu.cuEventElapsedTime(&milliseconds, before, after), kErrorNotReady);
  EXPECT_EQ(seen_by_host, 0);
  std::atomic_ref(box[1]).store(1);
  EXPECT_EQ(cu.cuStreamSynchronize(second), kSuccess);
  EXPECT_EQ(seen_by_host, 15);
  EXPECT_EQ(cu.cuEventElapsedTime(&milliseconds, before, after), kSuccess);
  EXPECT_GE(milliseconds, 0);
  EXPECT_EQ(cu.cuEventDestroy_v2(after), kSuccess);
  EXPECT_EQ(cu.cuEventQuery(after), kErrorInvalidHandle);
  EXPECT_EQ(cu.cuStreamDestroy_v2(second), kSuccess);
  EXPECT_EQ(cu.cuStreamQuery(second), kErrorInvalidHandle);
}

TEST_F(Driver, WorkOfADestroyedStreamIsDone) {
  FunctionHandle* kernel = load_kernel(kStore);
  const CuDevicePtr out = upload(std::vector<int>(4, 0));
  for (int i = 0; i < 20; ++i) ASSERT_EQ(launch(kernel, 1, 4, out, i), kSuccess);
  ASSERT_EQ(cu.cuStreamDestroy_v2(stream), kSuccess);
  ASSERT_EQ(cu.cuCtxSynchronize(), kSuccess);
  stream = nullptr;  // the default stream
  EXPECT_EQ(download<int>(out, 4), (std::vector<int>{19, 20, 21, 22}));
}

TEST_F(Driver, FillsAndCopiesBetweenDevices) {
  ContextHandle* other = nullptr;
  ASSERT_EQ(cu.cuDevicePrimaryCtxRetain(&other, 1), kSuccess);
  ASSERT_EQ(cu.cuCtxPushCurrent_v2(other), kSuccess);
  const CuDevicePtr there = allocate(64);
  ContextHandle* popped = nullptr;
  ASSERT_EQ(cu.cuCtxPopCurrent_v2(&popped), kSuccess);
  EXPECT_EQ(popped, other);
  const CuDevicePtr here = allocate(64);
  EXPECT_EQ(cu.cuMemsetD8Async(here, 0x5a, 64, stream), kSuccess);
  EXPECT_EQ(cu.cuMemsetD32Async(here + 4, 77, 3, stream), kSuccess);
  EXPECT_EQ(cu.cuMemcpyPeerAsync(there, other, here, context, 64, stream), kSuccess);
  EXPECT_EQ(cu.cuMemcpyPeerAsync(there, context, here, other, 64, stream), kErrorInvalidValue);
  EXPECT_EQ(download<int>(there, 5), (std::vector<int>{0x5a5a5a5a, 77, 77, 77, 0x5a5a5a5a}));
  // A kernel needs leave to reach the other device.
  FunctionHandle* kernel = load_kernel(kStore);
  EXPECT_EQ(cu.cuCtxEnablePeerAccess(other, 0), kSuccess);
  EXPECT_EQ(cu.cuCtxEnablePeerAccess(other, 0), kErrorPeerAccessAlreadyEnabled);
  run(kernel, 1, 2, there, 8);
  EXPECT_EQ(download<int>(there, 2), (std::vector<int>{8, 9}));
  EXPECT_EQ(cu.cuDevicePrimaryCtxRelease_v2(1), kSuccess);
}

TEST_F(Driver, OutOfBoundsIsAnErrorThatStays) {
  FunctionHandle* kernel = load_kernel(kStore);
  const CuDevicePtr out = allocate(10 * sizeof(int));
  EXPECT_EQ(launch(kernel, 1, 11, out, 1), kSuccess);
  EXPECT_EQ(cu.cuStreamSynchronize(stream), kErrorIllegalAddress);
  EXPECT_NE(std::string(cu.last_fault()).find("At line 8 of the PTX."), std::string::npos) << cu.last_fault();
  CuDevicePtr more = 0;
  EXPECT_EQ(cu.cuMemAlloc_v2(&more, 4), kErrorIllegalAddress);
  EXPECT_EQ(launch(kernel, 1, 1, out, 1), kErrorIllegalAddress);
  EXPECT_EQ(cu.cuCtxSynchronize(), kErrorIllegalAddress);
  EXPECT_EQ(cu.cuStreamQuery(stream), kErrorIllegalAddress);
  // A new context is a new life.
  EXPECT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), kSuccess);
  SetUp();
  run(load_kernel(kStore), 1, 10, allocate(10 * sizeof(int)), 1);
}

TEST_F(Driver, AnErrorStopsTheKernelsOfOtherStreams) {
  int* box = mapped();
  FunctionHandle* waits = load_kernel(kWait);
  FunctionHandle* stores = load_kernel(kStore);
  ASSERT_EQ(launch(waits, 1, 1, device_pointer(box), device_pointer(box + 1)), kSuccess);
  StreamHandle* first = stream;
  ASSERT_EQ(cu.cuStreamCreate(&stream, kStreamNonBlocking), kSuccess);
  ASSERT_EQ(launch(stores, 1, 1, CuDevicePtr{64}, 1), kSuccess);
  EXPECT_EQ(cu.cuStreamSynchronize(first), kErrorIllegalAddress);
}

TEST_F(Driver, FreedAndForeignMemoryIsIllegal) {
  FunctionHandle* kernel = load_kernel(kStore);
  const CuDevicePtr out = allocate(64);
  EXPECT_EQ(cu.cuMemFree_v2(out), kSuccess);
  EXPECT_EQ(cu.cuMemFree_v2(out), kErrorInvalidValue);
  EXPECT_EQ(cu.cuMemsetD8Async(out, 0, 1, stream), kErrorInvalidValue);
  int of_host = 3;
  EXPECT_EQ(launch(kernel, 1, 1, reinterpret_cast<CuDevicePtr>(&of_host), 1), kSuccess);
  EXPECT_EQ(cu.cuCtxSynchronize(), kErrorIllegalAddress);
  EXPECT_EQ(of_host, 3);
}

TEST_F(Driver, RegisteredMemoryOfTheHostIsSeen) {
  FunctionHandle* kernel = load_kernel(kStore);
  alignas(4096) static int memory[1024];
  EXPECT_EQ(cu.cuMemHostRegister_v2(memory, sizeof memory, 2), kSuccess);
  EXPECT_EQ(cu.cuMemHostRegister_v2(memory, sizeof memory, 2), kErrorHostMemoryAlreadyRegistered);
  run(kernel, 1, 3, device_pointer(memory), 40);
  EXPECT_EQ(memory[2], 42);
  EXPECT_EQ(cu.cuMemHostUnregister(memory), kSuccess);
  EXPECT_EQ(cu.cuMemHostUnregister(memory), kErrorHostMemoryNotRegistered);
}

TEST_F(Driver, MisalignedAccessHasAnErrorOfItsOwn) {
  FunctionHandle* kernel = load_kernel(kStore);
  EXPECT_EQ(launch(kernel, 1, 1, allocate(64) + 2, 1), kSuccess);
  EXPECT_EQ(cu.cuStreamSynchronize(stream), kErrorMisalignedAddress);
}

TEST_F(Driver, ThreadsThatWaitForEverFailTheLaunch) {
  std::string ptx = kStore;
  ptx.replace(ptx.find("st.global"), 0, ".reg .pred %p; setp.lt.u32 %p, %r1, 32; @%p bar.sync 0, 96; ");
  EXPECT_EQ(launch(load_kernel(ptx), 1, 64, allocate(256), 1), kSuccess);
  EXPECT_EQ(cu.cuStreamSynchronize(stream), kErrorLaunchFailed);
  EXPECT_NE(std::string(cu.last_fault()).find("wait for each other"), std::string::npos) << cu.last_fault();
}

TEST_F(Driver, RefusesWhatItDoesNotKnow) {
  std::string ptx = kStore;
  EXPECT_EQ(load(ptx.replace(ptx.find("add.s32"), 7, "vadd4.s32")), kErrorInvalidPtx);
  EXPECT_NE(log.find("vadd4.s32"), std::string::npos) << log;
  ptx = kStore;
  EXPECT_EQ(load(ptx.replace(ptx.find("add.s32"), 7, "add.odd.s32")), kErrorInvalidPtx);
  EXPECT_NE(log.find("(odd)"), std::string::npos) << log;
  EXPECT_EQ(load(std::string("\177ELF") + std::string(60, 'x')), kErrorNoBinaryForGpu);
  EXPECT_EQ(load("what is this"), kErrorInvalidPtx);
  ptx = kStore;
  EXPECT_EQ(load(ptx.substr(0, ptx.size() / 2)), kErrorInvalidPtx);
}

TEST_F(Driver, ChecksLaunches) {
  FunctionHandle* kernel = load_kernel(kStore);
  const CuDevicePtr out = allocate(64);
  EXPECT_EQ(launch(kernel, 0, 1, out, 1), kErrorInvalidValue);
  EXPECT_EQ(launch(kernel, 1, 1025, out, 1), kErrorInvalidValue);
  CuDevicePtr to = out;
  int value = 0;
  void* parameters[] = {&to, &value};
  EXPECT_EQ(cu.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 50000, stream, parameters, nullptr),
            kErrorInvalidValue);
  EXPECT_EQ(cu.cuFuncSetAttribute(kernel, kFunctionMaxDynamicShared, 60000), kSuccess);
  EXPECT_EQ(cu.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 50000, stream, parameters, nullptr), kSuccess);
  int threads = 0, grid = 0, block = 0;
  EXPECT_EQ(cu.cuFuncGetAttribute(&threads, kFunctionMaxThreads, kernel), kSuccess);
  EXPECT_EQ(threads, 1024);
  EXPECT_EQ(cu.cuOccupancyMaxPotentialBlockSize(&grid, &block, kernel, nullptr, 0, 0), kSuccess);
  EXPECT_EQ(block, 1024);
  EXPECT_EQ(grid, 4);
  EXPECT_EQ(cu.cuModuleUnload(module), kSuccess);
  EXPECT_EQ(launch(kernel, 1, 1, out, 1), kErrorInvalidHandle);
}

TEST_F(Driver, HostFunctionsMayNotCallIt) {
  static std::atomic<int> result;
  result = -1;
  ASSERT_EQ(cu.cuLaunchHostFunc(stream, [](void*) { result = api().cuCtxSynchronize(); }, nullptr), kSuccess);
  EXPECT_EQ(cu.cuStreamSynchronize(stream), kSuccess);
  EXPECT_EQ(result, kErrorNotPermitted);
}

TEST_F(Driver, MemoryEndsWhereATestSaysSo) {
  EXPECT_EQ(cu.ask("memory=1000000"), 0);
  std::size_t free = 0, total = 0;
  const CuDevicePtr first = allocate(600000);
  EXPECT_EQ(cu.cuMemGetInfo_v2(&free, &total), kSuccess);
  EXPECT_EQ(total, 1000000U);
  EXPECT_EQ(free, 400000U);
  CuDevicePtr more = 0;
  EXPECT_EQ(cu.cuMemAlloc_v2(&more, 600000), kErrorOutOfMemory);
  EXPECT_EQ(cu.cuMemFree_v2(first), kSuccess);
  EXPECT_EQ(cu.cuMemAlloc_v2(&more, 600000), kSuccess);
}

TEST_F(Driver, ALaunchFailsWhereATestSaysSo) {
  EXPECT_EQ(cu.ask("launch-fails=2"), 0);
  FunctionHandle* kernel = load_kernel(kStore);
  const CuDevicePtr out = allocate(64);
  run(kernel, 1, 1, out, 1);
  EXPECT_EQ(launch(kernel, 1, 1, out, 1), kSuccess);
  EXPECT_EQ(cu.cuStreamSynchronize(stream), kErrorLaunchFailed);
  EXPECT_EQ(cu.cuCtxSynchronize(), kErrorLaunchFailed);
}

TEST_F(Driver, AContextIsLostWhereATestSaysSo) {
  EXPECT_EQ(cu.ask("lost-context=1"), 0);
  EXPECT_EQ(launch(load_kernel(kStore), 1, 1, allocate(64), 1), kSuccess);
  EXPECT_EQ(cu.cuStreamSynchronize(stream), kErrorContextIsDestroyed);
  EXPECT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), kSuccess);
  SetUp();
  // A kernel that never ends is stopped.
  int* box = mapped();
  EXPECT_EQ(launch(load_kernel(kWait), 1, 1, device_pointer(box), device_pointer(box + 1)), kSuccess);
  while (std::atomic_ref(box[0]).load() == 0) std::this_thread::yield();
  cu.lose_context(0);
  EXPECT_EQ(cu.cuCtxSynchronize(), kErrorContextIsDestroyed);
}

TEST_F(Driver, CopiesAreSlowWhereATestSaysSo) {
  const CuDevicePtr out = allocate(64);
  EXPECT_EQ(cu.ask("slow-copies=20ms"), 0);
  const auto begin = std::chrono::steady_clock::now();
  download<int>(out, 4);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(20));
}

TEST_F(Driver, APlantedWrongOpcodeIsNoticed) {
  EXPECT_EQ(cu.ask("wrong=add.s32"), 0);
  const CuDevicePtr out = allocate(64);
  run(load_kernel(kStore), 1, 2, out, 5);
  EXPECT_EQ(download<int>(out, 2), (std::vector<int>{6, 7}));
  cu.forget();
  run(load_kernel(kStore), 1, 2, out, 5);
  EXPECT_EQ(download<int>(out, 2), (std::vector<int>{5, 6}));
  EXPECT_EQ(cu.ask("wrong"), 1);
  EXPECT_EQ(cu.ask("wrnog=add"), 1);
  EXPECT_EQ(cu.ask("memory=many"), 1);
}

TEST_F(Driver, NothingIsLeftWhenAContextIsGone) {
  load_kernel(kStore);
  EventHandle* event = nullptr;
  EXPECT_EQ(cu.cuEventCreate(&event, kEventDisableTiming), kSuccess);
  allocate(100);
  mapped();
  EXPECT_EQ(cu.objects(), 5U);
  EXPECT_EQ(cu.cuDevicePrimaryCtxRelease_v2(0), kSuccess);
  EXPECT_EQ(cu.objects(), 0U);
  EXPECT_EQ(cu.cuCtxSynchronize(), kErrorContextIsDestroyed);
  SetUp();
}

}  // namespace
}  // namespace collet::cuda_double
