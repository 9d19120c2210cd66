// Exported: memory and copies.
//
// Copies read and write the host's memory when their turn comes, also where it is pageable and a real driver
// would have made a copy of it before.

#include <algorithm>
#include <cstring>
#include <thread>

#include "driver.hpp"
#include "faults.hpp"
#include "memory.hpp"

namespace collet::cuda_double {
namespace {

void* host(u64 address) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)); }
u64 number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }
u64 number(CuDevicePtr address) { return address; }

// Checks again when the turn comes: memory may have been freed since.
Result copy(u64 to, bool to_device, u64 from, bool from_device, std::size_t size, StreamHandle* handle) {
  std::shared_ptr<Stream> stream;
  COLLET_CUDA_DOUBLE_TRY(find_stream(handle, stream));
  const auto is_right = [=] {
    Memory& memory = Memory::instance();
    return (!to_device || memory.holds(to, size, kEveryDevice)) &&
           (!from_device || memory.holds(from, size, kEveryDevice));
  };
  if (to == 0 || from == 0 || !is_right()) return size == 0 ? kSuccess : kErrorInvalidValue;
  enqueue(stream, [=]() -> int {
    std::this_thread::sleep_for(copy_delay());
    if (!is_right()) return kErrorIllegalAddress;
    std::memmove(host(to), host(from), size);
    return kSuccess;
  });
  return kSuccess;
}

template <class T>
Result fill(CuDevicePtr to, T value, std::size_t count, StreamHandle* handle) {
  std::shared_ptr<Stream> stream;
  COLLET_CUDA_DOUBLE_TRY(find_stream(handle, stream));
  if (count > ~std::size_t{0} / sizeof(T) || to % sizeof(T) != 0) return kErrorInvalidValue;
  if (!Memory::instance().holds(to, count * sizeof(T), kEveryDevice)) return kErrorInvalidValue;
  enqueue(stream, [=]() -> int {
    if (!Memory::instance().holds(to, count * sizeof(T), kEveryDevice)) return kErrorIllegalAddress;
    std::fill_n(static_cast<T*>(host(to)), count, value);
    return kSuccess;
  });
  return kSuccess;
}

}  // namespace

Result cuMemGetInfo_v2(std::size_t* available, std::size_t* total) {
  std::shared_ptr<Context> context;
  COLLET_CUDA_DOUBLE_TRY(current(context));
  const u64 limit = memory_limit();
  if (total != nullptr) *total = limit;
  if (available != nullptr) *available = limit - std::min(limit, Memory::instance().used(context->device));
  return kSuccess;
}

Result cuMemAlloc_v2(CuDevicePtr* address, std::size_t size) {
  std::shared_ptr<Context> context;
  COLLET_CUDA_DOUBLE_TRY(current(context));
  if (address == nullptr) return kErrorInvalidValue;
  u64 made = 0;
  COLLET_CUDA_DOUBLE_TRY(Memory::instance().allocate(Memory::Kind::device, context->device, size, made));
  *address = made;
  return kSuccess;
}

Result cuMemFree_v2(CuDevicePtr address) {
  std::shared_ptr<Context> context;
  COLLET_CUDA_DOUBLE_TRY(current(context));
  if (address == 0) return kSuccess;
  wait_for_all();
  return static_cast<Result>(Memory::instance().free(Memory::Kind::device, address));
}

Result cuMemHostAlloc(void** address, std::size_t size, unsigned flags) {
  std::shared_ptr<Context> context;
  COLLET_CUDA_DOUBLE_TRY(current(context));
  if (address == nullptr || (flags & ~7U) != 0) return kErrorInvalidValue;
  u64 made = 0;
  COLLET_CUDA_DOUBLE_TRY(Memory::instance().allocate(Memory::Kind::host, context->device, size, made));
  *address = host(made);
  return kSuccess;
}

Result cuMemFreeHost(void* address) {
  std::shared_ptr<Context> context;
  COLLET_CUDA_DOUBLE_TRY(current(context));
  if (address == nullptr) return kSuccess;
  wait_for_all();
  return static_cast<Result>(Memory::instance().free(Memory::Kind::host, number(address)));
}

Result cuMemHostGetDevicePointer_v2(CuDevicePtr* address, void* of, unsigned flags) {
  std::shared_ptr<Context> context;
  COLLET_CUDA_DOUBLE_TRY(current(context));
  if (address == nullptr || flags != 0) return kErrorInvalidValue;
  const auto ranges = Memory::instance().ranges();
  const bool is_mapped = std::ranges::any_of(*ranges, [&](const Memory::Range& range) {
    const bool is_of_host = range.kind == Memory::Kind::host || range.kind == Memory::Kind::registered;
    return is_of_host && number(of) - range.begin < range.size;
  });
  if (!is_mapped) return kErrorInvalidValue;
  *address = number(of);
  return kSuccess;
}

Result cuMemHostRegister_v2(void* address, std::size_t size, unsigned flags) {
  std::shared_ptr<Context> context;
  COLLET_CUDA_DOUBLE_TRY(current(context));
  if (address == nullptr || size == 0 || (flags & ~3U) != 0)
    return (flags & ~15U) == 0 ? kErrorNotSupported : kErrorInvalidValue;
  return static_cast<Result>(Memory::instance().add(
      {number(address), size, kEveryDevice, Memory::Kind::registered, context->device}));
}

Result cuMemHostUnregister(void* address) {
  std::shared_ptr<Context> context;
  COLLET_CUDA_DOUBLE_TRY(current(context));
  wait_for_all();
  return static_cast<Result>(Memory::instance().remove(Memory::Kind::registered, number(address)));
}

Result cuMemcpyHtoDAsync_v2(CuDevicePtr to, const void* from, std::size_t size, StreamHandle* stream) {
  return copy(number(to), true, number(from), false, size, stream);
}

Result cuMemcpyDtoHAsync_v2(void* to, CuDevicePtr from, std::size_t size, StreamHandle* stream) {
  return copy(number(to), false, number(from), true, size, stream);
}

Result cuMemcpyDtoDAsync_v2(CuDevicePtr to, CuDevicePtr from, std::size_t size, StreamHandle* stream) {
  return copy(number(to), true, number(from), true, size, stream);
}

Result cuMemcpyPeerAsync(CuDevicePtr to, ContextHandle* to_context, CuDevicePtr from,
                         ContextHandle* from_context, std::size_t size, StreamHandle* stream) {
  const auto destination = Contexts::instance().find(to_context);
  const auto source = Contexts::instance().find(from_context);
  if (destination == nullptr || source == nullptr) return kErrorInvalidContext;
  if (!Memory::instance().holds(to, size, destination->device) ||
      !Memory::instance().holds(from, size, source->device)) {
    return kErrorInvalidValue;
  }
  return copy(number(to), true, number(from), true, size, stream);
}

Result cuMemsetD8Async(CuDevicePtr to, unsigned char value, std::size_t count, StreamHandle* stream) {
  return fill(to, value, count, stream);
}

Result cuMemsetD32Async(CuDevicePtr to, unsigned value, std::size_t count, StreamHandle* stream) {
  return fill(to, value, count, stream);
}

}  // namespace collet::cuda_double
