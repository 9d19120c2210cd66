// Device: buffers, streams, compiling ahead.

#include "collet/device.hpp"

#include <cstring>

#include "core/background.hpp"
#include "core/buffer_state.hpp"
#include "core/stream_state.hpp"

namespace collet {

Device::Device(detail::Ref<detail::DeviceState> state) : state_(std::move(state)) {}
Device::Device(const Device&) = default;
Device::Device(Device&&) noexcept = default;
Device& Device::operator=(const Device&) = default;
Device& Device::operator=(Device&&) noexcept = default;
Device::~Device() = default;

const DeviceInfo& Device::info() const { return state_->native->info(); }
const std::string& Device::name() const { return info().name; }
backend::Device& Device::native() const { return *state_->native; }

Result<detail::Ref<detail::BufferState>> Device::make_buffer(std::uint64_t count, std::uint32_t element_size,
                                                             BufferOptions options) const {
  COLLET_TRY(bytes, detail::bytes_of(count, element_size));
  return detail::make_buffer(state_, bytes, backend::Placement::device, std::move(options));
}

Result<detail::Ref<detail::BufferState>> Device::upload_buffer(const void* host, std::uint64_t count,
                                                               std::uint32_t element_size,
                                                               BufferOptions options) const {
  options.zeroed = false;
  COLLET_TRY(buffer, make_buffer(count, element_size, std::move(options)));
  if (buffer->bytes == 0) return buffer;
  if (host == nullptr) {
    return Error(ErrorCode::invalid_argument, Category::memory, Cause::null_pointer,
                 "The host pointer is null, but " + std::to_string(buffer->bytes) + " bytes are asked of " +
                     buffer->name() + ".");
  }
  const memory::Block& block = buffer->block;
  if (block.host != nullptr) {
    std::memcpy(block.host, host, buffer->bytes);
    COLLET_CHECK(state_->native->sync_host_range(
        {block.memory, block.offset, block.size, backend::Access::write}, true));
    return buffer;
  }
  COLLET_CHECK(state_->initialiser.write(block, static_cast<const std::byte*>(host), buffer->bytes));
  return buffer;
}

Stream Device::stream(StreamOptions options) const {
  return Stream(detail::Ref(new detail::StreamState(state_, std::move(options))));
}

Result<BuildReport> Device::compile_kernel(detail::KernelState& kernel) const {
  COLLET_CHECK(state_->usable());
  auto compiled = state_->compiled(kernel);
  if (!compiled) {
    return compiled.error().during("compiling " + detail::described(kernel) + " for " + state_->facts->name);
  }
  const KernelFacts& facts = *(*compiled)->facts;
  const bool runs_there = facts.substitution.empty();
  const auto figures =
      runs_there ? state_->native->kernel_figures((*compiled)->handle) : backend::KernelFigures{};
  return BuildReport{.format = facts.format,
                     .log = facts.build_log,
                     .ignored_options = facts.ignored_options,
                     .registers = figures.registers,
                     .private_bytes = figures.private_bytes,
                     .shared_bytes = figures.shared_bytes,
                     .groups_per_unit = figures.groups_per_unit};
}

std::future<Result<BuildReport>> Device::compile_kernel_async(
    const detail::Ref<detail::KernelState>& kernel) const {
  return core::in_background([device = *this, kernel] { return device.compile_kernel(*kernel); });
}

Result<void> Device::wait(Deadline deadline) const {
  COLLET_CHECK(state_->usable());
  std::optional<Error> first;
  for (const auto& stream : state_->live_streams()) {
    if (auto done = stream->wait_done(deadline); !done && !first) first = done.error();
  }
  if (first) return *first;
  return {};
}

Result<void> Device::health() const {
  COLLET_CHECK(state_->usable());
  return state_->native->health();
}

MemoryUsage Device::memory_usage() const {
  if (state_->is_abandoned()) return {};
  state_->initialiser.collect();
  return state_->pool.usage();
}

void Device::trim() const {
  if (state_->is_abandoned()) return;
  state_->reclaim();
}

Stream::Stream(detail::Ref<detail::StreamState> state) : state_(std::move(state)) {}
Stream::Stream(Stream&&) noexcept = default;
Stream& Stream::operator=(Stream&& other) noexcept {
  if (this != &other) {
    state_->close();
    state_ = std::move(other.state_);
  }
  return *this;
}
Stream::~Stream() { state_->close(); }

Scratch Stream::scratch() { return Scratch(state_->scratch()); }
void Stream::wait_for(const Event& event) { state_->wait_for(event.state()); }
Event Stream::record(const EventOptions& options) { return Event(state_->record(options)); }
void Stream::flush() { state_->flush(); }
bool Stream::idle() { return state_->idle(); }
Result<Receipt> Stream::wait(Deadline deadline) { return state_->wait(deadline); }
const std::string& Stream::label() const { return state_->options.label; }

void Stream::upload_bytes(const void* host, std::size_t size, const detail::Range& to, bool borrowed,
                          Deadline deadline) {
  state_->upload(host, size, to, borrowed, deadline);
}
void Stream::download_bytes(const detail::Range& from, void* host, std::size_t size) {
  state_->download(from, host, size);
}
void Stream::copy_bytes(const detail::Range& from, const detail::Range& to) { state_->copy(from, to); }
void Stream::fill_bytes(const detail::Range& to, const void* value) { state_->fill(to, value); }
void Stream::launch_kernel(detail::KernelState& kernel, const Grid& grid,
                           std::span<const detail::Argument> arguments) {
  state_->launch(kernel, grid, arguments);
}

}  // namespace collet
