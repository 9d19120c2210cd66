// Exported: initialisation, devices, contexts, errors.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "driver.hpp"
#include "errors.hpp"
#include "faults.hpp"
#include "memory.hpp"

namespace collet::cuda_double {

int check_device(CuDevice device) {
  if (Stream::in_host_function()) return kErrorNotPermitted;
  if (!is_initialized()) return kErrorNotInitialized;
  return device >= 0 && device < device_count() ? kSuccess : kErrorInvalidDevice;
}

Result cuInit(unsigned flags) { return flags != 0 ? kErrorInvalidValue : static_cast<Result>(initialize()); }

Result cuDriverGetVersion(int* version) {
  if (version == nullptr) return kErrorInvalidValue;
  *version = kDriverVersion;
  return kSuccess;
}

// Names have no version there: cuMemAlloc is cuMemAlloc_v2.
Result cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t, int* found) {
  if (name == nullptr || function == nullptr || version < 1) return kErrorInvalidValue;
  struct Entry {
    std::string_view name;
    void* function;
  };
  static const Entry kFunctions[] = {
#define COLLET_CUDA_DOUBLE_FUNCTION(name, ...) {#name, reinterpret_cast<void*>(&name)},
#include "functions.inc"
#undef COLLET_CUDA_DOUBLE_FUNCTION
  };
  const std::string_view wanted = name;
  const auto* entry = std::ranges::find_if(kFunctions, [&](const Entry& one) {
    return one.name == wanted ||
           (one.name.ends_with("_v2") && one.name.substr(0, one.name.size() - 3) == wanted);
  });
  // cuDeviceGetUuid is both; the second one is the current one.
  if (wanted == "cuDeviceGetUuid") entry = std::ranges::find(kFunctions, "cuDeviceGetUuid_v2", &Entry::name);
  const bool is_there = entry != std::end(kFunctions);
  *function = is_there ? entry->function : nullptr;
  if (found != nullptr) *found = is_there ? 0 : 1;
  if (is_there) return kSuccess;
  return found != nullptr ? kSuccess : kErrorNotFound;
}

// NVRTC asks for it and takes the answer for the real driver's.
Result cuGetExportTable(const void** table, const Uuid*) {
  if (table != nullptr) *table = nullptr;
  return kErrorNotFound;
}

Result cuGetErrorName(Result result, const char** name) {
  if (name == nullptr) return kErrorInvalidValue;
  *name = name_of(result);
  return *name != nullptr ? kSuccess : kErrorInvalidValue;
}

Result cuGetErrorString(Result result, const char** text) {
  if (text == nullptr) return kErrorInvalidValue;
  *text = text_of(result);
  return *text != nullptr ? kSuccess : kErrorInvalidValue;
}

Result cuDeviceGetCount(int* count) {
  if (!is_initialized()) return kErrorNotInitialized;
  if (count == nullptr) return kErrorInvalidValue;
  *count = device_count();
  return kSuccess;
}

Result cuDeviceGet(CuDevice* device, int ordinal) {
  if (device == nullptr) return kErrorInvalidValue;
  COLLET_CUDA_DOUBLE_TRY(check_device(ordinal));
  *device = ordinal;
  return kSuccess;
}

Result cuDeviceGetName(char* name, int length, CuDevice device) {
  COLLET_CUDA_DOUBLE_TRY(check_device(device));
  if (name == nullptr || length <= 0) return kErrorInvalidValue;
  std::snprintf(name, static_cast<std::size_t>(length), "Collet CUDA double %d (PTX interpreter, no GPU)",
                device);
  return kSuccess;
}

Result cuDeviceGetUuid(Uuid* uuid, CuDevice device) {
  COLLET_CUDA_DOUBLE_TRY(check_device(device));
  if (uuid == nullptr) return kErrorInvalidValue;
  std::memcpy(uuid->bytes, "Collet CUDA dbl", 15);
  uuid->bytes[15] = static_cast<char>('0' + device);
  return kSuccess;
}

Result cuDeviceGetUuid_v2(Uuid* uuid, CuDevice device) { return cuDeviceGetUuid(uuid, device); }

Result cuDeviceGetPCIBusId(char* id, int length, CuDevice device) {
  COLLET_CUDA_DOUBLE_TRY(check_device(device));
  if (id == nullptr || length < 13) return kErrorInvalidValue;
  std::snprintf(id, static_cast<std::size_t>(length), "0000:%02X:00.0", device + 1);
  return kSuccess;
}

Result cuDeviceGetAttribute(int* value, int attribute, CuDevice device) {
  COLLET_CUDA_DOUBLE_TRY(check_device(device));
  if (value == nullptr) return kErrorInvalidValue;
  switch (attribute) {
#define X(name, number, answer) \
  case number: *value = static_cast<int>(answer); return kSuccess;
    COLLET_CUDA_DOUBLE_ATTRIBUTES(X)
#undef X
    default: break;
  }
  // What the double has not heard of, it does not have. A real driver refuses numbers that it does not know.
  *value = 0;
  return attribute > 0 && attribute < 150 ? kSuccess : kErrorInvalidValue;
}

Result cuDeviceTotalMem_v2(std::size_t* bytes, CuDevice device) {
  COLLET_CUDA_DOUBLE_TRY(check_device(device));
  if (bytes == nullptr) return kErrorInvalidValue;
  *bytes = memory_limit();
  return kSuccess;
}

Result cuDeviceCanAccessPeer(int* can, CuDevice device, CuDevice peer) {
  COLLET_CUDA_DOUBLE_TRY(check_device(device));
  COLLET_CUDA_DOUBLE_TRY(check_device(peer));
  if (can == nullptr) return kErrorInvalidValue;
  *can = device != peer ? 1 : 0;
  return kSuccess;
}

Result cuDevicePrimaryCtxRetain(ContextHandle** context, CuDevice device) {
  COLLET_CUDA_DOUBLE_TRY(check_device(device));
  if (context == nullptr) return kErrorInvalidValue;
  *context = reinterpret_cast<ContextHandle*>(retain(device).get());
  return kSuccess;
}

Result cuDevicePrimaryCtxRelease_v2(CuDevice device) {
  COLLET_CUDA_DOUBLE_TRY(check_device(device));
  std::shared_ptr<Context> ended;
  if (!release(device, ended)) return kErrorInvalidContext;
  if (ended != nullptr) drop_modules(ended);
  return kSuccess;
}

Result cuDevicePrimaryCtxGetState(CuDevice device, unsigned* flags, int* active) {
  COLLET_CUDA_DOUBLE_TRY(check_device(device));
  if (flags == nullptr || active == nullptr) return kErrorInvalidValue;
  *flags = 0;
  *active = primary(device) != nullptr ? 1 : 0;
  return kSuccess;
}

Result cuCtxSetCurrent(ContextHandle* context) {
  if (!is_initialized()) return kErrorNotInitialized;
  if (context != nullptr && Contexts::instance().find(context) == nullptr) return kErrorInvalidContext;
  set_current(context);
  return kSuccess;
}

Result cuCtxGetCurrent(ContextHandle** context) {
  if (!is_initialized()) return kErrorNotInitialized;
  if (context == nullptr) return kErrorInvalidValue;
  *context = current_handle();
  return kSuccess;
}

Result cuCtxPushCurrent_v2(ContextHandle* context) {
  if (!is_initialized()) return kErrorNotInitialized;
  if (Contexts::instance().find(context) == nullptr) return kErrorInvalidContext;
  push_current(context);
  return kSuccess;
}

Result cuCtxPopCurrent_v2(ContextHandle** context) {
  if (!is_initialized()) return kErrorNotInitialized;
  ContextHandle* popped = nullptr;
  if (!pop_current(popped)) return kErrorInvalidContext;
  if (context != nullptr) *context = popped;
  return kSuccess;
}

Result cuCtxGetDevice(CuDevice* device) {
  std::shared_ptr<Context> context;
  const int result = current(context);
  if (context == nullptr) return static_cast<Result>(result);
  if (device == nullptr) return kErrorInvalidValue;
  *device = context->device;
  return kSuccess;
}

Result cuCtxSynchronize() {
  std::shared_ptr<Context> context;
  COLLET_CUDA_DOUBLE_TRY(current(context));
  wait_for(context);
  return static_cast<Result>(context->error());
}

Result cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  std::shared_ptr<Context> context;
  COLLET_CUDA_DOUBLE_TRY(current(context));
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
  return kSuccess;
}

Result cuCtxEnablePeerAccess(ContextHandle* peer, unsigned flags) {
  std::shared_ptr<Context> context;
  COLLET_CUDA_DOUBLE_TRY(current(context));
  const auto other = Contexts::instance().find(peer);
  if (other == nullptr || other == context) return kErrorInvalidContext;
  if (flags != 0) return kErrorInvalidValue;
  if (Memory::instance().peer_allowed(context->device, other->device)) return kErrorPeerAccessAlreadyEnabled;
  Memory::instance().allow_peer(context->device, other->device);
  return kSuccess;
}

}  // namespace collet::cuda_double
