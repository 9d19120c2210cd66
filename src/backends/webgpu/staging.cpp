#include "backends/webgpu/staging.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace collet::backend::webgpu {
namespace {

constexpr std::uint64_t kSmallest = 4096;
constexpr std::uint64_t kKept = 64 << 20;  // bytes of the buffers that wait for the next read

void on_mapped(abi::MapAsyncStatus status, abi::StringView, void* to, void*) {
  auto& readback = *static_cast<Readback*>(to);
  readback.mapped = status == abi::MapAsyncStatus::success;
  readback.answered.store(true, std::memory_order_release);
}

}  // namespace

Readbacks::~Readbacks() {
  for (const auto& one : spare_) native_.release_buffer(one->buffer);
}

Result<std::unique_ptr<Readback>> Readbacks::acquire(std::uint64_t size) {
  const auto fits = [&](const auto& one) {
    return one->size >= size && one->size / 4 <= std::max(size, kSmallest);
  };
  const auto found = std::ranges::find_if(spare_, fits);
  std::unique_ptr<Readback> readback;
  if (found != spare_.end()) {
    readback = std::move(*found);
    spare_.erase(found);
  } else {
    readback = std::make_unique<Readback>();
    const std::uint64_t rounded =
        std::min(std::bit_ceil(std::max(size, kSmallest)), native_.limits.max_buffer & ~std::uint64_t{15});
    readback->size = std::max(rounded, size);
    using namespace abi::buffer_usage;
    COLLET_TRY(buffer,
               native_.create_buffer(readback->size, map_read | copy_dst, "collet readback", kMakeStaging));
    readback->buffer = buffer;
  }
  readback->used = 0;
  readback->parts.clear();
  readback->answered.store(false, std::memory_order_relaxed);
  return readback;
}

void Readbacks::map(Readback& readback) const {
  native_.wgpu.BufferMapAsync(readback.buffer, abi::kMapModeRead, 0, readback.used,
                              {.callback = on_mapped, .first = &readback});
}

Result<void> Readbacks::collect(std::unique_ptr<Readback> readback) {
  const void* bytes = readback->mapped
                          ? native_.wgpu.BufferGetConstMappedRange(readback->buffer, 0, readback->used)
                          : nullptr;
  if (bytes == nullptr) {
    recycle(std::move(readback));
    return Error(ErrorCode::device_lost, Category::memory, "WebGPU does not map what was read back.");
  }
  for (const Readback::Part& part : readback->parts)
    std::memcpy(part.to, static_cast<const std::byte*>(bytes) + part.at, part.size);
  native_.wgpu.BufferUnmap(readback->buffer);
  recycle(std::move(readback));
  return {};
}

void Readbacks::recycle(std::unique_ptr<Readback> readback) {
  std::uint64_t kept = readback->size;
  for (const auto& one : spare_) kept += one->size;
  if (kept > kKept) {
    native_.release_buffer(readback->buffer);
    return;
  }
  spare_.push_back(std::move(readback));
}

}  // namespace collet::backend::webgpu
